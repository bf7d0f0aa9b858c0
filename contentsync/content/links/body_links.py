"""Find links and images in Markdown and HTML texts whose target is on the site: relative or such as `/blog/x/`.

Targets may be links as other generators write them (`link_forms`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ...lazy_pattern import lazy_pattern
from ...model.field_types import EMAIL
from ...model.suggestion import did_you_mean_text
from .link_forms import as_destinations, as_written, unescaped
from .parsed_body import ParsedBody

if TYPE_CHECKING:
    from markdown_it.token import Token


# Starts of targets that are not checked: another host, another scheme, or a part of the same page.
_UNCHECKED_START = r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[#?]|\Z"
_UNCHECKED = lazy_pattern(_UNCHECKED_START)
# The text before a target on the site. It matches before every such target, and may match where there is no link.
_BEFORE_SITE_TARGET = lazy_pattern(rf"\][(:][ \t\n]*+<?+(?!{_UNCHECKED_START})")
_LINK_TAG = lazy_pattern(r"<(?:img|a|source|video|audio)[\s/]", re.IGNORECASE)
_BEFORE_SITE_VALUE = lazy_pattern(
    rf"href\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START})|src\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START}|/)", re.IGNORECASE
)
_ROOT_PICTURE = lazy_pattern(r"(?:\][(:][ \t\n]*+<?+|src\s*+=\s*+[\"']?+\s*+)/(?!/)", re.IGNORECASE)
_RELATIVE_VALUE = lazy_pattern(rf"(?:href|src)\s*+=\s*+[\"']?+\s*+(?!{_UNCHECKED_START}|/)", re.IGNORECASE)
# An attribute, and a tag or comment; possessive quantifiers keep them fast on any text.
_ATTRIBUTE = r"(?P<name>[^\s=<>\"'/]++)(?:\s*+=\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?+"
_TAG = lazy_pattern(
    r"<!--(?:.*?-->|.*)|<(?:img|a|source|video|audio)(?=[\s/>])(?P<attributes>(?:\s++|/|" + _ATTRIBUTE + r")*+)>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE_IN_TAG = lazy_pattern(_ATTRIBUTE)
# If one of these follows, the opening bracket of an image may be closed, or be part of code or HTML.
_DOUBTFUL = lazy_pattern(r"[]`>]")
# A Markdown text without these characters has neither code nor HTML, escapes, tables or definitions. If all its `](`
# belong to matches of `_PLAIN_LINK`, these are its links.
_NOT_PLAIN = ("`", "<", "\\", "~", "|", "\t", "\0", "    ", "]:")  # fast, unlike an expression
_PLAIN_LINK = lazy_pattern(r"\[[^\[\]\n]*+\]\((?!(?i:vbscript|javascript|file|data):)([^\s()<>\\&\x00-\x1f\x7f]++)\)")


@dataclass(frozen=True, slots=True)
class BodyLink:
    """A link or image of a text.

    `target` is as written, with its escapes, and `offset` is its position in the text; of a wiki link, the target is
    the whole link. The target of a reference link is in its definition. Without `has_certain_offset`, the offset is
    that of the block that contains the link, and the link cannot be rewritten.
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
        return not leads_elsewhere(self.target) and (self.is_relative or not self.embedded)


def leads_elsewhere(target: str) -> bool:
    """Return whether a target has a scheme or a host, or is a part of the same page: it has no path on the site."""
    return _UNCHECKED.match(target) is not None


def internal_links(body: ParsedBody, *, html: bool = False, root_pictures: bool = False) -> list[BodyLink]:
    """Return the links to the same site in a Markdown or HTML text, and the images with relative targets.

    With `root_pictures`, also return images with absolute paths. Raises TooIntricate for Markdown that exceeds the
    step budget of the body.
    """

    def may_contain(text: str) -> bool:
        return may_contain_links(text) or (root_pictures and _ROOT_PICTURE.search(text) is not None)

    if html:
        links = html_links(body.text)
    elif may_contain(body.parsable):
        links = markdown_links(body, may_contain)
    else:
        return []
    return [link for link in links if link.is_checkable or (root_pictures and link.is_root_picture)]


def all_links(body: ParsedBody, *, html: bool) -> Iterator[BodyLink]:
    """Return an iterator over all links and images of a text. Iterating over Markdown may raise TooIntricate."""
    return html_links(body.text) if html else markdown_links(body)


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


def may_contain_any_link(text: str) -> bool:
    """Return whether a part of a Markdown text may contain a link to any target. False is certain."""
    return "[" in text or "<" in text


def markdown_links(body: ParsedBody, may_contain: Callable[[str], bool] = may_contain_any_link) -> Iterator[BodyLink]:
    """Yield every link and image of a Markdown text, including inline HTML. Raises TooIntricate.

    Only the sections that `may_contain` a link to look for are parsed: it is called with the text of a section, as
    `as_destinations` returns it, and False must be certain.
    """
    plain_links = _plain_links(body.parsable)
    if plain_links is not None:
        for match in plain_links:
            is_image = body.parsable.endswith("!", 0, match.start())  # `![label](target)`
            yield _body_link(body.text, match[1], match.start(1), is_image, has_certain_offset=True)
        return
    for section in body.sections:
        for token in section.tokens if may_contain(section.text) else ():
            for target, embedded, label in _targets(token):
                # A footnote is not a link, although `[^1]: word` looks like a link definition.
                if label.startswith("^"):
                    continue
                written, offset = section.marked.find(target)
                if offset is None:
                    yield _body_link(body.text, written, body.line_starts[section.line_of(token)], embedded)
                else:
                    yield _body_link(body.text, written, section.start + offset, embedded, has_certain_offset=True)


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
    for link in _links_in_tags(as_destinations(text, html=True)):
        yield replace(link, target=as_written(link.target))


def _links_in_tags(text: str) -> Iterator[BodyLink]:
    """Yield the links and images of an HTML text: the values of `href` and `src` in its tags."""
    for tag in _TAG.finditer(text):
        if not tag["attributes"]:  # a comment, or a tag without any
            continue
        for attribute in _ATTRIBUTE_IN_TAG.finditer(text, *tag.span("attributes")):
            name, value = attribute["name"].lower(), attribute["value"]
            if value and name in ("src", "href"):
                target = (value[1:-1] if value[0] in "\"'" else value).strip()
                # Certain, as only a quote and spaces may be before the target.
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
    if token.type in ("html_block", "html_inline"):
        yield from (_TargetText(link.target, link.embedded, label="") for link in _links_in_tags(token.content))
    for child in token.children or ():
        yield from _targets(child)


_TEMPLATE = lazy_pattern(r"\{\{|\{%")  # of Liquid, Hugo, Nunjucks and Handlebars
_HOST = lazy_pattern(r"((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}))(/|\Z)", re.IGNORECASE)
_DOMAIN = lazy_pattern(
    "com|org|net|edu|gov|info|biz|io|dev|app|eu"
    "|at|au|be|br|ca|ch|cn|co|cz|de|dk|es|fi|fr|gr|hu|ie|it|jp|kr|nl|no|nz|pt|ru|se|uk|us"
)
_SUFFIX = lazy_pattern("cs|gz|js|md|pl|ps|py|rb|rs|sh|ts")  # of files, although some are country codes
_FILE = lazy_pattern(r"@[0-9.]+x\.[a-z]+\Z|\.(?:avif|gif|jpe?g|pdf|png|svg|webp)\Z", re.IGNORECASE)


class LinkFault(NamedTuple):
    """The reason why a link does not work, worded as the end of a sentence about the link, and a hint.

    `meant` is what to write as its target, if there is no doubt.
    """

    reason: str
    hint: str
    meant: str = ""

    @classmethod
    def with_target(cls, reason: str, target: str) -> "LinkFault":
        """Return the fault whose hint is to write a certain target."""
        return cls(reason, f"write {target}", target)


def template_fault(target: str) -> LinkFault | None:
    """Return why a target is not a path if it contains template syntax, or None if it does not."""
    if _TEMPLATE.search(target) is None:
        return None
    return LinkFault("contains template syntax, which the site does not process", "write the full address")


def path_fault(target: str) -> LinkFault | None:
    """Return why a relative target is not a path to a file, or None if it may be one."""
    if template := template_fault(target):
        return template
    path_part = unescaped(target).partition("#")[0].partition("?")[0]
    if path_part.startswith("@site/"):
        hint = "write the path from this file, or the full address"
        return LinkFault("begins with @site, which only Docusaurus replaces", hint)
    if EMAIL.match(path_part) and "/" not in path_part and not _FILE.search(path_part):
        meant = f"mailto:{target}"
        return LinkFault("is an e-mail address without mailto:", did_you_mean_text(meant), meant)
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
