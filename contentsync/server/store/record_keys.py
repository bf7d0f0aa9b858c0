"""The keys of records: unique slugs (of a custom field: its name), and the former slugs of records that have moved.

A site redirects readers from a former slug (docs/server.md).
"""

from collections.abc import Container
from functools import cache
from itertools import chain, count
from typing import Any, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Row, Table, bindparam, delete, exists, insert, select, update

from ...model import RECORDS, Kind
from ...model.slug import with_number
from .statements import Statement
from .tables import articles, categories, listings, moved_addresses, organizers, pages
from .versions import now

STEM_LENGTH = 200  # first characters of a slug, which an appended number never replaces
MAX_FORMER_SLUGS = 100  # of one address; the oldest ones are forgotten

_MOVED = moved_addresses.c
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

    def __init__(self, kind: Kind, table: Table) -> None:
        self._statements = _KeyStatements.for_table(table, RECORDS[kind].key_field)

    def record(self, connection: Connection, directory_id: int, key: str) -> Row[Any] | None:
        """Return the record with the key, or None."""
        if "\0" in key:  # never in a key, and PostgreSQL refuses it
            return None
        return self._statements.record.first(connection, {"directory": directory_id, "key": key})

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
        return set(self._statements.between.column(connection, bounds))


class _KeyStatements(NamedTuple):
    """The statements of a table, built once: building a statement takes longer than running it."""

    record: Statement
    between: Statement

    @classmethod
    @cache
    def for_table(cls, table: Table, field: str) -> Self:
        """Build the statements that find a record by its key, and other records' keys in an alphabetical range."""
        in_directory, key = table.c.directory_id == bindparam("directory"), table.c[field]
        low, high = key >= bindparam("low"), key < bindparam("high")
        return cls(
            record=Statement(select(table).where(in_directory, key == bindparam("key"))),
            between=Statement(select(key).where(in_directory, table.c.id != bindparam("record"), low, high)),
        )


def record_move(connection: Connection, directory_id: int, kind: Kind, old: str, new: str) -> None:
    """Record that the record with the slug `old` now has the slug `new`. Kinds without pages are ignored.

    Then `old` and its former slugs redirect to `new`, so there are no chains; only the newest MAX_FORMER_SLUGS of them
    stay. `new` no longer redirects, so there are no loops, also if a record gets its old slug back.
    """
    if kind not in _KINDS_WITH_PAGES or old == new:
        return
    of_kind = {"directory": directory_id, "of_kind": kind.value}
    for slug in (new, old):  # `old` may be a former slug of another record too
        _DELETE_REDIRECT.run(connection, {**of_kind, "old": slug})
    _REDIRECT_ALL_FORMER.run(connection, {**of_kind, "old": old, "new": new})
    _INSERT_REDIRECT.run(connection, {**of_kind, "old": old, "new": new, "moment": now()})
    _DELETE_OLDEST_REDIRECTS.run(connection, {**of_kind, "new": new})


def delete_redirect(connection: Connection, directory_id: int, kind: Kind, slug: str) -> None:
    """Delete the redirect from the slug of a deleted record, whose address must not lead to another record now.

    The slug has a redirect if another record had it before. Redirects to the slug stay, because an undo may create
    the deleted record again.
    """
    if kind in _KINDS_WITH_PAGES:
        _DELETE_REDIRECT.run(connection, {"directory": directory_id, "of_kind": kind.value, "old": slug})


def find_moved_slug(connection: Connection, directory_id: int, kind: Kind, slug: str) -> str | None:
    """Return the slug to which a slug has moved; None if it has not, or if a record has the slug now."""
    moved_to: str | None = _FIND_REDIRECT[kind].scalar(
        connection, {"directory": directory_id, "of_kind": kind.value, "old": slug}
    )
    return moved_to


_OF_KIND = (_MOVED.directory_id == bindparam("directory"), _MOVED.kind == bindparam("of_kind"))
_FORMER_OF_NEW = (*_OF_KIND, _MOVED.moved_to == bindparam("new"))
_DELETE_REDIRECT = Statement(delete(moved_addresses).where(*_OF_KIND, _MOVED.slug == bindparam("old")))
_REDIRECT_ALL_FORMER = Statement(
    update(moved_addresses).where(*_OF_KIND, _MOVED.moved_to == bindparam("old")).values(moved_to=bindparam("new"))
)
_INSERT_REDIRECT = Statement(
    insert(moved_addresses).values(
        directory_id=bindparam("directory"),
        kind=bindparam("of_kind"),
        slug=bindparam("old"),
        moved_to=bindparam("new"),
        moved_at=bindparam("moment"),
    )
)
_NEWEST = (
    select(_MOVED.slug).where(*_FORMER_OF_NEW).order_by(_MOVED.moved_at.desc(), _MOVED.slug).limit(MAX_FORMER_SLUGS)
)
_DELETE_OLDEST_REDIRECTS = Statement(delete(moved_addresses).where(*_FORMER_OF_NEW, _MOVED.slug.not_in(_NEWEST)))


def _is_live(kind: Kind) -> ColumnElement[bool]:
    table = _KINDS_WITH_PAGES[kind]
    return exists(
        select(table.c.id).where(table.c.directory_id == bindparam("directory"), table.c.slug == bindparam("old"))
    )


_FIND_REDIRECT = {
    kind: Statement(select(_MOVED.moved_to).where(*_OF_KIND, _MOVED.slug == bindparam("old"), ~_is_live(kind)))
    for kind in _KINDS_WITH_PAGES
}
