"""Behaviour of PostgreSQL alone: its network, many clients at once, and threads."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest

from contentsync.errors import Unavailable, Unconfirmed, UsageError
from contentsync.server.store import Connection, Database, accounts, connect_database
from contentsync.server.store.postgresql import ANSWER_SECONDS, THREADS
from contentsync.server.store.read_pool import QueuedRead, ReadQueue
from contentsync.server.store.record_kinds import PAGES

from ...exit_codes import SERVER_ERROR
from ...postgresql import Cluster
from ..conftest import Service
from .conftest import Owned, owned_by_ada


@pytest.fixture(scope="module")
def module_url(cluster: Cluster) -> str:
    """Return a migrated database."""
    url = cluster.database()
    with closing(connect_database(url)) as database:
        database.migrate()
    return url


@pytest.fixture
def url(cluster: Cluster, module_url: str) -> Iterator[str]:
    """Yield a migrated database without rows and with default settings."""
    yield module_url
    operate(cluster, module_url, "ALLOW_CONNECTIONS true")
    operate(cluster, module_url, "RESET ALL")
    with other(module_url) as operator:
        operator.execute("DROP FUNCTION IF EXISTS end_session CASCADE")
        operator.execute("TRUNCATE users RESTART IDENTITY CASCADE")


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = connect_database(url, max_wait=5)
    yield database
    database.close()


@pytest.fixture
def ada(database: Database) -> Owned:
    """Return Ada's directory."""
    return owned_by_ada(database)


@contextmanager
def connected(url: str, max_wait: float = 0.2) -> Iterator[Database]:
    """Yield the database at a URL, which waits at most `max_wait` seconds for a connection or a lock."""
    with closing(connect_database(url, max_wait=max_wait)) as database:
        yield database


@contextmanager
def other(url: str) -> Iterator["psycopg.Connection[Any]"]:
    """Yield another program's connection."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def operate(cluster: Cluster, url: str, action: str) -> None:
    """Change the settings of the database as its operator, for all connections that are opened afterwards."""
    with other(cluster.url("postgres")) as operator:
        operator.execute(f"ALTER DATABASE {name_of(url)} {action}")


def disconnect(cluster: Cluster, url: str) -> None:
    with other(cluster.url("postgres")) as operator:
        operator.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name_of(url)])


def name_of(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def wait_for(condition: Callable[[], Any]) -> None:
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def names(connection: Connection) -> list[str]:
    """Return the names of all users."""
    return [user["name"] for user in accounts.all_users(connection)]


def create_user(connection: Connection, name: str = "Ada") -> int:
    return accounts.create_user(connection, email=f"{name}@example.com", name=name)


# How it is named


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:geheim@127.0.0.1:1/site",
        "postgresql://ada:geheim@127.0.0.1:port/site",
        "postgresql://ada:geheim/2@127.0.0.1:1/site",
        "postgresql://ada@127.0.0.1:1/site?password=geheim&sslpassword=geheim",
        "postgresql://ada@127.0.0.1:1/site?password=geheim&password=geheim",
        "postgresql://ada:geheim@127.0.0.1:1/site?unknown=1",
        "postgres://ada:geheim@[::1",
        "postgresql://ada:ge@heim@localhost/x",
        "postgresql+geheim",
        " postgresql://ada:geheim@localhost/x",
        "Postgresql://localhost/x?password=geheim",
        "mysql://ada:gehe@im:geheim@localhost/x",
    ],
)
def test_a_password_is_never_shown(url: str) -> None:
    """AU-12."""
    with pytest.raises((UsageError, Unavailable)) as error:
        connect_database(url)
    assert "heim" not in f"{error.value} {error.value.hint} {error.value.args}"


def test_the_address_of_the_database_is_shown_without_the_password(url: str) -> None:
    """AU-12."""
    base, _, query = url.partition("?")
    with connected(f"{base.replace('postgres@', 'postgres:geheim@')}?{query}&password=geheim") as database:
        assert "geheim" not in database.url
        assert name_of(database.url) == name_of(url)


def test_a_missing_server_is_distinguished_from_a_wrong_url(url: str) -> None:
    with pytest.raises(Unavailable, match="cannot be reached") as down:
        connect_database("postgresql://ada@127.0.0.1:1/site")
    assert down.value.hint == "is PostgreSQL running?"
    base, _, query = url.partition("?")
    with pytest.raises(UsageError, match="cannot open the database"):
        connect_database(f"{base.rpartition('/')[0]}/nothing?{query}")


@pytest.mark.parametrize("option", ["autocommit=1", "prepare_threshold=0", "row_factory=x"])
def test_unknown_connection_options_are_refused(url: str, option: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        connect_database(f"{url}&{option}")


def test_options_of_the_url_are_used(url: str) -> None:
    assert "?" in url
    with connected(f"{url}&application_name=mine") as database:
        name = database.run_read(lambda connection: connection.scalar("SHOW application_name"))
    assert name == "mine"


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_with_another_encoding_is_refused(cluster: Cluster, encoding: str) -> None:
    name = encoding.lower()
    with other(cluster.url("postgres")) as operator:
        operator.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        operator.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING {encoding} LOCALE 'C'".encode())
    with pytest.raises(UsageError, match=f"stores text as {encoding}") as error:
        connect_database(cluster.url(name))
    assert "UTF8" in error.value.hint


# What transactions see


def test_a_read_sees_one_snapshot(database: Database, url: str) -> None:
    """CO-10."""

    def twice(connection: Connection) -> tuple[list[str], list[str]]:
        before = names(connection)
        with connected(url) as another:
            another.run_write(create_user)
        return before, names(connection)

    assert database.run_read(twice) == ([], [])
    assert database.run_read(names) == ["Ada"]


@pytest.mark.parametrize("default", ["repeatable read", "serializable"])
def test_a_write_sees_earlier_writes_with_any_default_isolation(cluster: Cluster, url: str, default: str) -> None:
    operate(cluster, url, f"SET default_transaction_isolation = '{default}'")
    with connected(url, 5) as database, other(url) as writer:
        ada = owned_by_ada(database)

        async def meet() -> list[str]:
            writer.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            writer.execute("SELECT id FROM directories FOR NO KEY UPDATE")
            writer.execute("INSERT INTO users (email, name, created_at, updated_at) VALUES ('bob', 'Bob', '', '')")
            writing = asyncio.create_task(database.write_in_directory(ada.access.directory.id, names))
            await asyncio.to_thread(wait_for, lambda: waiting(url))
            writer.execute("COMMIT")
            return await writing

        assert asyncio.run(meet()) == ["Ada", "Bob"]


def waiting(url: str) -> int:
    """Return the number of sessions of the database that wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    with other(url) as watcher:
        found = watcher.execute(query, [name_of(url)]).fetchone()
    assert found is not None
    return int(found[0])


# Another attempt


def test_conflicting_writes_are_retried(cluster: Cluster, url: str) -> None:
    """If two writes wait for each other, PostgreSQL aborts one (SQLSTATE 40P01)."""
    operate(cluster, url, "SET deadlock_timeout = '20ms'")
    with connected(url, 10) as database:
        for name in ("Ada", "Bob"):
            database.run_write(create_user, name)
        met, attempts = threading.Barrier(2), [0, 0]

        def rename(connection: Connection, at: int) -> None:
            attempts[at] += 1
            for number in (1, 2) if at else (2, 1):
                connection.run(f"UPDATE users SET name = name || '{at}' WHERE id = {number}")
                if attempts[at] == 1 and number == (1 if at else 2):
                    met.wait(10)

        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda at: database.run_write(rename, at), (0, 1)))
        assert sum(attempts) == 3
        assert {"".join(sorted(name[3:])) for name in database.run_read(names)} == {"01"}


def test_serialization_failures_are_retried(database: Database) -> None:
    """At the isolation level serializable, PostgreSQL refuses one (SQLSTATE 40001)."""
    met, attempts = threading.Barrier(2), [0, 0]

    def only_one(connection: Connection, at: int) -> None:
        attempts[at] += 1
        connection.run("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
        existing = names(connection)
        if attempts[at] == 1:
            met.wait(10)
        if not existing:
            create_user(connection, f"User{at}")

    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda at: database.run_write(only_one, at), (0, 1)))
    assert sum(attempts) == 3
    assert len(database.run_read(names)) == 1


def test_a_concurrent_create_of_the_same_record_finds_it(database: Database, url: str) -> None:
    """CO-16: a create that the index refuses (SQLSTATE 23505) is retried, and the second check finds the record."""
    inserted = "INSERT INTO users (email, name, created_at, updated_at) VALUES ('ada@example.com', 'Ada', '', '')"
    with other(url) as first, ThreadPoolExecutor() as pool:
        first.execute("BEGIN")
        first.execute(inserted)
        second = pool.submit(database.run_write, create_user)
        wait_for(lambda: waiting(url))
        first.execute("COMMIT")
        with pytest.raises(UsageError, match="already exists"):
            second.result()
    assert database.run_read(names) == ["Ada"]


def test_a_connection_lost_between_transactions_causes_no_error(cluster: Cluster, url: str, ada: Owned) -> None:
    database = ada.database
    for _ in range(2):
        disconnect(cluster, url)
        assert database.run_read(names) == ["Ada"]
        disconnect(cluster, url)
        database.run_write(PAGES.create, ada.access, {"title": "Page"})


def lose_at_commit(url: str, table: str) -> None:
    """Close the connection of each session that inserts into the table, during its commit."""
    with other(url) as operator:
        operator.execute(
            """CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1); RETURN NULL; END $$"""
        )
        operator.execute(
            f"""CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION end_session()""".encode()
        )


def test_a_commit_with_an_unknown_outcome_is_not_retried(database: Database, url: str) -> None:
    """The write may be stored or not, so it must not be repeated."""
    lose_at_commit(url, "users")
    attempts = []

    def write(connection: Connection) -> None:
        attempts.append(connection)
        create_user(connection)

    with pytest.raises(Unconfirmed, match="may be done"):
        database.run_write(write)
    assert len(attempts) == 1
    assert database.run_read(names) == []


def test_a_client_gets_504_for_an_unknown_outcome(url: str) -> None:
    """A client may repeat a request after a 503, but not after a 504."""
    with Service(url) as service:
        api = service.directory("Tools", service.user("Ada"))
        lose_at_commit(url, "pages")
        answer = api.post("/pages", {"title": "About"})
        assert (answer.status_code, "may be done" in answer.json()["message"]) == (504, True)
        assert api.all("pages") == []


# Unavailable


def test_a_lost_server_is_reported_and_used_again_later(cluster: Cluster, url: str) -> None:
    """DB-02."""
    with connected(url) as database:
        operate(cluster, url, "ALLOW_CONNECTIONS false")
        disconnect(cluster, url)
        with pytest.raises(Unavailable, match="cannot be reached") as error:
            database.run_read(names)
        assert error.value.exit_code == SERVER_ERROR
        assert "not currently accepting connections" in error.value.hint
        operate(cluster, url, "ALLOW_CONNECTIONS true")
        assert database.run_read(names) == []


def test_a_read_only_server_is_reported(cluster: Cluster, url: str) -> None:
    """DB-02: a standby, for one."""
    operate(cluster, url, "SET default_transaction_read_only = on")
    with connected(url) as database:
        for _ in range(2):  # the second time after a read, on the same connection
            with pytest.raises(Unavailable, match="read-only"):
                database.run_write(create_user)
            assert database.run_read(names) == []
        with pytest.raises(Unavailable, match="read-only"):
            asyncio.run(database.check())


def test_a_server_without_a_free_connection_is_reported(cluster: Cluster, url: str) -> None:
    with other(url) as operator:
        operator.execute("DROP ROLE IF EXISTS crowded")
        operator.execute("CREATE ROLE crowded LOGIN")
        with connected(url.replace("postgres@", "crowded@")) as database:
            operator.execute("ALTER ROLE crowded CONNECTION LIMIT 0")
            disconnect(cluster, url)
            with pytest.raises(Unavailable, match="cannot be reached") as error:
                database.run_read(lambda connection: connection.scalar("SELECT 1"))
    assert "too many connections" in error.value.hint


def test_a_full_server_is_reported(cluster: Cluster, url: str) -> None:
    """DB-02."""
    operate(cluster, url, "SET temp_file_limit = '64kB'")
    operate(cluster, url, "SET work_mem = '64kB'")
    sort = "SELECT x FROM generate_series(1, 100000) x ORDER BY -x"
    with connected(url) as database, pytest.raises(Unavailable, match="full"):
        database.run_read(lambda connection: connection.scalar(sort))


def test_a_statement_cancelled_by_the_server_is_reported(cluster: Cluster, url: str) -> None:
    operate(cluster, url, "SET statement_timeout = '50ms'")
    with connected(url) as database, pytest.raises(Unavailable, match="stopped a statement"):
        database.run_read(lambda connection: connection.scalar("SELECT pg_sleep(5)"))


def test_a_bug_is_not_reported_as_an_error_of_the_server(database: Database) -> None:
    def read(connection: Connection) -> None:
        connection.run("SELECT CAST(:name AS text)", {"name": "a\0b"})

    with pytest.raises(psycopg.DataError):
        database.run_read(read)


# Threads and locks


def test_a_locked_directory_does_not_block_other_directories(url: str) -> None:
    """AU-17: with any number of waiting writers, other directories and readers get a thread."""
    with connected(url, 0.5) as database, other(url) as holder:
        ada = owned_by_ada(database)
        bob = owned_by_ada(database, "bob", "cafes")

        async def meet() -> list[Any]:
            holder.execute("BEGIN")
            holder.execute("SELECT id FROM directories WHERE slug = 'tools' FOR UPDATE")
            locked_directory = ada.access.directory.id
            writing = [
                asyncio.create_task(database.write_in_directory(locked_directory, names)) for _ in range(THREADS * 2)
            ]
            await asyncio.to_thread(wait_for, lambda: waiting(url))
            await database.write_in_directory(bob.access.directory.id, PAGES.create, bob.access, {"title": "Page"})
            assert await database.read(names) == ["Ada", "Bob"]
            assert not any(task.done() for task in writing)
            with pytest.raises(Unavailable, match="busy"):
                await writing[0]
            holder.execute("ROLLBACK")
            return await asyncio.gather(*writing[1:])

        assert asyncio.run(meet()) == [["Ada", "Bob"]] * (THREADS * 2 - 1)


def test_a_cancelled_request_releases_its_connection(url: str) -> None:
    with connected(url, 5) as database, other(url) as holder:
        ada = owned_by_ada(database)

        async def meet() -> list[str]:
            holder.execute("BEGIN")
            holder.execute("SELECT id FROM directories FOR UPDATE")
            for _ in range(THREADS):
                cancelled = asyncio.create_task(database.write_in_directory(ada.access.directory.id, names))
                await asyncio.sleep(0.01)
                cancelled.cancel()
            holder.execute("ROLLBACK")
            return await asyncio.wait_for(database.write_in_directory(ada.access.directory.id, names), 10)

        assert asyncio.run(meet()) == ["Ada"]


def test_a_session_idle_in_a_transaction_is_ended(database: Database) -> None:
    """The server of the session may be unreachable: the locks of the session would never be released."""
    query = "SHOW idle_in_transaction_session_timeout"
    assert database.run_write(lambda connection: connection.scalar(query)) == "1min"


def test_long_reads_still_have_a_deadline_after_a_close(database: Database) -> None:
    database.close()
    place = QueuedRead(ReadQueue.LISTS, 1)
    assert asyncio.run(database.read_queued(place, lambda connection: ANSWER_SECONDS.get())) is not None
