"""Directories of realistic content, filled over the API by `contentsync serve`, and raw tables of the same texts."""

import http.client
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from tests.postgresql import start, stop

from ..measurement import CONTENTSYNC, bench_dir
from ..results import Result
from .bodies import BULK, encoded
from .load import BULK_CLIENTS, HOST, Sender, request
from .ours import Ours, serving
from .raw_search import RawPostgresql, RawSearch, RawSqlite
from .realistic import listing, records

MOUNT = "/sites/visited"  # of the directory's site
FILLED = "ours.json"  # is in the folder of the databases when they are complete
_API = "/api/directories/1"
_OWNER = "owner@example.org"
_CHUNK = 5_000  # listings: the sender gets so many at a time


@dataclass(frozen=True)
class Filled:
    """A database with a filled directory; `checkout` has the code that filled it, if it is another version."""

    url: str
    checkout: Path | None
    token: str  # of the owner
    seconds: float  # of the bulk creates, for each listing
    raw_seconds: float  # of writing the texts into the raw tables, for each listing

    def serving(self) -> AbstractContextManager[Ours]:
        """Start the server on it."""
        log = bench_dir() / "visitors.log"
        return serving(self.url, self.token, log, checkout=self.checkout)

    def result(self, what: str, engine: str) -> Result:
        """Return the row of how it was filled."""
        detail = f"{self.raw_seconds * 1000:.2f} ms for the texts alone"
        return Result(what, f"raw {engine}", self.seconds * 1000, "ms a listing", detail=detail)


@dataclass(frozen=True)
class Databases:
    """The databases of a folder; what it has already is not filled again."""

    folder: Path
    url: Callable[[str], str]  # of the database of a name, which it makes
    raw: Callable[[], RawSearch]

    def filled(self, listings: int, sender: Sender, checkout: Path | None = None) -> Filled:
        """Return a directory with so many listings."""
        name = "before" if checkout else "ours"
        url, facts = self.url(name), (self.folder / FILLED).with_stem(name)
        if not facts.exists():
            token = _prepare(url, checkout)
            with closing(self.raw()) as raw:
                made = Filled(url, checkout, token, 0, 0)
                with made.serving() as ours:
                    seconds = _fill(ours, listings, sender, None if checkout else raw)
            for each in (url, self.url("raw")):
                _settle(each)
            facts.write_text(json.dumps([token, *seconds]))
        return Filled(url, checkout, *json.loads(facts.read_text()))


@contextmanager
def sqlite(folder: Path) -> Iterator[Databases]:
    """SQLite files."""
    yield Databases(folder, lambda name: f"sqlite:///{folder / name}.db", lambda: RawSqlite(folder / "raw.db"))


@contextmanager
def postgresql(folder: Path) -> Iterator[Databases]:
    """A PostgreSQL with the settings that it comes with."""
    start(folder, ())

    def url(name: str) -> str:
        every = f"postgresql://postgres@/{{}}?host={quote(str(folder))}"
        with psycopg.connect(every.format("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(f"CREATE DATABASE {name}".encode())
        return every.format(name)

    try:
        yield Databases(folder, url, lambda: RawPostgresql(url("raw")))
    finally:
        stop(folder)


def _prepare(url: str, checkout: Path | None) -> str:
    """Make the tables and an empty directory; return the secret of its owner's token."""
    environment = {**os.environ, **({"PYTHONPATH": str(checkout)} if checkout else {})}

    def admin(*arguments: str) -> dict[str, Any]:
        command = [CONTENTSYNC, "admin", *arguments, "--db", url, "--format", "json"]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        answer: dict[str, Any] = json.loads(ran.stdout)
        return answer

    admin("migrate")
    admin("user", "create", "--email", _OWNER, "--name", "Owner")
    admin("directory", "create", "--name", "Visited", "--slug", MOUNT.rpartition("/")[2], "--owner", _OWNER)
    secret: str = admin("token", "create", "--user", _OWNER)["token"]["token"]
    return secret


def _settle(url: str) -> None:
    """Do now what PostgreSQL does soon after it was filled."""
    if url.startswith("postgresql:"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


def _fill(ours: Ours, listings: int, sender: Sender, raw: RawSearch | None) -> tuple[float, float]:
    """Create all records; return the seconds for each listing, here and in the raw tables."""
    seconds = raw_seconds = 0.0
    for path, body in records():
        sender.send(ours.port, [write(ours, "POST", path, body)], status=201)
    for first in range(1, listings + 1, _CHUNK):
        numbers = range(first, min(first + _CHUNK, listings + 1))
        groups = [
            {number: listing(number) for number in numbers[at : at + BULK]} for at in range(0, len(numbers), BULK)
        ]
        bulks = [write(ours, "POST", "projects/bulk", {"listings": [*group.values()]}) for group in groups]
        seconds += sender.send(ours.port, bulks, BULK_CLIENTS).seconds
        if raw is not None:
            raw_seconds += sum(map(raw.add, groups))
    created = read(ours, "projects")["meta"]["total"]
    if created != listings:
        raise RuntimeError(f"{created} listings were created, not {listings}")
    return seconds / listings, raw_seconds / listings


def write(ours: Ours, method: str, path: str, body: Any) -> bytes:
    """Return a request of the owner to the API."""
    return request(method, f"{_API}/{path}", f"Bearer {ours.token}", encoded(body))


def read(ours: Ours, path: str) -> Any:
    """Return a JSON answer of the API to the owner."""
    with closing(http.client.HTTPConnection(HOST, ours.port, timeout=60)) as connection:
        connection.request("GET", f"{_API}/{path}", headers={"Authorization": f"Bearer {ours.token}"})
        return json.loads(connection.getresponse().read())
