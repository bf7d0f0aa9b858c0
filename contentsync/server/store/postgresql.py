"""A PostgreSQL database, which any number of servers can share."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode
from weakref import WeakValueDictionary

import psycopg
from psycopg import IsolationLevel
from psycopg.abc import RV, PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping, TransactionStatus

from ...errors import Unavailable, UsageError
from ...lazy_pattern import lazy_pattern
from .database import PAGES_AT_ONCE, Database, DatabaseFault, run_blocking
from .migration import Progress, State, migrate, no_progress, state_of
from .read_pool import ReadQueue, retrieve_error
from .sql import Connection, FreeConnections, PostgreSQLConnection

T = TypeVar("T")

OLDEST_VERSION = 15  # the oldest supported major version
THREADS = 5  # per server process, for the API
LONG_READS_AT_ONCE = 2  # of one directory in each queue
# Per server process, in addition to the connection of the health check: one for each thread.
CONNECTIONS = THREADS + (PAGES_AT_ONCE + 1) + (LONG_READS_AT_ONCE + 1) * (len(ReadQueue) - 1)
CANCEL_SECONDS = 1  # in which PostgreSQL must accept that a statement is cancelled
# Seconds that a statement may take longer than `max_wait`, so that PostgreSQL reports a lock before the deadline.
LOCK_MARGIN = 0.5
# While the server is lost, a request that has waited for a thread for more seconds than this fails at once.
LOST_GRACE = 0.5
# Seconds after which the server ends a session that is idle in a transaction, because its locks block other sessions.
ABANDONED_SECONDS = 60
# libpq's options, unless the URL sets them. Without keepalives a lost network is noticed after two hours.
OPTIONS = {
    "application_name": "contentsync",
    "client_encoding": "UTF8",  # a database without an encoding would return bytes
    "connect_timeout": "4",
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}

# Seconds for which a statement of this thread waits for the server's answer; None: no limit.
ANSWER_SECONDS: ContextVar[float | None] = ContextVar("answer_seconds", default=None)

_MIGRATING = 0x636F6E74  # the advisory lock of migrations: "cont"
_HINT = "write it as postgresql://user@host/database"
_LOST = DatabaseFault("the database cannot be reached", "is PostgreSQL running?", retryable=True, ambiguous=True)
_READ_ONLY = DatabaseFault("the database is read-only", "name the primary server, not a standby")
# By SQLSTATE, or its class (PostgreSQL, appendix A).
_FAULTS = {
    "40": DatabaseFault("the database is busy", "other writers have locked it: try again", retryable=True),
    "23505": DatabaseFault("the database is busy", "another writer made the same record: try again", retryable=True),
    "55P03": DatabaseFault("the database is busy", "another session holds a lock: try again", retryable=True),
    "57014": DatabaseFault("the database stopped a statement", "it took longer than the server's statement_timeout"),
    "25006": _READ_ONLY,
    "53": DatabaseFault("the database is full", "make room on its disk"),
    "58": DatabaseFault("the database's disk fails", "see PostgreSQL's log"),
    "XX": DatabaseFault("the database is damaged", "see PostgreSQL's log, and restore a backup"),
    "08": _LOST,
    "57P": _LOST,
}
_URL = lazy_pattern(r"[\w+]+://((?P<user>[^:/?]*)(:(?P<password>[^@]*))?(?=@))?(?P<at>@?)(?P<place>.*)", re.DOTALL)
_SECRETS = ("password", "sslpassword")  # among libpq's options
_IS_READ_ONLY = "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"
# A write excludes a migration, so that it finds the tables of one version until it is committed.
_LOCK_DIRECTORY = (
    "SELECT id FROM directories WHERE id = :directory"
    f" AND pg_advisory_xact_lock_shared({_MIGRATING}) IS NOT NULL FOR NO KEY UPDATE"
)


class TimedConnection(psycopg.Connection[tuple[object, ...]]):
    """A connection that is closed if the server does not answer a statement in time.

    Keepalives do not detect a frozen server process: its system still acknowledges packets.
    """

    def wait(self, gen: PQGen[RV], *args: Any, **options: Any) -> RV:
        """Run the driver's generator; close the connection and raise OperationalError after ANSWER_SECONDS."""
        seconds = ANSWER_SECONDS.get()
        if seconds is None:
            return super().wait(gen, *args, **options)
        try:
            return super().wait(_with_deadline(gen, seconds), *args, **options)
        except _NoAnswer:
            self.close()  # the state of the protocol is unknown now
            raise


class _NoAnswer(psycopg.OperationalError):
    """The server did not answer in time."""


class _Lost(psycopg.OperationalError):
    """The server has ended the connection, with an error that says why."""


class _ServerTransactions:
    """Transactions on connections of their own.

    The server decides whether a write may be done: a standby refuses an explicit READ WRITE with the error 0A000, which
    has many causes, and a server that is set to read-only would accept it.
    """

    def __init__(self, connections: FreeConnections, *, is_reading: bool) -> None:
        self._connections = connections
        self._level = IsolationLevel.REPEATABLE_READ if is_reading else IsolationLevel.READ_COMMITTED
        self._read_only = True if is_reading else None

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that ends with the block."""
        with self._connections.use() as connection:
            driver = connection.driver
            driver.isolation_level, driver.read_only = self._level, self._read_only
            try:
                yield connection
                driver.commit()
            except BaseException as error:
                if driver.closed and isinstance(error, psycopg.Error):
                    raise _Lost(*error.args) from error
                with suppress(psycopg.Error):  # the first error is the one to report
                    driver.rollback()
                raise


class PostgreSQL(Database):
    """A PostgreSQL database, 15 or newer; functions run in threads.

    A read sees one state of the database (REPEATABLE READ). Each statement of a write sees all earlier commits (READ
    COMMITTED), so a write that has locked its directory sees all earlier writes to it.
    """

    long_reads_at_once = LONG_READS_AT_ONCE

    def __init__(self, options: dict[str, str], url: str, max_wait: float) -> None:
        self._options = options
        self._connections = FreeConnections(self._connect, _is_idle)
        super().__init__(
            url,
            max_wait,
            reading=_ServerTransactions(self._connections, is_reading=True),
            writing=_ServerTransactions(self._connections, is_reading=False),
        )
        self._threads = self._make_threads(THREADS, "postgresql")
        self._check_thread = self._make_threads(1, "postgresql-check")
        self._running_check: asyncio.Future[State] | None = None  # shared by concurrent calls
        self._answered = 0.0  # monotonic time at which the last transaction ended
        self._lost = False  # whether the last transaction could not reach the server
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by directory

    @classmethod
    def open(cls, url: str, max_wait: float) -> Self:
        """Open the database at a URL; see `connect_database`."""
        options, shown_url = _parse_url(url)
        database = cls(options, shown_url, max_wait)
        try:
            with database._connections.use() as connection:
                _require_supported(connection, shown_url)
        except psycopg.Error as error:
            database.close()
            reason = " ".join(str(error).split())
            if PGconn.ping(make_conninfo(**database._options).encode()) in (Ping.NO_RESPONSE, Ping.REJECT):
                raise Unavailable(f"the database {shown_url} cannot be reached: {reason}", _LOST.hint) from error
            raise UsageError(f"cannot open the database {shown_url}: {reason}", _HINT) from error
        except UsageError:
            database.close()
            raise
        return database

    def _connect(self) -> Connection:
        driver = TimedConnection.connect(make_conninfo(**self._options))
        try:
            _configure(self._max_wait, driver)
        except BaseException:
            driver.close()
            raise
        return PostgreSQLConnection(driver)

    def close(self) -> None:
        """Close the connections."""
        self._threads.shutdown()
        self._check_thread.shutdown()
        super().close()
        self._connections.close()

    async def _read(self, fn: Callable[[Connection], T]) -> T:
        return await self._in_thread(time.monotonic(), partial(self.run_read, fn))

    async def _write_in_directory(self, directory_id: int, fn: Callable[[Connection], T]) -> T:
        """Run `fn` in a thread, after it has locked the directory's row and excluded migrations."""
        requested_at = time.monotonic()

        def locked(connection: Connection) -> T:
            # Transactions that only reference the row do not wait for this lock.
            connection.run(_LOCK_DIRECTORY, {"directory": directory_id})
            return fn(connection)

        # Writers of the same directory wait here, not in a thread, so that the threads serve other directories.
        async with self._locks.setdefault(directory_id, asyncio.Lock()):
            return await self._in_thread(requested_at, partial(self.run_write, locked))

    async def check(self) -> State:
        """Return the state of the tables, read on a separate thread and connection; concurrent calls share one read.

        Raise Unavailable if the server is a standby, or is set to read-only.
        """
        if self._running_check is None or self._running_check.done():
            checking = partial(self.run_read, _state_of_primary)
            self._running_check = asyncio.get_running_loop().run_in_executor(self._check_thread, checking)
            self._running_check.add_done_callback(retrieve_error)
        return await asyncio.shield(self._running_check)

    def migrate(self, progress: Progress = no_progress) -> None:
        """Migrate the tables to this version in one transaction; raise Refused for a newer or foreign database."""

        def migrate_locked(connection: Connection) -> None:
            connection.run("SET LOCAL lock_timeout = 0")  # another migration may take long
            connection.run("SELECT pg_advisory_xact_lock(:number)", {"number": _MIGRATING})
            migrate(connection, progress)

        run_blocking(self.attempts(self._writing, migrate_locked))

    def backup(self, to: Path) -> None:
        """Raise UsageError, because PostgreSQL has its own tools for backups."""
        raise UsageError("PostgreSQL has its own programs for copies", f"run: pg_dump --format custom --file {to} URL")

    @property
    def _retry_seconds(self) -> float:
        """Return 0 while the server is lost: earlier requests have waited for it, so each request tries only once."""
        return 0 if self._lost else self._max_wait

    def classify_error(self, error: Exception) -> DatabaseFault | None:
        """Return the database fault behind an error of psycopg; None for other errors."""
        if not isinstance(error, psycopg.Error):
            return None
        state = error.sqlstate
        if state is None and isinstance(error, psycopg.OperationalError):
            return _LOST._replace(hint=str(error).strip() or _LOST.hint)
        if state is None:  # the driver rejected a value
            return None
        prefixes = (state, state[:3], state[:2])  # such as 57P01: a code, a group of codes, its class
        return next((_FAULTS[prefix] for prefix in prefixes if prefix in _FAULTS), None)

    async def _in_thread(self, requested_at: float, run: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, requested_at, run)

    def _run(self, requested_at: float, run: Callable[[], T]) -> T:
        """Return the result of `run`, and record in `_lost` whether the server could be reached.

        While it cannot, a request that has waited longer than LOST_GRACE fails at once with Unavailable.
        """
        began = time.monotonic()
        if self._lost and began - requested_at > LOST_GRACE:
            raise Unavailable(_LOST.message, _LOST.hint)
        try:
            value = run()
        except Unavailable as error:
            fault = self.classify_error(error.__cause__) if isinstance(error.__cause__, Exception) else None
            is_connection_lost = fault is not None and fault.ambiguous  # no other fault is ambiguous
            has_answered_since = self._answered >= began  # another request: then only this connection was lost
            if is_connection_lost and not has_answered_since:
                self._lost = True
            raise
        self._answered = time.monotonic()
        self._lost = False
        return value

    def _make_threads(self, threads: int, name: str) -> ThreadPoolExecutor:
        """Return threads for requests, whose statements have a deadline; statements of commands have none."""
        limit = self._max_wait + LOCK_MARGIN
        return ThreadPoolExecutor(threads, name, initializer=ANSWER_SECONDS.set, initargs=(limit,))

    @staticmethod
    def _stop(connection: Any) -> None:
        with suppress(psycopg.Error):  # the connection is lost, and so is its statement
            connection.cancel_safe(timeout=CANCEL_SECONDS)


def _state_of_primary(connection: Connection) -> State:
    """Return the state of the tables; raise Unavailable if no transaction of the server can write."""
    if connection.scalar(_IS_READ_ONLY):
        raise Unavailable(_READ_ONLY.message, _READ_ONLY.hint)
    return state_of(connection)


def _with_deadline(gen: PQGen[RV], seconds: float) -> PQGen[RV]:
    """Run the driver's generator; raise _NoAnswer after `seconds` without an answer (the driver polls every 0.1 s)."""
    deadline = time.monotonic() + seconds
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() >= deadline:
                gen.close()
                raise _NoAnswer(f"no answer within {seconds:g} seconds")
            wanted = gen.send(ready)
    except StopIteration as ended:
        value: RV = ended.value
        return value


def _is_idle(connection: Connection) -> bool:
    """Return whether the connection can be used again: it is open and in no transaction."""
    return not connection.driver.closed and connection.driver.info.transaction_status is TransactionStatus.IDLE


def _parse_url(url: str) -> tuple[dict[str, str], str]:
    """Return libpq's options, and the URL without secrets for messages; raise UsageError for a bad URL."""
    given = _URL.fullmatch(url)
    if given is None:
        raise UsageError("the database's URL cannot be read", _HINT)
    # libpq, unlike people, writes the marks of a URL in a password as %2F and so on.
    secret = f":{quote(unquote(given['password']), safe='')}" if given["password"] else ""
    place, _, query = given["place"].partition("?")
    try:
        # Raises for options of the driver, such as `autocommit`, which would change when it commits.
        parsed = conninfo_to_dict(f"postgresql://{given['user'] or ''}{secret}{given['at']}{given['place']}")
    except psycopg.ProgrammingError as error:  # its message may contain the password
        raise UsageError("the database's URL cannot be read", _HINT) from error
    options = {name: str(value) for name, value in parsed.items()}
    if "@" in options.get("host", ""):
        raise UsageError("the database's URL cannot be read", "write an @ in the password as %40")
    shown = f"postgresql://{given['user'] or ''}{':***' if secret else ''}{given['at']}{place}"
    named = [(name, value) for name, value in parse_qsl(query) if name not in _SECRETS]
    return {**OPTIONS, **options}, f"{shown}?{urlencode(named)}" if named else shown


def _configure(max_wait: float, driver: TimedConnection) -> None:
    """Set the time limits of a new connection; behind a pooler, use no prepared statements.

    A pooler in transaction mode does not apply the limits (docs/server.md).
    """
    # Set by a statement, because PgBouncer refuses them as options of the connection.
    timeouts = {"lock_timeout": max_wait, "idle_in_transaction_session_timeout": ABANDONED_SECONDS}
    for name, seconds in timeouts.items():
        driver.execute("SELECT set_config(%s, %s, false)", (name, f"{seconds * 1000:.0f}ms"))
    session_pid = PostgreSQLConnection(driver).scalar("SELECT pg_backend_pid()")
    is_behind_pooler = session_pid != driver.info.backend_pid  # a pooler announces a number of its own
    if is_behind_pooler:  # the session may have prepared statements of another client, with the same names
        driver.prepare_threshold = None
    driver.commit()


def _require_supported(connection: Connection, url: str) -> None:
    """Raise UsageError if the server is too old, or if the database does not store text as UTF-8."""
    version = int(connection.scalar("SHOW server_version_num"))
    if version < OLDEST_VERSION * 10_000:
        raise UsageError(f"the database {url} is PostgreSQL {version // 10_000}", f"use {OLDEST_VERSION} or newer")
    encoding = connection.scalar("SHOW server_encoding")
    if encoding != "UTF8":
        raise UsageError(f"the database {url} stores text as {encoding}", "make it with: createdb --encoding UTF8")
