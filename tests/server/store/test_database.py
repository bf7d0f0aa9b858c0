"""SQLite and PostgreSQL behave alike: migrations, states and transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

import contentsync.server.store
from contentsync.errors import Refused
from contentsync.server.store import Connection, Database, State, accounts, connect_database, migration
from contentsync.server.store.tables import REVISION, TABLES

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
    statement = "UPDATE alembic_version SET version_num = :revision"
    database.run_write(lambda connection: connection.run(statement, {"revision": revision}))


def test_a_new_file_is_empty_until_it_is_migrated(empty: Database) -> None:
    states = [empty.state]
    for _ in range(2):
        empty.migrate()
        states.append(empty.state)
    assert states == [State.EMPTY, State.CURRENT, State.CURRENT]


def schema(connection: Connection) -> dict[str, list[str]]:
    """Return what the database says of its tables, columns, constraints and indexes."""
    if not connection.is_sqlite:
        queries = {
            "tables": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
            "columns": "SELECT table_name, column_name, data_type, character_maximum_length, collation_name,"
            " is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public'",
            "constraints": "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE connamespace = 'public'::regnamespace",
            "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        }
        return {name: sorted(map(str, connection.tuples(query))) for name, query in queries.items()}
    tables = connection.column("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search_index_%'")
    parts = {"columns": "table_info", "references": "foreign_key_list"}
    found = {
        name: sorted(f"{table} {row[1:]}" for table in tables for row in connection.tuples(f"PRAGMA {pragma}({table})"))
        for name, pragma in parts.items()
    }
    keys = [  # without the names that SQLite gives them
        f"{table} {unique} {connection.column(f'SELECT name FROM pragma_index_info({index!r})')}"
        for table in tables
        for _, index, unique, *_ in connection.tuples(f"PRAGMA index_list({table})")
    ]
    indexes = connection.column("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    return {
        "tables": sorted(tables),
        **found,
        "keys": sorted(keys),
        "indexes": sorted(each.replace('"', "") for each in indexes),
    }


def test_a_created_and_a_migrated_database_have_the_same_tables(empty: Database) -> None:
    empty.run_write(migration.create)
    created = empty.run_read(schema)

    def drop_all(connection: Connection) -> None:
        for table in reversed([*TABLES, "search_index"]):
            connection.run(f"DROP TABLE IF EXISTS {table}")

    empty.run_write(drop_all)
    empty.run_write(migration.upgrade, "head")
    migrated = empty.run_read(schema)
    for name, parts in created.items():
        assert migrated[name] == parts
        assert parts


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
    empty.run_write(lambda connection: connection.run("CREATE VIEW pages AS SELECT 1"))
    with pytest.raises((sqlite3.Error, psycopg.Error), match="pages"):
        empty.migrate()
    assert empty.run_read(lambda connection: schema(connection)["tables"]) == []
    empty.run_write(lambda connection: connection.run("DROP VIEW pages"))
    empty.migrate()
    empty.require_current()


def test_a_database_of_another_program_is_refused(empty: Database) -> None:
    empty.run_write(lambda connection: connection.run("CREATE TABLE customers (name TEXT)"))
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
