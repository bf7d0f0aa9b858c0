"""The database: opened, migrated, and asked in whole transactions."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Generator
from enum import StrEnum
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from ...errors import Refused, Unavailable, UsageError
from .schema import REVISION

P = ParamSpec("P")
T = TypeVar("T")

# How another process's write is waited for: a short while inside SQLite, where nothing else can run, and a pause, all
# of it again until the patience is at an end. In seconds.
BUSY_TIMEOUT = 0.01
PAUSE = 0.05
PATIENCE = 5

_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY: ("the database is busy", "another process is writing to it: try again"),
    sqlite3.SQLITE_FULL: ("the database is full", "make room on its disk"),
    sqlite3.SQLITE_READONLY: ("the database is read-only", "make the file and its folder writable"),
}


class State(StrEnum):
    """What a database file holds."""

    EMPTY = "empty"
    CURRENT = "current"
    OLDER = "older"  # made by an earlier version: migrate
    NEWER = "newer"  # made by a later version
    FOREIGN = "foreign"  # not ours


class Database:
    """A SQLite database.

    `read` and `write` run a plain function of a connection in one transaction, at once and in the calling
    thread: SQLite answers faster than a thread pool hands over. A write locks the database from its first
    statement, so what it reads stays true until it commits. While another process writes, the whole function is
    tried again; a database that stays busy, or is full or read-only, raises Unavailable.
    """

    def __init__(self, engine: Engine, url: str, patience: float = PATIENCE) -> None:
        self.url = url
        self._engine = engine
        self._patience = patience
        self._reading = engine.execution_options(begin="BEGIN")
        self._writing = engine.execution_options(begin="BEGIN IMMEDIATE")
        self._outside = engine.execution_options(begin=None)  # of transactions

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True, patience: float = PATIENCE) -> Self:
        """The database at a `sqlite:///path`, or in the very file; makes it and its folders unless `create` is off.

        Raises UsageError for another URL and for a file that is missing or cannot be opened. `patience` is how
        many seconds a busy database is waited for.
        """
        path = where if isinstance(where, Path) else _path(where)
        url = f"sqlite:///{path}"
        if not create and not path.is_file():
            raise UsageError(f"there is no database at {path}", f"make it with: contentsync admin migrate --db {url}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path.parent}: {error.strerror}") from error
        file = URL.create("sqlite", database=str(path))  # as it is: a file may be called a?b#c
        engine = create_engine(file, hide_parameters=True, connect_args={"timeout": BUSY_TIMEOUT})
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
        database = cls(engine, url, patience)
        try:
            database.run_read(lambda connection: connection.execute(text("SELECT 1 FROM sqlite_master")).first())
        except DBAPIError as error:
            database.close()
            raise UsageError(f"cannot open the database {path}: {error.orig}") from error
        except Unavailable:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Give the file back."""
        self._engine.dispose()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return await _awaited(self._attempts(self._reading, lambda connection: fn(connection, *args, **kwargs)))

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""
        return await _awaited(self._attempts(self._writing, lambda connection: fn(connection, *args, **kwargs)))

    def run_read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for code that is not async."""
        return _slept(self._attempts(self._reading, lambda connection: fn(connection, *args, **kwargs)))

    def run_write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for code that is not async."""
        return _slept(self._attempts(self._writing, lambda connection: fn(connection, *args, **kwargs)))

    def _attempts(self, engine: Engine, fn: Callable[[Connection], T]) -> Generator[float, None, T]:
        """Runs the function in a transaction until the database is not busy; yields the seconds to wait before each
        further attempt.
        """
        until = time.monotonic() + self._patience
        while True:
            try:
                with engine.begin() as connection:
                    return fn(connection)
            except OperationalError as error:
                code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # without what extended codes add
                if code not in _UNAVAILABLE:
                    raise
                if code != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                    raise Unavailable(*_UNAVAILABLE[code]) from error
            yield PAUSE

    @property
    def state(self) -> State:
        """What the file holds."""
        return self.run_read(_state)

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""
        if self.state is State.EMPTY:
            # The file keeps this. Never set for one that holds something: it may be another program's.
            _slept(self._attempts(self._outside, lambda wal: wal.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()))
        self.run_write(_migrate)

    def require_current(self) -> None:
        """Raise Refused unless this version can work with the tables as they are."""
        state = self.state
        if state in (State.EMPTY, State.OLDER):
            what = "empty" if state is State.EMPTY else "of an older version"
            raise Refused(f"the database {self.url} is {what}", f"run: contentsync admin migrate --db {self.url}")
        _refuse_unknown(state)


async def _awaited(attempts: Generator[float, None, T]) -> T:
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        await asyncio.sleep(pause)


def _slept(attempts: Generator[float, None, T]) -> T:
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        time.sleep(pause)


def _path(url: str) -> Path:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UsageError(f"'{url}' is no database URL", "write it as sqlite:///path/to/site.db") from error
    if parsed.drivername != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise UsageError(f"the database '{url}' is not a SQLite file", "write it as sqlite:///path/to/site.db")
    if parsed.query:
        raise UsageError(f"the database '{url}' has a query", "write it as sqlite:///path/to/site.db, without options")
    return Path(parsed.database)


def _configure(dbapi: Any, _record: Any) -> None:
    # Transactions are begun by `_begin`, not by the driver, which would begin them at the first write only.
    dbapi.isolation_level = None
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        dbapi.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    statement = connection.get_execution_options()["begin"]
    if statement:
        connection.exec_driver_sql(statement)


def _state(connection: Connection) -> State:
    names = inspect(connection).get_table_names()
    if not names:
        return State.EMPTY
    if "alembic_version" not in names or "directories" not in names:
        return State.FOREIGN
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    if revision is None:
        return State.FOREIGN
    return State.CURRENT if revision == REVISION else State.OLDER if revision < REVISION else State.NEWER


def _refuse_unknown(state: State) -> None:
    if state is State.NEWER:
        raise Refused("the database was made by a newer version of contentsync", "upgrade contentsync")
    if state is State.FOREIGN:
        raise Refused("the database was not made by contentsync", "name another file with --db")


def _migrate(connection: Connection) -> None:
    state = _state(connection)
    _refuse_unknown(state)
    if state is State.CURRENT:
        return
    # Here, because a database that is current, as most are, never needs it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", (Path(__file__).parent / "migrations").as_posix().replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
