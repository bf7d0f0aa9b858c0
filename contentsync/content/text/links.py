"""Links and images of Markdown and HTML texts that stay on the site: relative ones, and such as `/blog/x/`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.markdown_budget import StepBudget
from .markdown import parsed

if TYPE_CHECKING:
    from markdown_it.token import Token

# How a target starts that leads to another host, another scheme, or a place of the same page.
_LEAVES = r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[#?]|\Z"
_LEAVING = re.compile(_LEAVES)
# What comes before every target that stays; it may be found where no link is, but is never missing where one is.
_OPENING = re.compile(rf"\][(:][ \t\n]*+<?+(?!{_LEAVES})")
_TAG_OPENING = re.compile(r"<(?:img|a|source|video|audio)[\s/]", re.IGNORECASE)
_VALUE_OPENING = re.compile(
    rf"href\s*+=\s*+[\"']?+\s*+(?!{_LEAVES})|src\s*+=\s*+[\"']?+\s*+(?!{_LEAVES}|/)", re.IGNORECASE
)
_RELATIVE_VALUE = re.compile(rf"(?:href|src)\s*+=\s*+[\"']?+\s*+(?!{_LEAVES}|/)", re.IGNORECASE)
# An attribute, and a tag or comment; possessive throughout, so that no text makes them slow.
_ATTRIBUTE = r"([^\s=<>\"'/]++)(?:\s*+=\s*+(\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?+"
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:img|a|source|video|audio)(?=[\s/>])((?:\s++|/|" + _ATTRIBUTE + r")*+)>",
    re.IGNORECASE | re.DOTALL,
)
_IN_TAG = re.compile(_ATTRIBUTE)
# A target where a link holds it, up to a character that may end it; what looks like one may hold the next link.
_SIMPLE = re.compile(r"[^)>\"'\s]{1,100}+")
# Where one of these follows, the bracket that an image starts with may be closed, or stand in code or HTML.
_DOUBTFUL = re.compile(r"[]`>]")
_WRITTEN = re.compile(rf"\][(:][ \t\n]*+<?+(?=({_SIMPLE.pattern}))")
_VALUE = re.compile(rf"(?:src|href)\s*+=\s*+[\"']?+\s*+(?=({_SIMPLE.pattern}))", re.IGNORECASE)
HTML_TOKENS = ("html_block", "html_inline")


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image of a text: its target as it is meant, and where that stands.

    A target that is written in an unusual way has the offset of the block that holds the link. Links by reference
    stand where the reference is defined.
    """

    target: str
    offset: int
    embedded: bool = False  # an image, or another file that the page shows

    @property
    def is_relative(self) -> bool:
        """Whether it is followed from the place of the text; else from the root of the site."""
        return not self.target.startswith("/")

    @property
    def stays(self) -> bool:
        """Whether it can be followed here; of an image with an address of its own only the service knows."""
        return not _LEAVING.match(self.target) and (self.is_relative or not self.embedded)


def links_in(text: str, *, html: bool = False, allowance: StepBudget | None = None) -> list[Link]:
    """The links of a Markdown or HTML text that stay on the site, and its images with relative targets.

    Raises TooIntricate for Markdown.
    """
    if html:
        links = html_links(text)
    elif may_hold_links(text):
        links = markdown_links(text, allowance)
    else:
        return []
    return [link for link in links if link.stays]


def may_hold_links(text: str) -> bool:
    """Whether a Markdown text must be parsed. No is certain; most texts hold no links, or only to other sites."""
    for opening in _OPENING.finditer(text):
        if not (text.startswith("/", opening.end()) and _is_image(text, opening.start())):
            return True
    return "<" in text and bool(_TAG_OPENING.search(text) and _VALUE_OPENING.search(text))


def may_hold_relative_links(text: str) -> bool:
    """Whether something of a Markdown text looks like the start of a relative link; no is certain."""
    return any(not text.startswith("/", opening.end()) for opening in _OPENING.finditer(text)) or bool(
        _TAG_OPENING.search(text) and _RELATIVE_VALUE.search(text)
    )


def markdown_links(text: str, allowance: StepBudget | None = None) -> Iterator[Link]:
    """Every link and image of a Markdown text; HTML inside it counts. Raises TooIntricate."""
    allowance = allowance or StepBudget()
    allowance.add(text)
    tokens, references = parsed(text, allowance)
    # A footnote is no link, though `[^1]: word` is written as the definition of one.
    found = [(block, *target) for block in tokens for target in _targets(block) if target[2][:1] != "^"]
    written = _Written(text, {target for _, target, _, _ in found})
    starts = [0, *(line.end() for line in re.finditer(r"\n", text)), len(text)]
    for block, target, embedded, label in found:
        find = written.defined if label else written.inline
        first, end = references[label]["map"] if label else block.map or (0, 0)
        yield Link(target, find(target, starts[first], starts[min(end, len(starts) - 1)]), embedded)


def html_links(text: str) -> Iterator[Link]:
    """Every link and image of an HTML text."""
    for tag in _TAG.finditer(text):
        for attribute in _IN_TAG.finditer(text, *tag.span(1)) if tag[1] else ():
            name, value = attribute[1].lower(), attribute[2]
            if value and name in ("src", "href"):
                target = (value[1:-1] if value[0] in "\"'" else value).strip()
                start = text.index(target, attribute.start(2))
                yield Link(target, start, embedded=name == "src")


def _is_image(text: str, end: int) -> bool:
    """Whether the bracket that closes at an offset is certainly that of an image."""
    start = text.rfind("[", 0, end)
    marked = start > 0 and text[start - 1] == "!" and text[start - 2 : start - 1] != "\\"
    return marked and not _DOUBTFUL.search(text, start, end)


def _targets(token: "Token") -> Iterator[tuple[str, bool, str]]:
    """The targets in a token: each with whether it is embedded, and with the label if it is one by reference."""
    for name in ("href", "src"):
        target = token.attrs.get(name)
        if isinstance(target, str):
            yield target, name == "src", token.meta.get("label", "")
    if token.type in HTML_TOKENS:
        yield from ((link.target, link.embedded, "") for link in html_links(token.content))
    for child in token.children or ():
        yield from _targets(child)


class _Written:
    """Where targets stand in a Markdown text; those of inline links are each found once, from the start to the end."""

    def __init__(self, text: str, targets: Iterable[str]) -> None:
        self._text = text
        self._offsets: dict[str, list[int]] = {_simple(target): [] for target in targets}  # the next is the last
        self._defined: dict[tuple[str, int], int] = {}
        for written in (_WRITTEN, _VALUE) if "<" in text else (_WRITTEN,):
            for match in written.finditer(text):
                if match[1] in self._offsets:
                    self._offsets[match[1]].append(match.start(1))
        for offsets in self._offsets.values():
            offsets.sort(reverse=True)

    def inline(self, target: str, start: int, end: int) -> int:
        """The next offset of a target in a block, or where the block starts."""
        offsets = self._offsets[_simple(target)]
        while offsets and offsets[-1] < start:
            offsets.pop()
        return offsets.pop() if offsets and offsets[-1] < end else start

    def defined(self, target: str, start: int, end: int) -> int:
        """The offset of the target of a definition, or where that starts."""
        if (target, start) not in self._defined:
            written = _WRITTEN.finditer(self._text, start, end)
            offsets = (match.start(1) for match in written if match[1] == _simple(target))
            self._defined[target, start] = next(offsets, start)
        return self._defined[target, start]


def _simple(target: str) -> str:
    simple = _SIMPLE.match(target)
    return simple[0] if simple else ""
