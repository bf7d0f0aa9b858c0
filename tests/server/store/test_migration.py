"""Migrations that meet another one, or are interrupted (DB-03)."""

import os
import signal
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from contentsync.server.store import Connection, State, connect_database
from contentsync.server.store.migration import upgrade

from ...exit_codes import REFUSED
from ...forked import CONTEXT
from ...postgresql import Cluster
from ...sampling import sampled
from ...serving import serving, starting
from ..processes import start
from ..statements import watching


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'site.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.database()


def older(url: str) -> None:
    """Turn the database into one of the first release, with one user."""

    def fill(connection: Connection) -> None:
        upgrade(connection, "0001")
        connection.run("INSERT INTO users (email, name, created_at, updated_at) VALUES ('ada', 'Ada', '', '')")

    with closing(connect_database(url)) as database:
        database.run_write(fill)


def users(connection: Connection) -> list[str]:
    return connection.column("SELECT name FROM users")


def test_concurrent_migrations_all_succeed(url: str) -> None:
    """DB-03."""
    commands = [start("admin", "migrate", "--db", url) for _ in range(4)]
    ends = [command.end() for command in commands]
    assert [code for code, _out, _err in ends] == [0] * 4, ends
    with closing(connect_database(url)) as database:
        database.require_current()


def test_two_servers_can_start_at_once_on_an_empty_database(url: str) -> None:
    """DB-03."""
    with starting(url) as first, starting(url) as second:
        for server in (first, second):
            server.wait()
        assert [server.stop(signal.SIGTERM) for server in (first, second)] == [0, 0]


def test_an_older_database_is_migrated_by_serve_with_migrate(url: str) -> None:
    older(url)
    code, _, err = start("serve", "--db", url, "--port", "0").end()
    assert code == REFUSED
    assert "of an older version" in err
    with serving(url, "--migrate"), closing(connect_database(url)) as database:
        assert database.state is State.CURRENT
        assert database.run_read(users) == ["Ada"]


@pytest.mark.parametrize("statements", sampled([9, 33], every=2))
def test_a_killed_migration_changes_nothing(url: str, statements: int) -> None:
    """DB-03."""
    killed(url, statements)
    with closing(connect_database(url)) as database:
        states = [database.state]
        database.migrate()
        states.append(database.state)
    assert states == [State.EMPTY, State.CURRENT]


@pytest.mark.parametrize("statements", sampled([15, 22], every=2))
def test_a_killed_migration_of_rows_changes_nothing(url: str, statements: int) -> None:
    """DB-03."""
    older(url)
    killed(url, statements)
    with closing(connect_database(url)) as database:
        states = [database.state]
        assert database.run_read(users) == ["Ada"]
        database.migrate()
        states.append(database.state)
        assert database.run_read(users) == ["Ada"]
    assert states == [State.OLDER, State.CURRENT]


def killed(url: str, statements: int) -> None:
    process = CONTEXT.Process(target=migrate_and_die, args=(url, statements))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


def migrate_and_die(url: str, statements: int) -> None:
    """Migrate, and kill the process after this number of statements."""
    sent = count(1)

    @event.listens_for(Engine, "before_cursor_execute")  # the migrations' own
    def die(*_: object) -> None:
        if next(sent) == statements:
            os.kill(os.getpid(), signal.SIGKILL)

    with watching(die):
        connect_database(url).migrate()
