"""SQLite and PostgreSQL behave alike: migrations, states and transactions."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Row, inspect, text
from sqlalchemy.exc import DBAPIError

import contentsync.server.store
from contentsync.errors import Refused
from contentsync.server.store import Connection, Database, State, accounts, connect_database, migration
from contentsync.server.store.tables import REVISION, metadata

from ...postgresql import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Return an empty database."""
    url = f"sqlite:///{tmp_path / 'new' / 'site.db'}"
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.database()
    with closing(connect_database(url)) as database:
        yield database


@pytest.fixture
def database(empty: Database) -> Database:
    """Return a migrated database without rows."""
    empty.migrate()
    return empty


def set_revision(database: Database, revision: str) -> None:
    statement = text("UPDATE alembic_version SET version_num = :revision")
    database.run_write(lambda connection: connection.execute(statement, {"revision": revision}))


def test_a_new_file_is_empty_until_it_is_migrated(empty: Database) -> None:
    states = [empty.state]
    for _ in range(2):
        empty.migrate()
        states.append(empty.state)
    assert states == [State.EMPTY, State.CURRENT, State.CURRENT]


@pytest.mark.parametrize("make", [migration.create, partial(migration.upgrade, revision="head")])
def test_a_created_and_a_migrated_database_match_the_schema(
    empty: Database, make: Callable[[Connection], None]
) -> None:
    empty.run_write(make)

    def differences(connection: Connection) -> list[object]:
        options = {"include_object": lambda _object, name, *_: not (name or "").startswith("search_index")}
        found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
        return [difference for difference in found if "tokens" not in repr(difference)]  # of PostgreSQL's index

    assert empty.run_read(differences) == []


def test_a_created_and_a_migrated_database_have_the_same_columns_and_indexes(empty: Database) -> None:
    """Alembic compares neither defaults and collations of columns nor the order of an index."""

    def columns(connection: Connection) -> dict[tuple[str, str], str]:
        tables = inspect(connection)
        names = tables.get_table_names()
        return {(table, column["name"]): repr(column) for table in names for column in tables.get_columns(table)}

    def indexes(connection: Connection) -> list[Row[tuple[str, str]]]:
        sqlite = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        postgresql = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        found = connection.execute(text(sqlite if connection.dialect.name == "sqlite" else postgresql))
        return sorted(found.all())

    empty.run_write(migration.create)
    created = empty.run_read(columns), empty.run_read(indexes)
    empty.run_write(metadata.drop_all)

    def drop_others(connection: Connection) -> None:
        for table in ("alembic_version", "search_index"):
            connection.execute(text(f"DROP TABLE IF EXISTS {table}"))

    empty.run_write(drop_others)
    empty.run_write(migration.upgrade, "head")
    assert created == (empty.run_read(columns), empty.run_read(indexes))
    assert all(created)


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


def test_a_migration_that_fails_changes_nothing(empty: Database) -> None:
    """DB-03."""
    empty.run_write(lambda connection: connection.execute(text("CREATE VIEW pages AS SELECT 1")))
    with pytest.raises(DBAPIError, match="pages"):
        empty.migrate()
    assert empty.run_read(lambda connection: inspect(connection).get_table_names()) == []
    empty.run_write(lambda connection: connection.execute(text("DROP VIEW pages")))
    empty.migrate()
    empty.require_current()


def test_a_database_of_another_program_is_refused(empty: Database) -> None:
    empty.run_write(lambda connection: connection.execute(text("CREATE TABLE customers (name TEXT)")))
    for use in (empty.migrate, empty.require_current):
        with pytest.raises(Refused, match="not made by contentsync"):
            use()


def test_a_write_that_fails_changes_nothing(database: Database) -> None:
    def half(connection: Connection) -> None:
        accounts.create_user(connection, email="ada@example.com", name="Ada")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.run_write(half)
    assert database.run_read(accounts.all_users) == []


def test_a_failed_savepoint_reverts_only_its_own_writes(database: Database) -> None:
    def both(connection: Connection) -> None:
        accounts.create_user(connection, email="ada@example.com", name="Ada")
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            accounts.create_user(connection, email="bob@example.com", name="Bob")
            raise ZeroDivisionError

    database.run_write(both)
    assert [user["name"] for user in database.run_read(accounts.all_users)] == ["Ada"]
