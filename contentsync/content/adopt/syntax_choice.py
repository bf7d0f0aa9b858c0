"""Propose `[[markdown.replace]]` for simple syntax of another generator that means something in Markdown.

A replacement is proposed only if it is certain what the syntax means, and if it changes nothing else: no code, and no
other form of the same syntax.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from ..text_replacements import Replacement, TooLong, replaced_text
from .config_merge import ProposedSetting
from .recognise import Site

_MIN_USES = 3
_MAX_REPLACEMENTS = 20

_SHORTCODE = re.compile(r"\{\{[<%][ \t]*+(/?+[\w./-]++)([^{}\n]{0,500}?)[ \t]*+[>%]\}\}")
_TAG = re.compile(r"\{%-?[ \t]*+(\w++)([^{}\n]{0,500}?)[ \t]*+-?%\}")
_VARIABLE = re.compile(r"\{\{-?[ \t]*+site\.(\w++)[ \t]*+-?\}\}")
_IMPORT = re.compile(r"^import [^\n;\"']{1,200} from ([\"'])[^\"'\n]{1,200}+[\"'](;?+)[ \t]*+$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"(\{:[ \t]*+(?:[.#]|[a-z-]++=))[^{}\n]{1,200}+\}")
_CODE = re.compile(
    r"^ {0,3}(```+|~~~+)[^\n]*+\n(?:.*?\n)??(?: {0,3}\1[`~]*+[ \t]*+$|\Z)|(?<!`)(`{1,3})(?!`)[^`]{1,500}+\2(?!`)"
    r"|^(?: {4}|\t)[^\n]*+$",
    re.MULTILINE | re.DOTALL,
)
_ARGUMENT = re.compile(r"(?:([\w-]++)[ \t]*+=[ \t]*+)?+(\"[^\"]*+\"|'[^']*+'|`[^`]*+`|[^\s\"'`=,]++)")

_ADDRESS = re.compile(r"[\w./:#?&=%~+@,;-]+\Z")  # as a value in a link
_CAPTION = re.compile(r"[^\[\]\"<>`\\]*\Z")
_SITE_VALUE = re.compile(r"[^\n{}<>\[\]*_`\\]{1,200}\Z")  # plain text
_ROOTS = frozenset({"url", "baseurl"})  # names of the root of the site
_FROM_ROOT = re.compile(
    r"\{\{-?[ \t]*+([\"'])(/[^\"'{}\n]{1,300}+)\1([ \t]*+\|[ \t]*+(?:relative|absolute)_url[ \t]*+-?\}\})"
)

_VIDEOS = {
    "youtube": "https://www.youtube.com/watch?v={id}",
    "vimeo": "https://vimeo.com/{id}",
    "gist": "https://gist.github.com/{id}",
}
_LINK_TEXTS = {"gist": "Gist"}
_PICTURES = frozenset({"figure", "img", "image", "picture", "fig"})
_SOURCES = ("src", "url", "file", "path", "image_path", "link")
_CAPTIONS = ("alt", "caption", "title", "description")
_NOTES = frozenset({"note", "info", "tip", "warning", "important", "caution", "danger", "hint", "success", "error"})
_BOXES = frozenset({"notice", "callout", "alert", "admonition", "hint"})
_RAW = "raw"  # what is in it is no template, which is the same in code
_CODE_BLOCKS = frozenset({"highlight", "code"})
_LANGUAGE = re.compile(r"[\w+#-]+\Z")  # of code


class Argument(NamedTuple):
    """An argument of a shortcode or tag: its name, or "", its value, and where the value is in the whole."""

    name: str
    value: str
    start: int
    end: int


class Meaning(NamedTuple):
    """A pattern and its Markdown; `pair` has a name if the syntax begins (1) or ends (-1) a block.

    An address is only replaced if a picture has one: links with such addresses are understood as they are.
    """

    find: str
    replace: str
    pair: str = ""
    step: int = 0
    is_address: bool = False


def propose_replacements(
    site: Site, bodies: Iterable[str], existing: Sequence[Replacement] = ()
) -> Iterator[ProposedSetting]:
    """Yield the replacements for syntax that occurs often, with its count, the longest pattern first.

    `bodies` are Markdown texts; `existing` are the replacements of the config, which come first.
    """
    texts = [*_replaced(bodies, existing)]
    uses: Counter[Meaning] = Counter()
    for text in texts:
        uses.update(it for it in meanings(_CODE.sub(_blank, text), site) if it.pair != _RAW)
        uses.update(it for it in meanings(text, site) if it.pair == _RAW)
    blocks = Counter[str]()
    for meaning, count in uses.items():
        blocks[meaning.pair] += max(meaning.step, 0) * count
    frequent = {it: count for it, count in uses.items() if max(count, blocks[it.pair] if it.pair else 0) >= _MIN_USES}
    addresses = {it for it in frequent if it.is_address and not any(_has_picture(text, it) for text in texts)}
    ordered = sorted(frequent.keys() - addresses, key=lambda it: (-len(it.find), it.find))[:_MAX_REPLACEMENTS]
    chosen = _without_open_blocks(_certain(ordered, uses, texts), uses)
    for meaning in chosen:
        value = {"find": meaning.find, "replace": meaning.replace}
        times = f"{uses[meaning]:,} times"
        yield ProposedSetting("markdown", "replace", value, comment=times, is_item=True)


def meanings(text: str, site: Site) -> Iterator[Meaning]:
    """Yield the meaning of each piece of syntax in a text that has a known one."""
    for match in _SHORTCODE.finditer(text):
        yield from _meaning(match[0], match[1].lower(), _arguments(match))
    for match in _TAG.finditer(text):
        name, arguments = match[1].lower(), _arguments(match)
        if name in ("include", "include_relative") and arguments and not arguments[0].name:
            name, arguments = arguments[0].value.rpartition("/")[2].partition(".")[0].lower(), arguments[1:]
        yield from _meaning(match[0], re.sub(r"\Aend(?=.)", "/", name), arguments)
    for match in _VARIABLE.finditer(text):
        value = site.text(match[1])
        if match[1] in _ROOTS:
            yield Meaning(match[0], "", is_address=True)
        elif _SITE_VALUE.match(value):
            yield Meaning(match[0], value)
    for match in _FROM_ROOT.finditer(text):
        before = match[0][: match.start(2) - match.start()]
        yield Meaning(f"{before}{{path}}{match[1]}{match[3]}", "{path}", is_address=True)
    for match in _ATTRIBUTES.finditer(text):
        yield Meaning(f"{match[1]}{{attributes}}}}", "")
    for match in _IMPORT.finditer(text):
        yield Meaning(f"import {{component}} from {match[1]}{{path}}{match[1]}{match[2]}", "")


def _meaning(whole: str, name: str, arguments: Sequence[Argument]) -> Iterator[Meaning]:
    """Yield what a shortcode or tag means, if that is known. The name of one that ends a block begins with a slash."""
    if name in _VIDEOS:
        number = _argument(arguments, "id", "video") or _only(arguments)
        if number and _ADDRESS.match(number.value) and "://" not in number.value:
            link = f"[{_LINK_TEXTS.get(name, 'Video')}]({_VIDEOS[name]})"
            yield Meaning(_pattern(whole, {"id": number}), link)
    elif name in _PICTURES:
        source = _argument(arguments, *_SOURCES)
        parts = [*([source] if source else []), *(argument for argument in arguments if not argument.name)]
        texts = [*parts[1:], *(argument for name in _CAPTIONS if (argument := _argument(arguments, name)))]
        is_simple = len(texts) <= 2 and all(_CAPTION.match(it.value) for it in texts)
        if parts and is_simple and _ADDRESS.match(parts[0].value):
            named = dict(zip(("src", "text", "title"), (parts[0], *texts), strict=False))
            text, title = "{text}" if texts else "", ' "{title}"' if len(texts) > 1 else ""
            yield Meaning(_pattern(whole, named), f"![{text}]({{src}}{title})")
    elif name == "br" and not arguments:
        yield Meaning(whole, "<br>")
    else:
        yield from _meaning_of_block(whole, name, arguments)


def _meaning_of_block(whole: str, name: str, arguments: Sequence[Argument]) -> Iterator[Meaning]:
    """Yield what the begin or the end of a block means: code, a note, or text that is not a template."""
    block, is_end = name.removeprefix("/"), name.startswith("/")
    if block == _RAW and not arguments:
        yield Meaning(whole, "", _RAW, -1 if is_end else 1)
    elif block in _CODE_BLOCKS and is_end:
        yield Meaning(whole, "```", block, -1)
    elif block in _CODE_BLOCKS and arguments and _LANGUAGE.match(arguments[0].value) and not arguments[0].name:
        yield Meaning(whole, f"```{arguments[0].value}", block, 1)
    elif block in _NOTES | _BOXES and is_end:
        yield Meaning(whole, "", block, -1)
    elif block in _NOTES | _BOXES:
        kinds = [block, *(argument.value.lower() for argument in arguments if argument.name in ("", "type"))]
        kind = next((kind for kind in reversed(kinds) if kind in _NOTES), "")
        if kind and len(arguments) <= (block in _BOXES):
            yield Meaning(whole, f"**{kind.title()}:** ", block, 1)


def _arguments(match: re.Match[str]) -> list[Argument]:
    """Return the arguments of a shortcode or tag; [] if they are not written as usual."""
    found, offset = [], match.start(2) - match.start()
    rest = match[2].rstrip("/")
    for argument in _ARGUMENT.finditer(rest):
        is_quoted = argument[2][0] in "\"'`"
        value = argument[2][1:-1] if is_quoted else argument[2]
        start = offset + argument.start(2) + is_quoted
        found.append(Argument((argument[1] or "").lower(), value, start, start + len(value)))
    return found


def _argument(arguments: Iterable[Argument], *names: str) -> Argument | None:
    """Return the argument with the first of these names that has a value."""
    by_name = {argument.name: argument for argument in arguments if argument.name and argument.value}
    return next((by_name[name] for name in names if name in by_name), None)


def _only(arguments: Sequence[Argument]) -> Argument | None:
    return arguments[0] if len(arguments) == 1 and not arguments[0].name and arguments[0].value else None


def _pattern(whole: str, named: Mapping[str, Argument]) -> str:
    """Return the pattern of a shortcode or tag: with placeholders in place of values."""
    for name, argument in sorted(named.items(), key=lambda item: -item[1].start):
        whole = f"{whole[: argument.start]}{{{name}}}{whole[argument.end :]}"
    return whole


def _certain(ordered: Iterable[Meaning], uses: Mapping[Meaning, int], texts: list[str]) -> Iterator[Meaning]:
    """Yield the patterns that match as often as their syntax was found, after the patterns before them."""
    for meaning in ordered:
        try:
            replacement = Replacement(find=meaning.find, replace=meaning.replace)
            matches = [values for text in texts for _, _, values in replacement.matches(text)]
            is_simple = all(
                _ADDRESS.match(it) for it in (values.get(name) for values in matches for name in ("id", "src")) if it
            )
            if len(matches) == uses[meaning] and is_simple:
                texts = [replacement.apply(text) for text in texts]
                yield meaning
        except (ValidationError, TooLong):
            continue


def _without_open_blocks(chosen: Iterable[Meaning], uses: Mapping[Meaning, int]) -> list[Meaning]:
    """Return the patterns without those of blocks that would then begin or end only."""
    found = [*chosen]
    balance = Counter[str]()
    for meaning in found:
        balance[meaning.pair] += meaning.step * uses[meaning]
    return [meaning for meaning in found if not balance[meaning.pair]]


def _has_picture(text: str, meaning: Meaning) -> bool:
    """Return whether the address of a picture begins with the syntax."""
    start = re.escape(meaning.find.partition("{path}")[0])
    return re.search(rf"(?:!\[[^\[\]\n]{{0,300}}\]\(|src=[\"']?){start}", text) is not None


def _replaced(bodies: Iterable[str], existing: Sequence[Replacement]) -> Iterator[str]:
    for body in bodies:
        try:
            yield replaced_text(body, existing)
        except TooLong:
            continue


def _blank(code: re.Match[str]) -> str:
    return "\n" * code[0].count("\n")
