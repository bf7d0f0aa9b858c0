"""Relative links, rewritten to addresses below the site's asset address (content-format.md, Values)."""

import posixpath
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from .links import HTML_TOKENS, Link, html_links, parser

if TYPE_CHECKING:
    from markdown_it.token import Token

_OPENING = re.compile(r"\]\(\s*+<?+|\]:\s*+<?+|(?:src|href)\s*+=\s*+[\"']?+\s*+")  # what comes before a target
_START = re.compile(r"[^)>\"'\s]++")  # of a target, up to a character that may end it


def rebased(text: str, links: list[Link], path: str, base: str, *, html: bool = False) -> tuple[str, set[str]]:
    """The text with its relative links put below the asset address, and the targets that were rewritten.

    A link is followed from the file at `path`; one that leads out of the content folder stays. Nothing but link
    targets changes: a text in which more would change, because it shows the same link as an example, is left as it is.
    """
    targets = {link.target: address for link in links if (address := _address(link.target, path, base))}
    if html:
        return _with_targets(text, targets), set(targets)
    changed = _put(text, targets)
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


def _put(text: str, targets: Mapping[str, str]) -> str:
    """The text with addresses in the place of targets, wherever these stand as in a link; in one pass."""
    lengths: dict[str, set[int]] = {}  # of the targets that start alike: what would end others may stand in them
    for target in targets:
        lengths.setdefault(_start(target, 0), set()).add(len(target))
    longest_first = {start: sorted(each, reverse=True) for start, each in lengths.items()}
    parts, done = [], 0
    for opening in _OPENING.finditer(text):
        at = opening.end()
        ends = (at + length for length in longest_first.get(_start(text, at), ()))
        end = next((end for end in ends if text[at:end] in targets and not _START.match(text, end)), None)
        if end and at >= done:
            parts += [text[done:at], targets[text[at:end]]]
            done = end
    return "".join((*parts, text[done:]))


def _start(text: str, at: int) -> str:
    start = _START.match(text, at)
    return start[0] if start else ""


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
    parts, done = [], 0
    for link in html_links(html):
        parts += [html[done : link.offset], targets.get(link.target, link.target)]
        done = link.offset + len(link.target)
    return "".join((*parts, html[done:]))
