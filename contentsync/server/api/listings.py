"""Listings (docs/contract.md 4.3, 14)."""

from typing import Any

from fastapi import APIRouter, Response

from ...model import Invalid, Kind, Violation
from ..auth import Call, Reading, Writing
from ..store import Connection
from ..store.listings import LISTINGS
from .answers import many, message
from .bodies import body_of, checked, only
from .documents import listings
from .lists import write
from .resource import Resource, add_routes
from .view import VISIBILITY, plain

MOST = 100  # listings in one bulk create


def add_listing_routes(router: APIRouter, base: str) -> None:
    """All operations on listings."""
    add_routes(router, base, Resource(LISTINGS, listings, paginated=True, include=VISIBILITY))
    router.post(base + "/exists")(exists)
    router.post(base + "/bulk")(create_many)


async def exists(call: Reading) -> Response:
    """Whether a listing has the URL, however it is written; 400 says that one does."""
    url = checked(Kind.LISTING, "url", only(await body_of(call), "url"))
    found = await call.read(LISTINGS.by_url, call.access.directory.id, url)
    if found is not None:
        return message("Listing already exists in this directory", 400)
    return message("Listing does not exist in this directory")


async def create_many(call: Writing) -> Response:
    """New listings, each on its own; those that fail are told beside those that were made or found."""
    items = _items(only(await body_of(call), "listings"))
    return await write(call, Kind.LISTING, lambda connection: _create_many(connection, call, items))


def _create_many(connection: Connection, call: Call, items: list[Any]) -> Response:
    results = LISTINGS.create_many(connection, call.access, items)
    errors = [
        {"index": index, "name": _name(items[index]), "error": str(result)}
        for index, result in enumerate(results)
        if isinstance(result, Invalid)
    ]
    written = [result for result in results if not isinstance(result, Invalid)]
    rows = {result.id: result.row for result in written if result.row is not None}
    found = [result.id for result in written if result.id not in rows]
    if found:
        rows |= {row.id: row for row in LISTINGS.some(connection, call.access.directory.id, found)}
    shown = [rows[result.id] for result in written]
    documents = listings(connection, shown, plain(call)) if shown else []
    made = sum(result.created for result in written)
    return many(documents, {"errors": errors, "total_created": made, "total_errors": len(errors)})


def _items(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Invalid([Violation("not-a-list", ("listings",), "listings must be a list")])
    if not 1 <= len(value) <= MOST:
        message = f"listings must hold 1 to {MOST} listings, has {len(value)}"
        raise Invalid([Violation("out-of-range", ("listings",), message)])
    return value


def _name(item: Any) -> str | None:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None
