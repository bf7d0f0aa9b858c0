"""Random YAML at the limits of the syntax that is read without libyaml, on both sides of them."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

# fmt: off
_KEYS = ["a", "b", "c", "d", "e_f", "g-h", "_i", "K1", "null", "k" * 100]
_VALUES = [
    "a", "b c", "x:y", "x#y", "http://example.org/?a=b#c", "null", "~", "true", "no", "12", "-3", "-.5", "+4",
    "1_000", "12:30", "2026-01-02 10:00", ".nan", "a, b", "a [b]", "it's", 'say "x"', "é ü", "日本", "🎉", "a  b",
    "(x)", "x -", "x ?", '""', "''", '"a"', "'a'", '"a: b"', "'a #b'", "[]", "[ ]", "[a]", "[a, b]", "[a,b]",
    "[ a , b ]", "[\"a\", 'b']", "[a b, 12]", "[null, ~, true]", "[http://x/y, b]", "[é]", "a  ", "a\\b", "x :y",
    "[a?b]", "--", "NULL", "a|b", "a*",
]
_ODD = [
    "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", '"', "%", "@", "`", "=", "~", "<",
    "\\", "\t", "\r", "\0", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "é",
    "🎉", " ", "  ", "---", "...", "\n---\n", "\n...\n", "<<: ", "\n", " #", " #c", " # c", ": ", ":\n", "- ",
    "\n- ", "? ", "\n ", "\n  ", ",b", "a: b", "a:", ": a", "- a", "&x ", "*x", "!!str ", "! ", "|\n", ">-\n", "{}",
    "{a: b}", "[a, ]", "[, a]", "[a: b]", "[a:b]", "[[a]]", "[a #b]", "[-a, - a]", "[a", '"a', "'a", '["a"b]',
    '["a,b"]', "'it''s'", '"\\""', '"a" b', "1: ", "é: ", '"a": ', "k" * 101 + ": ", " " * 13, "%YAML 1.1\n",
    "text\n", "\n\n", "# c\n",
]
# fmt: on


@st.composite
def _block(draw: st.DrawFn, indent: int, depth: int) -> list[str]:
    """Return the lines of a mapping or a list."""
    lines: list[str] = []
    if draw(st.integers(0, 3)) == 0:
        for _ in range(draw(st.integers(1, 3))):
            dash = "-" + " " * draw(st.sampled_from([1, 1, 1, 3]))
            inner = draw(_entries(indent + len(dash), depth)) if draw(st.booleans()) else [draw(_values)]
            lines += [" " * indent + dash + inner[0].lstrip(" "), *inner[1:]]
        return lines
    return draw(_entries(indent, depth))


@st.composite
def _entries(draw: st.DrawFn, indent: int, depth: int) -> list[str]:
    lines: list[str] = []
    for key in draw(st.lists(st.sampled_from(_KEYS), min_size=1, max_size=4, unique=True)):
        start = f"{' ' * indent}{key}:"
        kind = draw(st.integers(0, 5))
        if kind > 1 or depth == 0:
            lines.append(f"{start} {draw(_values)}")
        else:
            lines.append(start)
            if kind:
                lines += draw(_block(indent + draw(st.sampled_from([0, 1, 2, 2, 2, 4])), depth - 1))
        lines += draw(st.sampled_from([[], [], [], [], [""], ["# c"], ["     # c: d"], ["  "]]))
    return lines


@st.composite
def _items(draw: st.DrawFn) -> list[str]:
    """Return the lines of a list in the first column, nearly all of them mappings."""
    lines = draw(st.sampled_from([[], [], [], ["---"], ["# c", ""], ["", "---", "# c"]]))
    for _ in range(draw(st.integers(1, 4))):
        first, *others = draw(_entries(2, 2)) if draw(st.integers(0, 5)) else [f"  {draw(_values)}"]
        lines += [f"- {first[2:]}", *others]
    return lines


def _text(lines: list[str]) -> str:
    return "\n".join([*lines, ""])


_values = st.sampled_from(_VALUES)
_written = st.one_of(_entries(0, 3), _block(0, 3)).map(_text)


def _changed(text: str, place: int, change: Callable[[str, int], str]) -> str:
    return change(text, place % (len(text) + 1))


def _insert(letters: str) -> Callable[[str, int], str]:
    return lambda text, at: text[:at] + letters + text[at:]


def _insert_at_a_value(letters: str) -> Callable[[str, int], str]:
    def change(text: str, at: int) -> str:
        at = text.find(" ", at) + 1
        return text[:at] + letters + text[at:]

    return change


def _push(width: int) -> Callable[[str, int], str]:
    def change(text: str, at: int) -> str:
        at = text.find("\n", at) + 1
        return text[:at] + " " * width + text[at:]

    return change


def _delete(text: str, at: int) -> str:
    return text[:at] + text[at + 1 :]


def _dedent(text: str, at: int) -> str:
    return text[:at] + text[at:].replace("\n ", "\n", 1)


_changes = st.one_of(
    st.sampled_from(_ODD).map(_insert),
    st.sampled_from(_ODD).map(_insert_at_a_value),
    st.integers(1, 3).map(_push),
    st.sampled_from([_delete, _dedent]),
)


def _with_changes(written: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    once = st.builds(_changed, written, st.integers(0, 500), _changes)
    return st.one_of(written, once, once, st.builds(_changed, once, st.integers(0, 500), _changes))


texts = st.one_of(
    _with_changes(_written),
    _with_changes(_items().map(_text)),
    st.lists(st.sampled_from([*_ODD, *_VALUES, *_KEYS, "a: ", "\n  "]), max_size=12).map("".join),
)
"""Texts of which each is a mapping, a list, or neither."""


@st.composite
def _equal_keys(draw: st.DrawFn) -> list[str]:
    """Return the lines of a list whose items have the keys `a` and `c`."""
    values = st.lists(st.one_of(_values, _values, st.sampled_from(_ODD)), min_size=2, max_size=2)
    items = draw(st.lists(values, min_size=4, max_size=12))
    return [f"{start}{value}" for item in items for start, value in zip(("- a: ", "  c: "), item, strict=True)]


items_alike = _with_changes(_equal_keys().map(_text))
"""Lists whose items have the same two keys, nearly all of them."""


def exact(value: Any) -> Any:
    """Return the value with the types of its texts, because a `PlainScalar` equals the same plain text."""
    if isinstance(value, dict):
        return {key: exact(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [exact(inner) for inner in value]
    return type(value), value
