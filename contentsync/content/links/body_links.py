"""Find links and images in Markdown and HTML texts whose target is on the site: relative or such as `/blog/x/`.

Targets may be links as other generators write them (`link_forms`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...model.field_types import EMAIL
from ...model.markdown_budget import StepBudget, limit_steps, step_environment
from ...model.suggestion import did_you_mean_text
from ..files.file_text import line_starts
from .link_forms import as_destinations, as_written

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def parse_markdown(text: str, step_budget: StepBudget) -> "tuple[Sequence[Token], dict[str, Any]]":
    """Return the tokens of a Markdown text, with link targets as written, and its link definitions by label.

    Raises TooIntricate if the step budget is exceeded.
    """
    environment = step_environment(text, step_budget)
    return _parser().parse(text, environment), environment.get("references", {})


@cache
def _parser() -> "MarkdownIt":
    """Return the Markdown parser. The first call imports the library."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table").disable(["emphasis", "entity"])  # neither affects links
    parser.options["store_labels"] = True  # of reference links
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]  # targets as written, to find them again
    return limit_steps(parser, marks=_SLOW_MARKS)


_SLOW_MARKS = "[!<`"  # characters at which the parser may look ahead for the end of a link, of HTML or of code
# Starts of targets that are not checked: another host, another scheme, or a part of the same page.
_UNCHECKED_START = r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[#?]|\Z"
_UNCHECKED = re.compile(_UNCHECKED_START)
# The text before a target on the site. It matches before every such target, and may match where there is no link.
_BEFORE_SITE_TARGET = re.compile(rf"\][(:][ \t\n]*+<?+(?!{_UNCHECKED_START})")
_LINK_TAG = re.compile(r"<(?:img|a|source|video|audio)[\s/]", re.IGNORECASE)
_BEFORE_SITE_VALUE = re.compile(
    rf"href\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START})|src\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START}|/)", re.IGNORECASE
)
_ROOT_PICTURE = re.compile(r"(?:\][(:][ \t\n]*+<?+|src\s*+=\s*+[\"']?+\s*+)/(?!/)", re.IGNORECASE)
_RELATIVE_VALUE = re.compile(rf"(?:href|src)\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START}|/)", re.IGNORECASE)
# An attribute, and a tag or comment; possessive quantifiers keep them fast on any text.
_ATTRIBUTE = r"(?P<name>[^\s=<>\"'/]++)(?:\s*+=\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?+"
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:img|a|source|video|audio)(?=[\s/>])(?P<attributes>(?:\s++|/|" + _ATTRIBUTE + r")*+)>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE_IN_TAG = re.compile(_ATTRIBUTE)
# The first part of a target. It stops at any character that may end a link: after a false match, a link may follow.
_SIMPLE = re.compile(r"[^)>\"'\s]{1,100}+")
# If one of these follows, the opening bracket of an image may be closed, or be part of code or HTML.
_DOUBTFUL = re.compile(r"[]`>]")
_TARGET_IN_MARKDOWN = re.compile(rf"\][(:][ \t\n]*+<?+(?=({_SIMPLE.pattern}))")
_TARGET_IN_TAG = re.compile(rf"(?:src|href)\s*+=\s*+[\"']?+\s*+(?=({_SIMPLE.pattern}))", re.IGNORECASE)
HTML_TOKENS = ("html_block", "html_inline")
# A Markdown text without these characters has neither code nor HTML, escapes, tables or definitions. If all its `](`
# belong to matches of `_PLAIN_LINK`, these are its links.
_NOT_PLAIN = ("`", "<", "\\", "~", "|", "\t", "\0", "    ", "]:")  # fast, unlike an expression
_PLAIN_LINK = re.compile(r"\[[^\[\]\n]*+\]\((?!(?i:vbscript|javascript|file|data):)([^\s()<>\\&\x00-\x1f\x7f]++)\)")


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link or image of a text.

    `offset` is the position of the target in the text; of a wiki link, the target is the whole link. A target that is
    written in an unusual form has the offset of the block that contains the link; a reference link has the offset of
    its definition. An uncertain offset may be that of an equal text in code.
    """

    target: str
    offset: int
    embedded: bool = False  # an image, or another file that the page shows
    has_certain_offset: bool = field(default=False, compare=False)

    @property
    def is_relative(self) -> bool:
        """Whether the target is relative to the file of the text; otherwise it is relative to the root of the site."""
        return not self.target.startswith("/")

    @property
    def is_root_picture(self) -> bool:
        """Whether the target is an embedded file with an absolute path on the site."""
        return self.embedded and self.target.startswith("/") and not self.target.startswith("//")

    @property
    def is_checkable(self) -> bool:
        """Whether the target is on the site and can be checked; an image with an absolute path cannot."""
        return not _UNCHECKED.match(self.target) and (self.is_relative or not self.embedded)


def internal_links(
    text: str, *, html: bool = False, step_budget: StepBudget | None = None, root_pictures: bool = False
) -> list[BodyLink]:
    """Return the links to the same site in a Markdown or HTML text, and the images with relative targets.

    With `root_pictures`, also return images with absolute paths. Raises TooIntricate for Markdown that exceeds the
    step budget.
    """
    may_have_picture = root_pictures and _ROOT_PICTURE.search(text)
    if not html and not may_have_picture and not may_contain_links(as_destinations(text)):
        return []
    links = all_links(text, html=html, step_budget=step_budget)
    return [link for link in links if link.is_checkable or (root_pictures and link.is_root_picture)]


def all_links(text: str, *, html: bool, step_budget: StepBudget | None = None) -> Iterator[BodyLink]:
    """Return an iterator over all links and images of a text. Iterating over Markdown may raise TooIntricate."""
    return html_links(text) if html else markdown_links(text, step_budget)


def may_contain_links(text: str) -> bool:
    """Return whether a Markdown text may contain links to the same site, so that it must be parsed.

    False is certain. Most texts contain no links, or only links to other sites.
    """
    for opening in _BEFORE_SITE_TARGET.finditer(text):
        is_absolute = text.startswith("/", opening.end())
        if not (is_absolute and _is_image(text, opening.start())):  # such an image is not checked
            return True
    return "<" in text and bool(_LINK_TAG.search(text) and _BEFORE_SITE_VALUE.search(text))


def may_contain_relative_links(text: str) -> bool:
    """Return whether a Markdown text may contain a relative link. False is certain."""
    for opening in _BEFORE_SITE_TARGET.finditer(text):
        if not text.startswith("/", opening.end()):
            return True
    return bool(_LINK_TAG.search(text) and _RELATIVE_VALUE.search(text))


def markdown_links(text: str, step_budget: StepBudget | None = None) -> Iterator[BodyLink]:
    """Yield every link and image of a Markdown text, including inline HTML. Raises TooIntricate."""
    parsed_text = as_destinations(text)  # of the same length, so that offsets are valid in both texts
    plain_links = _plain_links(parsed_text)
    if plain_links is not None:
        for match in plain_links:
            is_image = parsed_text.endswith("!", 0, match.start())  # `![label](target)`
            yield _body_link(text, match[1], match.start(1), is_image, has_certain_offset=True)
        return
    step_budget = step_budget or StepBudget()
    step_budget.add(text)
    tokens, references = parse_markdown(parsed_text, step_budget)
    # A footnote is not a link, although `[^1]: word` looks like a link definition.
    targets = [(block, link) for block in tokens for link in _targets(block) if not link.label.startswith("^")]
    positions = _TargetPositions(parsed_text, {link.target for _, link in targets})
    starts = line_starts(text)
    for block, (target, embedded, label) in targets:
        if label:
            first_line, end_line = references[label]["map"]
            find_offset = positions.defined
        else:
            first_line, end_line = block.map or (0, 0)
            find_offset = positions.inline
        start, end = starts[first_line], starts[min(end_line, len(starts) - 1)]
        yield _body_link(text, target, find_offset(target, start, end), embedded)


def _plain_links(parsed_text: str) -> Sequence[re.Match[str]] | None:
    """Return the matches of `_PLAIN_LINK` if they are certainly all links of a text; None if it must be parsed."""
    if any(mark in parsed_text for mark in _NOT_PLAIN):
        return None
    links = list(_PLAIN_LINK.finditer(parsed_text))
    return links if len(links) == parsed_text.count("](") else None


def _body_link(
    text: str, parsed_target: str, offset: int, embedded: bool, *, has_certain_offset: bool = False
) -> BodyLink:
    """Return a link with its target as written; `parsed_target` is that in the text of `as_destinations`."""
    target = as_written(parsed_target)
    if target.startswith("[[") and text.startswith(target, offset - len("[[]")):
        offset -= len("[[]")  # `[[x]]` was parsed as `[](x)`
    return BodyLink(target, offset, embedded, has_certain_offset)


def html_links(text: str) -> Iterator[BodyLink]:
    """Yield every link and image of an HTML text."""
    for link in _parsed_html_links(as_destinations(text, html=True)):
        yield replace(link, target=as_written(link.target))


def _parsed_html_links(text: str) -> Iterator[BodyLink]:
    """Yield the links and images of an HTML text: the values of `href` and `src` in its tags."""
    for tag in _TAG.finditer(text):
        if not tag["attributes"]:  # a comment, or a tag without any
            continue
        for attribute in _ATTRIBUTE_IN_TAG.finditer(text, *tag.span("attributes")):
            name, value = attribute["name"].lower(), attribute["value"]
            if value and name in ("src", "href"):
                target = (value[1:-1] if value[0] in "\"'" else value).strip()
                start = text.index(target, attribute.start("value"))
                yield BodyLink(target, start, embedded=name == "src", has_certain_offset=True)


def _is_image(text: str, end: int) -> bool:
    """Return whether the closing bracket at the offset `end` certainly belongs to an image, `![...]`."""
    start = text.rfind("[", 0, end)
    has_mark = start > 0 and text[start - 1] == "!" and text[start - 2 : start - 1] != "\\"
    return has_mark and not _DOUBTFUL.search(text, start, end)


class _TargetText(NamedTuple):
    target: str
    embedded: bool  # an image
    label: str  # of the link definition; empty except for a reference link


def _targets(token: "Token") -> Iterator[_TargetText]:
    """Yield the targets of all links and images in a token and in its inner tokens."""
    for name in ("href", "src"):
        target = token.attrs.get(name)
        if isinstance(target, str):
            yield _TargetText(target, embedded=name == "src", label=token.meta.get("label", ""))
    if token.type in HTML_TOKENS:
        yield from (_TargetText(link.target, link.embedded, label="") for link in _parsed_html_links(token.content))
    for child in token.children or ():
        yield from _targets(child)


class _TargetPositions:
    """Finds the offsets of link targets in a Markdown text. Each offset of an inline link is returned only once."""

    def __init__(self, text: str, targets: Iterable[str]) -> None:
        """Find where each of the link targets occurs in the text; other targets cannot be looked up later."""
        self._text = text
        # The offsets of inline links by the prefix of their target, the last one first. `inline` removes those it used.
        self._offsets: dict[str, list[int]] = {_simple_prefix(target): [] for target in targets}
        self._defined: dict[tuple[str, int], int] = {}  # by target and start of the definition
        for pattern in (_TARGET_IN_MARKDOWN, _TARGET_IN_TAG) if "<" in text else (_TARGET_IN_MARKDOWN,):
            for match in pattern.finditer(text):
                if match[1] in self._offsets:
                    self._offsets[match[1]].append(match.start(1))
        for offsets in self._offsets.values():
            offsets.sort(reverse=True)

    def inline(self, target: str, start: int, end: int) -> int:
        """Return the next unused offset of a target in the block from `start` to `end`, or `start` if there is none."""
        offsets = self._offsets[_simple_prefix(target)]
        while offsets and offsets[-1] < start:
            offsets.pop()
        return offsets.pop() if offsets and offsets[-1] < end else start

    def defined(self, target: str, start: int, end: int) -> int:
        """Return the offset of a target in its link definition from `start` to `end`, or `start` if it is not found."""
        if (target, start) not in self._defined:
            matches = _TARGET_IN_MARKDOWN.finditer(self._text, start, end)
            offsets = (match.start(1) for match in matches if match[1] == _simple_prefix(target))
            self._defined[target, start] = next(offsets, start)
        return self._defined[target, start]


def _simple_prefix(target: str) -> str:
    """Return the start of a target that is written the same in every form of a link."""
    match = _SIMPLE.match(target)
    return match[0] if match else ""


_TEMPLATE = re.compile(r"\{\{|\{%")  # of Liquid, Hugo, Nunjucks and Handlebars
_HOST = re.compile(r"((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}))(/|\Z)", re.IGNORECASE)
_DOMAIN = re.compile(
    "com|org|net|edu|gov|info|biz|io|dev|app|eu"
    "|at|au|be|br|ca|ch|cn|co|cz|de|dk|es|fi|fr|gr|hu|ie|it|jp|kr|nl|no|nz|pt|ru|se|uk|us"
)
_SUFFIX = re.compile("cs|gz|js|md|pl|ps|py|rb|rs|sh|ts")  # of files, although some are country codes
_FILE = re.compile(r"@[0-9.]+x\.[a-z]+\Z|\.(?:avif|gif|jpe?g|pdf|png|svg|webp)\Z", re.IGNORECASE)


class LinkFault(NamedTuple):
    """The reason why a link does not work, worded as the end of a sentence about the link, and a hint."""

    reason: str
    hint: str


def template_fault(target: str) -> LinkFault | None:
    """Return why a target is not a path if it contains template syntax, or None if it does not."""
    if _TEMPLATE.search(target) is None:
        return None
    return LinkFault("contains template syntax, which the site does not process", "write the full address")


def path_fault(target: str) -> LinkFault | None:
    """Return why a relative target is not a path to a file, or None if it may be one."""
    if template := template_fault(target):
        return template
    path_part = target.partition("#")[0].partition("?")[0]
    if EMAIL.match(path_part) and "/" not in path_part and not _FILE.search(path_part):
        return LinkFault("is an e-mail address without mailto:", did_you_mean_text(f"mailto:{target}"))
    host = _HOST.match(path_part)
    name, top_level_domain, slash = host.groups() if host else ("", "", "")
    if _is_host(name, top_level_domain.lower(), has_path=slash != ""):
        return LinkFault("is an address without https://", did_you_mean_text(f"https://{target}"))
    return None


def _is_host(name: str, top_level_domain: str, *, has_path: bool) -> bool:
    """Return whether a word with dots is the name of a host, and not of a file.

    It begins with `www.`, has a common top-level domain, or has that of any country and a path behind it.
    """
    if name.lower().startswith("www.") and name.count(".") > 1:
        return True
    if _DOMAIN.fullmatch(top_level_domain):
        return True
    may_be_country = len(top_level_domain) == 2 and not _SUFFIX.fullmatch(top_level_domain)
    return has_path and may_be_country
