"""Run SQL as text on the connection of a driver.

A statement is written once, for both databases: its parameters are named, as `:name`, and `IN :name` takes a list.
Names of tables and columns are put into texts with f-strings; values are always parameters.
"""

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import Any, ClassVar, Protocol

import orjson

from ...lazy_pattern import lazy_pattern

Parameters = Mapping[str, Any]
Tuples = Sequence[tuple[Any, ...]]

_NONE: Parameters = {}
_LIST = lazy_pattern(r"\bIN :(\w+)")
_PARAMETER = lazy_pattern(r"(?<!:):([a-z]\w*)")  # not the colons of a cast, nor those in JSON


class Row(Protocol):
    """A row: a tuple whose values also have the names of their columns."""

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def __getattr__(self, name: str) -> Any: ...

    def __getitem__(self, index: int) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def _asdict(self) -> dict[str, Any]: ...


class Columns:
    """The column names of rows; builds rows."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        make: Any = namedtuple  # mypy would require the names as a literal
        self._make: Callable[[Iterable[Any]], Row] = make("Row", self._names)._make

    def row(self, values: Mapping[str, Any]) -> Row:
        """Build a row from a mapping of column names to values."""
        return self._make([values[name] for name in self._names])

    def values(self, row: Row) -> dict[str, Any]:
        """Return a dict of column names and values of a row."""
        return dict(zip(self._names, row, strict=True))

    def rows(self, values: Iterable[Sequence[Any]]) -> list[Row]:
        """Build rows from sequences of values in the order of the columns."""
        return list(map(self._make, values))


columns_of = lru_cache(maxsize=1024)(Columns)  # by the tuple of names: a class of rows is slow to make


class Connection(ABC):
    """A connection to a database, in a transaction that the caller begins and ends.

    Parameters are text, numbers, booleans, None and lists of text or integers. SQLite returns a boolean as 0 or 1.
    Errors are the driver's own.
    """

    is_sqlite: ClassVar[bool]

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.info: dict[str, Any] = {}  # what other modules keep for the connection, such as caches

    @abstractmethod
    def _execute(self, statement: str, parameters: Parameters) -> Any:
        """Return the driver's cursor after the statement."""

    @abstractmethod
    def _execute_many(self, statement: str, rows: Sequence[Parameters]) -> None: ...

    @abstractmethod
    def insert_many(self, table: str, columns: Sequence[str], rows: Tuples) -> None:
        """Insert one or more rows, whose values are in the order of the columns."""

    @abstractmethod
    def insert_returning_ids(self, table: str, columns: Sequence[str], rows: Tuples, key: str) -> dict[str, int]:
        """Insert 1 to a few hundred rows; return their new ids by their values of the key column."""

    def all(self, statement: str, parameters: Parameters = _NONE) -> list[Row]:
        """Return the rows, with values by name."""
        cursor = self._execute(statement, parameters)
        return columns_of(tuple([column[0] for column in cursor.description])).rows(cursor)

    def first(self, statement: str, parameters: Parameters = _NONE) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self.all(statement, parameters)), None)

    def one(self, statement: str, parameters: Parameters = _NONE) -> Row:
        """Return the only row of a statement that has one."""
        [row] = self.all(statement, parameters)
        return row

    def tuples(self, statement: str, parameters: Parameters = _NONE) -> Iterable[tuple[Any, ...]]:
        """Return the rows without column names, which is faster than `all`."""
        rows: Iterable[tuple[Any, ...]] = self._execute(statement, parameters)
        return rows

    def column(self, statement: str, parameters: Parameters = _NONE) -> list[Any]:
        """Return the first value of each row."""
        return [row[0] for row in self._execute(statement, parameters)]

    def scalar(self, statement: str, parameters: Parameters = _NONE) -> Any:
        """Return the first value of the first row, or None if there is no row."""
        row = self._execute(statement, parameters).fetchone()
        return None if row is None else row[0]

    def run(self, statement: str, parameters: Parameters = _NONE) -> None:
        """Execute a statement that returns no rows."""
        self._execute(statement, parameters)

    def run_many(self, statement: str, rows: Sequence[Parameters]) -> None:
        """Execute a statement that returns no rows, for each of the parameters."""
        if rows:
            self._execute_many(statement, rows)

    def insert(self, table: str, values: Parameters) -> None:
        """Insert one row."""
        self._execute(_insert_text(table, tuple(values)), values)

    def insert_returning_id(self, table: str, values: Parameters) -> int:
        """Insert one row into a table with the column `id`, and return its new id."""
        new_id: int = self.scalar(f"{_insert_text(table, tuple(values))} RETURNING id", values)
        return new_id

    def update(self, table: str, record_id: int, values: Parameters) -> None:
        """Set columns of the row with the id; no column may have the name `record`."""
        self._execute(_update_text(table, tuple(values)), {**values, "record": record_id})


class SQLiteConnection(Connection):
    """A connection of `sqlite3`."""

    is_sqlite = True

    def _execute(self, statement: str, parameters: Parameters) -> Any:
        text, lists = _for_sqlite(statement)
        if lists:
            parameters = {**parameters, **{name: orjson.dumps(parameters[name]).decode() for name in lists}}
        return self.driver.execute(text, parameters)

    def _execute_many(self, statement: str, rows: Sequence[Parameters]) -> None:
        self.driver.executemany(statement, rows)

    def insert_many(self, table: str, columns: Sequence[str], rows: Tuples) -> None:
        """Insert one or more rows, whose values are in the order of the columns."""
        self.driver.executemany(_values_text(table, tuple(columns), 1, "?"), rows)

    def insert_returning_ids(self, table: str, columns: Sequence[str], rows: Tuples, key: str) -> dict[str, int]:
        """Insert 1 to a few hundred rows; return their new ids by their values of the key column."""
        # SQLite numbers the rows of one statement consecutively. RETURNING would be slower.
        text = _values_text(table, tuple(columns), len(rows), "?")
        last_id: int = self.driver.execute(text, tuple(chain.from_iterable(rows))).lastrowid
        key_index = columns.index(key)
        return {row[key_index]: row_id for row_id, row in enumerate(rows, last_id - len(rows) + 1)}


class PostgreSQLConnection(Connection):
    """A connection of `psycopg`."""

    is_sqlite = False

    def _execute(self, statement: str, parameters: Parameters) -> Any:
        return self.driver.execute(_for_postgresql(statement), parameters)

    def _execute_many(self, statement: str, rows: Sequence[Parameters]) -> None:
        self.driver.cursor().executemany(_for_postgresql(statement), rows)

    def insert_many(self, table: str, columns: Sequence[str], rows: Tuples) -> None:
        """Insert one or more rows, whose values are in the order of the columns."""
        self.driver.cursor().executemany(_values_text(table, tuple(columns), 1, "%s"), rows)

    def insert_returning_ids(self, table: str, columns: Sequence[str], rows: Tuples, key: str) -> dict[str, int]:
        """Insert 1 to a few hundred rows; return their new ids by their values of the key column."""
        text = f"{_values_text(table, tuple(columns), len(rows), '%s')} RETURNING {key}, id"
        return dict(self.driver.execute(text, tuple(chain.from_iterable(rows))))


class FreeConnections:
    """The open connections that no thread uses; there are as many as threads have used at a time."""

    def __init__(self, connect: Callable[[], Connection], is_usable: Callable[[Connection], bool]) -> None:
        self._connect = connect
        self._is_usable = is_usable
        self._free: list[Connection] = []
        self._lock = Lock()

    @contextmanager
    def use(self) -> Iterator[Connection]:
        """Yield a free connection or a new one; close it after the block if it is not usable again.

        Then the other free ones are closed too: a server that ends one connection has usually ended all of them.
        """
        with self._lock:
            connection = self._free.pop() if self._free else None
        if connection is None:
            connection = self._connect()
        try:
            yield connection
        finally:
            if self._is_usable(connection):
                with self._lock:
                    self._free.append(connection)
            else:
                connection.driver.close()
                self.close()

    def close(self) -> None:
        """Close the free connections; the next use opens new ones."""
        with self._lock:
            free, self._free = self._free, []
        for connection in free:
            connection.driver.close()


def quoted(names: Iterable[str]) -> str:
    """Return names of columns as a list in SQL: one of them, `order`, is a word of the language."""
    return ", ".join(f'"{name}"' for name in names)


@lru_cache(maxsize=1024)
def _for_sqlite(statement: str) -> tuple[str, Sequence[str]]:
    """Return the text for SQLite and the names of its lists, which SQLite gets as JSON."""
    return _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", statement), _LIST.findall(statement)


@lru_cache(maxsize=1024)
def _for_postgresql(statement: str) -> str:
    return _PARAMETER.sub(r"%(\1)s", _LIST.sub(r"= ANY(:\1)", statement.replace("%", "%%")))


@lru_cache(maxsize=1024)
def _insert_text(table: str, columns: tuple[str, ...]) -> str:
    values = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({quoted(columns)}) VALUES ({values})"


@lru_cache(maxsize=1024)
def _update_text(table: str, columns: tuple[str, ...]) -> str:
    values = ", ".join(f'"{name}" = :{name}' for name in columns)
    return f"UPDATE {table} SET {values} WHERE id = :record"


@lru_cache(maxsize=1024)
def _values_text(table: str, columns: tuple[str, ...], row_count: int, placeholder: str) -> str:
    row = f"({', '.join([placeholder] * len(columns))})"
    values = ", ".join([row] * row_count)
    return f"INSERT INTO {table} ({quoted(columns)}) VALUES {values}"
