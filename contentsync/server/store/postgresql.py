"""A database that any number of servers share."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from ...errors import UsageError
from .database import Database, Fault, slept
from .migration import migrate

P = ParamSpec("P")
T = TypeVar("T")

OLDEST = 15  # major version
THREADS = 8  # of one server process; each may use a connection
CONNECT_TIMEOUT = 5  # seconds

_MIGRATING = 0x636F6E74  # the number of the lock that migrations wait for: "cont"
_HINT = "write it as postgresql://user@host/database"
_LOST = Fault("the database cannot be reached", "is PostgreSQL running?", passes=True, unclear=True)
# By SQLSTATE, the class where the rest does not matter (PostgreSQL, appendix A).
_FAULTS = {
    "40": Fault("the database is busy", "other writers are in the way: try again", passes=True),
    "23505": Fault("the database is busy", "another writer made the same record: try again", passes=True),
    "25006": Fault("the database is read-only", "name the primary server, not a standby"),
    "53": Fault("the database is full or has too many connections", "make room, or raise max_connections", passes=True),
    "55P03": Fault("the database is busy", "another session holds a lock: try again", passes=True),
    "08": _LOST,
    "57P": _LOST,
}


class PostgreSQL(Database):
    """A PostgreSQL database, 15 or newer; functions run in threads.

    A read sees one moment (REPEATABLE READ). A write sees what others have committed at each statement (READ
    COMMITTED), and so everything that was written before it put its directory on hold.
    """

    def __init__(self, engine: Engine, url: str, patience: float) -> None:
        reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        super().__init__(url, patience, reading=reading, writing=engine)
        self._threads = ThreadPoolExecutor(THREADS, "postgresql")

    @classmethod
    def at(cls, url: str, patience: float) -> Self:
        """The database at an URL; see `Database.open`."""
        try:
            parsed = make_url(url).set(drivername="postgresql+psycopg")
        except ArgumentError as error:  # the URL may hold a password
            raise UsageError("the database's URL cannot be read", _HINT) from error
        engine = create_engine(
            parsed,
            hide_parameters=True,
            pool_size=THREADS,
            max_overflow=0,
            connect_args={"connect_timeout": CONNECT_TIMEOUT, "application_name": "contentsync"},
        )
        shown = parsed.set(drivername="postgresql").render_as_string(hide_password=True)
        database = cls(engine, shown, patience)
        try:
            with engine.connect() as connection:
                _check(connection, shown)
        except DBAPIError as error:
            database.close()
            raise UsageError(f"cannot open the database {shown}: {str(error.orig).strip()}", _HINT) from error
        except UsageError:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Give the connections back."""
        self._threads.shutdown()
        super().close()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return await self._in_thread(partial(self.run_read, fn, *args, **kwargs))

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""
        return await self._in_thread(partial(self.run_write, fn, *args, **kwargs))

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""

        def alone(connection: Connection) -> None:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATING})
            migrate(connection)

        slept(self.attempts(self._writing, alone))

    def fault(self, error: DBAPIError) -> Fault | None:
        """What the error says of the server."""
        state = getattr(error.orig, "sqlstate", None)
        if error.connection_invalidated or (state is None and isinstance(error, OperationalError)):
            return _LOST
        if state is None:  # the driver's own, about a value
            return None
        return _FAULTS.get(state) or _FAULTS.get(state[:3]) or _FAULTS.get(state[:2])

    async def _in_thread(self, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, run)


def _check(connection: Connection, url: str) -> None:
    version = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    if version < OLDEST * 10_000:
        raise UsageError(f"the database {url} is PostgreSQL {version // 10_000}", f"use {OLDEST} or newer")
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise UsageError(f"the database {url} keeps text as {encoding}", "make it with: createdb --encoding UTF8")
