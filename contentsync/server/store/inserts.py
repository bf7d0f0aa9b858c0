"""Many rows at once, in the driver's own words: SQLAlchemy takes longer over a row than the database does."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table

Values = Sequence[tuple[Any, ...]]


def insert_many(connection: Connection, table: Table, columns: Sequence[str], rows: Values) -> None:
    """Insert any number of rows, and at least one."""
    connection.exec_driver_sql(f"{_into(table, columns)} {_marks(connection, columns)}", list(rows))


def insert_returning(connection: Connection, table: Table, columns: Sequence[str], rows: Values) -> Sequence[Row[Any]]:
    """Insert some hundred rows, and at least one; they come back whole, in any order."""
    marks = ", ".join([_marks(connection, columns)] * len(rows))
    statement = f"{_into(table, columns)} {marks} RETURNING {', '.join(table.c.keys())}"
    return connection.exec_driver_sql(statement, tuple(value for row in rows for value in row)).all()


def _into(table: Table, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES"  # names of the schema's


def _marks(connection: Connection, columns: Sequence[str]) -> str:
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    return f"({', '.join([mark] * len(columns))})"
