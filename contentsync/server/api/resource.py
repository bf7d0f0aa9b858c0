"""The five operations that every kind has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from ...model import Kind
from ..auth import Call, Reading, Writing
from ..errors import label
from ..store import Connection, Row, versions
from ..store.records import Records
from ..store.versions import Collection
from .answers import many, message, one, ready, unchanged
from .bodies import body_of
from .conditionals import is_current, require_match, tag_of, tag_of_list
from .documents import Documents
from .paging import PER_PAGE, Paging, page_number
from .view import VISIBILITY, View, chosen, plain


class Resource(NamedTuple):
    """A kind as HTTP sees it."""

    records: Records
    documents: Documents
    shows: tuple[Kind, ...] = ()  # other kinds that the documents name records of
    paginated: bool = False
    include: str = ""  # what the query may ask for besides the record

    def view(self, call: Call, *, alone: bool = True) -> View:
        """How the request wants the records shown."""
        if not self.include:
            return plain(call, alone=alone)
        return chosen(call, include=self.include, localised=bool(self.records.model.translated), alone=alone)


async def page(resource: Resource, call: Call, *where: Any) -> Response:
    """One page of the directory's records, or of those under a condition."""
    number = page_number(call.request)
    view = resource.view(call, alone=False)

    def read(connection: Connection) -> Response:
        records, directory_id = resource.records, view.directory.id
        collections, tag = states(resource, connection, view)
        if is_current(call.request, tag):
            return unchanged(tag)
        known = call.service.answers.get(call.request, tag)
        if known is not None:
            return ready(known, tag)
        state = collections[records.kind]
        paging = Paging(number, records.count(connection, directory_id, *where) if where else state.total)
        rows: Sequence[Row[Any]] = []
        if paging.offset >= paging.total:
            pass
        elif where:
            rows = records.rows(connection, directory_id, *where, limit=PER_PAGE, offset=paging.offset)
        else:
            anchors = call.service.anchors
            rows = records.page(connection, directory_id, anchors, state, limit=PER_PAGE, offset=paging.offset)
        documents = resource.documents(connection, rows, replace(view, states=collections)) if rows else []
        response = many(documents, paging.envelope(call.request, call.service.public_url), tag)
        if view.include != VISIBILITY:  # whose ETag is another one each time
            call.service.answers.put(call.request, tag, bytes(response.body))
        return response

    return await call.read(read)


async def whole(resource: Resource, call: Call) -> Response:
    """All of the directory's records."""
    view = resource.view(call, alone=False)

    def read(connection: Connection) -> Response:
        _, tag = states(resource, connection, view)
        if is_current(call.request, tag):
            return unchanged(tag)
        rows = resource.records.rows(connection, view.directory.id)
        return many(resource.documents(connection, rows, view), tag=tag)

    return await call.read(read)


def states(resource: Resource, connection: Connection, view: View) -> tuple[Mapping[Kind, Collection], str]:
    """The collections that a list shows, and its ETag."""
    collections = versions.states(connection, view.directory.id)
    shown = {kind: collections[kind].version for kind in (resource.records.kind, *resource.shows)}
    return collections, tag_of_list(view, shown)


async def changed(resource: Resource, call: Call, record_id: int, change: Callable[[Connection], None]) -> Response:
    """The record after the change, both in one transaction."""
    view = plain(call)

    def write(connection: Connection) -> Response:
        check_match(resource, call, connection, record_id)
        change(connection)
        return document(resource, connection, view, record_id)

    return await call.write(write)


def check_match(resource: Resource, call: Call, connection: Connection, record_id: int) -> None:
    """Raise Missing or Changed unless the record is as the request's `If-Match` says, if it says anything."""
    if "if-match" in call.request.headers:
        require_match(call.request, resource.records.row(connection, call.access.directory.id, record_id))


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
        return await call.read(lambda connection: document(resource, connection, view, record_id))

    @router.post(base)
    async def create(call: Writing) -> Response:
        body, view = await body_of(call), plain(call)

        def write(connection: Connection) -> Response:
            written = records.create(connection, call.access, body)
            row = written.row or records.row(connection, view.directory.id, written.id)
            return shown(resource, connection, view, row, 201 if written.created else 200)

        return await call.write(write)

    @router.put(entry)
    async def update(call: Writing, record_id: int) -> Response:
        body = await body_of(call)
        return await changed(
            resource, call, record_id, lambda connection: records.update(connection, call.access, record_id, body)
        )

    @router.delete(entry)
    async def delete(call: Writing, record_id: int) -> Response:
        def write(connection: Connection) -> None:
            check_match(resource, call, connection, record_id)
            records.delete(connection, call.access, record_id)

        await call.write(write)
        return message(f"{label(records.kind)} deleted successfully")


def add_toggle(router: APIRouter, base: str, resource: Resource, flag: str) -> None:
    """The operation that turns a published flag round."""
    records = resource.records

    @router.patch(base + "/{record_id:id}/toggle")
    async def toggle(call: Writing, record_id: int) -> Response:
        return await changed(
            resource, call, record_id, lambda connection: records.toggle(connection, call.access, record_id, flag)
        )
