"""Migrations that meet another one, or do not come to their end (DB-03)."""

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from contentsync.server.store import Database, State
from contentsync.server.store.migration import upgrade

from ...postgresql import Cluster
from ...serving import serving
from ..processes import start

# Migrates, and is killed as if by the machine's operator when it has sent so many statements.
KILLED = """
import os, signal, sys
from sqlalchemy import Engine, event
from contentsync.server.store import Database

left = int(sys.argv[2])

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Database.open(sys.argv[1]).migrate()
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database in which nothing is."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'site.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.database()


def older(url: str) -> None:
    """Makes it a database of the first release, with one user."""

    def fill(connection: Connection) -> None:
        upgrade(connection, "0001")
        connection.execute(
            text("INSERT INTO users (email, name, created_at, updated_at) VALUES ('ada', 'Ada', '', '')")
        )

    with closing(Database.open(url)) as database:
        database.run_write(fill)


def users(connection: Connection) -> list[str]:
    return list(connection.execute(text("SELECT name FROM users")).scalars())


def test_several_that_migrate_at_once_all_find_it_done(url: str) -> None:
    """DB-03."""
    commands = [start("admin", "migrate", "--db", url) for _ in range(4)]
    ends = [command.communicate(timeout=60) for command in commands]
    assert [command.returncode for command in commands] == [0] * 4, ends
    with closing(Database.open(url)) as database:
        database.require_current()


def test_two_servers_start_at_once_on_an_empty_database(url: str) -> None:
    """DB-03."""
    first = start("serve", "--db", url, "--port", "0")  # meanwhile
    with serving(url):
        assert first.stderr is not None
        assert "serving on" in first.stderr.readline()
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0
        for stream in (first.stdout, first.stderr):
            assert stream is not None
            stream.close()


def test_an_older_database_is_migrated_by_a_server_that_is_told_to(url: str) -> None:
    older(url)
    refused = start("serve", "--db", url, "--port", "0")
    _, err = refused.communicate(timeout=60)
    assert refused.returncode == 3
    assert "of an older version" in err
    with serving(url, "--migrate"), closing(Database.open(url)) as database:
        assert database.state is State.CURRENT
        assert database.run_read(users) == ["Ada"]


@pytest.mark.parametrize("statements", [9, 33])
def test_a_migration_that_is_killed_has_done_nothing(url: str, statements: int) -> None:
    """DB-03."""
    killed(url, statements)
    with closing(Database.open(url)) as database:
        states = [database.state]
        database.migrate()
        states.append(database.state)
    assert states == [State.EMPTY, State.CURRENT]


@pytest.mark.parametrize("statements", [15, 22])
def test_a_migration_of_rows_that_is_killed_has_done_nothing(url: str, statements: int) -> None:
    """DB-03."""
    older(url)
    killed(url, statements)
    with closing(Database.open(url)) as database:
        states = [database.state]
        assert database.run_read(users) == ["Ada"]
        database.migrate()
        states.append(database.state)
        assert database.run_read(users) == ["Ada"]
    assert states == [State.OLDER, State.CURRENT]


def killed(url: str, statements: int) -> None:
    process = subprocess.run([sys.executable, "-c", KILLED, url, str(statements)], check=False)
    assert process.returncode == -signal.SIGKILL
