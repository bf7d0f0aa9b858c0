"""The five operations that every kind has."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from ..auth import Call, Reading, Writing
from ..errors import label
from ..store import Connection, Row, versions
from ..store.records import Records
from ..store.versions import States
from .answers import many, message, one, ready, unchanged
from .bodies import body_of
from .conditionals import condition_of, is_current, passing, tag_of, wants_new
from .documents import Documents
from .lists import list_tag, write, write_then
from .paging import PER_PAGE, Paging, page_number
from .view import VISIBILITY, View, chosen, plain


class Resource(NamedTuple):
    """A kind as HTTP sees it."""

    records: Records
    documents: Documents
    paginated: bool = False
    include: str = ""  # what the query may ask for besides the record
    long: bool = False  # whether the documents may take long to make

    def view(self, call: Call, states: States | None = None) -> View:
        """How the request wants one record shown, or with the states of its collections a list; raises Invalid."""
        if not self.include or not call.request.scope["query_string"]:
            return plain(call, states)
        return chosen(call, states, include=self.include, localised=bool(self.records.model.translated))


async def page(resource: Resource, call: Call, *where: Any) -> Response:
    """One page of the directory's records, or of those under a condition."""

    def read(connection: Connection) -> Response:
        collections, tag = states(resource, connection, call)
        state = collections[resource.records.kind]
        total = None if where else state.total
        known = call.service.answers.get(call.request, tag)
        if known is not None:  # so nothing is wrong with the query
            return unchanged(tag, total) if is_current(call.request, tag) else ready(known, tag)
        number, view = page_number(call.request), resource.view(call, collections)
        lasting = view.include != VISIBILITY
        if not lasting:
            tag = passing(tag)
        if is_current(call.request, tag):
            return unchanged(tag, total)
        records = resource.records
        paging = Paging(number, records.count(connection, view.directory.id, *where) if total is None else total)
        rows: Sequence[Any] = []
        if paging.offset >= paging.total:
            pass
        elif where:
            rows = records.rows(connection, view.directory.id, *where, limit=PER_PAGE, offset=paging.offset)
        else:
            anchors = call.service.anchors
            rows = records.page(connection, view.directory.id, anchors, state, limit=PER_PAGE, offset=paging.offset)
        documents = resource.documents(connection, rows, view) if rows else []
        response = many(documents, paging.envelope(call.request, call.service.public_url), tag)
        if lasting:
            call.service.answers.put(call.request, tag, bytes(response.body))
        return response

    return await call.read(read)


async def whole(resource: Resource, call: Call) -> Response:
    """All of the directory's records."""

    def read(connection: Connection) -> Response:
        collections, tag = states(resource, connection, call)
        view = resource.view(call, collections)
        if is_current(call.request, tag):
            return unchanged(tag, collections[resource.records.kind].total)
        rows = resource.records.rows(connection, view.directory.id)
        return many(resource.documents(connection, rows, view), tag=tag)

    return await _read(resource, call, read)


def states(resource: Resource, connection: Connection, call: Call) -> tuple[States, str]:
    """The collections of the directory, and the ETag of a list of this kind."""
    collections = versions.states(connection, call.access.directory.id)
    return collections, list_tag(call.access, resource.records.kind, collections)


async def changed(resource: Resource, call: Call, change: Callable[[Connection], Row[Any]]) -> Response:
    """The record after the change, both in one transaction."""
    return await _answered(resource, call, resource.view(call), lambda connection: (change(connection), 200))


async def _read(resource: Resource, call: Call, read: Callable[[Connection], Response]) -> Response:
    return await (call.read_long(read) if resource.long else call.read(read))


async def _answered(
    resource: Resource, call: Call, view: View, change: Callable[[Connection], tuple[Row[Any], int]]
) -> Response:
    """The record that a write has changed or made, with the status."""

    def show(connection: Connection, written: tuple[Row[Any], int]) -> Response:
        row, status = written
        return shown(resource, connection, view, row, status)

    kind = resource.records.kind
    if resource.long:
        return await write_then(call, kind, change, show)
    return await write(call, kind, lambda connection: show(connection, change(connection)))


def document(resource: Resource, connection: Connection, view: View, record_id: int) -> Response:
    """One record as it leaves the service; raises Missing."""
    return shown(resource, connection, view, resource.records.row(connection, view.directory.id, record_id))


def shown(resource: Resource, connection: Connection, view: View, row: Row[Any], status: int = 200) -> Response:
    """A stored record as it leaves the service."""
    return one(resource.documents(connection, [row], view)[0], tag_of(row), status)


def add_routes(router: APIRouter, base: str, resource: Resource) -> None:
    """List, get, create, update and delete under a path."""
    records = resource.records
    entry = base + "/{record_id:id}"

    @router.get(base)
    async def index(call: Reading) -> Response:
        return await (page if resource.paginated else whole)(resource, call)

    @router.get(entry)
    async def show(call: Reading, record_id: int) -> Response:
        view = resource.view(call)
        return await _read(resource, call, lambda connection: document(resource, connection, view, record_id))

    @router.post(base)
    async def create(call: Writing) -> Response:
        body, view, new_only = await body_of(call), resource.view(call), wants_new(call.request)

        def add(connection: Connection) -> tuple[Row[Any], int]:
            written = records.create(connection, call.access, body, new_only=new_only)
            row = written.row or records.row(connection, view.directory.id, written.id)
            return row, 201 if written.created else 200

        return await _answered(resource, call, view, add)

    @router.put(entry)
    async def update(call: Writing, record_id: int) -> Response:
        body, condition = await body_of(call), condition_of(call.request)

        def change(connection: Connection) -> Row[Any]:
            return records.update(connection, call.access, record_id, body, condition)

        return await changed(resource, call, change)

    @router.delete(entry)
    async def delete(call: Writing, record_id: int) -> Response:
        condition = condition_of(call.request)

        def remove(connection: Connection) -> Response:
            records.delete(connection, call.access, record_id, condition)
            return message(f"{label(records.kind)} deleted successfully")

        return await write(call, records.kind, remove)


def add_toggle(router: APIRouter, base: str, resource: Resource, flag: str) -> None:
    """The operation that turns a published flag round."""
    records = resource.records

    @router.patch(base + "/{record_id:id}/toggle")
    async def toggle(call: Writing, record_id: int) -> Response:
        condition = condition_of(call.request)

        def change(connection: Connection) -> Row[Any]:
            return records.toggle(connection, call.access, record_id, flag, condition)

        return await changed(resource, call, change)
