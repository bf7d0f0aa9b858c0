"""A database in one file, for one machine."""

import asyncio
import logging
import re
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from ...errors import Refused, Unavailable, UsageError
from ...lazy_pattern import lazy_pattern
from .caching import STATEMENT_CACHE, StatementCache
from .database import Database, DatabaseFault, run_async, run_blocking
from .migration import Progress, State, no_progress, state_of
from .sql import Connection, FreeConnections, SQLiteConnection
from .sqlite_connection import (
    FileTransactions,
    PersistentConnection,
    create_if_missing,
    file_identity,
    is_read_only,
    network_filesystem,
    open_file,
)

T = TypeVar("T")

# Seconds for which writes of a group that is committed together may run; other requests wait for them.
GROUP_SECONDS = 0.02
# Changed rows after which a group takes no more writes and is committed in a thread, so that other requests can run.
MAX_GROUP_CHANGES = 100

logger = logging.getLogger("contentsync.sqlite")

_FAULTS = {
    sqlite3.SQLITE_BUSY: DatabaseFault(
        "the database is busy", "another process is writing to it: try again", retryable=True
    ),
    sqlite3.SQLITE_FULL: DatabaseFault("the database is full", "make room on its disk"),
    sqlite3.SQLITE_READONLY: DatabaseFault("the database is read-only", "make the file and its folder writable"),
    sqlite3.SQLITE_IOERR: DatabaseFault("the database's disk fails", "see the system's log, and make room on the disk"),
    sqlite3.SQLITE_CANTOPEN: DatabaseFault("the database cannot be opened", "is its file there, and may it be read?"),
    sqlite3.SQLITE_CORRUPT: DatabaseFault("the database is damaged", "restore a backup"),
}

# Error codes that SQLite also returns if it cannot create files next to the database.
_READ_ONLY_DISK_CODES = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
_READ_ONLY_DISK = DatabaseFault(
    "the database is on a read-only file system", "mount it for writing, or move the database"
)

_PUT_BACK = "put the file back, or start the server again"
_URL = lazy_pattern(r"(?P<start>[\w+]+://[^/?]*)(/(?P<path>[^?]*))?(\?(?P<query>.*))?", re.DOTALL)
_SECRET = lazy_pattern(r"(?<=//).*(?=@)|(?<=\?).*")  # parts of another database's URL that may contain a password


class _PendingWrite(NamedTuple):
    """A write that waits for its commit."""

    run: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


class SQLite(Database):
    """A SQLite file, in WAL mode with synchronous=FULL, or NORMAL if it is disposable.

    Functions run in the calling thread, because SQLite answers faster than a thread pool starts a task. A write locks
    the database from its first statement. Writes that arrive together are committed together, because most of their
    time is the wait for the disk. They get savepoints, which cost a fifth of a write, only if one of them needs it.
    """

    group_seconds = GROUP_SECONDS

    def __init__(self, path: Path, max_wait: float, *, disposable: bool) -> None:
        self._connections = FreeConnections(self._connect, is_usable=lambda _: True)
        reading = FileTransactions(self._connections, "BEGIN")
        writing = FileTransactions(self._connections, "BEGIN IMMEDIATE", before_commit=self._require_file)
        super().__init__(f"sqlite:///{path}", max_wait, reading=reading, writing=writing)
        self.is_disposable = disposable
        self._path = path
        self._reader = PersistentConnection(self._connect, "BEGIN")
        self._writer = PersistentConnection(
            self._connect, "BEGIN IMMEDIATE", before_commit=self._require_file, auto_commit=False
        )
        self._commit_thread = ThreadPoolExecutor(1, "disk")
        self._file: tuple[int, int] | None = None  # device and inode of the open file
        self._file_found = True  # by the last check; a loss is logged once
        self._pending: list[_PendingWrite] = []
        self._committing: asyncio.Task[None] | None = None

    @classmethod
    def open(cls, where: str | Path, max_wait: float, *, create: bool, disposable: bool = False) -> Self:
        """Open the database at a URL or path; see `connect_database`."""
        path = where if isinstance(where, Path) else _parse_url(where)
        if not create and not path.is_file():
            make = f"make it with: contentsync admin migrate --db sqlite:///{path}"
            raise UsageError(f"there is no database at {path}", make)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path.parent}: {error.strerror}") from error
        try:
            create_if_missing(path)
        except OSError as error:
            raise UsageError(f"cannot open the database {path}: {error.strerror}") from error
        database = cls(path, max_wait, disposable=disposable)
        try:
            database.run_read(lambda connection: connection.scalar("SELECT 1 FROM sqlite_master"))
        except sqlite3.Error as error:
            database.close()
            raise UsageError(f"cannot open the database {path}: {error}") from error
        except Unavailable:
            database.close()
            raise
        database._file = file_identity(path)
        return database

    def _connect(self) -> Connection:
        return SQLiteConnection(open_file(self._path, durable=not self.is_disposable))

    def close(self) -> None:
        """Close the connections; the next read or write opens the file that is then at the path."""
        self._commit_thread.shutdown()
        self._commit_thread = ThreadPoolExecutor(1, "disk")
        self._file = None
        super().close()
        self._reader.close()
        self._writer.close()
        self._connections.close()

    @staticmethod
    def _stop(connection: Any) -> None:
        connection.interrupt()

    async def _read(self, fn: Callable[[Connection], T]) -> T:
        return await run_async(self.attempts(self._reader, fn))

    async def _write_in_directory(self, directory_id: int, fn: Callable[[Connection], T]) -> T:
        """Add the write to the next group, and return its result after the group was committed.

        Writes in other directories wait too, because SQLite locks the whole file, so `directory_id` is not used.
        """
        done = asyncio.get_running_loop().create_future()
        self._pending.append(_PendingWrite(fn, done))
        if self._committing is None or self._committing.done():  # a running task also commits writes that arrive later
            self._committing = asyncio.create_task(self._commit_pending())
        value: T = await done
        return value

    async def check(self) -> State:
        """Return the state of the tables; raise Unavailable if the file was deleted or replaced."""
        self._require_file()
        return await self.read(state_of)

    def migrate(self, progress: Progress = no_progress) -> None:
        """Migrate the tables to this version in one transaction; raise Refused for a newer or foreign database."""
        if self.state is State.EMPTY:  # any other file may belong to another program, which `migrate` refuses
            self._use_wal()
        super().migrate(progress)

    def require_current(self) -> None:
        """Raise Refused for tables of another version and for a file on a network disk; else switch to WAL mode."""
        super().require_current()
        network = network_filesystem(self._path)
        if network:
            message = f"the database {self.url} is on a network disk ({network}), where SQLite may lose it"
            raise Refused(message, "move it to a disk of this machine, or use PostgreSQL")
        self._use_wal()  # a copied database may be in another mode

    def backup(self, to: Path) -> None:
        """Copy one state of the database into a new file, which gets its name when it is complete.

        Raise UsageError if the file exists or cannot be written.
        """
        if to.exists():
            raise UsageError(f"the file {to} already exists", "name a new one")
        part = to.with_name(f"{to.name}.part")
        part.unlink(missing_ok=True)
        try:
            create_if_missing(part)
            with closing(sqlite3.connect(part)) as copy, closing(open_file(self._path, durable=True)) as source:
                copy.execute("PRAGMA synchronous = FULL")
                source.backup(copy)
            part.rename(to)
        except (OSError, sqlite3.Error) as error:
            part.unlink(missing_ok=True)
            raise UsageError(f"cannot write the copy {to}: {error}") from error

    def classify_error(self, error: Exception) -> DatabaseFault | None:
        """Return the database fault behind an error of SQLite; None for other errors."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the bits of extended codes
        if code in _READ_ONLY_DISK_CODES and is_read_only(self._path):
            return _READ_ONLY_DISK
        return _FAULTS.get(code)

    def _use_wal(self) -> None:
        """Switch the file to WAL mode, permanently.

        Raise Refused if its disk does not support it, and Unavailable if the file stays locked by other processes.
        """

        def switch(connection: Connection) -> str | None:
            mode: str | None = connection.scalar("PRAGMA journal_mode = WAL")
            return mode

        source = FileTransactions(self._connections, begin=None)  # SQLite switches only outside of a transaction
        mode = run_blocking(self.attempts(source, switch))
        if mode != "wal":
            raise Refused(f"the database {self.url} cannot have a write-ahead log", "move it to a disk of this machine")

    def _require_file(self) -> None:
        """Raise Unavailable if the open file was deleted or replaced at its path: writes to it would be lost."""
        current = file_identity(self._path)
        self._file = self._file or current  # None after `close`: the file was opened again
        if current == self._file or self.is_disposable:
            self._file_found = True
            return
        change = "was deleted" if current is None else "was replaced by another file"
        if self._file_found:
            logger.error(
                "the database %s %s; writes are refused: put it back, or start the server again", self.url, change
            )
            self._file_found = False
        raise Unavailable(f"the database {change}", _PUT_BACK)

    async def _commit_pending(self) -> None:
        """Commit the pending writes, group by group, and give each request the result or the exception of its write."""
        # Requests that have arrived join: the event loop reads them in its first round, and runs them in the second.
        for _ in range(2):
            await asyncio.sleep(0)
        while self._pending:
            # Cancelled requests have cancelled their writes.
            group = [write for write in self._pending if not write.done.done()]
            self._pending = []
            try:
                outcomes = await self._commit(group)
            except Exception as error:  # noqa: BLE001  # nothing was committed, and every request must get the error
                outcomes = [error] * len(group)
            self._pending[:0] = group[len(outcomes) :]  # these writes did not run yet, because the time was over
            for write, outcome in zip(group, outcomes, strict=False):
                if write.done.done():  # cancelled in the meantime
                    continue
                if isinstance(outcome, Exception):
                    write.done.set_exception(outcome)
                else:
                    write.done.set_result(outcome)
            await asyncio.sleep(0)  # let waiting requests run

    async def _commit(self, group: list[_PendingWrite]) -> list[Any]:
        """Run the group's writes until the time is over, and commit them; return each result or exception."""
        run_group = partial(_run_group, group, self.group_seconds)
        try:
            outcomes = await run_async(self.attempts(self._writer, run_group))
        except _NeedsSavepoints:  # everything was rolled back, so all of these writes run again
            outcomes = await run_async(self.attempts(self._writer, partial(run_group, savepoints=True)))
        try:
            if self._writer.changes < MAX_GROUP_CHANGES:
                self._writer.commit()
            else:  # the commit takes long, and other requests can run in the meantime
                await asyncio.get_running_loop().run_in_executor(self._commit_thread, self._writer.commit)
        except Exception as error:
            fault = self.classify_error(error)
            if fault is None:
                raise
            raise Unavailable(fault.message, fault.hint) from error
        return outcomes


class _NeedsSavepoints(Exception):
    """A write of a group failed after it had changed rows; without a savepoint, it cannot be rolled back alone."""


def _run_group(
    group: list[_PendingWrite], seconds: float, connection: Connection, *, savepoints: bool = False
) -> list[Any]:
    """Run the group's writes in order until `seconds` or MAX_GROUP_CHANGES are exceeded; return results or exceptions.

    Raise _NeedsSavepoints if a failed write must be rolled back and `savepoints` is False.
    """
    if len(group) == 1:  # an exception rolls the whole transaction back
        return [group[0].run(connection)]
    driver = connection.driver
    deadline, max_changes = time.monotonic() + seconds, driver.total_changes + MAX_GROUP_CHANGES
    cache: StatementCache = connection.info[STATEMENT_CACHE]
    outcomes: list[Any] = []
    for write in group:
        changes_before = driver.total_changes
        if savepoints:
            driver.execute("SAVEPOINT one")
        try:
            outcomes.append(write.run(connection))
        except sqlite3.OperationalError:  # an error of the file, not of this write
            raise
        except Exception as error:
            if savepoints:
                driver.execute("ROLLBACK TO one")
                cache.clear()
            elif driver.total_changes != changes_before:
                raise _NeedsSavepoints from error
            outcomes.append(error)  # `_commit_pending` passes it to the caller
        if savepoints:
            driver.execute("RELEASE one")
        if driver.total_changes >= max_changes or time.monotonic() > deadline:
            break
    return outcomes


def _parse_url(url: str) -> Path:
    """Return the path in a SQLite URL; raise UsageError, without the URL's secrets, for any other URL."""
    shown = _SECRET.sub("***", url)
    parsed = _URL.fullmatch(url)
    if parsed is None:
        raise UsageError(f"'{shown}' is not a database URL", "write it as sqlite:///path/to/site.db")
    path = parsed["path"]
    if parsed["start"] != "sqlite://" or not path or path == ":memory:":
        hint = "write it as sqlite:///path/to/site.db or postgresql://user@host/database"
        raise UsageError(f"the database '{shown}' is neither a SQLite file nor PostgreSQL", hint)
    if parsed["query"]:
        raise UsageError(
            f"the database '{shown}' has a query", "write it as sqlite:///path/to/site.db, without options"
        )
    return Path(path)
