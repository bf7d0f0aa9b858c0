"""The database: opened, migrated, and asked in whole transactions."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, Engine

from ...errors import Refused, Unavailable, Unconfirmed
from .long_reads import LongReads
from .migration import State, migrate, refuse_unknown, state_of

P = ParamSpec("P")
T = TypeVar("T")

# How a database that is busy is waited for, in seconds: a pause, and another attempt, until the patience is at an end.
PAUSE = 0.05
PATIENCE = 4


class Fault(NamedTuple):
    """What the database said instead of an answer, where that is not the program's own mistake."""

    message: str
    hint: str
    passes: bool = False  # another attempt may succeed
    unclear: bool = False  # a commit may have happened all the same


class Beginning(Protocol):
    """What transactions are begun with: an engine, or what is quicker."""

    def begin(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction, which ends with the block."""


class Database(ABC):
    """A database of directories.

    `read`, `write` and `write_in` run a plain function of a connection in one transaction. Where the database asks for
    it, the whole function is tried again, so it must have no other effects. A database that stays busy, cannot be
    reached, or is full or read-only, raises Unavailable, and one that is lost during a commit Unconfirmed.
    """

    def __init__(self, url: str, patience: float, engine: Engine, *, reading: Beginning, writing: Beginning) -> None:
        self.url = url  # as it may be shown
        self._patience = patience
        self._engine = engine
        self._reading = reading
        self._writing = writing
        self._long_reads = LongReads()
        self.is_disposable = False  # what it holds can be made again, so that a file that was deleted is no error

    @staticmethod
    def open(where: str | Path, *, create: bool = True, patience: float = PATIENCE) -> "Database":
        """The database at a `sqlite:///path` or `postgresql://...`, or in the very file.

        Makes a file and its folders unless `create` is off. Raises UsageError for another URL, and for a database that
        is missing or cannot be opened, and Unavailable where no server answers. `patience` is how many seconds a busy
        database is waited for.
        """
        # Here, because both are databases. Only one is needed, and only SQLite's driver is always there.
        if isinstance(where, str) and where.startswith(("postgresql:", "postgres:", "postgresql+")):
            from .postgresql import PostgreSQL

            return PostgreSQL.at(where, patience)
        from .sqlite import SQLite

        return SQLite.at(where, patience, create=create)

    def close(self) -> None:
        """Give the connections back."""
        self._long_reads.close()
        self._engine.dispose()

    @abstractmethod
    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, all of it seen at one moment."""

    async def read_long(
        self,
        directory_id: int,
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`read` of what may take long, such as a search: the requests of other directories do not wait for it."""
        return await self._long_reads.run(directory_id, partial(self.run_read, fn, *args, **kwargs))

    @abstractmethod
    async def write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `fn(connection, ...)` returns, committed; rolled back when it raises."""

    @abstractmethod
    async def write_in(
        self,
        directory_id: int,
        fn: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """`write` with other writers kept out of the directory, so that what is read of it stays true."""

    @abstractmethod
    async def check(self) -> State:
        """What the database holds, found without waiting for the requests that use it."""

    def run_read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read` for code that is not async."""
        return slept(self.attempts(self._reading, lambda connection: fn(connection, *args, **kwargs)))

    def run_write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write` for code that is not async."""
        return slept(self.attempts(self._writing, lambda connection: fn(connection, *args, **kwargs)))

    def attempts(self, engine: Beginning, fn: Callable[[Connection], T]) -> Generator[float, None, T]:
        """Runs the function in a transaction until the database lets it; yields the seconds to wait before each
        further attempt.
        """
        until = time.monotonic() + self._time_to_wait
        while True:
            committing = False
            try:
                with engine.begin() as connection:
                    value = fn(connection)
                    committing = True
            except Exception as error:
                fault = self.fault(error)
                if fault is None:
                    raise
                if committing and fault.unclear and engine is self._writing:
                    raise Unconfirmed("the database did not confirm the write: it may be done", fault.hint) from error
                if not fault.passes or time.monotonic() >= until:
                    raise Unavailable(fault.message, fault.hint) from error
            else:
                return value
            yield PAUSE

    @property
    def _time_to_wait(self) -> float:
        """Seconds for which a transaction that the database does not let through is tried again."""
        return self._patience

    @abstractmethod
    def fault(self, error: Exception) -> Fault | None:
        """What the error, SQLAlchemy's or the driver's, says of the database; None if it says something else."""

    @property
    def state(self) -> State:
        """What the database holds."""
        return self.run_read(state_of)

    def migrate(self) -> None:
        """Bring the tables to this version's form, in one transaction; raises Refused for a database not ours."""
        self.run_write(migrate)

    @abstractmethod
    def backup(self, to: Path) -> None:
        """Copy the database, as it stands at one moment, into a new file; others may go on writing.

        Raises UsageError where that is not this program's business, and for a file that is there or cannot be made.
        """

    def require_current(self) -> None:
        """Raise Refused unless this version can work with the tables as they are."""
        state = self.state
        if state in (State.EMPTY, State.OLDER):
            what = "empty" if state is State.EMPTY else "of an older version"
            raise Refused(f"the database {self.url} is {what}", f"run: contentsync admin migrate --db {self.url}")
        refuse_unknown(state)


def slept(attempts: Generator[float, None, T]) -> T:
    """What the attempts come to, with the waiting done by this thread."""
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        time.sleep(pause)
