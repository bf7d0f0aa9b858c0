"""The cached values for a SQLite file, and their lifetime."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from contentsync.server.store import Connection, Database
from contentsync.server.store.caching import MAX_RESULTS, DirectoryCache, StatementCache, cached_until_commit

_COUNT = "SELECT count(*) FROM users"
_ADD = "INSERT INTO users (email, name, created_at, updated_at) VALUES (hex(randomblob(9)), 'Ada', '', '')"


class CountingReader:
    """A wrapper that reads through the database's own reader; `times` is the number of calls."""

    def __init__(self, database: Database) -> None:
        self.times = 0
        self._database = database
        self._runner = asyncio.Runner()

        @cached_until_commit
        def users(connection: Connection, what: str) -> tuple[str, int]:
            self.times += 1
            return what, connection.scalar(_COUNT)

        self.users = users

    def close(self) -> None:
        self._runner.close()

    def __call__(self, what: str = "users") -> tuple[str, int]:
        found: tuple[str, int] = self.run(self.users, what)
        return found

    def read_users(self, connection: Connection) -> tuple[str, int]:
        found: tuple[str, int] = self.users(connection, "users")
        return found

    def run(self, fn: Any, *args: Any) -> Any:
        return self._runner.run(self._database.read(fn, *args))

    def write(self, fn: Any) -> Any:
        return self._runner.run(self._database.write_in_directory(1, fn))


@pytest.fixture
def reader(database: Database) -> Iterator[CountingReader]:
    with closing(CountingReader(database)) as reader:
        yield reader


def add(connection: Connection) -> None:
    connection.run(_ADD)


def test_a_result_is_cached_until_the_next_commit(reader: CountingReader) -> None:
    assert [reader(), reader(), reader()] == [("users", 0)] * 3
    assert reader.times == 1


def test_results_are_cached_by_function_and_arguments(reader: CountingReader) -> None:
    """AU-14."""

    @cached_until_commit
    def other(connection: Connection, what: str) -> str:
        return f"other {what}"

    assert [reader("a"), reader("b"), reader("a")] == [("a", 0), ("b", 0), ("a", 0)]
    assert [reader.run(other, "a"), reader("a"), reader.run(other, "a")] == ["other a", ("a", 0), "other a"]


def test_a_commit_of_this_process_invalidates_the_cache(reader: CountingReader) -> None:
    for number in range(5):
        assert [reader(), reader()] == [("users", number)] * 2
        reader.write(add)
    assert reader.times == 5


def test_a_commit_of_another_process_invalidates_the_cache(reader: CountingReader, database_file: Path) -> None:
    assert reader() == ("users", 0)
    program = f"import sqlite3; file = sqlite3.connect({str(database_file)!r}); file.execute({_ADD!r}); file.commit()"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert reader() == ("users", 1)


def test_an_uncommitted_write_does_not_invalidate_the_cache(reader: CountingReader, database_file: Path) -> None:
    with closing(sqlite3.connect(database_file)) as other:
        other.execute(_ADD)
        assert reader() == ("users", 0)
        other.commit()
        assert reader() == ("users", 1)
        other.execute(_ADD)
        other.rollback()
    assert reader() == ("users", 1)


def test_a_commit_during_a_read_is_visible_to_the_next_read(reader: CountingReader, database_file: Path) -> None:
    def read(connection: Connection) -> tuple[tuple[str, int], tuple[str, int]]:
        with closing(sqlite3.connect(database_file)) as other:
            other.execute(_ADD)
            other.commit()
        return reader.users(connection, "first"), reader.users(connection, "second")

    assert reader.run(read) == (("first", 0), ("second", 0))
    assert (reader("first"), reader("second")) == (("first", 1), ("second", 1))


def test_a_failed_read_changes_neither_the_cache_nor_the_connection(reader: CountingReader) -> None:
    def fails(connection: Connection) -> None:
        raise ZeroDivisionError

    assert reader() == ("users", 0)
    with pytest.raises(ZeroDivisionError):
        reader.run(fails)
    reader.write(add)
    assert reader() == ("users", 1)


def test_a_commit_of_another_process_is_visible_to_the_next_write(reader: CountingReader, database_file: Path) -> None:
    assert [reader.write(reader.read_users), reader.write(reader.read_users)] == [("users", 0)] * 2
    assert reader.times == 1
    with closing(sqlite3.connect(database_file)) as other:
        other.execute(_ADD)
        other.commit()
    assert reader.write(reader.read_users) == ("users", 1)


def test_a_failed_write_leaves_no_cached_result(reader: CountingReader) -> None:
    def fails(connection: Connection) -> None:
        add(connection)
        assert reader.users(connection, "users") == ("users", 1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        reader.write(fails)
    assert reader.write(reader.read_users) == ("users", 0)


def test_the_statement_cache_is_bounded() -> None:
    cache, queried = StatementCache(), []

    def query(key: int) -> int:
        queried.append(key)
        return key

    for key in range(3 * MAX_RESULTS):
        assert cache.get(key, partial(query, key)) == key
        assert cache.get(key, partial(query, -1)) == key
    assert queried == list(range(3 * MAX_RESULTS))
    assert len(cache) <= MAX_RESULTS


def test_a_directory_cache_is_bounded_and_keyed_by_version() -> None:
    cache = DirectoryCache[list[int]](max_directories=2)
    first = cache.get(1, "a", list)
    assert cache.get(1, "a", list) is first
    assert cache.get(1, "b", list) is not first
    cache.get(2, "a", list)
    latest = cache.get(1, "b", list)
    cache.get(3, "a", list)
    assert len(cache) == 2
    assert cache.get(1, "b", list) is latest
    cache.drop(1)
    assert cache.get(1, "b", list) is not latest
