"""A database in one file, for one machine."""

import asyncio
import logging
import os
import re
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
from .disk import is_read_only, network_disk
from .held import Held
from .memory import MEMORY, Memory
from .migration import State, state_of
from .statement import driver_of

P = ParamSpec("P")
T = TypeVar("T")

# How long SQLite itself waits for another process, in seconds: nothing else can run meanwhile.
BUSY_TIMEOUT = 0.01
# How long writes may join a group that is being committed together, in seconds: nothing else can run meanwhile.
GROUP_TIME = 0.02
# Rows of a group to which no more writes are added, and whose commit is left to a thread: other requests go on.
LARGE = 100

logger = logging.getLogger("contentsync.sqlite")

_FAULTS = {
    sqlite3.SQLITE_BUSY: Fault("the database is busy", "another process is writing to it: try again", passes=True),
    sqlite3.SQLITE_FULL: Fault("the database is full", "make room on its disk"),
    sqlite3.SQLITE_READONLY: Fault("the database is read-only", "make the file and its folder writable"),
    sqlite3.SQLITE_IOERR: Fault("the database's disk fails", "see the system's log, and make room on the disk"),
    sqlite3.SQLITE_CANTOPEN: Fault("the database cannot be opened", "is its file there, and may it be read?"),
    sqlite3.SQLITE_CORRUPT: Fault("the database is damaged", "restore a backup"),
}

# What SQLite says where it can make no file beside the database.
_MAY_BE_THE_DISK = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
_READ_ONLY_DISK = Fault("the database is on a read-only file system", "mount it for writing, or move the database")

_PUT_BACK = "put the file back, or start the server again"
_SECRET = re.compile(r"(?<=//).*(?=@)|(?<=\?).*")  # what may hold a password in the URL of another database


class _Write(NamedTuple):
    """A write that waits for its commit."""

    run: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


class _Transactions:
    """Transactions that a statement of SQLite's begins; without one, each statement is its own.

    What `check` raises takes a transaction back that would else be committed.
    """

    def __init__(self, engine: Engine, begin: str | None, check: Callable[[], None] | None = None) -> None:
        self._engine = engine
        self._begin = begin
        self._check = check

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A connection in a transaction, which ends with the block."""
        with self._engine.begin() as connection:
            # Not in an event of the engine's: where one is listened to, every statement takes longer.
            if self._begin is not None:
                connection.exec_driver_sql(self._begin)
            yield connection
            if self._check is not None:
                self._check()


class SQLite(Database):
    """A SQLite file, in WAL mode with synchronous=FULL.

    Functions run at once and in the calling thread: SQLite answers faster than a thread pool hands over. A write locks
    the database from its first statement. Writes that come together are committed together, because the disk's
    confirmation is what takes time. They get savepoints, which cost a fifth of a write, only if one of them needs it.
    """

    group_time = GROUP_TIME

    def __init__(self, engine: Engine, path: Path, patience: float) -> None:
        reading, writing = _Transactions(engine, "BEGIN"), _Transactions(engine, "BEGIN IMMEDIATE", self._require_file)
        super().__init__(f"sqlite:///{path}", patience, engine, reading=reading, writing=writing)
        self._path = path
        self._reader = Held(engine, "BEGIN")
        self._writer = Held(engine, "BEGIN IMMEDIATE", self._require_file, commits=False)
        self._disk = ThreadPoolExecutor(1, "disk")
        self._file: tuple[int, int] | None = None  # device and inode of the file that is open
        self._is_there = True  # as far as the log says
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
        try:
            _make_file(path)
        except OSError as error:
            raise UsageError(f"cannot open the database {path}: {error.strerror}") from error
        file = URL.create("sqlite", database=str(path))
        engine = create_engine(file, hide_parameters=True, creator=partial(_connect, path))
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
        database._file = _identity(path)
        return database

    def close(self) -> None:
        """Give the connections back; what is asked for later opens the file that is there then."""
        self._disk.shutdown()
        self._disk = ThreadPoolExecutor(1, "disk")
        self._file = None
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

    async def check(self) -> State:
        """What the file holds; raises Unavailable where its path leads to no file, or to another one."""
        self._require_file()
        return await self.read(state_of)

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
        part.unlink(missing_ok=True)
        try:
            _make_file(part)
            with closing(sqlite3.connect(part)) as copy, closing(_connect(self._path)) as source:
                copy.execute("PRAGMA synchronous = FULL")
                source.backup(copy)
            part.rename(to)
        except (OSError, sqlite3.Error) as error:
            part.unlink(missing_ok=True)
            raise UsageError(f"cannot write the copy {to}: {error}") from error

    def fault(self, error: Exception) -> Fault | None:
        """What the error says of the file."""
        said = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(said, "sqlite_errorcode", 0) & 0xFF  # without what extended codes add
        if code in _MAY_BE_THE_DISK and is_read_only(self._path):
            return _READ_ONLY_DISK
        return _FAULTS.get(code)

    def _use_wal(self) -> None:
        """Make the file one with a write-ahead log, which it stays."""
        outside = _Transactions(self._engine, None)
        mode = slept(self.attempts(outside, lambda file: file.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()))
        if mode != "wal":
            raise Refused(f"the database {self.url} cannot have a write-ahead log", "move it to a disk of this machine")

    def _require_file(self) -> None:
        """Raise Unavailable unless the path leads to the file that is open: what is written to another is lost."""
        there = _identity(self._path)
        self._file = self._file or there
        if there == self._file or self.is_disposable:
            self._is_there = True
            return
        what = "was deleted" if there is None else "was replaced by another file"
        if self._is_there:
            logger.error(
                "the database %s %s; writes are refused: put it back, or start the server again", self.url, what
            )
            self._is_there = False
        raise Unavailable(f"the database {what}", _PUT_BACK)

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


def _make_file(path: Path) -> None:
    """Make the file where there is none, for its user's eyes only; SQLite gives the files beside it the same mode."""
    if not path.exists():  # to close one that is open elsewhere in this process would end its locks
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _connect(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is not made again where it was deleted."""
    file = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(file, uri=True, timeout=BUSY_TIMEOUT, check_same_thread=False)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116  # for every commit, and twice as fast
    except OSError:
        return None
    return found.st_dev, found.st_ino


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
