"""The keys of records: unique slugs (of a custom field: its name), and the former slugs of records that have moved.

A site redirects readers from a former slug (docs/server.md).
"""

from collections.abc import Container, Iterable
from itertools import chain, count

from ...model import RECORDS, Kind
from ...model.slug import with_number
from .sql import Connection, Row
from .table_definition import DatabaseTable
from .tables import articles, categories, listings, organizers, pages
from .versions import now

STEM_LENGTH = 200  # first characters of a slug, which an appended number never replaces
MAX_FORMER_SLUGS = 100  # of one address; the oldest ones are forgotten

# The kinds whose records have pages, with their tables.
_KINDS_WITH_PAGES = {
    Kind.LISTING: listings,
    Kind.CATEGORY: categories,
    Kind.ORGANIZER: organizers,
    Kind.PAGE: pages,
    Kind.ARTICLE: articles,
}


def free_key(key: str, taken: Container[str]) -> str:
    """Return the key, or if it is taken, the key with the first number that makes it unique."""
    candidates = chain([key], (with_number(key, number) for number in count(2)))
    return next(candidate for candidate in candidates if candidate not in taken)


class KeyIndex:
    """The keys of one kind's records, in all directories."""

    def __init__(self, kind: Kind, table: DatabaseTable) -> None:
        key = RECORDS[kind].key_field
        self._record = f"{table.select} WHERE directory_id = :directory AND {key} = :key"
        self._between = (
            f"SELECT {key} FROM {table.name}"
            f" WHERE directory_id = :directory AND id <> :record AND {key} >= :low AND {key} < :high"
        )

    def record(self, connection: Connection, directory_id: int, key: str) -> Row | None:
        """Return the record with the key, or None."""
        if "\0" in key:  # never in a key, and PostgreSQL refuses it
            return None
        return connection.first(self._record, {"directory": directory_id, "key": key})

    def is_taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        """Return whether a record other than the one with the id `row_id` has the key; None: any record."""
        row = self.record(connection, directory_id, key)
        return row is not None and row.id != row_id

    def first_free(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> str:
        """Return the key, or if another record has it, the key with the first number that makes it unique.

        `row_id` is the id of the record that gets the key; None for a new one.
        """
        return free_key(key, self._similar(connection, directory_id, key, row_id))

    def _similar(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        """Return other records' keys in a range that contains the key itself and the key with any number."""
        low, high = key, f"{key}-:"  # `key-2`, `key-3` ... are in between: the colon sorts after the digits
        if len(key) > STEM_LENGTH:  # the number replaces the end of a long key, but not its stem
            stem = key[:STEM_LENGTH]
            low, high = stem, stem + "{"  # all keys with the stem are in between: the brace sorts after the letters
        bounds = {"directory": directory_id, "record": row_id or 0, "low": low, "high": high}  # no record has the id 0
        return set(connection.column(self._between, bounds))


def record_move(connection: Connection, directory_id: int, kind: Kind, old: str, new: str) -> None:
    """Record that the record with the slug `old` now has the slug `new`. Kinds without pages are ignored.

    Then `old` and its former slugs redirect to `new`, so there are no chains; only the newest MAX_FORMER_SLUGS of them
    stay. `new` no longer redirects, so there are no loops, also if a record gets its old slug back.
    """
    if kind not in _KINDS_WITH_PAGES or old == new:
        return
    of_kind = {"directory": directory_id, "of_kind": kind.value}
    for slug in (new, old):  # `old` may be a former slug of another record too
        connection.run(_DELETE_REDIRECT, {**of_kind, "old": slug})
    connection.run(_REDIRECT_ALL_FORMER, {**of_kind, "old": old, "new": new})
    connection.run(_INSERT_REDIRECT, {**of_kind, "old": old, "new": new, "moment": now()})
    connection.run(_DELETE_OLDEST_REDIRECTS, {**of_kind, "new": new})


def record_merges(connection: Connection, directory_id: int, merges: Iterable[tuple[Kind, str, str]]) -> None:
    """Record that records were merged into others: kind, slug of the deleted record, slug of the one that is left.

    A slug that a record still has, or that redirects there already, is ignored. So a call that changes nothing writes
    nothing.
    """
    for kind, old, new in merges:
        if kind in _KINDS_WITH_PAGES and find_moved_slug(connection, directory_id, kind, old) != new:
            slugs = connection.column(_FIND_SLUGS[kind], {"directory": directory_id, "old": old, "new": new})
            if slugs == [new]:
                record_move(connection, directory_id, kind, old, new)


def delete_redirect(connection: Connection, directory_id: int, kind: Kind, slug: str) -> None:
    """Delete the redirect from the slug of a deleted record, whose address must not lead to another record now.

    The slug has a redirect if another record had it before. Redirects to the slug stay, because an undo may create
    the deleted record again.
    """
    if kind in _KINDS_WITH_PAGES:
        connection.run(_DELETE_REDIRECT, {"directory": directory_id, "of_kind": kind.value, "old": slug})


def find_moved_slug(connection: Connection, directory_id: int, kind: Kind, slug: str) -> str | None:
    """Return the slug to which a slug has moved; None if it has not, or if a record has the slug now."""
    parameters = {"directory": directory_id, "of_kind": kind.value, "old": slug}
    moved_to: str | None = connection.scalar(_FIND_REDIRECT[kind], parameters)
    return moved_to


_OF_KIND = "directory_id = :directory AND kind = :of_kind"
_DELETE_REDIRECT = f"DELETE FROM moved_addresses WHERE {_OF_KIND} AND slug = :old"
_REDIRECT_ALL_FORMER = f"UPDATE moved_addresses SET moved_to = :new WHERE {_OF_KIND} AND moved_to = :old"
_INSERT_REDIRECT = (
    "INSERT INTO moved_addresses (directory_id, kind, slug, moved_to, moved_at)"
    " VALUES (:directory, :of_kind, :old, :new, :moment)"
)
_DELETE_OLDEST_REDIRECTS = f"""
DELETE FROM moved_addresses WHERE {_OF_KIND} AND moved_to = :new AND slug NOT IN (
    SELECT slug FROM moved_addresses WHERE {_OF_KIND} AND moved_to = :new
    ORDER BY moved_at DESC, slug LIMIT {MAX_FORMER_SLUGS}
)"""
_FIND_SLUGS = {
    kind: f"SELECT slug FROM {table.name} WHERE directory_id = :directory AND slug IN (:old, :new)"
    for kind, table in _KINDS_WITH_PAGES.items()
}
_FIND_REDIRECT = {
    kind: f"""
SELECT moved_to FROM moved_addresses WHERE {_OF_KIND} AND slug = :old
AND NOT EXISTS (SELECT id FROM {table.name} WHERE directory_id = :directory AND slug = :old)"""
    for kind, table in _KINDS_WITH_PAGES.items()
}
