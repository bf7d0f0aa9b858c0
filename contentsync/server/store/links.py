"""What listings are linked to: categories, tags and organizers, each through a table of its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Column, ColumnElement, Connection, Select, Table, bindparam, delete, insert, select

from ...model.fields import MAX_INTEGER
from .records import json_text, touch
from .schema import categories, listing_categories, listing_organizers, listing_tags, listings, organizers, tags

MOST_PARAMETERS = 500  # in one statement; databases limit them


class Link(NamedTuple):
    """One kind of link: its table, and what stands at its other end."""

    table: Table
    column: Column[Any]
    target: Table


LINKS: Mapping[str, Link] = {
    "categories": Link(listing_categories, listing_categories.c.category_id, categories),
    "tags": Link(listing_tags, listing_tags.c.tag_id, tags),
    "organizers": Link(listing_organizers, listing_organizers.c.organizer_id, organizers),
}

_OF_DIRECTORY = {
    field: select(link.target.c.id).where(link.target.c.directory_id == bindparam("directory"))
    for field, link in LINKS.items()
}
_AMONG = {
    field: query.where(LINKS[field].target.c.id.in_(bindparam("ids", expanding=True)))
    for field, query in _OF_DIRECTORY.items()
}


def known(connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
    """Those of the ids that the directory has."""
    if not ids:
        return set()
    query = _OF_DIRECTORY[field]
    parameters: dict[str, Any] = {"directory": directory_id}
    if len(ids) <= MOST_PARAMETERS:
        query = _AMONG[field]
        parameters["ids"] = [other for other in ids if 0 < other <= MAX_INTEGER]
    return set(connection.execute(query, parameters).scalars()) & set(ids)


class Known:
    """What `known` answers, remembered: as long as one transaction, in which nothing of it changes."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], dict[int, bool]] = {}

    def __call__(self, connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
        """Those of the ids that the directory has."""
        found = self._found.setdefault((field, directory_id), {})
        new = [other for other in ids if other not in found]
        there = known(connection, field, directory_id, new)
        found.update((other, other in there) for other in new)
        return {other for other in ids if found[other]}


def linked(connection: Connection, field: str, listing_id: int) -> list[int]:
    """The ids that the listing is linked to, in order."""
    table, column, _ = LINKS[field]
    query = select(column).where(table.c.listing_id == listing_id).order_by(table.c.position)
    return list(connection.execute(query).scalars())


def relink(connection: Connection, field: str, listing_id: int, ids: Sequence[int], before: Sequence[int]) -> bool:
    """Link the listing to these ids instead of those before; whether they differ."""
    table, column, _ = LINKS[field]
    if list(ids) == list(before):
        return False
    if before:
        connection.execute(delete(table).where(table.c.listing_id == listing_id))
    if ids:
        rows = [{"listing_id": listing_id, column.name: other, "position": at} for at, other in enumerate(ids)]
        connection.execute(insert(table), rows)
    return True


def unlink(connection: Connection, field: str, other_id: int) -> None:
    """Drop the links of all listings to a record that is about to go; the listings change by it."""
    table, column, _ = LINKS[field]
    touch(connection, listings, listings.c.id.in_(select(table.c.listing_id).where(column == other_id)))
    connection.execute(delete(table).where(column == other_id))


Texts = dict[int, list[str]]  # by listing: the JSON texts of what it is linked to


def _of_listings(field: str, *columns: ColumnElement[Any]) -> Select[Any]:
    table, column, target = LINKS[field]
    return (
        select(table.c.listing_id, *columns)
        .join(target, target.c.id == column)
        .where(table.c.listing_id.in_(bindparam("listings", expanding=True)))
        .order_by(table.c.listing_id, table.c.position)
    )


_parents = categories.alias("parent")
_CATEGORIES = _of_listings("categories", categories.c.id, categories.c.title, _parents.c.title).join(
    _parents, _parents.c.id == categories.c.parent_id, isouter=True
)
_TAGS = _of_listings("tags", tags.c.id, tags.c.data)
_ORGANIZERS = _of_listings("organizers", organizers.c.id, organizers.c.name, organizers.c.slug)


def category_texts(connection: Connection, listing_ids: Sequence[int]) -> Texts:
    """The categories of listings as they stand in an answer (resolved.md, Listings)."""

    def fields(title: str, parent_title: str | None) -> dict[str, Any]:
        return {"title": title, "parent_title": parent_title}

    return _texts(connection, _CATEGORIES, listing_ids, fields)


def tag_texts(connection: Connection, listing_ids: Sequence[int]) -> Texts:
    """The tags of listings as they stand in an answer."""

    def fields(data: str) -> dict[str, Any]:
        values = orjson.loads(data)
        return {name: values[name] for name in ("title", "slug", "color", "text_color", "is_active")}

    return _texts(connection, _TAGS, listing_ids, fields)


def organizer_texts(connection: Connection, listing_ids: Sequence[int]) -> Texts:
    """The organizers of listings as they stand in an answer."""

    def fields(name: str, slug: str) -> dict[str, Any]:
        return {"name": name, "slug": slug}

    return _texts(connection, _ORGANIZERS, listing_ids, fields)


def listings_of(
    connection: Connection, directory_id: int, organizer_id: int | None = None
) -> dict[int, list[dict[str, Any]]]:
    """The `projects` of one organizer or of all in a directory: id and name of their listings."""
    table = listing_organizers
    query = (
        select(table.c.organizer_id, listings.c.id, listings.c.name)
        .join(listings, listings.c.id == table.c.listing_id)
        .where(listings.c.directory_id == directory_id)
        .order_by(listings.c.id)
    )
    if organizer_id is not None:
        query = query.where(table.c.organizer_id == organizer_id)
    projects: dict[int, list[dict[str, Any]]] = {}
    for organizer_id, listing_id, name in connection.execute(query):
        projects.setdefault(organizer_id, []).append({"id": listing_id, "name": name})
    return projects


def _texts(
    connection: Connection, query: Select[Any], listing_ids: Sequence[int], fields: Callable[..., dict[str, Any]]
) -> Texts:
    made: dict[int, str] = {}  # each is made once, however many listings carry it
    texts: Texts = {}
    for listing_id, other_id, *columns in connection.execute(query, {"listings": listing_ids}).all():
        text = made.get(other_id)
        if text is None:
            text = made[other_id] = json_text({"id": other_id, **fields(*columns)})
        texts.setdefault(listing_id, []).append(text)
    return texts
