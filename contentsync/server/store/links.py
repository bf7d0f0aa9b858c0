"""What listings are linked to: categories, tags and organizers.

The ids stand in the listing's row, where they are read, and each kind in a table of its own, where they are looked up.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table, Text, bindparam, cast, delete, func, literal, select

from ...model.field_types import MAX_INTEGER
from .deferred import lose_links
from .inserts import insert_many
from .memory import remembered
from .schema import categories, listing_categories, listing_organizers, listing_tags, listings, organizers, tags
from .statement import Statement, is_sqlite

MOST_PARAMETERS = 500  # in one statement; databases limit them
MOST_KNOWN = 10_000  # ids of one kind in a directory


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
_ALL = {field: Statement(query) for field, query in _OF_DIRECTORY.items()}
_AMONG = {
    field: Statement(query.where(LINKS[field].target.c.id.in_(bindparam("ids", expanding=True))))
    for field, query in _OF_DIRECTORY.items()
}
_DROP = {
    field: Statement(delete(link.table).where(link.table.c.listing_id == bindparam("listing")))
    for field, link in LINKS.items()
}


def _projects(quoted: Any, joined: Any, *where: Any) -> Statement:
    """One row for each organizer: the database makes the text, as Python would keep all others waiting meanwhile."""
    link = listing_organizers.c
    found = (
        select(cast(listings.c.id, Text).label("id"), cast(quoted(listings.c.name), Text).label("name"))
        .join(listing_organizers, link.listing_id == listings.c.id)
        .where(link.organizer_id == organizers.c.id)
        .order_by(listings.c.id)
        .correlate(organizers)
        .subquery()
    )
    member = literal('{"id":') + found.c.id + literal(',"name":') + found.c.name + literal("}")
    text = select(joined(member, literal(","))).scalar_subquery()
    return Statement(select(organizers.c.id, text).where(organizers.c.directory_id == bindparam("directory"), *where))


_ONE = organizers.c.id == bindparam("organizer")
_PROJECTS = {
    (on_sqlite, of_one): _projects(*functions, *([_ONE] if of_one else []))
    for on_sqlite, functions in ((True, (func.json_quote, func.group_concat)), (False, (func.to_json, func.string_agg)))
    for of_one in (True, False)
}
_LINKED = {
    field: Statement(select(link.column).where(link.column == bindparam("other")).limit(1))
    for field, link in LINKS.items()
}


def known(connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
    """Those of the ids that the directory has."""
    if not ids:
        return set()
    if len(ids) > MOST_PARAMETERS:
        return set(_ALL[field].column(connection, {"directory": directory_id})).intersection(ids)
    given = [other for other in ids if 0 < other <= MAX_INTEGER]
    return set(_AMONG[field].column(connection, {"directory": directory_id, "ids": given}))


class Known:
    """What `known` answers, remembered: for as long as nothing of it changes."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], _Found] = {}

    def __call__(self, connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
        """Ids that the directory has, all of these among them; nobody may change the set."""
        found = self._found.get((field, directory_id))
        if found is None or len(found.asked) > MOST_KNOWN:
            found = self._found[field, directory_id] = _Found(set(), set())
        if not found.asked.issuperset(ids):
            new = [other for other in ids if other not in found.asked]
            found.there.update(known(connection, field, directory_id, new))
            found.asked.update(new)
        return found.there


class _Found(NamedTuple):
    """Ids that a directory was asked for, and those of them that it has."""

    asked: set[int]
    there: set[int]


@remembered
def known_in(_: Connection) -> Known:
    """What the connection knows."""
    return Known()


def link(connection: Connection, field: str, ids: Mapping[int, Sequence[int]]) -> None:
    """Link listings that have no such links to the ids that stand under theirs."""
    table, column, _ = LINKS[field]
    rows = [(listing_id, other, at) for listing_id, others in ids.items() for at, other in enumerate(others)]
    if rows:
        insert_many(connection, table, ("listing_id", column.name, "position"), rows)


def relink(
    connection: Connection, field: str, listing_id: int, ids: Sequence[int], before: Sequence[int] | None
) -> None:
    """Link the listing to these ids instead of those before, or instead of whatever it was linked to (None)."""
    if before is not None and list(ids) == list(before):
        return
    if before is None or before:
        _DROP[field].run(connection, {"listing": listing_id})
    link(connection, field, {listing_id: ids})


def unlink(connection: Connection, directory_id: int, field: str, other_id: int) -> None:
    """Drop the links of all listings to a record that is about to go; the listings change by it."""
    if _LINKED[field].first(connection, {"other": other_id}) is not None:
        lose_links(connection, directory_id, field, other_id)


def listings_of(connection: Connection, directory_id: int, organizer_id: int | None = None) -> dict[int, str]:
    """The `projects` of one organizer or of all in a directory, as JSON: id and name of their listings."""
    statement = _PROJECTS[is_sqlite(connection), organizer_id is not None]
    found = statement.tuples(connection, {"directory": directory_id, "organizer": organizer_id})
    return {number: f"[{projects or ''}]" for number, projects in found}
