"""Reads that may take long, and what goes on meanwhile."""

import asyncio
import threading
from contextlib import closing
from pathlib import Path

import pytest

from contentsync.server.store import Connection, Database, accounts
from contentsync.server.store.long_reads import THREADS

from ...postgresql import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'site.db'}"
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.database()
    with closing(Database.open(url)) as database:
        database.migrate()
    return url


def names(connection: Connection) -> list[str]:
    return [user["name"] for user in accounts.all_users(connection)]


def test_other_requests_are_answered_while_one_reads_for_long(url: str) -> None:
    async def meet() -> None:
        begun, enough = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def slow(connection: Connection) -> list[str]:
            before = names(connection)
            loop.call_soon_threadsafe(begun.set)
            assert enough.wait(60)
            assert names(connection) == before  # all of it seen at one moment
            return before

        reads = [asyncio.create_task(database.read_long(1, slow)) for _ in range(3 * THREADS)]
        await begun.wait()
        await database.write_in(1, accounts.create_user, email="ada@example.com", name="Ada")
        assert await database.read(names) == ["Ada"]
        assert await database.read_long(2, names) == ["Ada"]  # of another directory
        assert not any(read.done() for read in reads)
        enough.set()
        assert (await asyncio.gather(*reads))[-1] == ["Ada"]

    with closing(Database.open(url)) as database:
        asyncio.run(meet())


def test_the_long_reads_of_a_directory_take_turns(url: str) -> None:
    async def meet() -> int:
        running = most = 0

        def slow(connection: Connection) -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)
            names(connection)
            running -= 1

        await asyncio.gather(*(database.read_long(1, slow) for _ in range(20)))
        return most

    with closing(Database.open(url)) as database:
        assert asyncio.run(meet()) == 1


def test_what_a_long_read_raises_is_raised(url: str) -> None:
    def fail(_: Connection) -> None:
        raise ZeroDivisionError

    with closing(Database.open(url)) as database, pytest.raises(ZeroDivisionError):
        asyncio.run(database.read_long(1, fail))
