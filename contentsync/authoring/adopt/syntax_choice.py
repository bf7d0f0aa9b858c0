"""Propose `[[markdown.replace]]` for simple syntax of another generator that means something in Markdown.

A replacement is proposed only if it is certain what the syntax means, and if it changes nothing else: no code, and no
other form of the same syntax.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from ...content.config.replacement import Replacement, TooLong, replaced_text
from ...lazy_pattern import lazy_pattern
from .generators.generated_site import Site
from .proposed_settings import ProposedSetting

_MIN_USES = 3  # of a piece of syntax, or of its block
_MAX_REPLACEMENTS = 20  # that are proposed

_SHORTCODE = lazy_pattern(  # `{{< youtube id="..." >}}`, `{{% /note %}}`
    r"\{\{[<%][ \t]*+(?P<name>/?+[\w./-]++)(?P<arguments>[^{}\n]{0,500}?)[ \t]*+[>%]\}\}"
)
_TAG = lazy_pattern(r"\{%-?[ \t]*+(?P<name>\w++)(?P<arguments>[^{}\n]{0,500}?)[ \t]*+-?%\}")  # `{% youtube ... %}`
_VARIABLE = lazy_pattern(r"\{\{-?[ \t]*+site\.(?P<name>\w++)[ \t]*+-?\}\}")  # `{{ site.baseurl }}`
_ATTRIBUTES = lazy_pattern(r"(?P<start>\{:[ \t]*+(?:[.#]|[a-z-]++=))[^{}\n]{1,200}+\}")  # `{: .wide}`
_CODE = lazy_pattern(
    r"^ {0,3}(```+|~~~+)[^\n]*+\n(?:.*?\n)??(?: {0,3}\1[`~]*+[ \t]*+$|\Z)|(?<!`)(`{1,3})(?!`)[^`]{1,500}+\2(?!`)"
    r"|^(?: {4}|\t)[^\n]*+$",
    re.MULTILINE | re.DOTALL,
)
_ARGUMENT = lazy_pattern(  # `id="..."`, or a value alone
    r"(?:(?P<name>[\w-]++)[ \t]*+=[ \t]*+)?+(?P<value>\"[^\"]*+\"|'[^']*+'|`[^`]*+`|[^\s\"'`=,]++)"
)

_ADDRESS = lazy_pattern(r"[\w./:#?&=%~+@,;-]+\Z")  # as a value in a link
_CAPTION = lazy_pattern(r"[^\[\]\"<>`\\]*\Z")
_SITE_VALUE = lazy_pattern(r"[^\n{}<>\[\]*_`\\]{1,200}\Z")  # plain text
_ROOTS = frozenset({"url", "baseurl"})  # names of the root of the site
_FROM_ROOT = lazy_pattern(  # `{{ "/images/a.png" | relative_url }}`
    r"(?P<start>\{\{-?[ \t]*+(?P<quote>[\"']))/[^\"'{}\n]{1,300}+"
    r"(?P<end>(?P=quote)[ \t]*+\|[ \t]*+(?:relative|absolute)_url[ \t]*+-?\}\})"
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
_PICTURE_FORMS = ("![]({src})", "![{text}]({src})", '![{text}]({src} "{title}")')  # by the number of captions
_NOTES = frozenset({"note", "info", "tip", "warning", "important", "caution", "danger", "hint", "success", "error"})
_BOXES = frozenset({"notice", "callout", "alert", "admonition", "hint"})
_RAW = "raw"  # a block whose text is not a template; it means the same in code
_CODE_BLOCKS = frozenset({"highlight", "code"})
_LANGUAGE = lazy_pattern(r"[\w+#-]+\Z")  # of code


class Argument(NamedTuple):
    """An argument of a shortcode or tag."""

    name: str  # "" for a value without a name
    value: str
    start: int  # the offset of the value in the shortcode or tag
    end: int


class Meaning(NamedTuple):
    """A pattern and its Markdown, as in `[[markdown.replace]]`."""

    find: str
    replace: str
    block: str = ""  # the name of the block that the syntax begins or ends; "" for other syntax
    depth_change: int = 0  # 1 if it begins the block, -1 if it ends it
    needs_picture: bool = False  # True: proposed only if addresses of pictures begin with it, because links may too


def propose_replacements(
    site: Site, bodies: Iterable[str], existing: Sequence[Replacement] = ()
) -> Iterator[ProposedSetting]:
    """Yield the replacements for syntax that occurs often, with its count, the longest pattern first.

    `bodies` are Markdown texts; `existing` are the replacements of the config, which come first.
    """
    texts = [*_bodies_after(bodies, existing)]
    uses: Counter[Meaning] = Counter()
    for text in texts:
        without_code = _CODE.sub(_blank, text)
        uses.update(meaning for meaning in meanings(without_code, site) if meaning.block != _RAW)
        # `{% raw %}` and its end are often inside code.
        uses.update(meaning for meaning in meanings(text, site) if meaning.block == _RAW)
    block_uses = Counter[str]()  # how often each block begins
    for meaning, count in uses.items():
        if meaning.depth_change > 0:
            block_uses[meaning.block] += count
    frequent: list[Meaning] = []
    for meaning, count in uses.items():
        if max(count, block_uses[meaning.block]) < _MIN_USES:  # one form of a frequent block may be rare
            continue
        if meaning.needs_picture and not any(_begins_picture(text, meaning) for text in texts):
            continue
        frequent.append(meaning)
    ordered = sorted(frequent, key=lambda meaning: (-len(meaning.find), meaning.find))[:_MAX_REPLACEMENTS]
    chosen = _with_balanced_blocks(_certain(ordered, uses, texts), uses)
    for meaning in chosen:
        value = {"find": meaning.find, "replace": meaning.replace}
        times = f"{uses[meaning]:,} times"
        yield ProposedSetting("markdown", "replace", value, comment=times, is_item=True)


def meanings(text: str, site: Site) -> Iterator[Meaning]:
    """Yield the meaning of each piece of syntax in a text that has a known one."""
    for match in _SHORTCODE.finditer(text):
        yield from _meaning(match[0], match["name"].lower(), _arguments(match))
    for match in _TAG.finditer(text):
        name, arguments = match["name"].lower(), _arguments(match)
        if name in ("include", "include_relative") and arguments and not arguments[0].name:
            file, *arguments = arguments  # `{% include video/youtube.html id="..." %}` means youtube
            name = file.value.rpartition("/")[2].partition(".")[0].lower()
        name = re.sub(r"\Aend(?=.)", "/", name)  # endraw: /raw
        yield from _meaning(match[0], name, arguments)
    for match in _VARIABLE.finditer(text):
        value = site.text(match["name"])
        if match["name"] in _ROOTS:
            yield Meaning(match[0], replace="", needs_picture=True)
        elif _SITE_VALUE.match(value):
            yield Meaning(match[0], value)
    for match in _FROM_ROOT.finditer(text):
        find = match["start"] + "{path}" + match["end"]
        yield Meaning(find, "{path}", needs_picture=True)
    for match in _ATTRIBUTES.finditer(text):
        yield Meaning(match["start"] + "{attributes}" + "}", replace="")


def _meaning(whole: str, name: str, arguments: Sequence[Argument]) -> Iterator[Meaning]:
    """Yield what a shortcode or tag means, if that is known. The name of one that ends a block begins with a slash."""
    if name in _VIDEOS:
        number = _argument(arguments, "id", "video") or _only(arguments)
        if number and _ADDRESS.match(number.value) and "://" not in number.value:
            link = f"[{_LINK_TEXTS.get(name, 'Video')}]({_VIDEOS[name]})"
            find = _with_placeholders(whole, {"id": number})  # such as `{{< youtube {id} >}}`
            yield Meaning(find, link)
    elif name in _PICTURES:
        source = _argument(arguments, *_SOURCES)
        nameless = [argument for argument in arguments if not argument.name]
        if source is None and nameless:
            source, *nameless = nameless
        captions = (_argument(arguments, caption_name) for caption_name in _CAPTIONS)
        texts = [*nameless, *filter(None, captions)]
        is_simple = len(texts) < len(_PICTURE_FORMS) and all(_CAPTION.match(text.value) for text in texts)
        if source and is_simple and _ADDRESS.match(source.value):
            named = dict(zip(("src", "text", "title"), [source, *texts], strict=False))
            yield Meaning(_with_placeholders(whole, named), _PICTURE_FORMS[len(texts)])
    elif name == "br" and not arguments:
        yield Meaning(whole, "<br>")
    else:
        yield from _meaning_of_block(whole, name, arguments)


def _meaning_of_block(whole: str, name: str, arguments: Sequence[Argument]) -> Iterator[Meaning]:
    """Yield what the begin or the end of a block means: code, a note, or raw text."""
    block, is_end = name.removeprefix("/"), name.startswith("/")
    if block == _RAW and not arguments:
        yield Meaning(whole, replace="", block=_RAW, depth_change=-1 if is_end else 1)
    elif block in _CODE_BLOCKS and is_end:
        yield Meaning(whole, "```", block, depth_change=-1)
    elif block in _CODE_BLOCKS and arguments and _LANGUAGE.match(arguments[0].value) and not arguments[0].name:
        yield Meaning(whole, f"```{arguments[0].value}", block, depth_change=1)
    elif block in _NOTES | _BOXES and is_end:
        yield Meaning(whole, replace="", block=block, depth_change=-1)
    elif block in _NOTES | _BOXES:
        kinds = [block, *(argument.value.lower() for argument in arguments if argument.name in ("", "type"))]
        kind = next((kind for kind in reversed(kinds) if kind in _NOTES), "")
        max_arguments = 1 if block in _BOXES else 0  # the kind of a box is an argument, that of a note is its name
        if kind and len(arguments) <= max_arguments:
            yield Meaning(whole, f"**{kind.title()}:** ", block, depth_change=1)


def _arguments(match: re.Match[str]) -> list[Argument]:
    """Return the arguments in the match of a shortcode or tag, with the offsets of their values in the match.

    Quotes are not part of a value. Nor is a slash at the end of the last one, because it may close the shortcode, as in
    `{{< img a.png/ >}}`; it stays in the pattern that is made from the match.
    """
    found: list[Argument] = []
    offset = match.start("arguments") - match.start()
    for argument in _ARGUMENT.finditer(match["arguments"].rstrip("/")):
        name, value = argument.groups()
        start = offset + argument.start("value")
        if value[0] in "\"'`":  # `_ARGUMENT` matches no empty value
            value = value[1:-1]
            start += 1
        found.append(Argument((name or "").lower(), value, start, start + len(value)))
    return found


def _argument(arguments: Iterable[Argument], *names: str) -> Argument | None:
    """Return the argument with the first of these names that has a value."""
    by_name = {argument.name: argument for argument in arguments if argument.name and argument.value}
    return next((by_name[name] for name in names if name in by_name), None)


def _only(arguments: Sequence[Argument]) -> Argument | None:
    if len(arguments) != 1:
        return None
    (argument,) = arguments
    return argument if argument.value and not argument.name else None


def _with_placeholders(whole: str, named: Mapping[str, Argument]) -> str:
    """Return a shortcode or tag with a placeholder for the value of each argument in `named`."""
    last_first = sorted(named.items(), key=lambda item: -item[1].start)  # so that the other offsets stay right
    for name, argument in last_first:
        whole = f"{whole[: argument.start]}{{{name}}}{whole[argument.end :]}"
    return whole


def _certain(ordered: Iterable[Meaning], uses: Mapping[Meaning, int], texts: list[str]) -> Iterator[Meaning]:
    """Yield the patterns that match exactly as often as their syntax was found, and whose addresses are all simple.

    Each pattern is tried in the texts after the replacements before it, which is how they are applied.
    """
    for meaning in ordered:
        try:
            replacement = Replacement(find=meaning.find, replace=meaning.replace)
            matches = [values for text in texts for _start, _end, values in replacement.matches(text)]
            addresses = [values[name] for values in matches for name in ("id", "src") if values.get(name)]
            if len(matches) == uses[meaning] and all(map(_ADDRESS.match, addresses)):
                texts = [replacement.apply(text) for text in texts]
                yield meaning
        except (ValidationError, TooLong):
            continue


def _with_balanced_blocks(chosen: Iterable[Meaning], uses: Mapping[Meaning, int]) -> list[Meaning]:
    """Return the patterns of blocks that begin as often as they end, and the patterns without a block."""
    meanings = [*chosen]
    depths = Counter[str]()
    for meaning in meanings:
        depths[meaning.block] += meaning.depth_change * uses[meaning]
    return [meaning for meaning in meanings if depths[meaning.block] == 0]


def _begins_picture(text: str, meaning: Meaning) -> bool:
    """Return whether the address of a picture in a text begins with the syntax of this meaning."""
    start = re.escape(meaning.find.partition("{path}")[0])
    return re.search(rf"(?:!\[[^\[\]\n]{{0,300}}\]\(|src=[\"']?){start}", text) is not None


def _bodies_after(bodies: Iterable[str], existing: Sequence[Replacement]) -> Iterator[str]:
    """Yield the bodies after the replacements that the config has already, without those that would become too long."""
    for body in bodies:
        try:
            yield replaced_text(body, existing)
        except TooLong:
            continue


def _blank(code: re.Match[str]) -> str:
    return "\n" * code[0].count("\n")
