"""What lists show, which their ETags stand for, and what a write makes of those ETags."""

from collections.abc import Callable, Mapping

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
    if not _prefers(call.request):
        return await call.write(change)

    def told(connection: Connection) -> Response:
        directory_id = call.access.directory.id
        besides = versions.besides(connection)
        besides.clear()
        before = versions.states(connection, directory_id)
        response = change(connection)
        after = versions.states(connection, directory_id)
        moves = [
            f"{each.collection} {list_tag(call.access, each, before)} {list_tag(call.access, each, after)}"
            for each in Kind
            if (each is kind or kind in _SHOWN.get(each, ())) and each not in besides
        ]
        if moves:
            response.headers[LIST_ETAGS] = ", ".join(moves)
        return response

    return await call.write(told)


def _prefers(request: Request) -> bool:
    given = header_values(request.scope, b"prefer")
    return any(preference.strip().lower() == PREFERENCE for each in given for preference in each.split(","))
