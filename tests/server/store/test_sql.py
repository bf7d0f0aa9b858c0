"""contentsync.server.store.sql: one text of a statement runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest

from contentsync.server.store import Connection, Database, connect_database
from contentsync.server.store.sql import FreeConnections, SQLiteConnection
from contentsync.server.store.sqlite_connection import create_if_missing, open_file

from ...postgresql import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Return a database with a table of three things."""
    url = f"sqlite:///{tmp_path / 'site.db'}"
    if request.param == "postgresql":
        cluster: Cluster = request.getfixturevalue("cluster")
        url = cluster.database()

    def fill(connection: Connection) -> None:
        key = "INTEGER PRIMARY KEY" if connection.is_sqlite else "SERIAL PRIMARY KEY"
        connection.run(f'CREATE TABLE things (id {key}, name TEXT, "order" INTEGER, is_new BOOLEAN)')
        rows = [("saw", 2, True), ("axe", 1, False), ("nail", 3, True)]
        connection.insert_many("things", ("name", "order", "is_new"), rows)

    with closing(connect_database(url)) as database:
        database.run_write(fill)
        yield database


@pytest.mark.parametrize(
    ("names", "found"), [(["saw", "nail"], ["nail", "saw"]), ([], []), (["it's", '"', "100%", "saw"], ["saw"])]
)
def test_a_list_is_one_parameter(database: Database, names: list[str], found: list[str]) -> None:
    def some(connection: Connection) -> list[str]:
        return connection.column("SELECT name FROM things WHERE name IN :names ORDER BY name", {"names": names})

    assert database.run_read(some) == found


def test_a_list_of_integers_may_be_longer_than_the_parameters_of_a_statement(database: Database) -> None:
    def some(connection: Connection) -> list[int]:
        return connection.column("SELECT id FROM things WHERE id IN :ids ORDER BY id", {"ids": list(range(2, 100_000))})

    assert database.run_read(some) == [2, 3]


def test_a_statement_may_contain_percent_signs_casts_and_json(database: Database) -> None:
    def texts(connection: Connection) -> list[str]:
        cast = "CAST(id AS TEXT)" if connection.is_sqlite else "id::text"
        query = f"""SELECT '{{"id":' || {cast} || '}}' FROM things WHERE name LIKE 'n%' AND is_new = TRUE"""
        return connection.column(query)

    assert database.run_read(texts) == ['{"id":3}']


def test_a_row_has_its_values_by_name(database: Database) -> None:
    row = database.run_read(lambda connection: connection.one('SELECT id, name, "order" FROM things WHERE id = 2'))
    assert (row.id, row.name, row.order, tuple(row)) == (2, "axe", 1, (2, "axe", 1))


def test_a_missing_row_is_no_value(database: Database) -> None:
    missing = "SELECT name FROM things WHERE id = 9"
    assert database.run_read(lambda connection: (connection.first(missing), connection.scalar(missing))) == (None, None)


def test_a_column_with_a_word_of_sql_as_its_name_is_written(database: Database) -> None:
    def write(connection: Connection) -> list[object]:
        new = connection.insert_returning_id("things", {"name": "tape", "order": 7, "is_new": True})
        connection.update("things", new, {"order": 8})
        return connection.column('SELECT "order" FROM things WHERE id = :id', {"id": new})

    assert database.run_write(write) == [8]


def test_the_new_ids_of_many_rows_are_found_by_a_column(database: Database) -> None:
    rows = [("tape", 4), ("glue", 5)]
    ids = database.run_write(lambda c: c.insert_returning_ids("things", ("name", "order"), rows, "name"))
    assert ids == {"tape": 4, "glue": 5}


def test_a_statement_runs_for_each_of_many_parameters(database: Database) -> None:
    def rename(connection: Connection) -> list[str]:
        many = [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
        connection.run_many("UPDATE things SET name = :name WHERE id = :id", many)
        return connection.column("SELECT name FROM things ORDER BY id")

    assert database.run_write(rename) == ["a", "b", "nail"]


@pytest.fixture
def opened() -> list[Connection]:
    """Return a list for the connections that a test has opened."""
    return []


@pytest.fixture
def free(tmp_path: Path, opened: list[Connection]) -> Iterator[FreeConnections]:
    """Yield connections of which those in `opened` that are named "lost" cannot be used again."""
    path = tmp_path / "site.db"
    create_if_missing(path)

    def connect() -> Connection:
        opened.append(SQLiteConnection(open_file(path, durable=False)))
        return opened[-1]

    connections = FreeConnections(connect, is_usable=lambda connection: "lost" not in connection.info)
    yield connections
    connections.close()


def test_a_connection_is_used_again(free: FreeConnections, opened: list[Connection]) -> None:
    for _ in range(3):
        with free.use() as connection:
            assert connection is opened[0]
    assert len(opened) == 1


def test_threads_have_connections_of_their_own(free: FreeConnections, opened: list[Connection]) -> None:
    both = Barrier(2)

    def use() -> None:
        with free.use():
            both.wait(10)

    threads = [Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 2


def test_a_lost_connection_closes_the_others(free: FreeConnections, opened: list[Connection]) -> None:
    with free.use(), free.use():
        pass
    with free.use() as connection:
        connection.info["lost"] = True
    with free.use() as another:
        assert another is opened[2]
    assert len(opened) == 3


def test_an_error_gives_the_connection_back(free: FreeConnections, opened: list[Connection]) -> None:
    with pytest.raises(ZeroDivisionError), free.use():
        raise ZeroDivisionError
    with free.use() as connection:
        assert connection is opened[0]
