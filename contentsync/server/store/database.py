"""Open a database, and run functions in whole transactions."""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from ...errors import Refused, Unavailable, Unconfirmed
from .migration import Progress, State, migrate, no_progress, require_migratable, revision_state, state_of
from .read_pool import CancellableRead, QueuedRead, QueueObserver, ReadPool, ReadQueue
from .sql import Connection

P = ParamSpec("P")
T = TypeVar("T")

RETRY_PAUSE = 0.05  # seconds between two attempts on a busy database
MAX_WAIT = 4  # seconds for which a transaction on a busy database is retried
PAGES_AT_ONCE = 2  # of one directory, in each server process

_OTHER_VERSION = "stop this server, and start one of the same version as the database"

logger = logging.getLogger("contentsync.database")


class DatabaseFault(NamedTuple):
    """An error of the database that is not a mistake of the program."""

    message: str
    hint: str
    retryable: bool = False
    ambiguous: bool = False  # a commit may have succeeded


class TransactionSource(Protocol):
    """An object that begins transactions."""

    def begin(self) -> AbstractContextManager[Connection]:
        """Return a context manager of a connection in a transaction, which ends with the block."""


class Database(ABC):
    """A database of directories.

    `read` and `write_in_directory` run a plain function of a connection in one transaction. If the database
    asks for a retry, the whole function runs again, so it must have no effects outside the database. They raise
    Unavailable if the database stays busy, is full, is read-only or cannot be reached, and Unconfirmed if the
    connection is lost during a commit.
    """

    long_reads_at_once = 1  # of one directory in each queue, in each server process

    def __init__(self, url: str, max_wait: float, *, reading: TransactionSource, writing: TransactionSource) -> None:
        self.url = url  # without secrets
        self._max_wait = max_wait
        self._reading = reading
        self._writing = writing
        self._pools = {
            queue: ReadPool(queue, self._at_once(queue), self._make_threads, self._stop) for queue in ReadQueue
        }
        self.is_disposable = False  # True: the content can be created again, so a deleted file is no error
        self._written_state = State.CURRENT  # of the tables, at the last write

    def close(self) -> None:
        """Close the connections."""
        for pool in self._pools.values():
            pool.close()

    async def read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of `fn(connection, ...)`, which sees one state of the database."""
        return await self._read(lambda connection: fn(connection, *args, **kwargs))

    async def read_queued(
        self, place: QueuedRead, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a function like `read`, in a thread of its queue; requests of other queues do not wait for it.

        Raise Overloaded if the queue is full, and ClientLeft if the client closes the connection.
        """
        requested_at = time.monotonic()

        def read(statements: CancellableRead) -> T:
            return self._run(requested_at, lambda: self.run_read(read_cancellable, statements))

        def read_cancellable(connection: Connection, statements: CancellableRead) -> T:
            with statements.using(connection):
                return fn(connection, *args, **kwargs)

        return await self._pools[place.queue].run(place, read)

    def observe_queues(self, observer: QueueObserver) -> None:
        """Report to `observer` what happens in the queues."""
        for pool in self._pools.values():
            pool.observer = observer

    async def write_in_directory(
        self, directory_id: int, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of `fn(connection, ...)` after its writes are committed; roll back if it raises.

        The directory is locked against other writers. Raise Unavailable if the tables have another version.
        """

        def run(connection: Connection) -> T:
            self._require_version(connection)
            return fn(connection, *args, **kwargs)

        return await self._write_in_directory(directory_id, run)

    @abstractmethod
    async def _read(self, fn: Callable[[Connection], T]) -> T: ...

    @abstractmethod
    async def _write_in_directory(self, directory_id: int, fn: Callable[[Connection], T]) -> T: ...

    def _require_version(self, connection: Connection) -> None:
        """Raise Unavailable if the tables were migrated, or an older backup was restored, while the server runs."""
        state = revision_state(connection)
        if state is not State.CURRENT:
            message = f"the database is of {'a newer' if state is State.NEWER else 'an older'} version"
            if state is not self._written_state:  # it is logged once
                logger.error("%s; writes to %s are refused: %s", message, self.url, _OTHER_VERSION)
                self._written_state = state
            raise Unavailable(message, _OTHER_VERSION)
        self._written_state = state

    def _at_once(self, queue: ReadQueue) -> int:
        """Return how many reads of a directory run at a time."""
        return PAGES_AT_ONCE if queue is ReadQueue.PAGES else self.long_reads_at_once

    def _make_threads(self, threads: int, name: str) -> ThreadPoolExecutor:
        """Return threads for requests."""
        return ThreadPoolExecutor(threads, name)

    def _run(self, requested_at: float, run: Callable[[], T]) -> T:
        """Run a function in one of these threads, for a request of the monotonic time `requested_at`."""
        return run()

    @staticmethod
    @abstractmethod
    def _stop(connection: Any) -> None:
        """Cancel the running statement of a driver's connection, from another thread."""

    @abstractmethod
    async def check(self) -> State:
        """Return the state of the tables, without waiting for running requests."""

    def run_read(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function like `read`, from code that is not async."""
        return run_blocking(self.attempts(self._reading, lambda connection: fn(connection, *args, **kwargs)))

    def run_write(self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function like `write_in_directory`, from code that is not async and without the lock."""
        return run_blocking(self.attempts(self._writing, lambda connection: fn(connection, *args, **kwargs)))

    def attempts(self, source: TransactionSource, fn: Callable[[Connection], T]) -> Generator[float, None, T]:
        """Run the function in a transaction and return its result; yield the seconds to wait before each retry."""
        deadline = time.monotonic() + self._retry_seconds
        while True:
            committing = False
            try:
                with source.begin() as connection:
                    value = fn(connection)
                    committing = True
            except Exception as error:
                fault = self.classify_error(error)
                if fault is None:
                    raise
                if committing and fault.ambiguous and source is self._writing:
                    raise Unconfirmed("the database did not confirm the write: it may be done", fault.hint) from error
                if not fault.retryable or time.monotonic() >= deadline:
                    raise Unavailable(fault.message, fault.hint) from error
            else:
                return value
            yield RETRY_PAUSE

    @property
    def _retry_seconds(self) -> float:
        """Return the number of seconds for which a transaction is retried."""
        return self._max_wait

    @abstractmethod
    def classify_error(self, error: Exception) -> DatabaseFault | None:
        """Return the database fault behind an error of the driver; None for other errors."""

    @property
    def state(self) -> State:
        """Return the state of the tables."""
        return self.run_read(state_of)

    def migrate(self, progress: Progress = no_progress) -> None:
        """Migrate the tables to this version in one transaction; raise Refused for a newer or foreign database.

        `progress` is called as by `migration.migrate`, in vain for an empty database and for one of this version.
        """
        self.run_write(migrate, progress)

    @abstractmethod
    def backup(self, to: Path) -> None:
        """Copy one state of the database into a new file; other connections may write during the copy.

        Raise UsageError if the file exists or cannot be written. Raise it for PostgreSQL too, which has its own tools.
        """

    def require_current(self) -> None:
        """Raise Refused unless the tables are those of this version."""
        state = self.state
        if state in (State.EMPTY, State.OLDER):
            condition = "empty" if state is State.EMPTY else "of an older version"
            raise Refused(f"the database {self.url} is {condition}", f"run: contentsync admin migrate --db {self.url}")
        require_migratable(state)


def run_blocking(attempts: Generator[float, None, T]) -> T:
    """Run the attempts and return their result; this thread sleeps between them."""
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        time.sleep(pause)


async def run_async(attempts: Generator[float, None, T]) -> T:
    """Run the attempts and return their result; other requests run between them."""
    while True:
        try:
            pause = next(attempts)
        except StopIteration as done:
            value: T = done.value
            return value
        await asyncio.sleep(pause)
