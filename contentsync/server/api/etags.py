"""ETags of records and lists, the conditions that clients make with them, and what a write does to those of lists.

docs/contract.md 18
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from ... import __version__
from ...model import Kind
from ..access import Access
from ..auth import ApiCall
from ..service_errors import RecordChanged
from ..store import Connection, Row
from ..store.versions import CollectionStates, also_changed, collection_states, now
from .http import header_values

# A request with `Prefer: list-etags` (RFC 7240) gets the header.
PREFERENCE = "list-etags"
LIST_ETAGS = "X-List-ETags"

T = TypeVar("T")

_ETAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_EMBEDDED_KINDS: Mapping[Kind, tuple[Kind, ...]] = {  # kinds that the list of a kind shows or takes values from
    Kind.ORGANIZER: (Kind.LISTING, Kind.CUSTOM_FIELD),
    Kind.LISTING: (Kind.CATEGORY, Kind.TAG, Kind.ORGANIZER, Kind.CUSTOM_FIELD),
    Kind.ARTICLE: (Kind.CUSTOM_FIELD,),
}


def record_etag(row: Row[Any]) -> str:
    """Return the ETag of a record, which a client can make from `updated_at`."""
    return f'"{row.updated_at}"'


def list_etag(access: Access, kind: Kind, states: CollectionStates) -> str:
    """Return the ETag of the list of a kind: the same for every page and every language."""
    directory = access.directory
    versions = [(each, states[each].version) for each in (kind, *_EMBEDDED_KINDS.get(kind, ()))]
    return _digest(access.site, directory.id, directory.updated_at, *versions)


def time_dependent_etag(etag: str) -> str:
    """Return the ETag of a list that also changes with time, so that no client's copy is ever confirmed."""
    return f'{etag[:-1]}@{now()}"'


def if_match(request: Request) -> Callable[[Row[Any]], None] | None:
    """Return a function that raises RecordChanged unless `If-Match` names the record's state; None without it."""
    headers = header_values(request.scope, b"if-match")
    if not headers:
        return None
    # A weak ETag never matches here (RFC 9110, 13.1.1).
    strong = [etag for etag in _parse(headers) if not etag.startswith("W/")]

    def require(row: Row[Any]) -> None:
        if "*" not in strong and record_etag(row) not in strong:
            raise RecordChanged

    return require


def requires_new(request: Request) -> bool:
    """Return whether a create must not find a record: `If-None-Match: *` (docs/contract.md 18)."""
    return header_values(request.scope, b"if-none-match") == ["*"]


def is_current(request: Request, etag: str) -> bool:
    """Return whether the client has the content of the ETag (RFC 9110, 13.1.2)."""
    etags = [each.removeprefix("W/") for each in _parse(header_values(request.scope, b"if-none-match"))]
    return etag in etags or "*" in etags


async def write(call: ApiCall, kind: Kind, change: Callable[[Connection], Response]) -> Response:
    """Run a write and return its response once it is committed, with the ETags of lists if the client prefers so.

    A list is left out if the write changed other records in it than the written ones, which the client cannot know.
    Changes of what records show of others do not count.
    """
    response, etags = await _run(call, kind, change)
    return _with_etags(response, etags)


async def write_then_read(
    call: ApiCall, kind: Kind, change: Callable[[Connection], T], respond: Callable[[Connection, T], Response]
) -> Response:
    """`write` for a response that may take long: `respond` makes it in a read after the commit."""
    value, etags = await _run(call, kind, change)
    return _with_etags(await call.read_long(respond, value), etags)


async def _run(call: ApiCall, kind: Kind, change: Callable[[Connection], T]) -> tuple[T, list[str]]:
    """Return the committed value of the change, and for each list its name and its ETags before and after."""

    def run(connection: Connection) -> tuple[T, list[str]]:
        if not _prefers_etags(call.request):
            return change(connection), []
        directory_id = call.access.directory.id
        excluded = also_changed(connection)
        excluded.clear()
        before = collection_states(connection, directory_id)
        value = change(connection)
        after = collection_states(connection, directory_id)
        etags = [
            f"{each.collection} {list_etag(call.access, each, before)} {list_etag(call.access, each, after)}"
            for each in Kind
            if (each is kind or kind in _EMBEDDED_KINDS.get(each, ())) and each not in excluded
        ]
        return value, etags

    return await call.write(run)


def _with_etags(response: Response, etags: list[str]) -> Response:
    if etags:
        response.headers[LIST_ETAGS] = ", ".join(etags)
    return response


def _prefers_etags(request: Request) -> bool:
    headers = header_values(request.scope, b"prefer")
    return any(preference.strip().lower() == PREFERENCE for each in headers for preference in each.split(","))


@lru_cache(maxsize=4096)
def _digest(*parts: object) -> str:
    return f'"{blake2b(repr((__version__, *parts)).encode(), digest_size=12).hexdigest()}"'


def _parse(headers: list[str]) -> list[str]:
    text = ",".join(headers)
    return ["*"] if text.strip() == "*" else [match[0] for match in _ETAG.finditer(text)]
