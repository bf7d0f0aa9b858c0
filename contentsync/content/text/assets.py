"""Relative links, rewritten to addresses below the site's asset address (content-format.md, Values)."""

import posixpath
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from .links import HTML_TOKENS, Link, html_links, parser

if TYPE_CHECKING:
    from markdown_it.token import Token


def rebased(text: str, links: list[Link], path: str, base: str, *, html: bool = False) -> tuple[str, set[str]]:
    """The text with its relative links put below the asset address, and the targets that were rewritten.

    A link is followed from the file at `path`; one that leads out of the content folder stays. Nothing but link
    targets changes: a text in which more would change, because it shows the same link as an example, is left as it is.
    """
    targets = {link.target: address for link in links if (address := _address(link.target, path, base))}
    if html:
        return _with_targets(text, targets), set(targets)
    changed = text
    for target, address in targets.items():
        changed = _put(changed, target, address)
    return (changed, set(targets)) if _outline(changed, {}) == _outline(text, targets) else (text, set())


def resolved(target: str, path: str) -> tuple[str | None, str]:
    """The file of the content folder that a relative target leads to, and the query and fragment behind it.

    None for a target that leads out of the folder.
    """
    place = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(place)))
    return None if file == ".." or file.startswith(("/", "../")) else file, target[len(place) :]


def _address(target: str, path: str, base: str) -> str | None:
    file, rest = resolved(target, path)
    return f"{base.rstrip('/')}/{quote(file)}{rest}" if file else None


def _put(text: str, target: str, address: str) -> str:
    """The text with an address in the place of a target, wherever it stands as in a link."""
    before = r"\]\(\s*<?|\]:\s*<?|(?:src|href)\s*=\s*[\"']?\s*"
    return re.sub(rf"({before}){re.escape(target)}(?=[)>\"'\s]|\Z)", lambda match: match[1] + address, text)


def _outline(text: str, targets: Mapping[str, str]) -> Any:
    """What the text says, with the targets replaced: equal outlines differ in nothing else."""
    return [_shape(token, targets) for token in parser().parse(text)]


def _shape(token: "Token", targets: Mapping[str, str]) -> Any:
    attrs = dict(token.attrs)
    for name in ("href", "src"):
        if name in attrs:
            attrs[name] = targets.get(str(attrs[name]), attrs[name])
    content = "" if token.children else token.content
    if token.type in HTML_TOKENS:
        content = _with_targets(content, targets)
    return token.type, attrs, content, [_shape(child, targets) for child in token.children or ()]


def _with_targets(html: str, targets: Mapping[str, str]) -> str:
    for link in reversed(list(html_links(html))):
        html = html[: link.offset] + targets.get(link.target, link.target) + html[link.offset + len(link.target) :]
    return html
