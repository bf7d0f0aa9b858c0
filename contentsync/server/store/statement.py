"""Statements that requests run, without what SQLAlchemy does each time that one is run."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row
from sqlalchemy.dialects import sqlite

Parameters = Mapping[str, Any]

_DIALECT = sqlite.dialect(paramstyle="named")


class Columns:
    """The names of a row's values."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        # SQLAlchemy's own rows take ten times as long to find a value by its name.
        make: Any = namedtuple  # mypy would read the names where they are written
        self._make: Callable[[Iterable[Any]], Row[Any]] = make("Row", self._names)._make

    def row(self, values: Mapping[str, Any]) -> Row[Any]:
        """The row that holds the values."""
        return self._make([values[name] for name in self._names])

    def values(self, row: Row[Any]) -> dict[str, Any]:
        """The values of a row by name."""
        return dict(zip(self._names, row, strict=True))

    def rows(self, values: Iterable[Sequence[Any]]) -> Sequence[Row[Any]]:
        """Rows whose values are found by name and by place, as those of SQLAlchemy's queries."""
        return list(map(self._make, values))


class _Text(NamedTuple):
    """A statement in SQLite's words."""

    text: str
    fixed: Parameters  # what SQLAlchemy made parameters of by itself
    lists: Mapping[str, Sequence[str]]  # by a list's name, the names of its entries


class Statement:
    """A statement with named parameters, which SQLite gets as text: SQLAlchemy takes longer over one than SQLite does.

    Parameters and columns hold texts and integers, which no driver translates; an expanding parameter of `in_` a list
    of them. What goes wrong in SQLite is raised as its driver says it.
    """

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._texts: dict[tuple[int, ...], _Text] = {}  # by the lengths of the lists
        self._columns: Columns | None = None  # known from the first time on

    def all(self, connection: Connection, parameters: Parameters) -> Sequence[Row[Any]]:
        """The rows, with names to their values."""
        if not is_sqlite(connection):
            rows: Sequence[Row[Any]] = connection.execute(self._statement, parameters).all()
            return rows
        cursor = self._cursor(connection, parameters)
        if self._columns is None:
            self._columns = Columns([name for name, *_ in cursor.description])
        return self._columns.rows(cursor)

    def first(self, connection: Connection, parameters: Parameters) -> Row[Any] | None:
        """The first row, if there is one."""
        return next(iter(self.all(connection, parameters)), None)

    def tuples(self, connection: Connection, parameters: Parameters) -> Iterable[Sequence[Any]]:
        """The rows without names, which takes less."""
        if is_sqlite(connection):
            return self._cursor(connection, parameters)  # type: ignore[no-any-return]  # of the driver's
        return connection.execute(self._statement, parameters)

    def column(self, connection: Connection, parameters: Parameters) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in self.tuples(connection, parameters)]

    def scalar(self, connection: Connection, parameters: Parameters) -> Any:
        """The first value of the first row, if there is one."""
        return next(iter(self.column(connection, parameters)), None)

    def run(self, connection: Connection, parameters: Parameters) -> None:
        """Make a change."""
        if is_sqlite(connection):
            self._cursor(connection, parameters)
        else:
            connection.execute(self._statement, parameters)

    def _cursor(self, connection: Connection, parameters: Parameters) -> Any:
        lengths = tuple([len(value) for value in parameters.values() if type(value) is list]) if self._expands else ()
        text = self._texts.get(lengths)
        if text is None:
            text = self._texts[lengths] = self._text(parameters)
        values = {**text.fixed, **parameters} if text.fixed else parameters
        if lengths:
            values = dict(values)
            for name, names in text.lists.items():
                values.update(zip(names, values.pop(name), strict=True))
        return driver_of(connection).execute(text.text, values)

    def _text(self, parameters: Parameters) -> _Text:
        expanded = self._compiled.construct_expanded_state(dict(parameters))
        fixed = {name: value for name, value in self._compiled.params.items() if value is not None}
        return _Text(expanded.statement, fixed, expanded.parameter_expansion)

    @cached_property
    def _expands(self) -> bool:
        return any(parameter.expanding for parameter in self._compiled.binds.values())

    @cached_property
    def _compiled(self) -> Any:
        return self._statement.compile(dialect=_DIALECT)


def is_sqlite(connection: Connection) -> bool:
    """Whether statements go to SQLite."""
    return connection.dialect.name == "sqlite"


def driver_of(connection: Connection) -> Any:
    """The driver's own connection."""
    return connection.connection.dbapi_connection
