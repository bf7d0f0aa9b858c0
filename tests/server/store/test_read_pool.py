"""Long reads wait in queues, and never keep another read waiting; SQLite and PostgreSQL behave alike."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from contentsync.server.service_errors import Overloaded
from contentsync.server.store import Connection, Database, accounts, connect_database
from contentsync.server.store.read_pool import (
    MAX_WAITING,
    CancellableRead,
    ClientLeft,
    QueuedRead,
    QueueObserver,
    ReadPool,
    ReadQueue,
)

from ...postgresql import Cluster

LISTS = QueuedRead(ReadQueue.LISTS, 1)
ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n"


class Observed(QueueObserver):
    """Remembers the numbers of one queue."""

    waiting = refused = cancelled = 0

    def count_waiting(self, queue: ReadQueue, change: int) -> None:
        self.waiting += change

    def count_refused(self, queue: ReadQueue) -> None:
        self.refused += 1

    def count_cancelled(self, queue: ReadQueue) -> None:
        self.cancelled += 1


class HastyPool(ReadPool):
    """Its reads wait for a moment only."""

    max_seconds = 0.01


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Yield a migrated database without rows."""
    url = f"sqlite:///{tmp_path / 'site.db'}"
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.database()
    with closing(connect_database(url)) as database:
        database.migrate()
        yield database


def names(connection: Connection) -> list[str]:
    """Return the names of all users."""
    return [user["name"] for user in accounts.all_users(connection)]


@asynccontextmanager
async def blocked(database: Database, place: QueuedRead = LISTS) -> AsyncIterator[None]:
    """Yield all places of a directory in a queue are taken until the end of the block."""
    loop, begun, enough = asyncio.get_running_loop(), asyncio.Queue[None](), threading.Event()

    def slow(connection: Connection) -> None:
        before = names(connection)
        loop.call_soon_threadsafe(begun.put_nowait, None)
        assert enough.wait(60)
        assert names(connection) == before  # it sees one state of the database

    reads = [asyncio.create_task(database.read_queued(place, slow)) for _ in range(database.long_reads_at_once)]
    for _ in reads:
        await begun.get()
    try:
        yield
    finally:
        enough.set()
        await asyncio.gather(*reads)


def test_no_other_request_waits_for_a_long_read(database: Database) -> None:
    async def meet() -> None:
        async with blocked(database):
            waiting = asyncio.create_task(database.read_queued(LISTS, names))
            await database.write_in_directory(1, accounts.create_user, email="ada@example.com", name="Ada")
            assert await database.read(names) == ["Ada"]
            for place in (LISTS._replace(directory_id=2), *(LISTS._replace(queue=queue) for queue in ReadQueue)):
                if place != LISTS:
                    assert await database.read_queued(place, names) == ["Ada"]
            assert not waiting.done()
        assert await waiting == ["Ada"]

    asyncio.run(meet())


def test_the_number_of_concurrent_long_reads_is_limited(database: Database) -> None:
    running = most = 0
    lock = threading.Lock()

    def slow(connection: Connection) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        names(connection)
        with lock:
            running -= 1

    async def meet() -> None:
        await asyncio.gather(*(database.read_queued(LISTS, slow) for _ in range(MAX_WAITING)))

    asyncio.run(meet())
    assert 1 <= most <= database.long_reads_at_once


def test_a_full_queue_refuses_the_next_read(database: Database) -> None:
    observed = Observed()
    database.observe_queues(observed)

    async def meet() -> None:
        async with blocked(database):
            waiting = [asyncio.create_task(database.read_queued(LISTS, names)) for _ in range(MAX_WAITING)]
            await asyncio.sleep(0)
            with pytest.raises(Overloaded) as refused:
                await database.read_queued(LISTS, names)
            assert int(refused.value.headers["Retry-After"]) > 0
            after_write = asyncio.create_task(database.read_queued(LISTS._replace(is_refusable=False), names))
            assert await database.read_queued(LISTS._replace(directory_id=2), names) == []
            assert (observed.waiting, observed.refused) == (MAX_WAITING + 1, 1)
        assert await asyncio.gather(*waiting, after_write) == [[]] * (MAX_WAITING + 1)
        assert observed.waiting == 0

    asyncio.run(meet())


def test_a_read_that_waits_too_long_is_refused() -> None:
    pool = HastyPool(ReadQueue.LISTS, 1, ThreadPoolExecutor, lambda connection: None)
    enough = threading.Event()

    async def meet() -> None:
        first = asyncio.create_task(pool.run(LISTS, lambda _statements: enough.wait(60)))
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await pool.run(LISTS, lambda _statements: True)
        enough.set()
        assert await first
        assert await pool.run(LISTS, lambda _statements: True)

    asyncio.run(meet())
    pool.close()


def test_a_waiting_read_leaves_the_queue_with_its_client(database: Database) -> None:
    observed = Observed()
    database.observe_queues(observed)

    async def meet() -> None:
        left = asyncio.Event()
        read: list[Any] = []
        async with blocked(database):
            place = LISTS._replace(client_left=partial(wait_for, left))
            waiting = asyncio.create_task(database.read_queued(place, read.append))
            await asyncio.sleep(0.01)
            assert observed.waiting == 1
            left.set()
            with pytest.raises(ClientLeft):
                await waiting
            assert (observed.waiting, observed.cancelled) == (0, 1)
        assert await database.read_queued(LISTS, names) == []
        assert read == []

    asyncio.run(meet())


def test_a_running_statement_is_cancelled_if_its_client_leaves(database: Database) -> None:
    observed = Observed()
    database.observe_queues(observed)

    async def meet() -> None:
        loop, begun, left = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

        def slow(connection: Connection) -> None:
            loop.call_soon_threadsafe(begun.set)
            connection.scalar(ENDLESS)

        place = LISTS._replace(client_left=partial(wait_for, left))
        running = asyncio.create_task(database.read_queued(place, slow))
        await begun.wait()
        left.set()
        with pytest.raises(ClientLeft):
            await asyncio.wait_for(running, 30)  # when the thread is free again
        assert observed.cancelled == 1
        for _ in range(3):
            assert await database.read_queued(LISTS, names) == []

    asyncio.run(meet())


def test_a_cancelled_request_cancels_its_statement(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    async def meet() -> None:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def slow(connection: Connection) -> None:
            loop.call_soon_threadsafe(begun.set)
            connection.scalar(ENDLESS)

        running = asyncio.create_task(database.read_queued(LISTS, slow))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert await database.read_queued(LISTS, names) == []

    asyncio.run(meet())
    gc.collect()
    assert caplog.records == []  # nor does asyncio log the error of the statement


def test_a_cancelled_read_starts_no_other_transaction(database: Database) -> None:
    statements = CancellableRead(lambda connection: None)
    statements.cancel()

    def read(connection: Connection) -> None:
        with pytest.raises(ClientLeft), statements.using(connection):
            raise AssertionError

    database.run_read(read)


def test_a_connection_is_not_cancelled_after_its_read(database: Database) -> None:
    stopped: list[Any] = []
    statements = CancellableRead(stopped.append)

    def read(connection: Connection) -> None:
        with statements.using(connection):
            pass
        statements.cancel()

    database.run_read(read)
    assert stopped == []


def test_a_queued_read_raises_the_error_of_its_function(database: Database) -> None:
    def fail(_: Connection) -> None:
        raise ZeroDivisionError

    for place in (LISTS, LISTS._replace(client_left=partial(wait_for, asyncio.Event()))):
        with pytest.raises(ZeroDivisionError):
            asyncio.run(database.read_queued(place, fail))


async def wait_for(event: asyncio.Event) -> None:
    await event.wait()
