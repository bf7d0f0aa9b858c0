"""The statements that every kind of record needs; to build one takes longer than to run it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from sqlalchemy import ColumnElement, Select, Table, bindparam, delete, func, insert, select, update

from .statement import Columns, Statement


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of one kind."""

    columns: Columns
    count: Select[Any]
    all: Select[Any]
    by_id: Statement
    insert: Statement
    delete: Statement

    @classmethod
    def of(cls, table: Table, sorting: Sequence[ColumnElement[Any]]) -> Self:
        """The statements of a table."""
        here, record = table.c.directory_id == bindparam("directory"), table.c.id == bindparam("record")
        new: dict[str, Any] = {column.name: bindparam(column.name) for column in table.c if column is not table.c.id}
        return cls(
            columns=Columns(table.c.keys()),
            count=select(func.count()).select_from(table).where(here),
            all=select(table).where(here).order_by(*sorting),
            by_id=Statement(select(table).where(here, record)),
            insert=Statement(insert(table).values(new).returning(table.c.id)),
            delete=Statement(delete(table).where(record)),
        )


@lru_cache(maxsize=1024)
def update_of(table: Table, columns: tuple[str, ...]) -> Statement:
    """The statement that changes these columns of a record."""
    values: dict[str, Any] = {name: bindparam(name) for name in columns}
    return Statement(update(table).where(table.c.id == bindparam("record")).values(values))
