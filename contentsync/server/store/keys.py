"""Keys: what a record is called in its directory, and no other one of its kind."""

from functools import cache
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Row, Table, bindparam, select

from ...model import RECORDS, Kind, key_of_title
from ...model.slug import numbered
from .statement import Statement

STEM = 200  # characters of a slug that its number leaves as they are


class Keys:
    """The slugs of one kind's records; of custom fields: the names."""

    def __init__(self, kind: Kind, table: Table) -> None:
        self._kind = kind
        self._statements = _Statements.of(table, RECORDS[kind].key_field)

    def record(self, connection: Connection, directory_id: int, key: str) -> Row[Any] | None:
        """The record with the key."""
        if "\0" in key:  # which no key has, and PostgreSQL does not take
            return None
        return self._statements.record.first(connection, {"directory": directory_id, "key": key})

    def is_taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        """Whether another record than that of the id has the key."""
        row = self.record(connection, directory_id, key)
        return row is not None and row.id != row_id

    def made(self, title: str) -> str:
        """The key of a title, which may be empty, or another's."""
        return key_of_title(self._kind, title)

    def free(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> str:
        """The key, or its first number that no other record has."""
        taken = self._around(connection, directory_id, key, row_id)
        if key not in taken:
            return key
        number = 2
        while numbered(key, number) in taken:
            number += 1
        return numbered(key, number)

    def _around(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        """The key, if another record has it, and all that look like it with a number."""
        low, high = key, f"{key}-:"  # all its numbers: the colon comes after the digits
        if len(key) > STEM:
            # Cut short to make room for the number, so the end is open: the brace comes after the letters.
            low, high = key[:STEM], key[:STEM] + "{"
        bounds = {"directory": directory_id, "record": row_id or 0, "low": low, "high": high}
        return set(self._statements.between.column(connection, bounds))


class _Statements(NamedTuple):
    """The statements of a table, which cost more to build than to run."""

    record: Statement
    between: Statement

    @classmethod
    @cache
    def of(cls, table: Table, field: str) -> Self:
        """Those of a table and the column of its keys."""
        here, key = table.c.directory_id == bindparam("directory"), table.c[field]
        low, high = key >= bindparam("low"), key < bindparam("high")
        return cls(
            Statement(select(table).where(here, key == bindparam("key"))),
            Statement(select(key).where(here, table.c.id != bindparam("record"), low, high)),
        )
