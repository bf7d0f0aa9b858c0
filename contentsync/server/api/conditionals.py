"""ETags and the conditions that clients make with them (resolved.md, HTTP conditionals)."""

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from fastapi import Request

from ... import __version__
from ...model import Kind
from ..errors import Changed
from ..store import Row
from ..store.clock import now
from .view import VISIBILITY, View

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def tag_of(row: Row[Any]) -> str:
    """A record's ETag, which whoever has the record knows."""
    return f'"{row.updated_at}"'


def tag_of_list(view: View, versions: Mapping[Kind, int]) -> str:
    """The ETag of a list that shows collections in these versions: the same on every page, in every language."""
    parts = [__version__, view.site, str(view.directory.id), view.directory.updated_at]
    if view.include == VISIBILITY:
        parts.append(now())  # it changes with time alone, so nobody can vouch for it
    parts += [f"{kind}:{version}" for kind, version in versions.items()]
    return f'"{blake2b("|".join(parts).encode(), digest_size=12).hexdigest()}"'


def require_match(request: Request, row: Row[Any]) -> None:
    """Raise Changed if the request names a state of the record that is not its present one."""
    wanted = request.headers.getlist("if-match")
    # A weak tag never matches here (RFC 9110, 13.1.1).
    strong = [tag for tag in _tags(wanted) if not tag.startswith("W/")]
    if wanted and "*" not in strong and tag_of(row) not in strong:
        raise Changed


def is_current(request: Request, tag: str) -> bool:
    """Whether the client has what the ETag stands for (RFC 9110, 13.1.2)."""
    had = [each.removeprefix("W/") for each in _tags(request.headers.getlist("if-none-match"))]
    return tag in had or "*" in had


def _tags(headers: list[str]) -> list[str]:
    text = ",".join(headers)
    return ["*"] if text.strip() == "*" else [match[0] for match in _TAG.finditer(text)]
