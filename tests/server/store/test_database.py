import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

import contentsync.server.store
from contentsync.errors import Refused, Unavailable, UsageError
from contentsync.server.store import Connection, Database, State, accounts
from contentsync.server.store.schema import REVISION, metadata

from ..conftest import locked


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Database]:
    database = Database.open(f"sqlite:///{tmp_path / 'new' / 'site.db'}")
    yield database
    database.close()


def set_revision(database: Database, revision: str) -> None:
    statement = text("UPDATE alembic_version SET version_num = :revision")
    database.run_write(lambda connection: connection.execute(statement, {"revision": revision}))


def test_a_new_file_is_empty_until_it_is_migrated(empty: Database) -> None:
    states = [empty.state]
    for _ in range(2):
        empty.migrate()
        states.append(empty.state)
    assert states == [State.EMPTY, State.CURRENT, State.CURRENT]


def test_the_migrations_make_the_tables_of_the_schema(empty: Database) -> None:
    empty.migrate()

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    assert empty.run_read(differences) == []


def test_the_revision_of_the_schema_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(contentsync.server.store.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


def test_a_database_of_an_older_version_must_be_migrated_first(database: Database) -> None:
    set_revision(database, "0000")
    assert database.state is State.OLDER
    with pytest.raises(Refused, match="older version") as refused:
        database.require_current()
    assert "admin migrate" in refused.value.hint


def test_a_database_of_a_newer_version_is_refused(database: Database) -> None:
    set_revision(database, "9999")
    for use in (database.require_current, database.migrate):
        with pytest.raises(Refused, match="newer version"):
            use()


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    before = path.read_bytes()
    database = Database.open(f"sqlite:///{path}")
    with pytest.raises(Refused, match="not made by contentsync"):
        database.migrate()
    assert database.state is State.FOREIGN
    database.close()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_a_migration_that_fails_half_way_leaves_nothing_behind(empty: Database) -> None:
    """DB-03."""
    empty.run_write(lambda connection: connection.execute(text("CREATE VIEW pages AS SELECT 1")))
    with pytest.raises(DBAPIError, match="pages"):
        empty.migrate()
    assert empty.run_read(lambda connection: inspect(connection).get_table_names()) == []


@pytest.mark.parametrize(
    "url",
    ["mysql://localhost/x", "sqlite://", "sqlite:///:memory:", "sqlite:///site.db?mode=ro", "site.db", ""],
)
def test_only_files_of_sqlite_and_postgresql_are_accepted(url: str) -> None:
    with pytest.raises(UsageError) as error:
        Database.open(url)
    assert "sqlite:///" in error.value.hint


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    path.write_text("Not a database. " * 100)
    with pytest.raises(UsageError, match="cannot open the database"):
        Database.open(f"sqlite:///{path}")


def test_a_missing_file_is_made_only_when_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "site.db"
    with pytest.raises(UsageError, match="there is no database"):
        Database.open(f"sqlite:///{path}", create=False)
    assert not path.exists()


def test_a_write_that_fails_changes_nothing(database: Database) -> None:
    def half(connection: Connection) -> None:
        accounts.create_user(connection, email="ada@example.com", name="Ada")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.run_write(half)
    assert database.run_read(accounts.all_users) == []


def test_a_failed_savepoint_takes_back_its_own_writes_only(database: Database) -> None:
    def both(connection: Connection) -> None:
        accounts.create_user(connection, email="ada@example.com", name="Ada")
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            accounts.create_user(connection, email="bob@example.com", name="Bob")
            raise ZeroDivisionError

    database.run_write(both)
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["Ada"]


def test_commits_are_durable_and_references_are_held(database: Database) -> None:
    """DB-06."""

    def pragma(connection: Connection, name: str) -> object:
        return connection.execute(text(f"PRAGMA {name}")).scalar()

    assert database.run_read(pragma, "journal_mode") == "wal"
    assert database.run_read(pragma, "synchronous") == 2  # FULL
    assert database.run_read(pragma, "foreign_keys") == 1


def create_user(connection: Connection) -> int:
    return accounts.create_user(connection, email="ada@example.com", name="Ada")


def test_a_database_that_stays_busy_is_told(database_file: Path) -> None:
    database = Database.open(f"sqlite:///{database_file}", patience=0.1)
    with locked(database_file), pytest.raises(Unavailable, match="busy") as error:
        database.run_write(create_user)
    assert error.value.exit_code == 4
    assert database.run_read(accounts.all_users) == []
    database.close()


def test_a_write_that_waits_for_another_process_leaves_the_rest_running(
    database: Database, database_file: Path
) -> None:
    async def meet() -> None:
        with locked(database_file) as other:
            writing = asyncio.create_task(database.write(create_user))
            await asyncio.sleep(0)
            assert await database.read(accounts.all_users) == []
            assert not writing.done()
            other.rollback()
            await writing

    asyncio.run(meet())
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["Ada"]


@pytest.mark.parametrize(("pragma", "said"), [("query_only = ON", "read-only"), ("max_page_count = 1", "full")])
@pytest.mark.parametrize("nested", [False, True])
def test_a_database_that_cannot_be_written_is_told_and_stays_as_it_was(
    database: Database, pragma: str, said: str, nested: bool
) -> None:
    def fill(connection: Connection) -> None:
        for number in range(100):
            accounts.create_user(connection, email=f"ada@{'x' * 60}-{number}.example", name="x" * 255)

    def fill_nested(connection: Connection) -> None:
        with connection.begin_nested():
            fill(connection)

    database.run_read(lambda connection: connection.exec_driver_sql(f"PRAGMA {pragma}"))
    with pytest.raises(Unavailable, match=said):
        database.run_write(fill_nested if nested else fill)
    assert database.run_read(accounts.all_users) == []


def test_what_is_written_is_there_for_another_process(database_file: Path, database: Database) -> None:
    database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    with sqlite3.connect(database_file) as other:
        assert other.execute("SELECT name FROM users").fetchall() == [("Ada",)]
    other.close()
