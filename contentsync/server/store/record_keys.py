"""Unique keys: the slug of a record, or the name of a custom field."""

from collections.abc import Container
from functools import cache
from itertools import chain, count
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Row, Table, bindparam, select

from ...model import RECORDS, Kind
from ...model.slug import with_number
from .statements import Statement

STEM_LENGTH = 200  # first characters of a slug, which an appended number never replaces


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
        """Return the key, or if another record has it, the key with the first number that makes it unique."""
        return free_key(key, self._similar(connection, directory_id, key, row_id))

    def _similar(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        """Return the keys of other records that are equal to the key or look like the key with a number."""
        low, high = key, f"{key}-:"  # includes all numbers: the colon sorts after the digits
        if len(key) > STEM_LENGTH:
            # The number replaces the end of a long key, so anything may follow the stem; the brace sorts after letters.
            low, high = key[:STEM_LENGTH], key[:STEM_LENGTH] + "{"
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
