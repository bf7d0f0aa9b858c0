import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

import contentsync.server.store
from contentsync.errors import Refused, UsageError
from contentsync.server.store import Connection, Database, State, accounts
from contentsync.server.store.schema import REVISION, metadata


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
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE customers (name TEXT)")
    other.close()
    database = Database.open(f"sqlite:///{path}")
    with pytest.raises(Refused, match="not made by contentsync"):
        database.migrate()
    assert database.state is State.FOREIGN
    database.close()


def test_a_migration_that_fails_half_way_leaves_nothing_behind(empty: Database) -> None:
    """DB-03."""
    empty.run_write(lambda connection: connection.execute(text("CREATE VIEW pages AS SELECT 1")))
    with pytest.raises(DBAPIError, match="pages"):
        empty.migrate()
    assert empty.run_read(lambda connection: inspect(connection).get_table_names()) == []


@pytest.mark.parametrize("url", ["postgresql://localhost/x", "sqlite://", "sqlite:///:memory:", "site.db", ""])
def test_only_sqlite_files_are_accepted(url: str) -> None:
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
    assert database.run_read(pragma, "busy_timeout") == 5000


def test_what_is_written_is_there_for_another_process(database_file: Path, database: Database) -> None:
    database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
    with sqlite3.connect(database_file) as other:
        assert other.execute("SELECT name FROM users").fetchall() == [("Ada",)]
    other.close()
