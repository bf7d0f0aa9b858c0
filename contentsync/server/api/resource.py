"""The five operations that every kind has."""

from collections.abc import Callable
from typing import Any, NamedTuple

from fastapi import APIRouter, Response

from ..auth import Call, Reading, Writing
from ..errors import label
from ..store import Connection
from ..store.records import Records
from .answers import many, message, one
from .bodies import body_of
from .documents import Documents
from .paging import PER_PAGE, Paging, page_number
from .view import View, chosen, plain


class Resource(NamedTuple):
    """A kind as HTTP sees it."""

    records: Records
    documents: Documents
    paginated: bool = False

    def view(self, call: Call, *, alone: bool = True) -> View:
        """How the request wants the records shown; only some kinds have languages."""
        return (chosen if self.records.model.translated else plain)(call, alone=alone)


async def page(resource: Resource, call: Call, *where: Any) -> Response:
    """One page of the directory's records, or of those under a condition."""
    number = page_number(call.request)
    view = resource.view(call, alone=False)

    def read(connection: Connection) -> tuple[Paging, list[str]]:
        records, directory_id = resource.records, view.directory.id
        paging = Paging(number, records.count(connection, directory_id, *where))
        if paging.offset >= paging.total:
            return paging, []
        rows = records.rows(connection, directory_id, *where, limit=PER_PAGE, offset=paging.offset)
        return paging, resource.documents(connection, rows, view)

    paging, documents = await call.database.read(read)
    return many(documents, paging.envelope(call.request, call.service.public_url))


async def whole(resource: Resource, call: Call) -> Response:
    """All of the directory's records."""
    view = resource.view(call, alone=False)

    def read(connection: Connection) -> list[str]:
        return resource.documents(connection, resource.records.rows(connection, view.directory.id), view)

    return many(await call.database.read(read))


async def changed(resource: Resource, call: Call, record_id: int, change: Callable[[Connection], None]) -> Response:
    """The record after the change, both in one transaction."""
    view = plain(call)

    def write(connection: Connection) -> str:
        change(connection)
        return document(resource, connection, view, record_id)

    return one(await call.database.write(write))


def document(resource: Resource, connection: Connection, view: View, record_id: int) -> str:
    """One record as it leaves the service; raises Missing."""
    row = resource.records.row(connection, view.directory.id, record_id)
    return resource.documents(connection, [row], view)[0]


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
        return one(await call.database.read(lambda connection: document(resource, connection, view, record_id)))

    @router.post(base)
    async def create(call: Writing) -> Response:
        body, view = await body_of(call), plain(call)

        def write(connection: Connection) -> tuple[str, bool]:
            written = records.create(connection, call.access, body)
            return document(resource, connection, view, written.id), written.created

        text, made = await call.database.write(write)
        return one(text, 201 if made else 200)

    @router.put(entry)
    async def update(call: Writing, record_id: int) -> Response:
        body = await body_of(call)
        return await changed(
            resource, call, record_id, lambda connection: records.update(connection, call.access, record_id, body)
        )

    @router.delete(entry)
    async def delete(call: Writing, record_id: int) -> Response:
        await call.database.write(records.delete, call.access, record_id)
        return message(f"{label(records.kind)} deleted successfully")


def add_toggle(router: APIRouter, base: str, resource: Resource, flag: str) -> None:
    """The operation that turns a published flag round."""
    records = resource.records

    @router.patch(base + "/{record_id:id}/toggle")
    async def toggle(call: Writing, record_id: int) -> Response:
        return await changed(
            resource, call, record_id, lambda connection: records.toggle(connection, call.access, record_id, flag)
        )
