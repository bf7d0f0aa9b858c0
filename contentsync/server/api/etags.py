"""ETags of records and lists: conditional requests, and the list ETags before and after a write.

docs/contract.md 18
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from ... import __version__
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ..access import Access
from ..service_errors import RecordChanged
from ..store import Connection, Row
from ..store.tokens import record_use
from ..store.versions import CollectionStates, also_changed_kinds, collection_states, now
from .auth import ApiCall
from .http import header_values

# The response to a write with `Prefer: list-etags` (RFC 7240) has the header.
PREFERENCE = "list-etags"
LIST_ETAGS = "X-List-ETags"

T = TypeVar("T")

_ETAG = lazy_pattern(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
_EMBEDDED_KINDS: Mapping[Kind, tuple[Kind, ...]] = {  # other kinds whose records change the list of a kind
    Kind.ORGANIZER: (Kind.LISTING, Kind.CUSTOM_FIELD),
    Kind.LISTING: (Kind.CATEGORY, Kind.TAG, Kind.ORGANIZER, Kind.CUSTOM_FIELD),
    Kind.ARTICLE: (Kind.CUSTOM_FIELD,),
}


def record_etag(row: Row) -> str:
    """Return the ETag of a record: its `updated_at` in quotes, so that clients can make it too."""
    return f'"{row.updated_at}"'


def list_etag(access: Access, kind: Kind, states: CollectionStates) -> str:
    """Return the ETag of the whole list of a kind, which all pages in all languages share."""
    directory = access.directory
    versions = [(each, states[each].version) for each in (kind, *_EMBEDDED_KINDS.get(kind, ()))]
    return _make_etag(access.site, directory.id, directory.updated_at, *versions)


def time_dependent_etag(etag: str) -> str:
    """Add the current time to the ETag of a list that changes with time, so that no later request matches it."""
    return f'{etag[:-1]}@{now()}"'


def if_match_condition(request: Request) -> Callable[[Row], None] | None:
    """Return a function that raises RecordChanged unless `If-Match` matches its row; None without the header."""
    headers = header_values(request.scope, b"if-match")
    if not headers:
        return None
    # A weak ETag never matches here (RFC 9110, 13.1.1).
    strong = [etag for etag in _parse_etags(headers) if not etag.startswith("W/")]

    def require_match(row: Row) -> None:
        if "*" not in strong and record_etag(row) not in strong:
            raise RecordChanged

    return require_match


def requires_new(request: Request) -> bool:
    """Return whether `If-None-Match: *` forbids a create to update an existing record (docs/contract.md 18)."""
    return header_values(request.scope, b"if-none-match") == ["*"]


def is_current(request: Request, etag: str) -> bool:
    """Return whether `If-None-Match` has the ETag or `*`, so that the answer is 304 (RFC 9110, 13.1.2)."""
    etags = [each.removeprefix("W/") for each in _parse_etags(header_values(request.scope, b"if-none-match"))]
    return etag in etags or "*" in etags


async def write(call: ApiCall, kind: Kind, change: Callable[[Connection], Response]) -> Response:
    """Run and commit `change`, and return its response, with the header X-List-ETags if the request prefers it.

    The header omits a list in which the write also modified records that the request does not name: the client cannot
    know them. A record does not count as modified because it shows a modified linked record.
    """
    response, etags = await _run(call, kind, change)
    return _with_etags(response, etags)


async def write_then_read(
    call: ApiCall, kind: Kind, change: Callable[[Connection], T], respond: Callable[[Connection, T], Response]
) -> Response:
    """Commit the change as `write` does, then build the response with `respond` in a long read.

    The read is never refused: status 503 would say that nothing was written.
    """
    value, etags = await _run(call, kind, change)
    response = await call.database.read_queued(call.export(is_refusable=False), respond, value)
    return _with_etags(response, etags)


async def _run(call: ApiCall, kind: Kind, change: Callable[[Connection], T]) -> tuple[T, list[str]]:
    """Run and commit `change`; return its result and, if the client prefers it, a text for each list that it changes.

    A text has the list's name, old ETag and new ETag. The lists are those of `kind` and of kinds that embed its
    records, without those in which `change` modifies records that the request does not name.
    """
    directory_id = call.access.directory.id
    token_uses = call.service.token_uses
    used_token = token_uses.due(call.access.principal)

    def run(connection: Connection) -> tuple[T, list[str]]:
        """Run `change` in the transaction, and return its result with the texts of the lists as they were and are."""
        if used_token is not None:
            record_use(connection, used_token)
        if not _prefers_etags(call.request):
            return change(connection), []
        omitted_kinds = also_changed_kinds(connection)  # a set of the connection, which `change` fills
        omitted_kinds.clear()
        old_states = collection_states(connection, directory_id)
        result = change(connection)
        new_states = collection_states(connection, directory_id)
        etags = []
        for listed_kind in Kind:
            shows_kind = listed_kind is kind or kind in _EMBEDDED_KINDS.get(listed_kind, ())
            if shows_kind and listed_kind not in omitted_kinds:
                before = list_etag(call.access, listed_kind, old_states)
                after = list_etag(call.access, listed_kind, new_states)
                etags.append(f"{listed_kind.collection} {before} {after}")
        return result, etags

    result = await call.database.write_in_directory(directory_id, run)
    token_uses.mark(used_token)
    return result


def _with_etags(response: Response, etags: list[str]) -> Response:
    """Return the response with the ETags of the lists in a header, if there are any."""
    if etags:
        response.headers[LIST_ETAGS] = ", ".join(etags)
    return response


def _prefers_etags(request: Request) -> bool:
    headers = header_values(request.scope, b"prefer")
    return any(preference.strip().lower() == PREFERENCE for header in headers for preference in header.split(","))


@lru_cache(maxsize=4096)
def _make_etag(*parts: object) -> str:
    return f'"{blake2b(repr((__version__, *parts)).encode(), digest_size=12).hexdigest()}"'


def _parse_etags(headers: list[str]) -> list[str]:
    text = ",".join(headers)
    return ["*"] if text.strip() == "*" else [match[0] for match in _ETAG.finditer(text)]
