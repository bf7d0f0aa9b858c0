"""ETags and the conditions that clients make with them (docs/contract.md 18)."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from fastapi import Request

from ... import __version__
from ...model import Kind
from ..access import Access
from ..errors import Changed
from ..request_headers import header_values
from ..store import Row
from ..store.clock import now

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def tag_of(row: Row[Any]) -> str:
    """A record's ETag, which whoever has the record knows."""
    return f'"{row.updated_at}"'


def tag_of_list(access: Access, versions: Iterable[tuple[Kind, int]]) -> str:
    """The ETag of a list that shows collections in these versions: the same on every page, in every language."""
    directory = access.directory
    return _digest(access.site, directory.id, directory.updated_at, *versions)


def passing(tag: str) -> str:
    """The ETag of a list that also changes with time alone, so that nobody can vouch for it."""
    return f'{tag[:-1]}@{now()}"'


def condition_of(request: Request) -> Callable[[Row[Any]], None] | None:
    """Raises Changed for a record that is not in a state that `If-Match` names; None where the request has none."""
    wanted = header_values(request.scope, b"if-match")
    if not wanted:
        return None
    # A weak tag never matches here (RFC 9110, 13.1.1).
    strong = [tag for tag in _tags(wanted) if not tag.startswith("W/")]

    def require(row: Row[Any]) -> None:
        if "*" not in strong and tag_of(row) not in strong:
            raise Changed

    return require


def wants_new(request: Request) -> bool:
    """Return whether a create must not find a record: `If-None-Match: *` (docs/contract.md 18)."""
    return header_values(request.scope, b"if-none-match") == ["*"]


def is_current(request: Request, tag: str) -> bool:
    """Whether the client has what the ETag stands for (RFC 9110, 13.1.2)."""
    had = [each.removeprefix("W/") for each in _tags(header_values(request.scope, b"if-none-match"))]
    return tag in had or "*" in had


@lru_cache(maxsize=4096)
def _digest(*parts: object) -> str:
    return f'"{blake2b(repr((__version__, *parts)).encode(), digest_size=12).hexdigest()}"'


def _tags(headers: list[str]) -> list[str]:
    text = ",".join(headers)
    return ["*"] if text.strip() == "*" else [match[0] for match in _TAG.finditer(text)]
