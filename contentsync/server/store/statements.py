"""Prepared SQL: statements without the work that SQLAlchemy repeats for each execution."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import sqlite

Parameters = Mapping[str, Any]
Tuples = Sequence[tuple[Any, ...]]

_DIALECT = sqlite.dialect(paramstyle="named")


class Columns:
    """The column names of rows; builds rows that give access by name and by index."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        # In SQLAlchemy's own rows, access by name takes ten times as long.
        make: Any = namedtuple  # mypy would require the names as a literal
        self._make: Callable[[Iterable[Any]], Row[Any]] = make("Row", self._names)._make

    def row(self, values: Mapping[str, Any]) -> Row[Any]:
        """Build a row from a mapping of column names to values."""
        return self._make([values[name] for name in self._names])

    def values(self, row: Row[Any]) -> dict[str, Any]:
        """Return a dict of column names and values of a row."""
        return dict(zip(self._names, row, strict=True))

    def rows(self, values: Iterable[Sequence[Any]]) -> Sequence[Row[Any]]:
        """Build rows from sequences of values in the order of the columns."""
        return list(map(self._make, values))


class _SQLText(NamedTuple):
    """A statement as SQL text for SQLite."""

    text: str
    fixed_parameters: Parameters  # constants in the statement, which SQLAlchemy turned into parameters
    lists: Mapping[str, Sequence[str]]  # the names of the items of each expanding parameter


class Statement:
    """A statement with named parameters. SQLite gets it as text, because SQLAlchemy takes longer than SQLite does.

    Parameters and columns must be text or integers, which no driver converts; an expanding parameter of `in_` is a
    list of them. SQLite's errors are raised as the driver's own, not as SQLAlchemy's.
    """

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._texts: dict[tuple[int, ...], _SQLText] = {}  # by the lengths of the list parameters
        self._columns: Columns | None = None  # set by the first run

    def all(self, connection: Connection, parameters: Parameters) -> Sequence[Row[Any]]:
        """Return the rows, with values by name."""
        if not is_sqlite(connection):
            rows: Sequence[Row[Any]] = connection.execute(self._statement, parameters).all()
            return rows
        cursor = self._execute(connection, parameters)
        if self._columns is None:
            self._columns = Columns([name for name, *_ in cursor.description])
        return self._columns.rows(cursor)

    def first(self, connection: Connection, parameters: Parameters) -> Row[Any] | None:
        """Return the first row, or None."""
        return next(iter(self.all(connection, parameters)), None)

    def tuples(self, connection: Connection, parameters: Parameters) -> Iterable[Sequence[Any]]:
        """Return the rows without column names, which is faster than `all`."""
        if is_sqlite(connection):
            return self._execute(connection, parameters)  # type: ignore[no-any-return]  # the driver's cursor
        return connection.execute(self._statement, parameters)

    def column(self, connection: Connection, parameters: Parameters) -> list[Any]:
        """Return the first value of each row."""
        return [row[0] for row in self.tuples(connection, parameters)]

    def scalar(self, connection: Connection, parameters: Parameters) -> Any:
        """Return the first value of the first row, or None."""
        return next(iter(self.column(connection, parameters)), None)

    def run(self, connection: Connection, parameters: Parameters) -> None:
        """Execute a statement that returns no rows."""
        if is_sqlite(connection):
            self._execute(connection, parameters)
        else:
            connection.execute(self._statement, parameters)

    def _execute(self, connection: Connection, parameters: Parameters) -> Any:
        """Return the driver's cursor after the statement, whose text depends on the lengths of list parameters."""
        lengths = tuple([len(value) for value in parameters.values() if type(value) is list]) if self._expands else ()
        sql = self._texts.get(lengths)
        if sql is None:
            sql = self._texts[lengths] = self._render(parameters)
        values = {**sql.fixed_parameters, **parameters} if sql.fixed_parameters else parameters
        if lengths:  # SQLite has a parameter for each item of a list
            values = dict(values)
            for name, item_names in sql.lists.items():
                values.update(zip(item_names, values.pop(name), strict=True))
        return driver_connection(connection).execute(sql.text, values)

    def _render(self, parameters: Parameters) -> _SQLText:
        expanded = self._compiled.construct_expanded_state(dict(parameters))
        # The parameters of the caller have no value yet.
        fixed_parameters = {name: value for name, value in self._compiled.params.items() if value is not None}
        return _SQLText(expanded.statement, fixed_parameters, expanded.parameter_expansion)

    @cached_property
    def _expands(self) -> bool:
        return any(parameter.expanding for parameter in self._compiled.binds.values())

    @cached_property
    def _compiled(self) -> Any:
        return self._statement.compile(dialect=_DIALECT)


@dataclass(frozen=True, slots=True)
class TableStatements:
    """The statements of a record table, built once: building a statement takes longer than running it."""

    columns: Columns
    count: Select[Any]
    all: Select[Any]
    by_id: Statement
    insert: Statement
    delete: Statement

    @classmethod
    @cache
    def for_table(cls, table: Table, order_by: tuple[ColumnElement[Any], ...]) -> Self:
        """Build the statements of a table."""
        in_directory, is_record = table.c.directory_id == bindparam("directory"), table.c.id == bindparam("record")
        new: dict[str, Any] = {column.name: bindparam(column.name) for column in table.c if column is not table.c.id}
        return cls(
            columns=Columns(table.c.keys()),
            count=select(func.count()).select_from(table).where(in_directory),
            all=select(table).where(in_directory).order_by(*order_by),
            by_id=Statement(select(table).where(in_directory, is_record)),
            insert=Statement(insert(table).values(new).returning(table.c.id)),
            delete=Statement(delete(table).where(is_record)),
        )


@lru_cache(maxsize=1024)
def update_statement(table: Table, columns: tuple[str, ...]) -> Statement:
    """Return the statement that sets these columns of the row with the id in parameter `record`."""
    values: dict[str, Any] = {name: bindparam(name) for name in columns}
    return Statement(update(table).where(table.c.id == bindparam("record")).values(values))


def insert_many(connection: Connection, table: Table, columns: tuple[str, ...], rows: Tuples) -> None:
    """Insert one or more rows with the driver's `executemany`: inserts of SQLAlchemy take longer than the database."""
    one_row = _insert_text(table, columns, row_count=1, placeholder=_placeholder(connection))
    if is_sqlite(connection):
        driver_connection(connection).executemany(one_row, rows)
    else:
        connection.exec_driver_sql(one_row, list(rows))  # calls `executemany` for a list of rows


def insert_returning_ids(
    connection: Connection, table: Table, columns: tuple[str, ...], rows: Tuples, key: str
) -> dict[str, int]:
    """Insert 1 to a few hundred rows; return their new ids by their values of the key column."""
    text = _insert_text(table, columns, row_count=len(rows), placeholder=_placeholder(connection))
    values = tuple(chain.from_iterable(rows))
    if not is_sqlite(connection):
        return dict(map(tuple, connection.exec_driver_sql(f"{text} RETURNING {key}, id", values)))
    # SQLite numbers the rows of one statement consecutively. RETURNING would be slower.
    last_id: int = driver_connection(connection).execute(text, values).lastrowid
    key_index = columns.index(key)
    return {row[key_index]: row_id for row_id, row in enumerate(rows, last_id - len(rows) + 1)}


def is_sqlite(connection: Connection) -> bool:
    """Return whether the connection is to SQLite."""
    return connection.dialect.name == "sqlite"


def driver_connection(connection: Connection) -> Any:
    """Return the driver's connection below SQLAlchemy's."""
    return connection.connection.dbapi_connection


def _placeholder(connection: Connection) -> str:
    return "?" if is_sqlite(connection) else "%s"


@lru_cache
def _insert_text(table: Table, columns: tuple[str, ...], *, row_count: int, placeholder: str) -> str:
    row = f"({', '.join([placeholder] * len(columns))})"
    values = ", ".join([row] * row_count)
    return f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES {values}"  # noqa: S608  # names of the schema's
