"""What lists show, which their ETags stand for, and what a write makes of those ETags."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from fastapi import Request, Response

from ...model import Kind
from ..access import Access
from ..auth import Call
from ..request_headers import header_values
from ..store import Connection, versions
from ..store.versions import States
from .conditionals import tag_of_list

# Asked for by `Prefer: list-etags` (RFC 7240).
PREFERENCE = "list-etags"
LIST_ETAGS = "X-List-ETags"

T = TypeVar("T")

_SHOWN: Mapping[Kind, tuple[Kind, ...]] = {  # other kinds whose records a list names, or whose values it holds
    Kind.ORGANIZER: (Kind.LISTING, Kind.CUSTOM_FIELD),
    Kind.LISTING: (Kind.CATEGORY, Kind.TAG, Kind.ORGANIZER, Kind.CUSTOM_FIELD),
    Kind.ARTICLE: (Kind.CUSTOM_FIELD,),
}


def list_tag(access: Access, kind: Kind, states: States) -> str:
    """The ETag of the list of a kind: the same on every page, in every language."""
    return tag_of_list(access, [(shown, states[shown].version) for shown in (kind, *_SHOWN.get(kind, ()))])


async def write(call: Call, kind: Kind, change: Callable[[Connection], Response]) -> Response:
    """The answer that a write of the kind makes, committed; with the ETags of lists where the client prefers so.

    A list is left out in which other records have changed than the written ones, as the client cannot know how; what
    records show of others does not count.
    """
    response, moves = await _written(call, kind, change)
    return _with_etags(response, moves)


async def write_then(
    call: Call, kind: Kind, change: Callable[[Connection], T], answer: Callable[[Connection, T], Response]
) -> Response:
    """`write`, whose answer may take long: it is made of what `change` returns in a read after the commit."""
    changed, moves = await _written(call, kind, change)
    return _with_etags(await call.read_long(answer, changed), moves)


async def _written(call: Call, kind: Kind, change: Callable[[Connection], T]) -> tuple[T, list[str]]:
    """What the change returns, committed, and for each list its name and its ETags before and after."""

    def told(connection: Connection) -> tuple[T, list[str]]:
        if not _prefers(call.request):
            return change(connection), []
        directory_id = call.access.directory.id
        besides = versions.besides(connection)
        besides.clear()
        before = versions.states(connection, directory_id)
        changed = change(connection)
        after = versions.states(connection, directory_id)
        moves = [
            f"{each.collection} {list_tag(call.access, each, before)} {list_tag(call.access, each, after)}"
            for each in Kind
            if (each is kind or kind in _SHOWN.get(each, ())) and each not in besides
        ]
        return changed, moves

    return await call.write(told)


def _with_etags(response: Response, moves: list[str]) -> Response:
    if moves:
        response.headers[LIST_ETAGS] = ", ".join(moves)
    return response


def _prefers(request: Request) -> bool:
    given = header_values(request.scope, b"prefer")
    return any(preference.strip().lower() == PREFERENCE for each in given for preference in each.split(","))
