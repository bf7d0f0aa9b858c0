"""Links of listings to categories, tags and organizers, and how listings show the linked records.

The linked ids are stored twice: in the listing's row for reading, and in a table per kind of link for searching.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from ...model import Kind
from ...model.field_types import MAX_INTEGER
from .caching import DirectoryCache, cached_until_commit
from .deferred_changes import defer_link_removal, link_deletion_times
from .sql import Connection
from .versions import CollectionStates

MAX_CHECKED_IDS = 10_000  # of one kind in a directory
MAX_DIRECTORIES = 64
MAX_LINK_TEXTS = 5_000  # of a directory


class LinkTable(NamedTuple):
    """The table of one kind of link, its column of linked ids, and the table of the linked records."""

    table: str
    column: str
    target: str


LINKS: Mapping[str, LinkTable] = {
    "categories": LinkTable("listing_categories", "category_id", "categories"),
    "tags": LinkTable("listing_tags", "tag_id", "tags"),
    "organizers": LinkTable("listing_organizers", "organizer_id", "organizers"),
}


def existing_ids(connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
    """Return the ids of existing records of the directory; `field` is a key of LINKS, such as `tags`."""
    if not ids:
        return set()
    storable = [id_ for id_ in ids if 0 < id_ <= MAX_INTEGER]  # a database refuses larger numbers
    existing = f"SELECT id FROM {LINKS[field].target} WHERE directory_id = :directory AND id IN :ids"
    return set(connection.column(existing, {"directory": directory_id, "ids": storable}))


class ExistingIds:
    """A replacement for `existing_ids` that caches its results as long as the connection's StatementCache is valid."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, int], tuple[set[int], set[int]]] = {}  # looked up and existing, by field, directory

    def __call__(self, connection: Connection, field: str, directory_id: int, ids: Sequence[int]) -> set[int]:
        """Return a set of existing ids: all that exist of `ids`, and perhaps others. Callers must not change it."""
        key = field, directory_id
        if key not in self._ids or len(self._ids[key][0]) > MAX_CHECKED_IDS:
            self._ids[key] = set(), set()
        checked, existing = self._ids[key]
        if not checked.issuperset(ids):
            new = [id_ for id_ in ids if id_ not in checked]
            existing.update(existing_ids(connection, field, directory_id, new))
            checked.update(new)
        return existing


@cached_until_commit
def cached_existing_ids(_: Connection) -> ExistingIds:
    """Return the `ExistingIds` of the connection."""
    return ExistingIds()


def insert_links(connection: Connection, field: str, ids_by_listing: Mapping[int, Sequence[int]]) -> None:
    """Insert the linked ids of listings, by listing id; the listings must not have links of this field."""
    link = LINKS[field]
    rows = [(listing_id, id_, index) for listing_id, ids in ids_by_listing.items() for index, id_ in enumerate(ids)]
    if rows:
        connection.insert_many(link.table, ("listing_id", link.column, "position"), rows)


def replace_links(
    connection: Connection, field: str, listing_id: int, ids: Sequence[int], before: Sequence[int] | None
) -> None:
    """Replace the listing's links of a field; `before` are the stored ids, or None if they are unknown."""
    if before is not None and list(ids) == list(before):
        return
    if before is None or before:  # there may be stored links
        stored = f"DELETE FROM {LINKS[field].table} WHERE listing_id = :listing"
        connection.run(stored, {"listing": listing_id})
    insert_links(connection, field, {listing_id: ids})


def remove_links_to(connection: Connection, directory_id: int, field: str, other_id: int) -> None:
    """Defer the removal of all listings' links to a record; call this before the record is deleted."""
    link = LINKS[field]
    any_link = f"SELECT {link.column} FROM {link.table} WHERE {link.column} = :other LIMIT 1"
    if connection.first(any_link, {"other": other_id}) is not None:
        defer_link_removal(connection, directory_id, field, other_id)


# Queries of organizers' ids and the JSON of their listings, which Python would build more slowly.
_PROJECTS_SQLITE = """
SELECT organizers.id, (
    SELECT group_concat('{"id":' || id || ',"name":' || json_quote(name) || '}', ',') FROM (
        SELECT listings.id, listings.name FROM listings
        JOIN listing_organizers ON listing_organizers.listing_id = listings.id
        WHERE listing_organizers.organizer_id = organizers.id ORDER BY listings.id
    )
)
FROM organizers WHERE organizers.directory_id = :directory"""
_PROJECTS_POSTGRESQL = """
SELECT organizers.id, (
    SELECT string_agg('{"id":' || listings.id || ',"name":' || to_json(listings.name) || '}', ',' ORDER BY listings.id)
    FROM listings JOIN listing_organizers ON listing_organizers.listing_id = listings.id
    WHERE listing_organizers.organizer_id = organizers.id
)
FROM organizers WHERE organizers.directory_id = :directory"""


def organizer_projects(connection: Connection, directory_id: int, organizer_id: int | None = None) -> dict[int, str]:
    """Return the `projects` of an organizer, or for None of all, by its id: a JSON array of listings' ids and names."""
    statement = _PROJECTS_SQLITE if connection.is_sqlite else _PROJECTS_POSTGRESQL
    parameters = {"directory": directory_id}
    if organizer_id is not None:
        statement, parameters = f"{statement} AND organizers.id = :organizer", {**parameters, "organizer": organizer_id}
    rows = connection.tuples(statement, parameters)
    return {id_: f"[{listing_objects or ''}]" for id_, listing_objects in rows}


class _EmbeddedKind(NamedTuple):
    """One kind of record in a listing's JSON: a query of id and columns, and a function from columns to an object."""

    kind: Kind
    query: str
    to_object: Callable[..., dict[str, Any]]


class _Embedded(NamedTuple):
    """The cached JSON of the linked records in one directory."""

    records: Mapping[str, dict[int, str]]  # the JSON object of each record, by field and id
    members: dict[str, str]  # by the text of a listing's `links`
    deleted_at: dict[str, str]  # when a linked record was last deleted, by the text of `links`

    def add(self, connection: Connection, directory_id: int, ids_by_text: Mapping[str, dict[str, list[int]]]) -> None:
        """Add the JSON members for new texts of `links`; `ids_by_text` has the linked ids by field of each text.

        Linked records that were deleted have no JSON object. For a text with such records, also add the time of the
        last delete.
        """
        for field, records in self.records.items():
            new_ids = {id_ for ids in ids_by_text.values() for id_ in ids[field] if id_ not in records}
            records.update(_read_records(connection, directory_id, _EMBEDDED[field], list(new_ids)))
        for text, ids in ids_by_text.items():
            members = []
            deleted: set[tuple[str, int]] = set()
            for field, records in self.records.items():
                members.append(f'"{field}":[{",".join([records[id_] for id_ in ids[field] if id_ in records])}]')
                deleted |= {(field, id_) for id_ in ids[field] if id_ not in records}
            self.members[text] = ",".join(members)
            if deleted:
                self.deleted_at[text] = max(link_deletion_times(connection, directory_id, deleted).values())


class EmbeddedRecords:
    """A cache of the JSON of categories, tags and organizers in listings; each server process has its own."""

    def __init__(self) -> None:
        self._directories = DirectoryCache[_Embedded](MAX_DIRECTORIES)

    def members(
        self, connection: Connection, directory_id: int, states: CollectionStates, links: Iterable[str]
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the JSON members of listings' linked records, and the times of the last deletes of such records.

        The keys of both are JSON texts from the column `links`. If no linked record was deleted, there is no time. A
        listing's `updated_at` must not be before this time.
        """
        versions = tuple([states[kind].version for kind in _KINDS])
        embedded = self._directories.get(directory_id, versions, _empty)
        if len(embedded.members) > MAX_LINK_TEXTS:  # begin with an empty cache
            self._directories.drop(directory_id)
            embedded = self._directories.get(directory_id, versions, _empty)
        new = {text: orjson.loads(text) for text in set(links) if text not in embedded.members}
        if new:
            embedded.add(connection, directory_id, new)
        return embedded.members, embedded.deleted_at


def _empty() -> _Embedded:
    return _Embedded(records={field: {} for field in _EMBEDDED}, members={}, deleted_at={})


def _read_records(
    connection: Connection, directory_id: int, embedded: _EmbeddedKind, ids: Sequence[int]
) -> dict[int, str]:
    """Return the JSON object of each existing record with one of the ids, by id."""
    if not ids:
        return {}
    return {
        record_id: orjson.dumps({"id": record_id, **embedded.to_object(*columns)}).decode()
        for record_id, *columns in connection.tuples(embedded.query, {"directory": directory_id, "ids": ids})
    }


def _category(title: str, parent_title: str | None) -> dict[str, Any]:
    return {"title": title, "parent_title": parent_title}


def _tag(data: str) -> dict[str, Any]:
    values = orjson.loads(data)
    return {name: values[name] for name in ("title", "slug", "color", "text_color", "is_active")}


def _organizer(name: str, slug: str) -> dict[str, Any]:
    return {"name": name, "slug": slug}


_EMBEDDED: Mapping[str, _EmbeddedKind] = {  # docs/contract.md 14
    "categories": _EmbeddedKind(
        Kind.CATEGORY,
        "SELECT categories.id, categories.title, parent.title FROM categories"
        " LEFT JOIN categories AS parent ON parent.id = categories.parent_id"
        " WHERE categories.directory_id = :directory AND categories.id IN :ids",
        _category,
    ),
    "tags": _EmbeddedKind(Kind.TAG, "SELECT id, data FROM tags WHERE directory_id = :directory AND id IN :ids", _tag),
    "organizers": _EmbeddedKind(
        Kind.ORGANIZER,
        "SELECT id, name, slug FROM organizers WHERE directory_id = :directory AND id IN :ids",
        _organizer,
    ),
}
_KINDS = tuple(embedded.kind for embedded in _EMBEDDED.values())
