"""Behaviour of SQLite alone: its single file, on a disk of the machine."""

import asyncio
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from types import NoneType
from typing import Any

import pytest

from contentsync.errors import Refused, Unavailable, UsageError
from contentsync.model import Invalid
from contentsync.server.store import Connection, Database, State, accounts, connect_database, versions
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import CATEGORIES, CUSTOM_FIELDS
from contentsync.server.store.sqlite import MAX_GROUP_CHANGES, SQLite

from ...exit_codes import SERVER_ERROR
from ..conftest import locked
from .conftest import Owned


def test_a_database_of_another_program_is_refused_and_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    before = path.read_bytes()
    database = connect_database(f"sqlite:///{path}")
    with pytest.raises(Refused, match="not made by contentsync"):
        database.migrate()
    assert database.state is State.FOREIGN
    database.close()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


@pytest.mark.parametrize(
    "url",
    ["mysql://localhost/x", "sqlite://", "sqlite:///:memory:", "sqlite:///site.db?mode=ro", "site.db", ""],
)
def test_another_database_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError) as error:
        connect_database(url)
    assert "sqlite:///" in error.value.hint


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    path.write_text("Not a database. " * 100)
    with pytest.raises(UsageError, match="cannot open the database"):
        connect_database(f"sqlite:///{path}")


def test_a_missing_file_is_created_only_with_create(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    with pytest.raises(UsageError, match="there is no database"):
        connect_database(f"sqlite:///{path}", create=False)
    assert not path.exists()


@pytest.mark.parametrize("name", ["site.db", "a?b#c%20 ü.db"])
def test_a_new_database_and_its_copies_are_readable_only_by_the_owner(tmp_path: Path, name: str) -> None:
    """They contain e-mail addresses and hashes of tokens."""
    before = os.umask(0o022)  # as most systems have it
    try:
        with closing(connect_database(tmp_path / name)) as database:
            database.migrate()
            database.run_write(create_user)
            database.backup(tmp_path / "copy.db")
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys((name, f"{name}-wal", f"{name}-shm", "copy.db"), 0o600)


def test_a_link_to_a_missing_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "site.db").symlink_to(tmp_path / "elsewhere.db")
    with closing(connect_database(tmp_path / "site.db")) as database:
        database.migrate()
    assert (tmp_path / "elsewhere.db").stat().st_size


def test_commits_are_durable_and_references_are_enforced(database: Database) -> None:
    """DB-06."""

    def pragma(connection: Connection, name: str) -> object:
        return connection.scalar(f"PRAGMA {name}")

    assert database.run_read(pragma, "journal_mode") == "wal"
    assert database.run_read(pragma, "synchronous") == 2  # FULL
    assert database.run_read(pragma, "foreign_keys") == 1


def create_user(connection: Connection) -> int:
    return accounts.create_user(connection, email="ada@example.com", name="Ada")


def test_the_last_commits_of_a_disposable_file_may_be_lost(tmp_path: Path) -> None:
    """synchronous = NORMAL: with WAL, a power failure cannot damage the file."""
    with closing(connect_database(tmp_path / "site.db", disposable=True)) as database:
        level = database.run_read(lambda connection: connection.scalar("PRAGMA synchronous"))
    assert level == 1


def test_a_busy_database_is_unavailable(database_file: Path) -> None:
    database = connect_database(f"sqlite:///{database_file}", max_wait=0.1)
    with locked(database_file), pytest.raises(Unavailable, match="busy") as error:
        database.run_write(create_user)
    assert error.value.exit_code == SERVER_ERROR
    assert database.run_read(accounts.all_users) == []
    database.close()


def test_a_write_waiting_for_another_process_does_not_block_others(database: Database, database_file: Path) -> None:
    async def meet() -> None:
        with locked(database_file) as other:
            writing = asyncio.create_task(database.write_in_directory(1, create_user))
            await asyncio.sleep(0)
            assert await database.read(accounts.all_users) == []
            assert not writing.done()
            other.rollback()
            await writing

    asyncio.run(meet())
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["Ada"]


@pytest.fixture
def commits(database: Database) -> list[str]:
    """Return a list with one item for each commit of the database."""
    found: list[str] = []

    def trace(connection: Connection) -> None:
        connection.driver.set_trace_callback(lambda ran: found.append(ran) if ran == "COMMIT" else None)

    assert isinstance(database, SQLite)
    database.group_seconds = 60  # however slow the machine is
    asyncio.run(database.write_in_directory(1, trace))  # the connection of the writes stays open
    found.clear()
    return found


def numbered_user(connection: Connection, number: int) -> int:
    return accounts.create_user(connection, email=f"user{number}@example.com", name=f"User {number}")


def test_concurrent_writes_are_committed_together(database: Database, commits: list[str]) -> None:
    async def meet() -> list[int]:
        return await asyncio.gather(*(database.write_in_directory(1, numbered_user, number) for number in range(20)))

    assert asyncio.run(meet()) == list(range(1, 21))
    assert len(commits) == 1
    assert len(database.run_read(accounts.all_users)) == 20


def test_a_write_that_arrives_in_the_same_turn_joins_the_group(database: Database, commits: list[str]) -> None:
    async def meet() -> None:
        early = asyncio.create_task(database.write_in_directory(1, numbered_user, 1))
        for _ in range(2):  # the loop reads a request in one turn and runs it in the next
            await asyncio.sleep(0)
        await asyncio.gather(early, database.write_in_directory(1, numbered_user, 2))

    asyncio.run(meet())
    assert len(commits) == 1


def test_a_failed_write_of_a_group_reverts_only_itself(database: Database, commits: list[str]) -> None:
    def fail(connection: Connection) -> None:
        create_user(connection)
        raise ZeroDivisionError

    async def meet() -> tuple[object, object, object]:
        writes = (
            database.write_in_directory(1, numbered_user, 1),
            database.write_in_directory(1, fail),
            database.write_in_directory(1, numbered_user, 2),
        )
        return await asyncio.gather(*writes, return_exceptions=True)

    first, failed, second = asyncio.run(meet())
    assert (first, second, type(failed)) == (1, 2, ZeroDivisionError)
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["User 1", "User 2"]


def test_a_write_of_a_group_sees_the_changes_of_earlier_ones(owned: Owned) -> None:
    """A value that the group has looked up is read again after it has changed."""

    async def meet() -> list[Any]:
        access = owned.access

        def write(fn: Any, *arguments: object) -> Any:
            return owned.database.write_in_directory(1, fn, *arguments)

        writes: list[Any] = [
            write(LISTINGS.create, access, {"name": "One", "categories": [1], "fee": 1}),
            write(CATEGORIES.create, access, {"title": "Wood"}),
            write(CUSTOM_FIELDS.create, access, {"label": "Fee", "type": "number"}),
            write(LISTINGS.create, access, {"name": "Two", "categories": [1], "fee": 1}),
            write(CATEGORIES.delete, access, 1),
            write(LISTINGS.create, access, {"name": "Three", "categories": [1]}),
            write(versions.collection_states, 1),
        ]
        return [*await asyncio.gather(*writes, return_exceptions=True)]

    *outcomes, states = asyncio.run(meet())
    assert [type(outcome) for outcome in outcomes] == [
        Invalid,
        tuple,
        tuple,
        tuple,
        NoneType,
        Invalid,
    ]
    assert states == owned.database.run_read(versions.collection_states, 1)


def test_a_write_of_a_cancelled_request_is_not_run(database: Database) -> None:
    async def meet() -> None:
        writes = [asyncio.create_task(database.write_in_directory(1, numbered_user, number)) for number in range(3)]
        await asyncio.sleep(0)
        writes[1].cancel()
        await asyncio.gather(*writes, return_exceptions=True)

    asyncio.run(meet())
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["User 0", "User 2"]


def test_a_long_group_is_committed_in_parts(database: Database, commits: list[str]) -> None:
    """Each part has a time limit, and its writers are answered at its end."""

    def slow(connection: Connection, number: int) -> int:
        time.sleep(0.01)
        return numbered_user(connection, number)

    async def meet() -> list[int]:
        return await asyncio.gather(*(database.write_in_directory(1, slow, number) for number in range(9)))

    assert isinstance(database, SQLite)
    database.group_seconds = 0.02
    assert asyncio.run(meet()) == list(range(1, 10))
    assert 3 <= len(commits) <= 9


def test_a_write_of_many_rows_is_committed_separately(database: Database) -> None:
    def many(connection: Connection, first: int) -> list[int]:
        return [numbered_user(connection, first + number) for number in range(MAX_GROUP_CHANGES)]

    async def meet() -> list[list[dict[str, Any]]]:
        writes = [
            asyncio.create_task(database.write_in_directory(1, many, number * MAX_GROUP_CHANGES)) for number in range(3)
        ]
        seen = []
        while not all(write.done() for write in writes):
            seen.append(await database.read(accounts.all_users))
            await asyncio.sleep(0)
        return seen

    seen = asyncio.run(meet())
    assert {len(users) for users in seen} - {0, 3 * MAX_GROUP_CHANGES} == {MAX_GROUP_CHANGES, 2 * MAX_GROUP_CHANGES}
    assert len(database.run_read(accounts.all_users)) == 3 * MAX_GROUP_CHANGES


def test_a_group_that_cannot_be_committed_leaves_no_data(database_file: Path) -> None:
    with closing(connect_database(database_file, max_wait=0.1)) as database, locked(database_file):

        async def meet() -> list[object]:
            writes = (database.write_in_directory(1, numbered_user, number) for number in range(5))
            return await asyncio.gather(*writes, return_exceptions=True)

        assert {type(outcome) for outcome in asyncio.run(meet())} == {Unavailable}
        assert database.run_read(accounts.all_users) == []


@pytest.mark.parametrize(("pragma", "expected"), [("query_only = ON", "read-only"), ("max_page_count = 1", "full")])
def test_a_read_only_database_is_unavailable_and_unchanged(database: Database, pragma: str, expected: str) -> None:
    def fill(connection: Connection) -> None:
        for number in range(100):
            accounts.create_user(connection, email=f"ada@{'x' * 60}-{number}.example", name="x" * 255)

    database.run_read(lambda connection: connection.run(f"PRAGMA {pragma}"))
    with pytest.raises(Unavailable, match=expected):
        database.run_write(fill)
    assert database.run_read(accounts.all_users) == []


def test_another_process_sees_a_committed_write(database_file: Path, database: Database) -> None:
    database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    with sqlite3.connect(database_file) as other:
        assert other.execute("SELECT name FROM users").fetchall() == [("Ada",)]
    other.close()


def test_a_copy_without_a_write_ahead_log_gets_one(database_file: Path) -> None:
    """For example the result of `sqlite3 .dump` and that of VACUUM INTO."""
    with closing(sqlite3.connect(database_file)) as other:
        assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    with closing(connect_database(database_file)) as database:
        database.require_current()
    with closing(sqlite3.connect(database_file)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
