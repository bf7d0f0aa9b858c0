"""Harm done to a text: what a careless editor, a merge, a broken disk or a malicious author does."""

from collections.abc import Callable

from hypothesis import strategies as st

# Anything with a meaning somewhere: in YAML, in CSV, in TOML, in an editor, a terminal or a build log.
TOKENS = (
    *":#-[]{}\"'|>&*!%@`,;=?~\\$<\t \n\r",
    "\r\n",
    "---\n",
    "\n---\n",
    "...\n",
    "+++\n",
    ": ",
    " #",
    "- ",
    "? ",
    '""',
    "''",
    '"""',
    "'''",
    "|\n",
    ">-\n",
    "|9\n",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!binary ",
    "!!python/object/apply:os.system ",
    "!!set ",
    "%YAML 9.9\n",
    "\\ud800",
    "\\0",
    "\\x00",
    "\\N",
    "1e999",
    ".nan",
    "0001-01-01",
    "9999-12-31T23:59:59-14:00",
    "2024-02-30",
    "99999999999999999999999",
    "sep=;\n",
    "a.b.c",
    "a.",
    ".a",
    "null",
    "<<<<<<< HEAD\n",
    "\u0000",
    "\u001b[31m",
    "\u007f",
    "\u0085",
    "\u00a0",
    "\u0300",
    "\u200b",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u3000",
    "\ufdd0",
    "\ufeff",
    "\uffff",
    "\U000e0041",
    "\U0001f389",
    "::error::",
    "%0A",
    "../",
    "](x.md)",
    "<img src=",
)
REPEATED = (
    *("[", "{", "{a: ", "- ", "  ", '"', "x", "[[", "a.", "-", ">", "&a [*a,", "\n", "\t", "\r", ",", "|"),
    *("![", "](", "<!--", "> ", "- x\n", "\n> "),
)
# What a Markdown parser looks at together with all that stands behind it, or in which it may go deeper and deeper.
INTRICATE = (
    *(
        "[",
        "![",
        "![a",
        "[!",
        "](",
        "](a)",
        "[a](",
        "[a](<",
        '[a](b "',
        "[![a](",
        "[a](b)",
        "[a][b]",
        "()",
        "(",
        "]",
        "\\",
    ),
    *(
        "<",
        "<a ",
        "<a b='",
        "<!--",
        "<?",
        "<![CDATA[",
        "<http://a>",
        "src=",
        "&amp;",
        "`",
        "`a",
        "*",
        "_a ",
        "a",
        " ",
        "\n",
    ),
    *(
        "> ",
        ">",
        "> ```\na\n",
        "> # a\nb\n",
        "- > # a\nb\n",
        "- ",
        "- a\n",
        "1. a\n\n",
        "    a\n",
        "~~~\n",
        "# a\n",
        "a\n=\n",
    ),
    *(
        "[a]: b\n",
        '[a]: b "\n',
        "[a]: <b\n\n",
        "|a",
        "|-",
        "|\n",
        "|a|a|\n|-|-|\n",
        "<div>\n\n",
        "x\n",
        "\n\n",
        "a  \n",
    ),
)
BYTES = (b"\x00", b"\x80", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xfe\xff", b"\xf4\x90\x80\x80")

Harm = Callable[[str], str]


def _at(text: str, place: int) -> int:
    return place % (len(text) + 1)


def _insert(place: int, token: str) -> Harm:
    return lambda text: text[: _at(text, place)] + token + text[_at(text, place) :]


def _delete(place: int, length: int) -> Harm:
    return lambda text: text[: _at(text, place)] + text[_at(text, place) + length :]


def _replace(place: int, token: str) -> Harm:
    return lambda text: text[: _at(text, place)] + token + text[_at(text, place) + 1 :]


def _cut(place: int) -> Harm:
    return lambda text: text[: _at(text, place)]


def _with_line(place: int, change: Callable[[str], list[str]]) -> Harm:
    def harm(text: str) -> str:
        lines = text.split("\n")
        at = place % len(lines)
        return "\n".join(lines[:at] + change(lines[at]) + lines[at + 1 :])

    return harm


def _line_ends(end: str) -> Harm:
    return lambda text: text.replace("\n", end)


_places = st.integers(0, 2_000)
_tokens = st.sampled_from(TOKENS)
harms = st.one_of(
    st.builds(_insert, _places, _tokens),
    st.builds(_replace, _places, _tokens),
    st.builds(_delete, _places, st.integers(1, 20)),
    st.builds(_with_line, _places, st.just(lambda line: [])),
    st.builds(_with_line, _places, st.just(lambda line: [line, line])),
    st.builds(_with_line, _places, st.just(lambda line: ["  " + line])),
    st.builds(_with_line, _places, st.just(lambda line: [line[1:]])),
    st.builds(_insert, _places, st.builds(lambda piece, times: piece * times, st.sampled_from(REPEATED), _places)),
    st.builds(_insert, _places, st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
    st.builds(_cut, _places),
    st.builds(_line_ends, st.sampled_from(["\r\n", "\r", "\u2028", "\u0085"])),
)


@st.composite
def harmed(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> bytes:
    """The bytes of a text with some harm done to it, or none."""
    text = draw(texts)
    for harm in draw(st.lists(harms, max_size=4)):
        text = harm(text)
    data = text.encode(draw(st.sampled_from(["utf-8"] * 12 + ["utf-8-sig", "utf-16", "cp1252"])), "replace")
    if draw(st.integers(0, 9)) == 9:
        place = draw(_places) % (len(data) + 1)
        data = data[:place] + draw(st.sampled_from(BYTES)) + data[place + draw(st.integers(0, 2)) :]
    return data
