"""Pages of a very long list: on both databases, each filled once with SQL and kept in BENCH_DIR."""

import random
import shutil
import sqlite3
import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from urllib.parse import quote

import psycopg

from contentsync.server.store.tables import REVISION
from tests.postgresql import start, stop

from ..measurement import bench_dir
from ..results import Result
from .bodies import BULK
from .load import Sender
from .ours import Ours, prepare, serving

AIM = 3  # times: the slowest of first, last and next pages beside the fastest
_PAGES = 20  # in a row, in one round

# Copies of the first listing, the same in both databases. The tables of links stay as they are: no page reads them.
_FILL = """
INSERT INTO listings (directory_id, slug, name, url_key, links, user_id, data, created_at, updated_at)
WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count})
SELECT directory_id, slug || '-' || number, name || ' ' || number, url_key || number, links, user_id,
       replace(data, '"name":"Listing 1"', '"name":"Listing 1 ' || number || '"'), created_at, updated_at
FROM numbers, listings WHERE listings.id = 1
"""
_TOTAL = "UPDATE collections SET total = {count}, version = version + 1 WHERE kind = 'listing'"


def measure(count: int, rounds: int, sender: Sender) -> Iterator[Result]:
    """Times of pages in a list of so many listings, on SQLite and on PostgreSQL."""
    with ExitStack() as stack:
        for name, url in (
            ("SQLite", _sqlite(count)),
            ("PostgreSQL", stack.enter_context(_postgresql(count))),
        ):
            with serving(*url, bench_dir() / "deep.log") as ours:
                yield from _rows(f"{count:,} listings, {name}", count // BULK, rounds, ours, sender)


def _rows(what: str, last: int, rounds: int, ours: Ours, sender: Sender) -> Iterator[Result]:
    chance = random.Random(1)  # noqa: S311  # not for secrets

    def seconds(pages: Sequence[int]) -> float:
        requests = [ours.at(page) for page in pages]
        return statistics.median(sender.send(ours.port, requests).times)

    found = []
    for _ in range(rounds):
        middle = chance.randrange(last // 4, last - last // 4)
        following = range(middle, min(middle + _PAGES, last))
        anywhere = [chance.randrange(1, last) for _ in range(_PAGES)]
        found.append([seconds(each) for each in ([1] * _PAGES, [last] * _PAGES, following, anywhere)])
    first, end, next_, random_ = (statistics.median(times) for times in zip(*found, strict=True))
    flat = statistics.median(max(times[:3]) / min(times[:3]) for times in found)
    detail = f"{first * 1000:.1f}, {end * 1000:.1f} and {next_ * 1000:.1f} ms"
    yield Result(f"{what}: the slowest of first, last and following pages", "the fastest", flat, "times", AIM, detail)
    one = statistics.median(times[3] / times[0] for times in found)
    yield Result(f"{what}: a random page", "the first", one, "times", None, f"{random_ * 1000:.1f} ms")


def _sqlite(count: int) -> tuple[str, str]:
    path = bench_dir() / f"listings-{count}-{REVISION}.db"
    token = path.with_suffix(".token")
    if not token.exists():
        for old in bench_dir().glob(f"{path.name}*"):
            old.unlink()
        secret = prepare(f"sqlite:///{path}", listings=1)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            for statement in (_FILL, _TOTAL):
                connection.execute(statement.format(count=count))
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        token.write_text(secret)
    return f"sqlite:///{path}", token.read_text()


@contextmanager
def _postgresql(count: int) -> Iterator[tuple[str, str]]:
    """A PostgreSQL with the settings that it comes with."""
    folder = bench_dir() / f"postgresql-{count}-{REVISION}"
    token = folder / "token"
    if not token.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    start(folder, ())
    try:
        url = f"postgresql://postgres@/postgres?host={quote(str(folder))}"
        if not token.exists():
            secret = prepare(url, listings=1)
            with psycopg.connect(url) as connection:
                for statement in (_FILL, _TOTAL):
                    connection.execute(statement.format(count=count))
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
            token.write_text(secret)
        yield url, token.read_text()
    finally:
        stop(folder)
