"""A database that any number of servers share."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakValueDictionary

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping
from sqlalchemy import URL, Connection, Engine, bindparam, create_engine, event, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from ...errors import Unavailable, UsageError
from . import long_reads
from .database import Database, Fault, slept
from .long_reads import LongReads
from .migration import State, migrate, state_of
from .schema import directories
from .timed_connection import ANSWER_SECONDS, TimedConnection

P = ParamSpec("P")
T = TypeVar("T")

OLDEST = 15  # major version
CONNECTIONS = 8  # of one server process, beside the one of the check of its health
THREADS = CONNECTIONS - long_reads.THREADS  # each may use a connection, as may those of long reads
# Seconds that a statement may wait for an answer longer than PATIENCE, so that a taken lock is reported as one.
LONGER = 0.5
# Seconds after which a request that waited for a thread gives up at once, where the one before it found no server.
BRIEF = 0.5
# Seconds after which the database ends a session that stopped inside of a transaction, and so keeps others waiting.
ABANDONED = 60
# libpq's options, unless the URL gives others. Without keepalives a network that is gone is waited for two hours.
OPTIONS = {
    "application_name": "contentsync",
    "client_encoding": "UTF8",  # a database without an encoding would hand out bytes
    "connect_timeout": "4",
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}

_MIGRATING = 0x636F6E74  # the number of the lock that migrations wait for: "cont"
_HINT = "write it as postgresql://user@host/database"
_LOST = Fault("the database cannot be reached", "is PostgreSQL running?", passes=True, unclear=True)
# By SQLSTATE, the class where the rest does not matter (PostgreSQL, appendix A).
_FAULTS = {
    "40": Fault("the database is busy", "other writers are in the way: try again", passes=True),
    "23505": Fault("the database is busy", "another writer made the same record: try again", passes=True),
    "55P03": Fault("the database is busy", "another session holds a lock: try again", passes=True),
    "57014": Fault("the database gave up", "a statement took longer than its statement_timeout lets it"),
    "25006": Fault("the database is read-only", "name the primary server, not a standby"),
    "53": Fault("the database is full", "make room on its disk"),
    "58": Fault("the database's disk fails", "see PostgreSQL's log"),
    "XX": Fault("the database is damaged", "see PostgreSQL's log, and restore a backup"),
    "08": _LOST,
    "57P": _LOST,
}
_SECRETS = ("password", "sslpassword")  # among libpq's options
_HOLD = select(directories.c.id).where(directories.c.id == bindparam("directory")).with_for_update(key_share=True)


class PostgreSQL(Database):
    """A PostgreSQL database, 15 or newer; functions run in threads.

    A read sees one moment (REPEATABLE READ). A write sees what others have committed at each statement (READ
    COMMITTED), and so everything that was written before it put its directory on hold.
    """

    def __init__(self, engine: Engine, url: str, patience: float) -> None:
        reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        super().__init__(url, patience, engine, reading=reading, writing=engine)
        self._threads = self._executor(THREADS, "postgresql")
        self._checking = self._executor(1, "postgresql-check")
        self._long_reads = LongReads(self._executor(long_reads.THREADS, "postgresql-long-reads"))
        self._checked: asyncio.Future[State] | None = None  # the check that is under way
        self._answered = 0.0  # monotonic time of the last transaction that came to its end
        self._lost = False  # whether the last one did not, for want of a server
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by directory

    @classmethod
    def at(cls, url: str, patience: float) -> Self:
        """The database at an URL; see `Database.open`."""
        parsed, shown = _parsed(url)
        # The isolation is named, because the database may have another default.
        engine = create_engine(
            parsed, hide_parameters=True, pool_size=CONNECTIONS + 1, max_overflow=0, isolation_level="READ COMMITTED"
        )
        event.listen(engine, "do_connect", _connect)
        event.listen(engine, "connect", partial(_configure, patience))
        database = cls(engine, shown, patience)
        try:
            with engine.connect() as connection:
                _check(connection, shown)
        except DBAPIError as error:
            database.close()
            said = " ".join(str(error.orig).split())
            if not _takes_connections(engine):
                raise Unavailable(f"the database {shown} cannot be reached: {said}", _LOST.hint) from error
            raise UsageError(f"cannot open the database {shown}: {said}", _HINT) from error
        except UsageError:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Give the connections back."""
        self._threads.shutdown()
        self._checking.shutdown()
        super().close()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return await self._in_thread(time.monotonic(), partial(self.run_read, fn, *args, **kwargs))

    async def read_long(
        self,
        directory_id: int,
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`read` of what may take long, such as a search: the requests of other directories do not wait for it."""
        reading = partial(self._run, time.monotonic(), partial(self.run_read, fn, *args, **kwargs))
        return await self._long_reads.run(directory_id, reading)

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""
        return await self._in_thread(time.monotonic(), partial(self.run_write, fn, *args, **kwargs))

    async def write_in(
        self,
        directory_id: int,
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`write` with other writers kept out of the directory, so that what is read of it stays true."""

        asked = time.monotonic()

        def held(connection: Connection) -> T:
            # Those who only refer to the row do not notice this lock.
            connection.execute(_HOLD, {"directory": directory_id})
            return fn(connection, *args, **kwargs)

        # The writers of one directory take turns before they take a thread: the others are left to other directories.
        async with self._turns.setdefault(directory_id, asyncio.Lock()):
            return await self._in_thread(asked, partial(self.run_write, held))

    async def check(self) -> State:
        """The state, on a thread and a connection of its own; requests that come meanwhile get the same answer."""
        if self._checked is None or self._checked.done():
            checking = partial(self.run_read, state_of)
            self._checked = asyncio.get_running_loop().run_in_executor(self._checking, checking)
            self._checked.add_done_callback(_look_at)
        return await asyncio.shield(self._checked)

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""

        def alone(connection: Connection) -> None:
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # however long the other one takes
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _MIGRATING})
            migrate(connection)

        slept(self.attempts(self._writing, alone))

    def backup(self, to: Path) -> None:
        """Left to PostgreSQL's own programs."""
        raise UsageError("PostgreSQL has its own programs for copies", f"run: pg_dump --format custom --file {to} URL")

    @property
    def _time_to_wait(self) -> float:
        """None while the server is lost: those who waited for it have found so, and each request looks again."""
        return 0 if self._lost else self._patience

    def fault(self, error: Exception) -> Fault | None:
        """What the error says of the server."""
        if not isinstance(error, DBAPIError):
            return None
        state = getattr(error.orig, "sqlstate", None)
        if error.connection_invalidated or (state is None and isinstance(error, OperationalError)):
            return _LOST._replace(hint=str(error.orig).strip() or _LOST.hint)
        if state is None:  # the driver's own, about a value
            return None
        return _FAULTS.get(state) or _FAULTS.get(state[:3]) or _FAULTS.get(state[:2])

    async def _in_thread(self, asked: float, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, asked, run)

    def _run(self, asked: float, run: Callable[[], T]) -> T:
        """What `run` returns. Where the server is lost, those who have waited for a thread fail with those before."""
        began = time.monotonic()
        if self._lost and began - asked > BRIEF:
            raise Unavailable(_LOST.message, _LOST.hint)
        try:
            value = run()
        except Unavailable as error:
            # One statement that takes too long while others are answered says nothing of the server.
            if self._answered < began and _is_lost(error, self.fault):
                self._lost = True
            raise
        self._answered, self._lost = time.monotonic(), False
        return value

    def _executor(self, threads: int, name: str) -> ThreadPoolExecutor:
        """Threads for requests: statements there have a deadline, which those of commands have not."""
        return ThreadPoolExecutor(threads, name, ANSWER_SECONDS.set, (self._patience + LONGER,))


def _is_lost(error: Unavailable, fault_of: Callable[[Exception], Fault | None]) -> bool:
    fault = fault_of(error.__cause__) if isinstance(error.__cause__, Exception) else None
    return fault is not None and fault.unclear


def _look_at(checked: "asyncio.Future[State]") -> None:
    """Read the error of a check that no request waits for any more."""
    if not checked.cancelled():
        checked.exception()


def _connect(_dialect: Any, _record: Any, args: Any, options: Any) -> TimedConnection:
    return TimedConnection.connect(*args, **options)


def _takes_connections(engine: Engine) -> bool:
    """Whether a server is there and has started, whoever it lets in."""
    _, options = engine.dialect.create_connect_args(engine.url)
    conninfo = make_conninfo(**{name: value for name, value in options.items() if name != "context"})
    return PGconn.ping(conninfo.encode()) not in (Ping.NO_RESPONSE, Ping.REJECT)


def _parsed(url: str) -> tuple[URL, str]:
    """The URL as the driver gets it, and as it may be shown."""
    try:
        given = make_url(url)
        # Only libpq's options: the driver has others, which change what is committed when.
        make_conninfo(**{name: value if isinstance(value, str) else value[0] for name, value in given.query.items()})
    except (ArgumentError, ValueError, psycopg.ProgrammingError) as error:  # the URL may hold a password
        raise UsageError("the database's URL cannot be read", _HINT) from error
    if "@" in (given.host or ""):
        raise UsageError("the database's URL cannot be read", "write an @ in the password as %40")
    shown = given.set(drivername="postgresql").difference_update_query(_SECRETS)
    return (
        given.set(drivername="postgresql+psycopg", query={**OPTIONS, **given.query}),
        shown.render_as_string(hide_password=True),
    )


def _configure(patience: float, dbapi: Any, _record: Any) -> None:
    # Not among the connection's options, which PgBouncer refuses.
    timeouts = {"lock_timeout": patience, "idle_in_transaction_session_timeout": ABANDONED}
    for name, seconds in timeouts.items():
        dbapi.execute("SELECT set_config(%s, %s, false)", (name, f"{seconds * 1000:.0f}ms"))
    # Behind a pooler the next transaction may meet another's prepared statements, under the same names.
    if dbapi.execute("SELECT pg_backend_pid()").fetchone() != (dbapi.info.backend_pid,):
        dbapi.prepare_threshold = None
    dbapi.commit()


def _check(connection: Connection, url: str) -> None:
    version = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    if version < OLDEST * 10_000:
        raise UsageError(f"the database {url} is PostgreSQL {version // 10_000}", f"use {OLDEST} or newer")
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise UsageError(f"the database {url} keeps text as {encoding}", "make it with: createdb --encoding UTF8")
