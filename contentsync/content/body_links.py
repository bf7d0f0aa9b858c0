"""Find the links and images of Markdown and HTML texts that stay on the site: relative ones, and such as `/blog/x/`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model.field_types import EMAIL
from ..model.markdown_budget import StepBudget, limit_steps, step_environment

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def parse_markdown(text: str, allowance: StepBudget) -> "tuple[Sequence[Token], dict[str, Any]]":
    """Return the tokens of a Markdown text, with targets as they are written, and its references.

    Raises TooIntricate.
    """
    environment = step_environment(text, allowance)
    return _parser().parse(text, environment), environment.get("references", {})


@cache
def _parser() -> "MarkdownIt":
    """Return the parser, and import it on the first call."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").enable("table").disable(["emphasis", "entity"])  # neither affects links
    made.options["store_labels"] = True  # of reference links
    made.normalizeLink = lambda url: url  # type: ignore[method-assign]  # targets as written, to find them again
    return limit_steps(made, "[!<`")


if TYPE_CHECKING:
    from markdown_it.token import Token

# Starts of targets that lead to another host, another scheme, or a part of the same page.
_LEAVES = r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[#?]|\Z"
_LEAVING = re.compile(_LEAVES)
# Text before every target that stays on the site. It may also match where there is no link, but it misses none.
_OPENING = re.compile(rf"\][(:][ \t\n]*+<?+(?!{_LEAVES})")
_TAG_OPENING = re.compile(r"<(?:img|a|source|video|audio)[\s/]", re.IGNORECASE)
_VALUE_OPENING = re.compile(
    rf"href\s*+=\s*+[\"']?+\s*+(?!{_LEAVES})|src\s*+=\s*+[\"']?+\s*+(?!{_LEAVES}|/)", re.IGNORECASE
)
_RELATIVE_VALUE = re.compile(rf"(?:href|src)\s*+=\s*+[\"']?+\s*+(?!{_LEAVES}|/)", re.IGNORECASE)
# An attribute, and a tag or comment; possessive quantifiers keep them fast on any text.
_ATTRIBUTE = r"([^\s=<>\"'/]++)(?:\s*+=\s*+(\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?+"
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:img|a|source|video|audio)(?=[\s/>])((?:\s++|/|" + _ATTRIBUTE + r")*+)>",
    re.IGNORECASE | re.DOTALL,
)
_IN_TAG = re.compile(_ATTRIBUTE)
# A target inside a link, up to a character that may end it; the text behind a false match may contain the next link.
_SIMPLE = re.compile(r"[^)>\"'\s]{1,100}+")
# If one of these follows, the opening bracket of an image may be closed, or be part of code or HTML.
_DOUBTFUL = re.compile(r"[]`>]")
_WRITTEN = re.compile(rf"\][(:][ \t\n]*+<?+(?=({_SIMPLE.pattern}))")
_VALUE = re.compile(rf"(?:src|href)\s*+=\s*+[\"']?+\s*+(?=({_SIMPLE.pattern}))", re.IGNORECASE)
HTML_TOKENS = ("html_block", "html_inline")


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link or image of a text.

    `offset` is the position of the target in the text. A target that is written in an unusual form has the offset
    of the block that contains the link; a reference link has the offset of its definition.
    """

    target: str
    offset: int
    embedded: bool = False  # an image, or another file that the page shows

    @property
    def is_relative(self) -> bool:
        """Whether the target is relative to the file of the text; otherwise it is relative to the root of the site."""
        return not self.target.startswith("/")

    @property
    def stays(self) -> bool:
        """Whether the target can be checked here; only the service can check an image with an absolute path."""
        return not _LEAVING.match(self.target) and (self.is_relative or not self.embedded)


def internal_links(text: str, *, html: bool = False, allowance: StepBudget | None = None) -> list[BodyLink]:
    """Return the links of a Markdown or HTML text that stay on the site, and its images with relative targets.

    Raises TooIntricate for Markdown.
    """
    if not html and not may_hold_links(text):
        return []
    return [link for link in all_links(text, html=html, allowance=allowance) if link.stays]


def all_links(text: str, *, html: bool, allowance: StepBudget | None = None) -> Iterator[BodyLink]:
    """Return every link and image of a Markdown or HTML text. Raises TooIntricate for Markdown."""
    return html_links(text) if html else markdown_links(text, allowance)


def may_hold_links(text: str) -> bool:
    """Return whether a Markdown text must be parsed.

    False is certain; most texts contain no links, or only links to other sites.
    """
    for opening in _OPENING.finditer(text):
        if not (text.startswith("/", opening.end()) and _is_image(text, opening.start())):
            return True
    return "<" in text and bool(_TAG_OPENING.search(text) and _VALUE_OPENING.search(text))


def may_hold_relative_links(text: str) -> bool:
    """Return whether a Markdown text contains what looks like the start of a relative link; False is certain."""
    return any(not text.startswith("/", opening.end()) for opening in _OPENING.finditer(text)) or bool(
        _TAG_OPENING.search(text) and _RELATIVE_VALUE.search(text)
    )


def markdown_links(text: str, allowance: StepBudget | None = None) -> Iterator[BodyLink]:
    """Yield every link and image of a Markdown text, also those in inline HTML. Raises TooIntricate."""
    allowance = allowance or StepBudget()
    allowance.add(text)
    tokens, references = parse_markdown(text, allowance)
    # A footnote is not a link, although `[^1]: word` looks like a link definition.
    found = [(block, *target) for block in tokens for target in _targets(block) if target[2][:1] != "^"]
    written = _TargetPositions(text, {target for _, target, _, _ in found})
    starts = [0, *(line.end() for line in re.finditer(r"\n", text)), len(text)]
    for block, target, embedded, label in found:
        find = written.defined if label else written.inline
        first, end = references[label]["map"] if label else block.map or (0, 0)
        yield BodyLink(target, find(target, starts[first], starts[min(end, len(starts) - 1)]), embedded)


def html_links(text: str) -> Iterator[BodyLink]:
    """Yield every link and image of an HTML text."""
    for tag in _TAG.finditer(text):
        for attribute in _IN_TAG.finditer(text, *tag.span(1)) if tag[1] else ():
            name, value = attribute[1].lower(), attribute[2]
            if value and name in ("src", "href"):
                target = (value[1:-1] if value[0] in "\"'" else value).strip()
                start = text.index(target, attribute.start(2))
                yield BodyLink(target, start, embedded=name == "src")


def _is_image(text: str, end: int) -> bool:
    """Return whether the bracket that closes at an offset certainly belongs to an image."""
    start = text.rfind("[", 0, end)
    marked = start > 0 and text[start - 1] == "!" and text[start - 2 : start - 1] != "\\"
    return marked and not _DOUBTFUL.search(text, start, end)


def _targets(token: "Token") -> Iterator[tuple[str, bool, str]]:
    """Yield the targets in a token: each with whether it is embedded, and the label of a reference link."""
    for name in ("href", "src"):
        target = token.attrs.get(name)
        if isinstance(target, str):
            yield target, name == "src", token.meta.get("label", "")
    if token.type in HTML_TOKENS:
        yield from ((link.target, link.embedded, "") for link in html_links(token.content))
    for child in token.children or ():
        yield from _targets(child)


class _TargetPositions:
    """Positions of targets in a Markdown text; the positions of inline links are consumed from start to end."""

    def __init__(self, text: str, targets: Iterable[str]) -> None:
        self._text = text
        self._offsets: dict[str, list[int]] = {_simple(target): [] for target in targets}  # the next one is last
        self._defined: dict[tuple[str, int], int] = {}
        for written in (_WRITTEN, _VALUE) if "<" in text else (_WRITTEN,):
            for match in written.finditer(text):
                if match[1] in self._offsets:
                    self._offsets[match[1]].append(match.start(1))
        for offsets in self._offsets.values():
            offsets.sort(reverse=True)

    def inline(self, target: str, start: int, end: int) -> int:
        """Return the next offset of a target in a block, or where the block starts."""
        offsets = self._offsets[_simple(target)]
        while offsets and offsets[-1] < start:
            offsets.pop()
        return offsets.pop() if offsets and offsets[-1] < end else start

    def defined(self, target: str, start: int, end: int) -> int:
        """Return the offset of the target of a definition, or of the definition itself."""
        if (target, start) not in self._defined:
            written = _WRITTEN.finditer(self._text, start, end)
            offsets = (match.start(1) for match in written if match[1] == _simple(target))
            self._defined[target, start] = next(offsets, start)
        return self._defined[target, start]


def _simple(target: str) -> str:
    simple = _SIMPLE.match(target)
    return simple[0] if simple else ""


_TEMPLATE = re.compile(r"\{\{|\{%")  # of Liquid, Hugo, Nunjucks and Handlebars
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,})(/|\Z)", re.IGNORECASE)
_DOMAIN = re.compile(
    "com|org|net|edu|gov|info|biz|io|dev|app|eu"
    "|at|au|be|br|ca|ch|cn|co|cz|de|dk|es|fi|fr|gr|hu|ie|it|jp|kr|nl|no|nz|pt|ru|se|uk|us"
)
_SUFFIX = re.compile("cs|gz|js|md|pl|ps|py|rb|rs|sh|ts")  # of files, although some are country codes
_FILE = re.compile(r"@[0-9.]+x\.[a-z]+\Z|\.(?:avif|gif|jpe?g|pdf|png|svg|webp)\Z", re.IGNORECASE)


class NotAPath(NamedTuple):
    """Why a target is not a path, as the end of a sentence, and a hint."""

    reason: str
    hint: str


def template_fault(target: str) -> NotAPath | None:
    """Return the fault of a target with template syntax, or None."""
    if _TEMPLATE.search(target) is None:
        return None
    return NotAPath("contains template syntax, which the site does not process", "write the full address")


def path_fault(target: str) -> NotAPath | None:
    """Return why a relative target is not a path to a file, or None if it may be one."""
    if template := template_fault(target):
        return template
    path_part = target.partition("#")[0].partition("?")[0]
    if EMAIL.match(path_part) and "/" not in path_part and not _FILE.search(path_part):
        return NotAPath("is an e-mail address without mailto:", f"did you mean 'mailto:{target}'?")
    host = _HOST.match(path_part)
    if host and _is_host(host[0].rstrip("/"), host[1].lower(), bool(host[2])):
        return NotAPath("is an address without https://", f"did you mean 'https://{target}'?")
    return None


def _is_host(name: str, domain: str, is_above: bool) -> bool:
    if name.lower().startswith("www.") and name.count(".") > 1:
        return True
    if _DOMAIN.fullmatch(domain):
        return True
    return is_above and len(domain) == 2 and not _SUFFIX.fullmatch(domain)
