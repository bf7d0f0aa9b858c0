"""Relative links in bodies: the service takes no files, so they lead nowhere unless the site has an asset address."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MAY_LINK = re.compile(r"\]\(|\]:|<(?:img|a|source|video|audio)\b", re.IGNORECASE)
# An attribute, and a tag or comment; possessive throughout, so that no text makes them slow.
_ATTRIBUTE = r"([^\s=<>\"'/]++)(?:\s*+=\s*+(\"[^\"]*+\"|'[^']*+'|[^\s\"'<>]++))?+"
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:img|a|source|video|audio)(?=[\s/>])((?:\s++|/|" + _ATTRIBUTE + r")*+)>",
    re.IGNORECASE | re.DOTALL,
)
_IN_TAG = re.compile(_ATTRIBUTE)
_HTML = ("html_block", "html_inline")  # tokens
_ELSEWHERE = re.compile(r"/|#|[a-zA-Z][a-zA-Z0-9+.-]*:|\Z")
_TARGET = re.compile(r"([^?#]*)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image of a body: its target as it is meant, and the offsets of the block that holds it."""

    target: str
    start: int  # of the target itself in HTML
    end: int


def relative_links(body: str, *, html: bool = False) -> list[Link]:
    """The links of a Markdown or HTML text that start with neither a scheme, a slash nor a hash."""
    if not _MAY_LINK.search(body):
        return []
    links = _html_links(body) if html else _markdown_links(body)
    return [link for link in links if not _ELSEWHERE.match(link.target)]


def offset_of(body: str, link: Link) -> int:
    """Where in the text the link's target stands."""
    if body.startswith(link.target, link.start):
        return link.start
    spelled = _spelled(link.target)
    at = spelled.search(body, link.start, link.end) or spelled.search(body)
    return at.start(2) if at else link.start


def rebased(body: str, links: list[Link], path: str, base: str, *, html: bool = False) -> tuple[str, list[Link]]:
    """The text with its relative links put below the asset address, and the links for which that is not possible.

    A link is followed from the file at `path`. Nothing but link targets changes: a text in which more would
    change, because it shows the same link as an example, is left as it is.
    """
    targets = {link.target: _address(link.target, path, base) for link in links}
    targets = {target: address for target, address in targets.items() if address}
    left = [link for link in links if link.target not in targets]
    if html:
        return _with_targets(body, targets), left
    changed = body
    for target, address in targets.items():
        changed = _put(changed, target, address)
    return (changed, left) if _outline(changed, {}) == _outline(body, targets) else (body, links)


def _address(target: str, path: str, base: str) -> str:
    """The full address of a relative target; empty when it leads out of the content folder."""
    match = _TARGET.match(target)
    place, rest = match.groups() if match else (target, "")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(place)))
    return "" if file == ".." or file.startswith(("/", "../")) else f"{base.rstrip('/')}/{quote(file)}{rest}"


def _put(body: str, target: str, address: str) -> str:
    return _spelled(target).sub(lambda match: match[1] + address, body)


def _spelled(target: str) -> re.Pattern[str]:
    """The target where a link holds it: after `](`, `]:`, or an attribute's quote."""
    return re.compile(rf"(\]\(\s*<?|\]:\s*<?|(?:src|href)\s*=\s*[\"']?)({re.escape(target)})(?=[)>\"'\s]|\Z)")


def _html_links(text: str) -> Iterator[Link]:
    for tag in _TAG.finditer(text):
        for attribute in _IN_TAG.finditer(text, *tag.span(1)) if tag[1] else ():
            if attribute[2] and attribute[1].lower() in ("src", "href"):
                quote_width = 1 if attribute[2][0] in "\"'" else 0
                start, end = attribute.start(2) + quote_width, attribute.end(2) - quote_width
                yield Link(text[start:end], start, end)


def _markdown_links(body: str) -> Iterator[Link]:
    starts = [0, *(match.end() for match in re.finditer(r"\n", body)), len(body)]
    for block in _parser().parse(body):
        first, end = block.map or (0, len(starts) - 1)
        for target in _targets(block):
            yield Link(target, starts[first], starts[min(end, len(starts) - 1)])


def _targets(token: "Token") -> Iterator[str]:
    target = token.attrs.get("href") or token.attrs.get("src")
    if isinstance(target, str):
        yield target
    if token.type in _HTML:
        yield from (link.target for link in _html_links(token.content))
    for child in token.children or ():
        yield from _targets(child)


def _outline(body: str, targets: Mapping[str, str]) -> Any:
    """What the text says, with the targets replaced: equal outlines differ in nothing else."""
    return [_shape(token, targets) for token in _parser().parse(body)]


def _shape(token: "Token", targets: Mapping[str, str]) -> Any:
    attrs = dict(token.attrs)
    for name in ("href", "src"):
        if name in attrs:
            attrs[name] = targets.get(str(attrs[name]), attrs[name])
    content = "" if token.children else token.content
    if token.type in _HTML:
        content = _with_targets(content, targets)
    return token.type, attrs, content, [_shape(child, targets) for child in token.children or ()]


def _with_targets(html: str, targets: Mapping[str, str]) -> str:
    for link in reversed(list(_html_links(html))):
        html = html[: link.start] + targets.get(link.target, link.target) + html[link.end :]
    return html


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]  # targets as written, to find them again
    return parser
