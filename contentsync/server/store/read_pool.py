"""Reads in threads, with a queue for each kind of read, so that no page waits for a read that takes long (decision 31).

A long read may look at everything in a directory. While SQLite or PostgreSQL searches, Python runs other requests.
Python's work on the rows delays these requests, so callers must limit the number of rows.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from ..service_errors import Overloaded
from .sql import Connection

MAX_WAITING = 16  # long reads of a directory in a queue
MAX_QUEUE_SECONDS = 3  # for which a long read waits
CANCEL_PAUSE = 0.05  # seconds between two attempts to cancel the statement of a read

T = TypeVar("T")


class ClientLeft(Exception):
    """The client has closed the connection, so the read was not done."""


class ReadQueue(StrEnum):
    """The queues; each has threads and connections of its own."""

    PAGES = "pages"  # pages of sites that are no long reads; neither their number nor their wait is limited
    LISTS = "lists"  # lists of a site that no index serves
    EXPORTS = "exports"  # sitemaps, and organizers with the names of their listings


class QueuedRead(NamedTuple):
    """The place of a read in a queue."""

    queue: ReadQueue
    directory_id: int
    client_left: Callable[[], Awaitable[None]] | None = None  # returns when the client has closed the connection
    is_refusable: bool = True  # False after a write, whose answer must not say that nothing was done


class QueueObserver:
    """Is called for what happens in the queues; does nothing itself."""

    def count_waiting(self, queue: ReadQueue, change: int) -> None:
        """Add `change` to the number of waiting reads."""

    def observe_wait(self, queue: ReadQueue, seconds: float) -> None:
        """Record the time that an admitted read has waited."""

    def count_refused(self, queue: ReadQueue) -> None:
        """Count a read that was refused."""

    def count_cancelled(self, queue: ReadQueue) -> None:
        """Count a waiting or running read whose client has closed the connection."""


class CancellableRead:
    """The statements of one read, which another thread may cancel.

    `stop` cancels the running statement of a driver's connection. It is called only while the read uses the connection.
    """

    def __init__(self, stop: Callable[[Any], None]) -> None:
        self._stop = stop
        self._lock = Lock()
        self._connection: Any = None
        self._is_cancelled = False

    @contextmanager
    def using(self, connection: Connection) -> Iterator[None]:
        """Allow `cancel` to stop the statements of the block; raise ClientLeft if it was called before."""
        with self._lock:
            if self._is_cancelled:
                raise ClientLeft
            self._connection = connection.driver
        try:
            yield
        finally:
            with self._lock:
                self._connection = None

    def cancel(self) -> None:
        """Stop the running statement, if any. The read may begin another one, so call this until the read has ended."""
        with self._lock:
            self._is_cancelled = True
            if self._connection is not None:
                self._stop(self._connection)


class _Waiting(NamedTuple):
    directory_id: int
    admitted: "asyncio.Future[None]"


class ReadPool:
    """The threads of one queue.

    At most `at_once` reads of a directory run at a time, in the order of their arrival. There is one more thread, so
    that a second directory need not wait for them.
    """

    max_waiting = MAX_WAITING
    max_seconds: float = MAX_QUEUE_SECONDS

    def __init__(
        self,
        queue: ReadQueue,
        at_once: int,
        make_threads: Callable[[int, str], ThreadPoolExecutor],
        stop_statement: Callable[[Any], None],
    ) -> None:
        self.observer = QueueObserver()
        self._queue = queue
        self._at_once = at_once
        self._make_threads = partial(make_threads, at_once + 1, queue)
        self._threads = self._make_threads()
        self._stop_statement = stop_statement
        self._running: Counter[int] = Counter()  # by directory
        self._waiting: list[_Waiting] = []  # in the order of their arrival

    def close(self) -> None:
        """Wait until the running reads have ended; the pool can be used again afterwards."""
        self._threads.shutdown()
        self._threads = self._make_threads()

    async def run(self, place: QueuedRead, read: Callable[[CancellableRead], T]) -> T:
        """Run `read` in a thread when it is admitted, and return its result.

        Raise Overloaded if too many reads of the directory wait, or if this one has waited for too long. If the client
        closes the connection, leave the queue or cancel the running statement, and raise ClientLeft.
        """
        if place.client_left is None:
            return await self._run_admitted(place, read)
        running = asyncio.create_task(self._run_admitted(place, read))
        left = asyncio.ensure_future(place.client_left())
        try:
            await asyncio.wait((running, left), return_when=asyncio.FIRST_COMPLETED)
            if running.done() or left.exception() is not None:
                return await running
            self.observer.count_cancelled(self._queue)
            raise ClientLeft
        finally:
            for task in (running, left):
                task.cancel()
            await asyncio.gather(running, left, return_exceptions=True)

    async def _run_admitted(self, place: QueuedRead, read: Callable[[CancellableRead], T]) -> T:
        """Wait for the turn of a read, run it in a thread, and return its result.

        If this task is cancelled, cancel the statement of the read again and again until the thread ends: only then may
        the next read take its place.
        """
        await self._enter(place)
        statements = CancellableRead(self._stop_statement)
        reading = asyncio.get_running_loop().run_in_executor(self._threads, read, statements)
        reading.add_done_callback(retrieve_error)
        try:
            return await asyncio.shield(reading)
        except asyncio.CancelledError:
            while not reading.done():  # its place is free when the thread is
                await asyncio.to_thread(statements.cancel)
                await asyncio.wait([reading], timeout=CANCEL_PAUSE)
            raise
        finally:
            self._leave(place.directory_id)

    async def _enter(self, place: QueuedRead) -> None:
        """Wait until the read may run; raise Overloaded if the queue is full or the wait too long."""
        start = time.monotonic()
        if self._is_free(place.directory_id):
            self._running[place.directory_id] += 1
        else:
            seconds: float | None = None
            if place.is_refusable and self._queue is not ReadQueue.PAGES:
                ahead = sum(each.directory_id == place.directory_id for each in self._waiting)
                seconds = self.max_seconds if ahead < self.max_waiting else 0
            try:
                await self._wait(place.directory_id, seconds)
            except TimeoutError:
                self.observer.count_refused(self._queue)
                raise Overloaded(MAX_QUEUE_SECONDS) from None
        self.observer.observe_wait(self._queue, time.monotonic() - start)

    async def _wait(self, directory_id: int, seconds: float | None) -> None:
        """Wait for `_leave` to admit the read; raise TimeoutError after `seconds`, which may be 0."""
        waiting = _Waiting(directory_id, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self.observer.count_waiting(self._queue, 1)
        try:
            async with asyncio.timeout(seconds):
                await waiting.admitted
        except BaseException:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:  # it was admitted in the same moment
                self._leave(directory_id)
            raise
        finally:
            self.observer.count_waiting(self._queue, -1)

    def _leave(self, directory_id: int) -> None:
        """Free the place of a read, and admit the reads that may run now."""
        self._running[directory_id] -= 1
        self._running += Counter()  # drops the directories without a read
        for waiting in [*self._waiting]:
            if self._is_free(waiting.directory_id):
                self._running[waiting.directory_id] += 1
                self._waiting.remove(waiting)
                waiting.admitted.set_result(None)

    def _is_free(self, directory_id: int) -> bool:
        return self._running[directory_id] < self._at_once and self._running.total() <= self._at_once


def retrieve_error(future: "asyncio.Future[Any]") -> None:
    """Read the error of a future, so that asyncio does not log it if all requests for its result were cancelled."""
    if not future.cancelled():
        future.exception()
