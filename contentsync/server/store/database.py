"""The database: opened, migrated, and asked in whole transactions."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from ...errors import Refused, UsageError
from .schema import REVISION

P = ParamSpec("P")
T = TypeVar("T")

BUSY_TIMEOUT = 5  # seconds that a statement waits for another process's write


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
    statement, so what it reads stays true until it commits.
    """

    def __init__(self, engine: Engine, url: str) -> None:
        self.url = url
        self._engine = engine
        self._reading = engine.execution_options(begin="BEGIN")
        self._writing = engine.execution_options(begin="BEGIN IMMEDIATE")

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Self:
        """The database at a `sqlite:///path`; makes the file and its folders unless `create` is off.

        Raises UsageError for another URL and for a file that is missing or cannot be opened.
        """
        path = _path(url)
        if not create and not path.is_file():
            raise UsageError(f"there is no database at {path}", f"make it with: contentsync admin migrate --db {url}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path.parent}: {error.strerror}") from error
        engine = create_engine(f"sqlite:///{path}", hide_parameters=True, connect_args={"timeout": BUSY_TIMEOUT})
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1 FROM sqlite_master")).first()
        except DBAPIError as error:
            engine.dispose()
            raise UsageError(f"cannot open the database {path}: {error.orig}") from error
        return cls(engine, url)

    def close(self) -> None:
        """Give the file back."""
        self._engine.dispose()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return self.run_read(fn, *args, **kwargs)

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""
        return self.run_write(fn, *args, **kwargs)

    def run_read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for code that is not async."""
        with self._reading.begin() as connection:
            return fn(connection, *args, **kwargs)

    def run_write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for code that is not async."""
        with self._writing.begin() as connection:
            return fn(connection, *args, **kwargs)

    @property
    def state(self) -> State:
        """What the file holds."""
        return self.run_read(_state)

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""
        self.run_write(_migrate)

    def require_current(self) -> None:
        """Raise Refused unless this version can work with the tables as they are."""
        state = self.state
        if state in (State.EMPTY, State.OLDER):
            what = "empty" if state is State.EMPTY else "of an older version"
            raise Refused(f"the database {self.url} is {what}", f"run: contentsync admin migrate --db {self.url}")
        _refuse_unknown(state)


def _path(url: str) -> Path:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UsageError(f"'{url}' is no database URL", "write it as sqlite:///path/to/site.db") from error
    if parsed.drivername != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise UsageError(f"the database '{url}' is not a SQLite file", "write it as sqlite:///path/to/site.db")
    return Path(parsed.database)


def _configure(dbapi: Any, _record: Any) -> None:
    # Transactions are begun by `_begin`, not by the driver, which would begin them at the first write only.
    dbapi.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        dbapi.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


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
