"""The operations that every kind has: list, get, create, update, delete, and toggle for some."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from starlette.responses import Response

from ...model import PAGINATED, PER_PAGE
from ..paging import Paging
from ..service_errors import kind_label
from ..store import Connection, Row
from ..store.record_store import RecordCondition, RecordStore
from ..store.versions import CollectionStates, collection_states
from .auth import ApiCall
from .etags import (
    if_match_condition,
    is_current,
    list_etag,
    record_etag,
    requires_new,
    time_dependent_etag,
    write,
    write_then_read,
)
from .http import JsonResponse, envelope, list_response, message_response, not_modified, page_number, record_response
from .openapi.operations import TOGGLES
from .serializers import VISIBILITY, Serializer, SerializerContext, serializer_context

Endpoint = Callable[..., Awaitable[Response]]


class Resource(NamedTuple):
    """A kind of record as a REST resource."""

    store: RecordStore
    serializer: Serializer
    include: str = ""  # the only value of `?include` that the kind supports, if any
    slow: bool = False  # whether serializing is a long read

    def context(self, call: ApiCall, states: CollectionStates | None = None) -> SerializerContext:
        """Return the serializer context for the query: of a list with `states`, else of a record; raise Invalid."""
        return serializer_context(call, states, supported=self.include, localised=bool(self.store.model.translated))


async def list_page(resource: Resource, call: ApiCall, where: RecordCondition | None = None) -> Response:
    """Return the requested page of the directory's records, or of those that meet the condition.

    The condition must follow from the request's path, because pages are cached by ETag and URL. The status is 304 if
    the request has the list's ETag.
    """

    def read(connection: Connection) -> Response:
        """Return the requested page; from the cache, or with status 304, if the list has not changed."""
        states, etag = _states_and_etag(resource, connection, call)
        total = (
            None if where is not None else states[resource.store.kind].total
        )  # None: not counted yet; a 304 can do without it
        cached_body = call.service.pages.get(call.request, etag)
        if cached_body is not None:  # the same query was validated when the page was cached
            if is_current(call.request, etag):
                return not_modified(etag, total_count=total)
            return JsonResponse(cached_body, etag=etag)
        number = page_number(call.request)
        context = resource.context(call, states)
        is_cacheable = context.include != VISIBILITY  # which changes with time
        if not is_cacheable:
            etag = time_dependent_etag(etag)
        if is_current(call.request, etag):
            return not_modified(etag, total_count=total)
        if total is None:
            total = resource.store.count(connection, context.directory.id, where)
        page = Paging(number, total, PER_PAGE)
        rows = _page_rows(resource, connection, call, states, page, where)
        documents = resource.serializer(connection, rows, context) if rows else []
        response = list_response(documents, envelope(page, call.request, call.service.public_url), etag)
        if is_cacheable:
            call.service.pages.put(call.request, etag, bytes(response.body))
        return response

    return await call.database.read(read)


def _page_rows(
    resource: Resource,
    connection: Connection,
    call: ApiCall,
    states: CollectionStates,
    page: Paging,
    where: RecordCondition | None,
) -> Sequence[Any]:
    """Return the records of a page; none for a page after the last one."""
    store, directory_id = resource.store, call.access.directory.id
    if page.offset >= page.total:
        return []
    if where is not None:
        return store.rows(connection, directory_id, where, limit=PER_PAGE, offset=page.offset)
    cursors, state = call.service.cursors, states[store.kind]
    return store.page(connection, directory_id, cursors, state, limit=PER_PAGE, offset=page.offset)


async def _list_all(resource: Resource, call: ApiCall) -> Response:
    """Return all records of one kind in the directory; status 304 if the request has the list's ETag."""

    def unchanged(connection: Connection) -> Response | None:
        """Return a response with status 304 if the request has the list's ETag; None if the records must be read."""
        states, etag = _states_and_etag(resource, connection, call)
        resource.context(call, states)  # raises Invalid
        if not is_current(call.request, etag):
            return None
        return not_modified(etag, total_count=states[resource.store.kind].total)

    def read(connection: Connection) -> Response:
        """Return all records; with status 304 if another change has restored the ETag since `unchanged`."""
        states, etag = _states_and_etag(resource, connection, call)
        context = resource.context(call, states)
        if is_current(call.request, etag):
            return not_modified(etag, total_count=states[resource.store.kind].total)
        rows = resource.store.rows(connection, context.directory.id)
        return list_response(resource.serializer(connection, rows, context), etag=etag)

    if resource.slow:  # a 304 is no long read
        response = await call.database.read(unchanged)
        if response is not None:
            return response
    return await _read(resource, call, read)


def _states_and_etag(resource: Resource, connection: Connection, call: ApiCall) -> tuple[CollectionStates, str]:
    states = collection_states(connection, call.access.directory.id)
    return states, list_etag(call.access, resource.store.kind, states)


async def _read(resource: Resource, call: ApiCall, read: Callable[[Connection], Response]) -> Response:
    """Return the response that `read` makes; a slow resource is a long read."""
    if resource.slow:
        return await call.database.read_queued(call.export(), read)
    return await call.database.read(read)


async def _write_and_show(
    resource: Resource, call: ApiCall, context: SerializerContext, change: Callable[[Connection], tuple[Row, int]]
) -> Response:
    """Run and commit `change`, and return a response with the record and the HTTP status that `change` returned."""

    def respond(connection: Connection, written: tuple[Row, int]) -> Response:
        row, status = written
        return _respond(resource, connection, context, row, status)

    kind = resource.store.kind
    if resource.slow:  # other writes must not wait until the record is serialized
        return await write_then_read(call, kind, change, respond)
    return await write(call, kind, lambda connection: respond(connection, change(connection)))


async def _change_and_show(resource: Resource, call: ApiCall, change: Callable[[Connection], Row]) -> Response:
    """Run and commit a change of an existing record, and return a response with the record."""
    return await _write_and_show(resource, call, resource.context(call), lambda connection: (change(connection), 200))


def _respond(
    resource: Resource, connection: Connection, context: SerializerContext, row: Row, status: int = 200
) -> Response:
    return record_response(resource.serializer(connection, [row], context)[0], record_etag(row), status)


def resource_endpoints(resource: Resource) -> dict[str, Endpoint]:
    """Return the endpoints of a resource by operation id."""
    store = resource.store

    async def index(call: ApiCall) -> Response:
        if store.kind in PAGINATED:
            return await list_page(resource, call)
        return await _list_all(resource, call)

    async def show(call: ApiCall, record_id: int) -> Response:
        """Return one record."""
        context = resource.context(call)

        def read(connection: Connection) -> Response:
            return _respond(resource, connection, context, store.row(connection, context.directory.id, record_id))

        return await _read(resource, call, read)

    async def create(call: ApiCall) -> Response:
        """Create a record and return status 201, or update the record that has its key and return 200."""
        body = await call.body()
        context, new_only = resource.context(call), requires_new(call.request)

        def add(connection: Connection) -> tuple[Row, int]:
            row, is_new = store.create(connection, call.access, body, new_only=new_only)
            return row, 201 if is_new else 200

        return await _write_and_show(resource, call, context, add)

    async def update(call: ApiCall, record_id: int) -> Response:
        """Write fields of a record; `If-Match` is checked in the same transaction."""
        body, condition = await call.body(), if_match_condition(call.request)
        return await _change_and_show(
            resource, call, lambda connection: store.update(connection, call.access, record_id, body, condition)
        )

    async def toggle(call: ApiCall, record_id: int) -> Response:
        """Invert the record's flag; `If-Match` is checked in the same transaction."""
        condition, flag = if_match_condition(call.request), TOGGLES[store.kind]
        return await _change_and_show(
            resource, call, lambda connection: store.toggle(connection, call.access, record_id, flag, condition)
        )

    async def delete(call: ApiCall, record_id: int) -> Response:
        """Delete a record; `If-Match` is checked in the same transaction."""
        condition = if_match_condition(call.request)

        def remove(connection: Connection) -> Response:
            store.delete(connection, call.access, record_id, condition)
            return message_response(f"{kind_label(store.kind)} deleted successfully")

        return await write(call, store.kind, remove)

    endpoints: dict[str, Endpoint] = {
        f"list_{store.kind.plural.replace(' ', '_')}": index,
        f"get_{store.kind}": show,
        f"create_{store.kind}": create,
        f"update_{store.kind}": update,
        f"delete_{store.kind}": delete,
    }
    return endpoints | ({f"toggle_{store.kind}": toggle} if store.kind in TOGGLES else {})
