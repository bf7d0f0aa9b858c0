"""docs/server.md agrees with the server: its commands are run, and its numbers are those of the program."""

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from contentsync.server.edge.http_connection import HEAD_BYTES, KEEP_ALIVE, URL_BYTES, HttpConnection
from contentsync.server.edge.process import BODY_SECONDS, GRACE_SECONDS
from contentsync.server.edge.server_settings import RATE_LIMIT
from contentsync.server.quota import MAX_BODY
from contentsync.server.site.body_text import MAX_CACHE_BYTES as MAX_HTML
from contentsync.server.store import accounts, connect_database
from contentsync.server.store.database import MAX_WAIT
from contentsync.server.store.postgresql import CONNECTIONS, LOCK_MARGIN, OLDEST_VERSION
from contentsync.server.store.public_listings import MAX_COUNTED, MAX_FOUND
from contentsync.server.store.read_pool import MAX_QUEUE_SECONDS, MAX_WAITING

from .in_process import environment, run_command
from .page_commands import Reader, commands, section
from .postgresql import VARIABLE, Cluster, running
from .redis_server import MISSING, SERVER, redis_running
from .serving import make_tenant

PAGE = Path(__file__).parent.parent / "docs" / "server.md"
needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl: apt-get install curl")


@pytest.fixture
def reader(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Return a reader in an empty folder."""
    return Reader(tmp_path, capsys, monkeypatch)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Yield the PostgreSQL of this run."""
    with running(os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))) as cluster:
        yield cluster


class Administrator(Reader):
    """An administrator of PostgreSQL, as its superuser; the page's databases and roles get names of their own."""

    name = f"page_{os.getpid()}"

    def sit_down_at(self, cluster: Cluster) -> None:
        """Reach it unasked, as on its machine."""
        self.cluster = cluster
        options = conninfo_to_dict(cluster.url("postgres"))
        for option, variable in {
            "host": "PGHOST",
            "port": "PGPORT",
            "user": "PGUSER",
            "password": "PGPASSWORD",
        }.items():
            if options.get(option):
                self.set(variable, str(options[option]))
        self.set("PATH", f"{cluster.programs}{os.pathsep}{os.environ['PATH']}")
        self.instead = {
            "postgresql://contentsync@db.example.com/contentsync": self.url(self.name, self.name),
            "createuser contentsync": f"createuser {self.name}",
            "--owner contentsync": f"--owner {self.name}",
            "template0 contentsync": f"template0 {self.name}",
            "--quiet contentsync": f"--quiet {self.name}",
            "FOR ROLE contentsync": f"FOR ROLE {self.name}",
            "TO contentsync_web": f"TO {self.name}_web",
            "contentsync.dump contentsync": f"contentsync.dump {self.name}",
            "restored": f"{self.name}_restored",
        }

    def url(self, database: str, role: str) -> str:
        """Return the URL of a database for a role."""
        return self.cluster.url(database).replace("//postgres@", f"//{role}@")

    def leave(self) -> None:
        """Remove everything that the test created."""
        made = {"DATABASE": ("", "_restored"), "ROLE": ("", "_web")}
        with psycopg.connect(self.cluster.url("postgres"), autocommit=True) as connection:
            for kind, endings in made.items():
                for ending in endings:
                    name = sql.Identifier(self.name + ending)
                    connection.execute(sql.SQL("DROP {} IF EXISTS {}").format(sql.SQL(kind), name))


@pytest.fixture
def administrator(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Administrator]:
    """Yield an administrator of PostgreSQL."""
    administrator = Administrator(tmp_path, capsys, monkeypatch)
    administrator.sit_down_at(cluster)
    yield administrator
    administrator.leave()


@needs_curl
def test_the_commands_for_one_person_work_as_written(reader: Reader) -> None:
    assert len(reader.type(section(PAGE, "For one person"))) == 6


@needs_curl
def test_the_commands_for_a_team_work_as_written(reader: Reader) -> None:
    assert len(reader.type(section(PAGE, "For a team"))) == 13


def test_the_commands_for_a_backup_of_a_file_work_as_written(reader: Reader, tmp_path: Path) -> None:
    make_tenant("sqlite:///team.db")
    files, _ = section(PAGE, "Backup and restore").split("**PostgreSQL**")
    backup, restore = files.split("To restore")
    assert len(reader.type(backup)) == 2
    with closing(connect_database("sqlite:///team.db")) as database:
        database.run_write(accounts.create_user, email="late@example.com", name="Late")
        assert (tmp_path / "team.db-wal").stat().st_size > 0  # what is in it must not come to the copy
        shutil.copytree(tmp_path, tmp_path.parent / "crashed")
    for file in (tmp_path.parent / "crashed").glob("team.db*"):
        shutil.copy(file, tmp_path)  # as a server leaves them that was killed
    assert len(reader.type(restore)) == 4
    with closing(sqlite3.connect("team.db")) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert restored.execute("SELECT email FROM users").fetchall() == [("tools@example.org",)]


@pytest.mark.skipif(VARIABLE in os.environ, reason="the page's roles have no passwords")
def test_the_commands_for_postgresql_work_as_written(administrator: Administrator) -> None:
    assert len(administrator.type(section(PAGE, "On PostgreSQL"))) == 6
    name = administrator.name
    with closing(connect_database(administrator.url(name, f"{name}_web"))) as database:
        database.require_current()
        database.run_write(accounts.create_user, email="ada@example.com", name="Ada")
        with pytest.raises(Exception, match="must be owner"):
            database.run_write(lambda connection: connection.run("DROP TABLE users CASCADE"))
    _, copies = section(PAGE, "Backup and restore").split("**PostgreSQL**")
    assert len(administrator.type(copies)) == 3
    with closing(connect_database(administrator.url(f"{name}_restored", name))) as database:
        database.require_current()
        assert [user["email"] for user in database.run_read(accounts.all_users)] == ["ada@example.com"]
        database.run_write(accounts.create_user, email="bob@example.com", name="Bob")


@pytest.mark.skipif(SERVER is None, reason=MISSING)
def test_the_commands_for_several_processes_work_as_written(reader: Reader, cluster: Cluster) -> None:
    url = cluster.database()
    make_tenant(url)
    with redis_running() as redis:
        reader.instead = {
            "postgresql://contentsync@db.example.com/contentsync": url,
            "redis://cache.example.com:6379/0": redis,
            "--host 0.0.0.0": "--host 127.0.0.1",
            "--workers 4": "--workers 2",
        }
        assert len(reader.type(section(PAGE, "Several processes"))) == 2


def test_every_command_of_the_page_is_tested() -> None:
    text = PAGE.read_text(encoding="utf-8")
    run = ("For one person", "For a team", "On PostgreSQL", "Several processes", "Backup and restore")
    assert list(commands(text)) == [command for title in run for command in commands(section(PAGE, title))]
    assert not re.search(r"^```(sh|bash|console|shell)", text, re.M)


def test_the_numbers_of_the_page_are_those_of_the_program() -> None:
    text = re.sub(r"\s+", " ", PAGE.read_text(encoding="utf-8"))
    for sentence in (
        f"{RATE_LIMIT} a minute",
        f"a body | {MAX_BODY // 2**20} MiB |",
        f"request is complete | {BODY_SECONDS} seconds",
        f"headers are complete | {HttpConnection.head_seconds:.0f} seconds",
        f"{URL_BYTES // 1024} KiB; {HEAD_BYTES // 1024} KiB",
        f"connections of a process | {HttpConnection.max_connections} |",
        f"a connection without a request | {KEEP_ALIVE} seconds",
        f"not read | {HttpConnection.read_seconds:.0f} seconds",
        f"within {GRACE_SECONDS} seconds",
        f"less than {KEEP_ALIVE} seconds",
        f"PostgreSQL {OLDEST_VERSION} or newer",
        f"Each process keeps up to {CONNECTIONS + 1} ({CONNECTIONS} for requests",
        f"its default of 100 is enough for {(100 - 3) // (CONNECTIONS + 1)} workers",
        f"Up to {MAX_WAITING} more wait, for at most {MAX_QUEUE_SECONDS} seconds",
        f"at most {MAX_FOUND:,} listings are counted, with such a filter {MAX_COUNTED:,}",
        f"tries again for {MAX_WAIT} seconds",
        f"waits {MAX_WAIT + LOCK_MARGIN} seconds at most for the answer to one statement",
        f"{MAX_HTML // 2**20} MiB of it in each process",
    ):
        assert sentence in text, sentence


def test_every_option_on_the_page_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    wide = environment({"COLUMNS": "200"})
    help_texts = "".join(run_command([command, "--help"], wide).out for command in ("serve", "admin"))
    named = {option for option in re.findall(r"`(--[a-z-]+)", text) if option != "--stop-timeout"}  # Docker's
    assert "--rate-limit" in named
    assert {option for option in named if option not in help_texts} == set()
