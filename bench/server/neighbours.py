"""How long the readers of one directory wait while the owner of another one keeps the server busy."""

import shutil
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import quote

import psycopg

from contentsync.server.access import Access
from contentsync.server.store import accounts, connect_database, tokens
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import CATEGORIES, ORGANIZERS, TAGS
from tests.postgresql import start, stop

from ..measurement import bench_dir, load
from ..results import Result
from .bodies import BULK, listing
from .busy import EVERYTHING, HABITS, busy
from .load import Sender, request
from .ours import serving

P99_AIM = 50  # ms
WORST_AIM = 250  # ms
CARRIED = 40  # tags that every listing has, of which each is deleted once

# Copies of the first listing, the same in both databases, with the same links.
_FILL = """
INSERT INTO listings (directory_id, slug, name, url_key, links, user_id, words, data, created_at, updated_at)
WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count})
SELECT directory_id, slug || '-' || number, name || ' ' || number, url_key || number, links, user_id,
       words || ' ' || number, replace(data, '"name":"Listing 1"', '"name":"Listing 1 ' || number || '"'),
       created_at, updated_at
FROM numbers, listings WHERE slug = 'listing-1' AND directory_id = 1
"""
_LINK = """
INSERT INTO listing_{field} (listing_id, {column}, position)
SELECT listings.id, first.{column}, first.position FROM listings, listing_{field} AS first
WHERE listings.directory_id = 1 AND first.listing_id = 1 AND listings.id <> 1
"""
_LINKS = {"categories": "category_id", "tags": "tag_id", "organizers": "organizer_id"}
_TOTAL = "UPDATE collections SET total = {count}, version = version + 1 WHERE kind = 'listing' AND directory_id = 1"


@dataclass(frozen=True)
class Times:
    """How long reads took, in milliseconds."""

    median: float
    p95: float
    p99: float
    worst: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Self:
        """What is worth knowing of some times, in seconds."""
        times = sorted(each * 1000 for each in seconds)
        p95, p99 = (times[-(len(times) * share // 100) - 1] for share in (5, 1))
        return cls(statistics.median(times), p95, p99, times[-1])

    def __str__(self) -> str:
        return f"median {self.median:.1f}, longest {self.worst:.0f} ms"


def measure(count: int, reads: int, sender: Sender, *, apart: bool = True) -> Iterator[Result]:
    """The waits of readers while the owner of `count` listings does all that takes long; `apart` also one by one."""
    habits = (*HABITS, EVERYTHING) if apart else (EVERYTHING,)
    with tempfile.TemporaryDirectory(dir=bench_dir()) as folder:
        for name, database in (("SQLite", _sqlite), ("PostgreSQL", _postgresql)):
            with database(Path(folder)) as url:
                secrets = _prepare(url, count, name)
                what = f"{name}, reads next to a directory of {count:,} listings"
                yield from _rows(what, url, secrets, reads, habits, sender)


def _rows(
    what: str, url: str, secrets: tuple[str, str], reads: int, habits: Sequence[str], sender: Sender
) -> Iterator[Result]:
    owner, reader = secrets
    with serving(url, reader, bench_dir() / "neighbours.log") as ours:

        def waits() -> Times:
            asked = [
                request("GET", f"/api/directories/2/projects?page=1&number={number}", f"Bearer {reader}")
                for number in range(reads)
            ]
            return Times.of(sender.send(ours.port, asked).times)

        waits()  # warms up
        before = load()
        idle = waits()
        yield Result(f"{what}: idle", "", idle.p99, "ms at p99", None, f"{idle}, machine load {before:.1f}")
        for habit in habits:
            with busy(ours.port, owner, habit) as count_requests:
                found = waits()
                done = count_requests()
            detail = f"{found}, during {done} requests"
            yield Result(f"{what}: {habit}", "", found.p99, "ms at p99", P99_AIM, detail)
        yield Result(
            f"{what}: {EVERYTHING}, the longest", "", found.worst, "ms", WORST_AIM, f"machine load {load():.1f}"
        )


def _prepare(url: str, count: int, name: str) -> tuple[str, str]:
    """Fill two directories; secrets of their owners."""
    with closing(connect_database(url)) as database:
        database.migrate()
        secrets = []
        for slug, listings in (("busy", 1), ("quiet", BULK)):
            owner = database.run_write(accounts.create_user, email=f"{slug}@example.org", name=slug)
            database.run_write(accounts.create_directory, name=slug.title(), slug=slug, owner_id=owner)
            directory = database.run_read(accounts.find_directory, slug)
            access = Access(database.run_read(accounts.principal_of, owner), directory, f"https://{slug}.example.org")
            made = {
                field: [
                    database.run_write(records.create, access, {title: f"{field} {number}"})[0].id
                    for number in range(most if slug == "busy" else 1)
                ]
                for field, records, title, most in (
                    ("categories", CATEGORIES, "title", 2),
                    ("tags", TAGS, "title", CARRIED),
                    ("organizers", ORGANIZERS, "name", 2),
                )
            }
            for number in range(1, listings + 1):
                database.run_write(LISTINGS.create, access, listing(number) | made)
            secrets.append(database.run_write(tokens.create_token, user_id=owner)[1])
    statements = [_FILL, *(_LINK.format(field=field, column=column) for field, column in _LINKS.items()), _TOTAL]
    statements = [statement.format(count=count) for statement in statements]
    if name == "SQLite":
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            for statement in statements:
                connection.execute(statement)
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in (*statements, "VACUUM ANALYZE"):
                connection.execute(statement)
    busy_owner, reader = secrets
    return busy_owner, reader


@contextmanager
def _sqlite(folder: Path) -> Iterator[str]:
    yield f"sqlite:///{folder / 'neighbours.db'}"


@contextmanager
def _postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL with the settings that it comes with."""
    home = folder / "postgresql"
    home.mkdir()
    folder.chmod(0o755)  # for the user that PostgreSQL runs as
    start(home, ())
    try:
        yield f"postgresql://postgres@/postgres?host={quote(str(home))}"
    finally:
        stop(home)
        shutil.rmtree(home, ignore_errors=True)
