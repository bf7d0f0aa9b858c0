"""The rows of the table, each measured in turn with its yardstick."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ..measurement import Timed, bench_dir, compare
from ..profile import modules
from ..results import Result, rate
from . import deep, neighbours, visitors
from .bare import bare
from .bodies import BULK, listings
from .load import BULK_CLIENTS, CLIENTS, Sender, request
from .others import OTHERS, Others
from .ours import Ours, prepare, serving
from .raw import Raw

WAL_AIM = 16  # MB


@dataclass(frozen=True)
class Size:
    """How many requests make a run, how many runs there are, and how long the longest lists are."""

    bulks: int
    writes: int
    reads: int
    pages: int  # of listings that the others are asked for
    deep: int  # listings
    runs: int
    crowd: int  # listings of a directory whose owner keeps the server busy
    waits: int  # reads of another one meanwhile
    apart: bool  # whether what its owner does is also measured one by one
    visited: int  # listings of a directory with realistic content


FULL = Size(
    bulks=40,
    writes=1_600,
    reads=2_000,
    pages=200,
    deep=1_000_000,
    runs=7,
    crowd=100_000,
    waits=1_000,
    apart=True,
    visited=100_000,
)
QUICK = Size(
    bulks=4, writes=160, reads=200, pages=20, deep=20_000, runs=3, crowd=10_000, waits=200, apart=False, visited=5_000
)


class Bench:
    """What the rows share: the sender, our database, and numbers that no listing had before."""

    def __init__(self, size: Size, sender: Sender, folder: Path) -> None:
        self.size = size
        self.sender = sender
        self.folder = folder
        self.path = folder / "ours.db"
        self.token = prepare(f"sqlite:///{self.path}")
        self._next = 1

    def serving(self, **options: Path) -> AbstractContextManager[Ours]:
        """Our server, as `ours.serving` starts it."""
        return serving(f"sqlite:///{self.path}", self.token, self.folder / "ours.log", **options)

    def explained(self, result: Result, work: Callable[[Ours], Timed]) -> Result:
        """With the profile of the work that says why, if the aim is missed by more than a run that warms up."""
        if result.verdict != "MISSED" or not self.size.runs:
            return result
        stats = self.folder / "profile"
        with self.serving(profile=stats) as ours:
            work(ours)()
        return replace(result, profile=modules(stats))

    def numbers(self, count: int) -> range:
        """Numbers of new listings."""
        self._next += count
        return range(self._next - count, self._next)

    def bulk(self, port: int, make: Callable[[int], bytes], status: int) -> Timed:
        """Seconds a listing, of requests that make a hundred."""
        size = self.size

        def run() -> float:
            requests = [make(first) for first in self.numbers(size.bulks * BULK)[::BULK]]
            return self.sender.send(port, requests, BULK_CLIENTS, status).each / BULK

        return run

    def each(self, port: int, make: Callable[[int], bytes], count: int, status: int = 200) -> Timed:
        """Seconds a request, of many clients' that each name a new number."""
        return lambda: self.sender.send(port, list(map(make, self.numbers(count))), CLIENTS, status).each


def measure(size: Size, others: Others = OTHERS) -> Iterator[Result]:
    """Every row, as soon as it is known."""
    with tempfile.TemporaryDirectory(dir=bench_dir()) as folder, Sender() as sender:
        bench = Bench(size, sender, Path(folder))
        raw = Raw(bench.path, bench.folder / "raw.db")
        with closing(raw), bench.serving() as ours, bare(bench.path, bench.folder) as without:
            yield from _beside_raw(bench, ours, without, raw)
            yield _wal(bench, ours)
            yield from _beside_others(bench, ours, others)
            page = sender.send(ours.port, [ours.page(0)]).size
        yield from _beside_static(bench, page)
        yield from deep.measure(size.deep, size.runs or 1, sender)
        yield from neighbours.measure(size.crowd, size.waits, sender, apart=size.apart)
        yield from visitors.measure(size.visited, size.waits, sender)


def _beside_raw(bench: Bench, ours: Ours, without: Ours, raw: Raw) -> Iterator[Result]:
    size = bench.size
    many, writes = size.bulks * BULK, size.writes

    def raw_many() -> float:
        return raw.create(listings(bench.numbers(many)), BULK) / many

    def raw_one() -> float:
        return raw.create(listings(bench.numbers(writes)), 1) / writes

    def raw_change() -> float:
        return raw.change(range(1, writes + 1), listings(bench.numbers(writes))) / writes

    def change_one(ours: Ours) -> Timed:
        return bench.each(ours.port, lambda number: ours.change(number % writes + 1, number), writes)

    def create_many(ours: Ours) -> Timed:
        return bench.bulk(ours.port, ours.create_many, 200)

    def create_one(ours: Ours) -> Timed:
        return bench.each(ours.port, ours.create, writes, 201)

    for what, work, yardstick, unit, aim in (
        (f"bulk create, {BULK} listings a request", create_many, raw_many, "listings", 0.6),
        (f"create a listing, {CLIENTS} clients at once", create_one, raw_one, "requests", 0.7),
        (f"update a listing, {CLIENTS} clients at once", change_one, raw_change, "requests", 0.7),
    ):
        found = compare(work(ours), yardstick, size.runs)
        yield bench.explained(rate(what, "raw `sqlite3`", found, unit, aim), work)
        found = compare(work(without), yardstick, size.runs)
        yield rate(f"{what}: uvicorn alone, no rules", "raw `sqlite3`", found, unit)


def _wal(bench: Bench, ours: Ours) -> Result:
    """How large the write-ahead log has been so far: its file never shrinks while the server runs."""
    requests = []
    for first in bench.numbers(bench.size.bulks * BULK)[::BULK]:
        requests += [ours.create_many(first), *(ours.page(first + page) for page in range(4))]
    bench.sender.send(ours.port, requests, CLIENTS)
    megabytes = bench.path.with_name(f"{bench.path.name}-wal").stat().st_size / 1_000_000
    return Result("the WAL at its largest, bulk creates while others page", "", megabytes, "MB", WAL_AIM)


def _always(request: bytes, _: int) -> bytes:
    return request


def _beside_others(bench: Bench, ours: Ours, others: Others) -> Iterator[Result]:
    size = bench.size
    for name, start in others.items():
        with start(bench.folder) as theirs:
            pairs: dict[str, tuple[Callable[[Ours], Timed], Timed, str]] = {
                f"bulk create, {BULK} listings a request": (
                    lambda ours: bench.bulk(ours.port, ours.create_many, 200),
                    bench.bulk(theirs.port, theirs.create_many, 201),
                    "listings",
                ),
                f"create a listing, {CLIENTS} clients at once": (
                    lambda ours: bench.each(ours.port, ours.create, size.pages, 201),
                    bench.each(theirs.port, theirs.create, size.pages, 201),
                    "requests",
                ),
                f"the first page of {BULK} listings": (
                    lambda ours: bench.each(ours.port, lambda _: ours.page(0), size.pages),
                    bench.each(theirs.port, partial(_always, theirs.page), size.pages),
                    "requests",
                ),
            }
            for what, (work, other, unit) in pairs.items():
                found = compare(work(ours), other, min(size.runs, 3))
                yield bench.explained(rate(what, name, found, unit, 1), work)


def _beside_static(bench: Bench, length: int) -> Iterator[Result]:
    size, body = bench.size, bench.folder / "static.json"
    body.write_bytes(b" " * length)
    asked = request("GET", "/static")

    def page(ours: Ours) -> Timed:
        return bench.each(ours.port, ours.page, size.reads)

    def new_page(ours: Ours) -> Timed:
        return bench.each(ours.port, ours.new_page, size.reads)

    def unchanged(ours: Ours) -> Timed:
        return bench.each(ours.port, ours.unchanged, size.reads, 304)

    with bench.serving(static=body) as ours:
        static = bench.each(ours.port, lambda _: asked, size.reads)
        what, beside = f"a page of {BULK} listings", "a static answer of the page's size"
        for more, work, aim in (
            ("", page, 0.33),
            (", not cached", new_page, 0.33),
            (", unchanged (304)", unchanged, 0.5),
        ):
            found = compare(work(ours), static, size.runs)
            yield bench.explained(rate(f"{what}{more}", beside, found, "requests", aim), work)
        found = compare(unchanged(ours), page(ours), size.runs)
        yield rate(f"{what}, unchanged (304)", "the page itself", found, "requests", 1)
        busy = bench.sender.send(ours.port, [asked] * size.reads, CLIENTS).busy
        yield Result("the sender's own work, for static answers", "the time that they take", busy, "times", 0.8)
