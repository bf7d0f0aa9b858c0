"""A PostgreSQL that is stopped or paused (DB-02): every request is answered, and all of them together."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Unavailable, Unconfirmed
from contentsync.server.edge.process import make_application
from contentsync.server.edge.server_settings import ServerSettings
from contentsync.server.store import Connection, Database, accounts, connect_database
from contentsync.server.store.postgresql import THREADS, TimedConnection

from ... import postgresql
from ...postgresql import SETTINGS, Cluster, frozen

PATIENCE = 1.0
MANY = THREADS * 8


@pytest.fixture(scope="module")
def own() -> Iterator[tuple[Cluster, Path]]:
    """Yield a cluster that no other test uses, and its folder."""
    with postgresql.alone() as own:
        yield own


@pytest.fixture(scope="module")
def folder(own: tuple[Cluster, Path]) -> Path:
    return own[1]


@pytest.fixture(scope="module")
def url(own: tuple[Cluster, Path]) -> str:
    """Return a migrated database in it, with Ada's directory."""
    url = own[0].database()
    with closing(connect_database(url)) as database:
        database.migrate()
        owner = database.run_write(accounts.create_user, email="ada@example.org", name="Ada")
        database.run_write(accounts.create_directory, name="Tools", slug="tools", owner_id=owner)
        # An immediate stop would lose what is not on disk yet: the clusters of tests commit asynchronously.
        database.run_write(lambda connection: connection.run("CHECKPOINT"))
    return url


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with closing(connect_database(url, max_wait=PATIENCE)) as database:
        yield database


def names(connection: Connection) -> list[str]:
    """Return the names of all users."""
    return [user["name"] for user in accounts.all_users(connection)]


def read(database: Database) -> Any:
    return database.read(names)


def write(database: Database) -> Any:
    """Write records of one directory, in which writers take turns."""
    return database.write_in_directory(1, names)


Request = Callable[[Database], Any]
REQUESTS = pytest.mark.parametrize("request_of", [read, write])


def ask(database: Database, request_of: Request, number: int = 1) -> tuple[set[Any], float]:
    """Return the results of this number of simultaneous requests, and the seconds until the last answer."""

    async def asked() -> list[Any]:
        return await asyncio.gather(*(request_of(database) for _ in range(number)), return_exceptions=True)

    began = time.monotonic()
    found = asyncio.run(asyncio.wait_for(asked(), 60))
    kinds = {type(outcome) if isinstance(outcome, Exception) else tuple(outcome) for outcome in found}
    return kinds, time.monotonic() - began


@REQUESTS
def test_requests_fail_together_when_postgresql_hangs(database: Database, folder: Path, request_of: Request) -> None:
    assert ask(database, request_of, MANY)[0] == {("Ada",)}
    with frozen(folder):
        one, alone = ask(database, request_of)
        assert one == {Unavailable}
    assert ask(database, request_of, MANY)[0] == {("Ada",)}
    with frozen(folder):
        many, together = ask(database, request_of, MANY)
        assert many == {Unavailable}
    assert together < 2.5 * alone  # with eight threads it was eight times as long
    assert ask(database, request_of, MANY)[0] == {("Ada",)}


@REQUESTS
def test_requests_fail_together_when_postgresql_is_stopped(
    database: Database, folder: Path, request_of: Request
) -> None:
    with closing(connect_database(database.url, max_wait=PATIENCE)) as other:
        postgresql.stop(folder, "immediate")
        try:
            one, alone = ask(other, request_of)
            many, together = ask(database, request_of, MANY)
            assert one == many == {Unavailable}
            assert together < 2.5 * alone
        finally:
            postgresql.start(folder, SETTINGS)
    assert ask(database, request_of, MANY)[0] == {("Ada",)}


def test_a_stopped_postgresql_is_tried_once_per_request(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No request waits for a server that was just unreachable; the first request after its return is answered."""
    attempts: list[str] = []
    connect = TimedConnection.connect

    def counted(conninfo: str) -> TimedConnection:
        attempts.append(conninfo)
        return connect(conninfo)

    monkeypatch.setattr(TimedConnection, "connect", counted)
    postgresql.stop(folder, "immediate")
    try:
        assert ask(database, read)[0] == {Unavailable}
        attempts.clear()
        assert ask(database, read, MANY)[0] == {Unavailable}
        assert len(attempts) <= MANY
    finally:
        postgresql.start(folder, SETTINGS)
    assert ask(database, read)[0] == {("Ada",)}


def test_a_short_restart_of_postgresql_causes_no_error(url: str, folder: Path) -> None:
    with closing(connect_database(url, max_wait=20)) as database:

        async def meet() -> list[Any]:
            await database.read(names)
            postgresql.stop(folder, "immediate")
            asking = asyncio.gather(*(database.read(names) for _ in range(MANY)))
            await asyncio.to_thread(postgresql.start, folder, SETTINGS)
            return await asking

        assert asyncio.run(meet()) == [["Ada"]] * MANY


def test_a_write_during_an_outage_of_postgresql_is_ambiguous(database: Database, folder: Path) -> None:
    """The server received the commit, and did not answer."""
    with ExitStack() as stack:

        def freeze(connection: Connection) -> None:
            accounts.create_user(connection, email="bob@example.org", name="Bob")
            stack.enter_context(frozen(folder))

        with pytest.raises(Unconfirmed, match="may be done"):
            asyncio.run(database.write_in_directory(1, freeze))
    # In the directory, because a commit that is still to come holds its lock.
    delete = "DELETE FROM users WHERE name = 'Bob'"
    asyncio.run(database.write_in_directory(1, lambda connection: connection.run(delete)))


def test_a_statement_that_takes_too_long_fails_alone(database: Database) -> None:
    async def meet() -> Any:
        slow = asyncio.create_task(database.read(lambda connection: connection.scalar("SELECT pg_sleep(60)")))
        while not slow.done():
            assert await asyncio.gather(*(database.read(names) for _ in range(MANY))) == [["Ada"]] * MANY
        return await slow

    with pytest.raises(Unavailable):
        asyncio.run(meet())


def test_a_command_waits_for_a_long_statement(url: str) -> None:
    with closing(connect_database(url, max_wait=0)) as database:
        slow = "SELECT pg_sleep(0.8), 'done' AS said"
        assert database.run_read(lambda connection: connection.one(slow)[1]) == "done"


# Health


def ready(application: Any) -> Any:
    client = httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://127.0.0.1:8000")
    return client.get("/readyz")


def served(url: str, meet: Callable[[Any, Database], Any]) -> Any:
    """Run a coroutine function with the application and its database, and return the result."""
    application = make_application(ServerSettings(database=url, public_url="http://127.0.0.1:8000"))
    service: Any = application
    while hasattr(service, "_app"):  # the layers around it
        service = service._app
    with closing(service.state.service.database) as database:
        return asyncio.run(meet(application, database))


def test_a_server_is_not_ready_while_postgresql_hangs(url: str, folder: Path) -> None:
    async def meet(application: Any, database: Database) -> None:
        assert (await ready(application)).status_code == 200
        await asyncio.gather(*(database.read(names) for _ in range(THREADS)))
        with frozen(folder):
            asking = [asyncio.create_task(database.read(names)) for _ in range(MANY)]
            answers = [await ready(application) for _ in range(2)]
            assert not any(task.done() for task in asking)
        assert {answer.status_code for answer in answers} == {503}
        assert answers[0].json() == {"message": "The database does not answer"}
        assert await asyncio.gather(*asking) == [["Ada"]] * MANY
        assert (await ready(application)).status_code == 200

    served(url, meet)


def test_a_server_with_all_threads_busy_is_ready(url: str) -> None:
    async def meet(application: Any, database: Database) -> None:
        slow = "SELECT pg_sleep(1.2)"
        busy = [asyncio.create_task(database.read(lambda connection: connection.scalar(slow))) for _ in range(THREADS)]
        assert (await ready(application)).status_code == 200
        assert not any(task.done() for task in busy)
        await asyncio.gather(*busy)

    served(url, meet)
