"""The rows of the table, each measured in turn with its yardstick."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..measurement import Timed, bench_dir, compare
from ..results import Result, rate
from . import deep
from .bodies import BULK, listings
from .load import Sender, request
from .others import OTHERS
from .ours import Ours, prepare, serving
from .raw import Raw

CLIENTS = 16
BULK_CLIENTS = 4
WAL_AIM = 16  # MB


@dataclass(frozen=True)
class Size:
    """How many requests make a run, how many runs there are, and how long the longest list is."""

    bulks: int
    writes: int
    reads: int
    pages: int  # of listings that the others are asked for
    deep: int  # listings
    runs: int


FULL = Size(bulks=40, writes=1_600, reads=2_000, pages=200, deep=1_000_000, runs=7)
QUICK = Size(bulks=4, writes=160, reads=200, pages=20, deep=20_000, runs=3)


class Bench:
    """What the rows share: the sender, and numbers that no listing had before."""

    def __init__(self, size: Size, sender: Sender, folder: Path) -> None:
        self.size = size
        self.sender = sender
        self.folder = folder
        self._next = 1

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


def measure(size: Size) -> Iterator[Result]:
    """Every row, as soon as it is known."""
    with tempfile.TemporaryDirectory(dir=bench_dir()) as folder, Sender() as sender:
        bench = Bench(size, sender, Path(folder))
        path = bench.folder / "ours.db"
        token = prepare(f"sqlite:///{path}")
        raw = Raw(path, bench.folder / "raw.db")
        with closing(raw), serving(f"sqlite:///{path}", token, bench.folder / "ours.log") as ours:
            yield from _beside_raw(bench, ours, raw)
            yield _wal(bench, ours, path)
            yield from _beside_others(bench, ours)
            page = sender.send(ours.port, [ours.page(0)]).size
        yield from _beside_static(bench, path, token, page)
        yield from deep.measure(size.deep, sender)


def _beside_raw(bench: Bench, ours: Ours, raw: Raw) -> Iterator[Result]:
    size, beside = bench.size, "raw `sqlite3`"
    many, writes = size.bulks * BULK, size.writes

    def raw_many() -> float:
        return raw.create(listings(bench.numbers(many)), BULK) / many

    def raw_one() -> float:
        return raw.create(listings(bench.numbers(writes)), 1) / writes

    def raw_change() -> float:
        return raw.change(range(1, writes + 1), listings(bench.numbers(writes))) / writes

    def change(number: int) -> bytes:
        return ours.change(number % writes + 1, number)

    found = compare(bench.bulk(ours.port, ours.create_many, 200), raw_many, size.runs)
    yield rate(f"bulk create, {BULK} listings a request", beside, found, "listings", 0.6)
    found = compare(bench.each(ours.port, ours.create, writes, 201), raw_one, size.runs)
    yield rate(f"create a listing, {CLIENTS} clients at once", beside, found, "requests", 0.7)
    found = compare(bench.each(ours.port, change, writes), raw_change, size.runs)
    yield rate(f"update a listing, {CLIENTS} clients at once", beside, found, "requests", 0.7)


def _wal(bench: Bench, ours: Ours, path: Path) -> Result:
    """How large the write-ahead log has been so far: its file never shrinks while the server runs."""
    requests = []
    for first in bench.numbers(bench.size.bulks * BULK)[::BULK]:
        requests += [ours.create_many(first), *(ours.page(first + page) for page in range(4))]
    bench.sender.send(ours.port, requests, CLIENTS)
    megabytes = path.with_name(f"{path.name}-wal").stat().st_size / 1_000_000
    return Result("the WAL at its largest, bulk creates while others page", "", megabytes, "MB", WAL_AIM)


def _beside_others(bench: Bench, ours: Ours) -> Iterator[Result]:
    size = bench.size
    for name, start in OTHERS.items():
        with start(bench.folder) as theirs:
            pairs = {
                f"bulk create, {BULK} listings a request": (
                    bench.bulk(ours.port, ours.create_many, 200),
                    bench.bulk(theirs.port, theirs.create_many, 201),
                    "listings",
                ),
                f"create a listing, {CLIENTS} clients at once": (
                    bench.each(ours.port, ours.create, size.pages, 201),
                    bench.each(theirs.port, theirs.create, size.pages, 201),
                    "requests",
                ),
                f"the first page of {BULK} listings": (
                    bench.each(ours.port, lambda _: ours.page(0), size.pages),
                    bench.each(theirs.port, lambda _, page=theirs.page: page, size.pages),
                    "requests",
                ),
            }
            for what, (mine, other, unit) in pairs.items():
                yield rate(what, name, compare(mine, other, min(size.runs, 3)), unit, 1)


def _beside_static(bench: Bench, path: Path, token: str, length: int) -> Iterator[Result]:
    size, body = bench.size, bench.folder / "static.json"
    body.write_bytes(b" " * length)
    with serving(f"sqlite:///{path}", token, bench.folder / "ours.log", static=body) as ours:
        asked = request("GET", "/static")
        static = bench.each(ours.port, lambda _: asked, size.reads)
        page = bench.each(ours.port, ours.page, size.reads)
        new_page = bench.each(ours.port, ours.new_page, size.reads)
        unchanged = bench.each(ours.port, ours.unchanged, size.reads, 304)
        beside = "a static answer of the page's size"
        what = f"a page of {BULK} listings"
        yield rate(what, beside, compare(page, static, size.runs), "requests", 0.33)
        yield rate(f"{what}, made anew", beside, compare(new_page, static, size.runs), "requests", 0.33)
        yield rate(f"{what}, unchanged (304)", beside, compare(unchanged, static, size.runs), "requests", 0.5)
        yield rate(f"{what}, unchanged (304)", "the page itself", compare(unchanged, page, size.runs), "requests", 1)
        busy = bench.sender.send(ours.port, [asked] * size.reads, CLIENTS).busy
        yield Result("the sender's own work, for static answers", "the time that they take", busy, "times", 0.8)
