"""Bodies on their way from the server into a file: where they may stand, and their links."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote

from ...model import Kind
from ...model.markdown_budget import StepBudget, TooIntricate
from ..text.assets import rebased, resolved
from ..text.links import Link, html_links, links_in, markdown_links

BODIES = ("markdown", "content")

_BLANK_START = re.compile(r"[ \t]*(?:\n|\Z)")
_NOT_BELOW = re.compile(r"^<<<<<<< ", re.MULTILINE)  # which git leaves in the place of content


def trimmed(body: str) -> str:
    """The body as `sync.equal` and the readers of files see it."""
    return body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()


def fits_below(body: str) -> bool:
    """Whether a body that is trimmed comes back as it is, when it stands below a front matter."""
    return not (body and _BLANK_START.match(body)) and not _NOT_BELOW.search(body)


def relinked(text: str, before: str, path: str, base: str, folder: Path, *, html: bool) -> str:
    """The text with links to the site's asset address as relative ones, which reading turns into those addresses.

    So is each link that the text in the file had before, as it was written, and each to a file that is in the content
    folder. A text that would not be read as what the server has stays as it is.
    """
    start = f"{base.rstrip('/')}/"
    if start not in text:
        return text
    try:
        known = {address: target for target, address in _written(before, path, base, html=html)}
        changed = text
        for link in sorted(_links(text, html=html), key=lambda link: link.offset, reverse=True):
            target = link.target.startswith(start) and (
                known.get(link.target) or _relative(link.target.removeprefix(start), path, folder)
            )
            if target and changed.startswith(link.target, link.offset):
                changed = changed[: link.offset] + target + changed[link.offset + len(link.target) :]
        relative = [link for link in links_in(changed, html=html) if link.is_relative]
        back, _ = rebased(changed, relative, path, base, html=html)
    except TooIntricate:
        return text
    return changed if back == text else text


def _written(text: str, path: str, base: str, *, html: bool) -> Iterator[tuple[str, str]]:
    """The relative targets of a text in a file, and the addresses that they stand for."""
    for link in links_in(text, html=html):
        if link.is_relative:
            file, rest = resolved(link.target, path)
            if file:
                yield link.target, f"{base.rstrip('/')}/{quote(file)}{rest}"


def _relative(target: str, path: str, folder: Path) -> str:
    """The way from a file to another of the folder; empty where that is none."""
    place = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(unquote(place))
    if file.startswith(("/", "..")) or not (folder / file).is_file():
        return ""
    return quote(posixpath.relpath(file, posixpath.dirname(path))) + target[len(place) :]


def _links(text: str, *, html: bool) -> Iterable[Link]:
    return list(html_links(text)) if html else list(markdown_links(text, StepBudget()))


def is_html(kind: Kind, name: str) -> bool:
    """Whether the body of that name is HTML, not Markdown."""
    return kind is Kind.ARTICLE and name == "content"
