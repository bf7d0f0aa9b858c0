"""Many rows at once, in the driver's own words: SQLAlchemy takes longer over a row than the database does."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Table

from .statement import driver_of, is_sqlite

Values = Sequence[tuple[Any, ...]]


def insert_many(connection: Connection, table: Table, columns: tuple[str, ...], rows: Values) -> None:
    """Insert any number of rows, and at least one."""
    text = _text(table, columns, 1, _mark(connection))
    if is_sqlite(connection):
        driver_of(connection).executemany(text, rows)
    else:
        connection.exec_driver_sql(text, list(rows))


def insert_keyed(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Values, key: str
) -> dict[str, int]:
    """Insert some hundred rows, and at least one; the ids that they got, by their values of the key's column."""
    text = _text(table, columns, len(rows), _mark(connection))
    values = tuple(chain.from_iterable(rows))
    if not is_sqlite(connection):
        return dict(map(tuple, connection.exec_driver_sql(f"{text} RETURNING {key}, id", values)))
    # SQLite numbers the rows of a statement one after the other: to have each of them return its number takes longer.
    last: int = driver_of(connection).execute(text, values).lastrowid
    at = columns.index(key)
    return {row[at]: number for number, row in enumerate(rows, last - len(rows) + 1)}


def _mark(connection: Connection) -> str:
    return "?" if is_sqlite(connection) else "%s"


@lru_cache
def _text(table: Table, columns: tuple[str, ...], rows: int, mark: str) -> str:
    marks = ", ".join([f"({', '.join([mark] * len(columns))})"] * rows)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES {marks}"  # noqa: S608  # names of the schema's
