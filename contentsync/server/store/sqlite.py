"""A database in one file, for one machine."""

import asyncio
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from ...errors import Refused, Unavailable, UsageError
from .database import Database, Fault, slept
from .disk import network_disk
from .held import Held
from .memory import MEMORY, Memory
from .migration import State
from .statement import driver_of

P = ParamSpec("P")
T = TypeVar("T")

# How long SQLite itself waits for another process, in seconds: nothing else can run meanwhile.
BUSY_TIMEOUT = 0.01
# How long writes may join a group that is being committed together, in seconds: nothing else can run meanwhile.
GROUP_TIME = 0.02
# Rows of a group to which no more writes are added, and whose commit is left to a thread: other requests go on.
LARGE = 100

_FAULTS = {
    sqlite3.SQLITE_BUSY: Fault("the database is busy", "another process is writing to it: try again", passes=True),
    sqlite3.SQLITE_FULL: Fault("the database is full", "make room on its disk"),
    sqlite3.SQLITE_READONLY: Fault("the database is read-only", "make the file and its folder writable"),
    sqlite3.SQLITE_IOERR: Fault("the database's disk fails", "see the system's log, and make room on the disk"),
    sqlite3.SQLITE_CANTOPEN: Fault("the database cannot be opened", "is its file there, and may it be read?"),
    sqlite3.SQLITE_CORRUPT: Fault("the database is damaged", "restore a backup"),
}

_SECRET = re.compile(r"(?<=//).*(?=@)|(?<=\?).*")  # what may hold a password in the URL of another database


class _Write(NamedTuple):
    """A write that waits for its commit."""

    run: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


class _Transactions:
    """Transactions that a statement of SQLite's begins; without one, each statement is its own."""

    def __init__(self, engine: Engine, begin: str | None) -> None:
        self._engine = engine
        self._begin = begin

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A connection in a transaction, which ends with the block."""
        with self._engine.begin() as connection:
            # Not in an event of the engine's: where one is listened to, every statement takes longer.
            if self._begin is not None:
                connection.exec_driver_sql(self._begin)
            yield connection


class SQLite(Database):
    """A SQLite file, in WAL mode with synchronous=FULL.

    Functions run at once and in the calling thread: SQLite answers faster than a thread pool hands over. A write locks
    the database from its first statement. Writes that come together are committed together, because the disk's
    confirmation is what takes time. They get savepoints, which cost a fifth of a write, only if one of them needs it.
    """

    group_time = GROUP_TIME

    def __init__(self, engine: Engine, path: Path, patience: float) -> None:
        reading, writing = _Transactions(engine, "BEGIN"), _Transactions(engine, "BEGIN IMMEDIATE")
        super().__init__(f"sqlite:///{path}", patience, engine, reading=reading, writing=writing)
        self._path = path
        self._reader, self._writer = Held(engine, "BEGIN"), Held(engine, "BEGIN IMMEDIATE", commits=False)
        self._disk = ThreadPoolExecutor(1, "disk")
        self._waiting: list[_Write] = []
        self._committing: asyncio.Task[None] | None = None

    @classmethod
    def at(cls, where: str | Path, patience: float, *, create: bool) -> Self:
        """The database at an URL or path; see `Database.open`."""
        path = where if isinstance(where, Path) else _path(where)
        if not create and not path.is_file():
            make = f"make it with: contentsync admin migrate --db sqlite:///{path}"
            raise UsageError(f"there is no database at {path}", make)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path.parent}: {error.strerror}") from error
        file = URL.create("sqlite", database=str(path))  # as it is: a file may be called a?b#c
        engine = create_engine(file, hide_parameters=True, connect_args={"timeout": BUSY_TIMEOUT})
        event.listen(engine, "connect", _configure)
        database = cls(engine, path, patience)
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
        """Give the connections back."""
        self._disk.shutdown()
        self._reader.close()
        self._writer.close()
        super().close()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""
        return await _awaited(self.attempts(self._reader, lambda connection: fn(connection, *args, **kwargs)))

    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Write(lambda connection: fn(connection, *args, **kwargs), done))
        if self._committing is None or self._committing.done():
            self._committing = asyncio.create_task(self._commit_waiting())
        value: T = await done
        return value

    async def write_in(
        self,
        directory_id: int,
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`write`, which keeps other writers out of everything."""
        return await self.write(fn, *args, **kwargs)

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""
        if self.state is State.EMPTY:  # never for one that holds something: it may be another program's
            self._use_wal()
        super().migrate()

    def require_current(self) -> None:
        """Raise Refused unless this version can work with the tables as they are, where they are."""
        super().require_current()
        network = network_disk(self._path)
        if network:
            message = f"the database {self.url} is on a network disk ({network}), where SQLite may lose it"
            raise Refused(message, "move it to a disk of this machine, or use PostgreSQL")
        self._use_wal()  # a copy of a database may have come without

    def backup(self, to: Path) -> None:
        """Copy the database, as it stands at one moment, into a new file, which is whole when it has its name."""
        if to.exists():
            raise UsageError(f"there is a file {to} already", "name a new one")
        part = to.with_name(f"{to.name}.part")
        try:
            with closing(sqlite3.connect(part)) as copy, closing(sqlite3.connect(self._path)) as source:
                shutil.copymode(self._path, part)
                copy.execute("PRAGMA synchronous = FULL")
                source.backup(copy)
            part.rename(to)
        except (OSError, sqlite3.Error) as error:
            part.unlink(missing_ok=True)
            raise UsageError(f"cannot write the copy {to}: {error}") from error

    def fault(self, error: Exception) -> Fault | None:
        """What the error says of the file."""
        said = error.orig if isinstance(error, DBAPIError) else error
        return _FAULTS.get(getattr(said, "sqlite_errorcode", 0) & 0xFF)  # without what extended codes add

    def _use_wal(self) -> None:
        """Make the file one with a write-ahead log, which it stays."""
        outside = _Transactions(self._engine, None)
        mode = slept(self.attempts(outside, lambda file: file.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()))
        if mode != "wal":
            raise Refused(f"the database {self.url} cannot have a write-ahead log", "move it to a disk of this machine")

    async def _commit_waiting(self) -> None:
        for _ in range(2):  # what has come in joins: one turn of the loop reads it, the next one runs it
            await asyncio.sleep(0)
        while self._waiting:
            # Those that nobody waits for any more were cancelled with their requests.
            group = [write for write in self._waiting if not write.done.done()]
            self._waiting = []
            try:
                outcomes = await self._committed(group)
            except Exception as error:  # noqa: BLE001  # nothing was committed, and everybody must hear of it
                outcomes = [error] * len(group)
            self._waiting[:0] = group[len(outcomes) :]
            for write, outcome in zip(group, outcomes, strict=False):
                if write.done.done():
                    continue
                if isinstance(outcome, Exception):
                    write.done.set_exception(outcome)
                else:
                    write.done.set_result(outcome)
            await asyncio.sleep(0)  # let the requests through that came meanwhile

    async def _committed(self, group: list[_Write]) -> list[Any]:
        """What became of each write, or what it raised; of as many as the time allows."""
        together = partial(_together, group, self.group_time)
        try:
            outcomes = await _awaited(self.attempts(self._writer, together))
        except _Spoilt:
            outcomes = await _awaited(self.attempts(self._writer, partial(together, savepoints=True)))
        try:
            if self._writer.changes < LARGE:
                self._writer.commit()
            else:
                await asyncio.get_running_loop().run_in_executor(self._disk, self._writer.commit)
        except Exception as error:
            fault = self.fault(error)
            if fault is None:
                raise
            raise Unavailable(fault.message, fault.hint) from error
        return outcomes


class _Spoilt(Exception):
    """A write of a group failed that had changed something, which only a savepoint would have taken back."""


def _together(group: list[_Write], most_time: float, connection: Connection, *, savepoints: bool = False) -> list[Any]:
    """What became of each write, or what it raised; of as many as time and `LARGE` allow. Raises _Spoilt."""
    if len(group) == 1:
        return [group[0].run(connection)]
    driver = driver_of(connection)
    until, most = time.monotonic() + most_time, driver.total_changes + LARGE
    memory: Memory = connection.info[MEMORY]
    outcomes: list[Any] = []
    for write in group:
        changes = driver.total_changes
        if savepoints:
            driver.execute("SAVEPOINT one")
        try:
            outcomes.append(write.run(connection))
        except (OperationalError, sqlite3.OperationalError):  # the file's, not this write's
            raise
        except Exception as error:
            if savepoints:
                driver.execute("ROLLBACK TO one")
                memory.forget()
            elif driver.total_changes != changes:
                raise _Spoilt from error
            outcomes.append(error)  # it is raised where the write is awaited
        if savepoints:
            driver.execute("RELEASE one")
        if driver.total_changes >= most or time.monotonic() > until:
            break
    return outcomes


async def _awaited(attempts: Generator[float, None, T]) -> T:
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        await asyncio.sleep(pause)


def _path(url: str) -> Path:
    shown = _SECRET.sub("***", url)
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise UsageError(f"'{shown}' is no database URL", "write it as sqlite:///path/to/site.db") from error
    if parsed.drivername != "sqlite" or not parsed.database or parsed.database == ":memory:":
        hint = "write it as sqlite:///path/to/site.db or postgresql://user@host/database"
        raise UsageError(f"the database '{shown}' is neither a SQLite file nor PostgreSQL", hint)
    if parsed.query:
        raise UsageError(
            f"the database '{shown}' has a query", "write it as sqlite:///path/to/site.db, without options"
        )
    return Path(parsed.database)


def _configure(dbapi: Any, _record: Any) -> None:
    # Transactions are begun by `_Transactions`, not by the driver, which would begin them at the first write only.
    dbapi.isolation_level = None
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        dbapi.execute(f"PRAGMA {pragma}")
