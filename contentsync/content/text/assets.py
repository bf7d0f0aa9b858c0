"""Relative links, rewritten to addresses below the site's asset address (docs/content.md 6)."""

import posixpath
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from ...model.markdown_budget import StepBudget
from .links import HTML_TOKENS, Link, html_links
from .markdown import parsed

if TYPE_CHECKING:
    from markdown_it.token import Token


def rebased(
    text: str, links: list[Link], path: str, base: str, *, html: bool = False, allowance: StepBudget | None = None
) -> tuple[str, set[str]]:
    """The text with its relative links put below the asset address, and the targets that were rewritten.

    A link is followed from the file at `path`; one that leads out of the content folder stays. Nothing but link
    targets changes: a text in which more would change, because it shows the same link as an example, is left as it is.
    Raises TooIntricate for Markdown.
    """
    targets = {link.target: address for link in links if (address := _address(link.target, path, base))}
    if html:
        return _with_targets(text, links, targets), set(targets)
    changed, allowance = _with_targets(text, links, targets), allowance or StepBudget()
    allowance.add(text)
    is_sound = _outline(changed, {}, allowance) == _outline(text, targets, StepBudget())
    return (changed, set(targets)) if is_sound else (text, set())


def resolved(target: str, path: str) -> tuple[str | None, str]:
    """The file of the content folder that a relative target leads to, and the query and fragment behind it.

    None for a target that leads out of the folder.
    """
    place = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(place)))
    return None if file == ".." or file.startswith(("/", "../")) else file, target[len(place) :]


def _address(target: str, path: str, base: str) -> str | None:
    file, rest = resolved(target, path)
    if file is None:
        return None
    below = "" if file == "." else quote(file)
    slash = "/" if below and target[: len(target) - len(rest)].endswith("/") else ""
    return f"{base.rstrip('/')}/{below}{slash}{rest}"


def _outline(text: str, targets: Mapping[str, str], allowance: StepBudget) -> Any:
    """What the text says, with the targets replaced: equal outlines differ in nothing else."""
    return [_shape(token, targets) for token in parsed(text, allowance)[0]]


def _shape(token: "Token", targets: Mapping[str, str]) -> Any:
    attrs = dict(token.attrs)
    for name in ("href", "src"):
        if name in attrs:
            attrs[name] = targets.get(str(attrs[name]), attrs[name])
    content = "" if token.children else token.content
    if token.type in HTML_TOKENS:
        content = _with_targets(content, html_links(content), targets)
    return token.type, attrs, content, [_shape(child, targets) for child in token.children or ()]


def _with_targets(text: str, links: Iterable[Link], targets: Mapping[str, str]) -> str:
    """The text with addresses in the place of targets, where links are known to have them."""
    parts, done = [], 0
    for offset, target in sorted({(link.offset, link.target) for link in links if link.target in targets}):
        if offset >= done and text.startswith(target, offset):
            parts += [text[done:offset], targets[target]]
            done = offset + len(target)
    return "".join((*parts, text[done:]))
