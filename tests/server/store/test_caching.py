"""What is cached of a SQLite file, and for how long."""

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
from sqlalchemy import text

from contentsync.server.store import Connection, Database
from contentsync.server.store.caching import MAX_RESULTS, StatementCache, cached

_COUNT = text("SELECT count(*) FROM users")
_ADD = "INSERT INTO users (email, name, created_at, updated_at) VALUES (hex(randomblob(9)), 'Ada', '', '')"


class Asked:
    """Reads through the database's own reader; `times` is how often it was asked anything."""

    def __init__(self, database: Database) -> None:
        self.times = 0
        self._database = database
        self._runner = asyncio.Runner()

        @cached
        def users(connection: Connection, what: str) -> tuple[str, int]:
            self.times += 1
            return what, connection.execute(_COUNT).scalar_one()

        self.users = users

    def close(self) -> None:
        self._runner.close()

    def __call__(self, what: str = "users") -> tuple[str, int]:
        found: tuple[str, int] = self.run(self.users, what)
        return found

    def look(self, connection: Connection) -> tuple[str, int]:
        found: tuple[str, int] = self.users(connection, "users")
        return found

    def run(self, fn: Any, *args: Any) -> Any:
        return self._runner.run(self._database.read(fn, *args))

    def write(self, fn: Any) -> Any:
        return self._runner.run(self._database.write(fn))


@pytest.fixture
def asked(database: Database) -> Iterator[Asked]:
    with closing(Asked(database)) as asked:
        yield asked


def add(connection: Connection) -> None:
    connection.exec_driver_sql(_ADD)


def test_nothing_is_asked_twice_while_nobody_commits(asked: Asked) -> None:
    assert [asked(), asked(), asked()] == [("users", 0)] * 3
    assert asked.times == 1


def test_results_belong_to_their_arguments_and_their_function(asked: Asked) -> None:
    """AU-14."""

    @cached
    def other(connection: Connection, what: str) -> str:
        return f"other {what}"

    assert [asked("a"), asked("b"), asked("a")] == [("a", 0), ("b", 0), ("a", 0)]
    assert [asked.run(other, "a"), asked("a"), asked.run(other, "a")] == ["other a", ("a", 0), "other a"]


def test_a_commit_of_this_process_is_seen_by_the_next_read(asked: Asked) -> None:
    for number in range(5):
        assert [asked(), asked()] == [("users", number)] * 2
        asked.write(add)
    assert asked.times == 5


def test_a_commit_of_another_process_is_seen_by_the_next_read(asked: Asked, database_file: Path) -> None:
    assert asked() == ("users", 0)
    program = f"import sqlite3; file = sqlite3.connect({str(database_file)!r}); file.execute({_ADD!r}); file.commit()"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert asked() == ("users", 1)


def test_a_write_that_is_not_committed_is_not_seen(asked: Asked, database_file: Path) -> None:
    with closing(sqlite3.connect(database_file)) as other:
        other.execute(_ADD)
        assert asked() == ("users", 0)
        other.commit()
        assert asked() == ("users", 1)
        other.execute(_ADD)
        other.rollback()
    assert asked() == ("users", 1)


def test_what_is_committed_during_a_read_is_seen_by_the_next_one_only(asked: Asked, database_file: Path) -> None:
    def read(connection: Connection) -> tuple[tuple[str, int], tuple[str, int]]:
        with closing(sqlite3.connect(database_file)) as other:
            other.execute(_ADD)
            other.commit()
        return asked.users(connection, "first"), asked.users(connection, "second")

    assert asked.run(read) == (("first", 0), ("second", 0))
    assert (asked("first"), asked("second")) == (("first", 1), ("second", 1))


def test_a_read_that_fails_leaves_what_is_known_and_the_connection_as_they_were(asked: Asked) -> None:
    def fails(connection: Connection) -> None:
        raise ZeroDivisionError

    assert asked() == ("users", 0)
    with pytest.raises(ZeroDivisionError):
        asked.run(fails)
    asked.write(add)
    assert asked() == ("users", 1)


def test_a_commit_of_another_process_is_seen_by_the_next_write(asked: Asked, database_file: Path) -> None:
    assert [asked.write(asked.look), asked.write(asked.look)] == [("users", 0)] * 2
    assert asked.times == 1
    with closing(sqlite3.connect(database_file)) as other:
        other.execute(_ADD)
        other.commit()
    assert asked.write(asked.look) == ("users", 1)


def test_a_write_that_fails_leaves_nothing_that_it_has_read(asked: Asked) -> None:
    def fails(connection: Connection) -> None:
        add(connection)
        assert asked.users(connection, "users") == ("users", 1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asked.write(fails)
    assert asked.write(asked.look) == ("users", 0)


def test_a_memory_does_not_grow_without_end() -> None:
    memory, asked = StatementCache(), []

    def ask(key: int) -> int:
        asked.append(key)
        return key

    for key in range(3 * MAX_RESULTS):
        assert memory.get(key, partial(ask, key)) == key
        assert memory.get(key, partial(ask, -1)) == key
    assert asked == list(range(3 * MAX_RESULTS))
    assert len(memory) <= MAX_RESULTS
