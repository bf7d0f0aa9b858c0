"""How long visitors of a large directory wait for pages, searches and filters: `python -m bench.server.visitors`."""

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from ..measurement import bench_dir, load
from ..results import Result
from . import other_version
from .bodies import BULK
from .crowd import REFUSED, Page, Visitor, abandon, crowded
from .directories import FILLED, MOUNT, Databases, postgresql, read, sqlite
from .load import CLIENTS, Sender, request
from .neighbours import Times
from .ours import Ours
from .raw_search import RawSearch
from .realistic import NUMBER, Queries

FILTER_AIM = 25  # ms
MILLION, MILLION_AIM = 1_000_000, 100  # from so many listings on, ms for a search or a filter
NEXT_PAGE_AIM = 500  # ms, after requests that were abandoned
ABANDONED = 100  # requests at once
_ROUNDS = 3  # of these


@dataclass(frozen=True)
class Engine:
    """A database, and how long visitors may wait for it."""

    start: Callable[[Path], AbstractContextManager[Databases]]
    search: str  # the name of its own search
    page_aim: float  # ms, for a listing page beside a crowd
    search_aim: float  # ms


ENGINES: Mapping[str, Engine] = {
    "SQLite": Engine(sqlite, "FTS5", page_aim=50, search_aim=25),
    "PostgreSQL": Engine(postgresql, "`tsvector`", page_aim=80, search_aim=40),
}


def measure(
    listings: int,
    reads: int,
    sender: Sender,
    *,
    engines: Iterable[str] = ENGINES,
    keep: Path | None = None,
    before: Path | None = None,
) -> Iterator[Result]:
    """Yield every row, as soon as it is known.

    `keep` is a folder for the databases, so that the next run finds them. `before` is a checkout of another version,
    with which writes and lists are compared.
    """
    with ExitStack() as stack:
        base = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(dir=bench_dir())))
        for name in engines:
            engine, home, what = ENGINES[name], base / f"{name.lower()}-{listings}", f"{name}, {listings:,} listings"
            if not (home / FILLED).exists():  # an earlier run was killed while it filled them
                shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True, exist_ok=True)
            base.chmod(0o755)  # for the user that PostgreSQL runs as
            with engine.start(home) as databases:
                filled = databases.filled(listings, sender)
                with filled.serving() as ours, closing(databases.raw()) as raw:
                    yield filled.result(f"{what}: bulk create", engine.search)
                    yield from _Rows(what, engine, ours, raw, sender, listings, reads).measure()
                    others = databases.filled(listings, sender, before).serving() if before else nullcontext(None)
                    with others as theirs:
                        yield from other_version.measure(what, ours, theirs, listings, sender)


@dataclass(frozen=True)
class _Rows:
    """The rows of one server; `what` begins each of them."""

    what: str
    engine: Engine
    ours: Ours
    raw: RawSearch
    sender: Sender
    listings: int
    reads: int

    def measure(self) -> Iterator[Result]:
        """Yield every row."""
        with self._visitor() as visitor:
            yield from self._searches(visitor)
            yield from self._filters(visitor)
        yield from self._beside_a_crowd()
        with self._visitor() as visitor:
            yield from self._after_abandoned_requests(visitor)

    def _visitor(self) -> Visitor:
        """Return a visitor whose first page the server has answered."""
        visitor = Visitor(self.ours.port, MOUNT)
        visitor.read("/")
        return visitor

    def _aim(self, aim: float) -> float:
        return MILLION_AIM if self.listings >= MILLION else aim

    def _searches(self, visitor: Visitor) -> Iterator[Result]:
        queries, count = Queries(self.listings), max(1, self.reads // 10)
        words = [queries.word() for _ in range(count)]
        pairs = [queries.two_words() for _ in range(count)]
        typos = [queries.typo() for _ in range(count)]
        searches: dict[str, list[tuple[str, tuple[str, ...]]]] = {  # as visitors write them, and the right words
            "one word": [(word, (word,)) for word in words],
            "two words": [(" ".join(pair), pair) for pair in pairs],
            "one word with a typing error": [(wrong, (right,)) for wrong, right in typos],
        }
        empty = {}
        for kind, texts in searches.items():
            asked = [(_search(text), partial(self.raw.search, right)) for text, right in texts]
            found = _Found.of(visitor, asked)
            yield found.result(f"{self.what}: search, {kind}", self.engine.search, self._aim(self.engine.search_aim))
            empty[kind] = sum(not page.has_listings for page in found.pages)
        detail = ", ".join(f"{number} of {count} with {kind}" for kind, number in empty.items())
        yield Result(f"{self.what}: searches without a result", "", sum(empty.values()), "searches", 0, detail)

    def _filters(self, visitor: Visitor) -> Iterator[Result]:
        queries, count = Queries(self.listings), max(1, self.reads // 10)
        choices = [queries.choices() for _ in range(count)]
        numbers = [queries.numbers() for _ in range(count)]
        filters = {
            "values of custom fields": [(_filter(each), partial(self.raw.choose, each)) for each in choices],
            "a range of numbers": [(_range(*each), partial(self.raw.choose_number, *each)) for each in numbers],
        }
        lacking = {}
        for kind, asked in filters.items():
            found, what = _Found.of(visitor, asked), f"{self.what}: filter by {kind}, with counts"
            yield found.result(what, "a select in an index", self._aim(FILTER_AIM))
            lacking[kind] = sum(not (page.has_listings and page.has_counts) for page in found.pages)
        detail = ", ".join(f"{number} of {count} with {kind}" for kind, number in lacking.items())
        yield Result(f"{self.what}: filters without listings or counts", "", sum(lacking.values()), "pages", 0, detail)

    def _beside_a_crowd(self) -> Iterator[Result]:
        queries = Queries(self.listings, seed=2)
        paths = [path for _ in range(200) for path in (_search(queries.word()), _filter(queries.choices()))]
        pages = [request("GET", MOUNT + path) for path in _addresses(self.ours, self.listings, self.reads)]
        alone = Times.of(self.sender.send(self.ours.port, pages).times)
        with crowded(self.ours.port, [MOUNT + path for path in paths]) as statuses:
            beside = Times.of(self.sender.send(self.ours.port, pages).times)
        detail = (
            f"{beside}; alone {alone.p99:.1f} ms;"
            f" meanwhile {statuses[200]:,} lists, {statuses[REFUSED]:,} refused; machine load {load():.1f}"
        )
        what = f"{self.what}: a listing page beside {CLIENTS} visitors who filter and search"
        yield Result(what, "the page alone", beside.p99, "ms at p99", self.engine.page_aim, detail)

    def _after_abandoned_requests(self, visitor: Visitor) -> Iterator[Result]:
        queries = Queries(self.listings, seed=3)
        for what, paths in (
            ("a listing page", _addresses(self.ours, self.listings, _ROUNDS + 1)),
            ("a filter", [_filter(queries.choices()) for _ in range(_ROUNDS + 1)]),
        ):
            alone = visitor.seconds_until_answered(paths[0]) * 1000
            waits = []
            for path in paths[1:]:
                abandon(self.ours.port, [MOUNT + _filter(queries.choices()) for _ in range(ABANDONED)])
                waits.append(visitor.seconds_until_answered(path) * 1000)
            name = f"{self.what}: {what} after {ABANDONED} filters whose visitors have left"
            detail = f"the longest of {_ROUNDS}; alone {alone:.0f} ms"
            yield Result(name, f"{what} alone", max(waits), "ms", NEXT_PAGE_AIM, detail)


@dataclass(frozen=True)
class _Found:
    """Pages of a visitor, and the same work without a server: its times in seconds, and what it found."""

    pages: Sequence[Page]
    raw_seconds: Sequence[float]
    hits: Sequence[int]

    @classmethod
    def of(cls, visitor: Visitor, asked: Iterable[tuple[str, Callable[[], int]]]) -> Self:
        """Read a page, and do its work without the server, in turn."""
        pages, raw_seconds, hits = [], [], []
        for path, work in asked:
            pages.append(visitor.read(path))
            began = time.perf_counter()
            hits.append(work())
            raw_seconds.append(time.perf_counter() - began)
        return cls(pages, raw_seconds, hits)

    def result(self, what: str, beside: str, aim: float) -> Result:
        """Return the row."""
        ours, raw = Times.of([page.seconds for page in self.pages]), Times.of(self.raw_seconds)
        refused = sum(page.status == REFUSED for page in self.pages)
        detail = (
            f"{ours}; {beside} {raw.p95:.1f} ms;"
            f" {statistics.median(self.hits):,.0f} hits at the median, {max(self.hits):,} at most"
        )
        return Result(what, beside, ours.p95, "ms at p95", aim, f"{detail}; {refused} refused" if refused else detail)


def _search(text: str) -> str:
    return f"/?{urlencode({'q': text})}"


def _filter(choices: Mapping[str, str]) -> str:
    return f"/?{urlencode({f'field.{name}': value for name, value in choices.items()})}"


def _range(least: int, most: int) -> str:
    return f"/?field.{NUMBER}.min={least}&field.{NUMBER}.max={most}"


def _addresses(ours: Ours, listings: int, count: int) -> list[str]:
    """Return paths of the pages of random listings; some may be in it twice."""
    chance = random.Random(4)  # noqa: S311  # not for secrets
    found: list[str] = []
    while len(found) < count:
        page = read(ours, f"projects?page={chance.randint(1, max(1, listings // BULK))}")
        found += [f"/listings/{each['slug']}/" for each in page["data"]]
    return chance.sample(found, count)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(prog="python -m bench.server.visitors", description=__doc__)
    parser.add_argument("--listings", type=int, default=100_000)
    parser.add_argument(
        "--reads", type=int, default=1_000, help="of listing pages; a tenth as many searches and filters"
    )
    parser.add_argument("--engine", choices=[*ENGINES], help="only on this database")
    kept = "keep the databases here for the next run; delete them after a change of the tables"
    parser.add_argument("--keep", type=Path, metavar="DIR", help=kept)
    parser.add_argument("--before", type=Path, metavar="DIR", help="a checkout of another version, to compare with")
    options = parser.parse_args()
    engines = [options.engine] if options.engine else ENGINES
    with Sender() as sender:
        for result in measure(
            options.listings, options.reads, sender, engines=engines, keep=options.keep, before=options.before
        ):
            print(result.line(), flush=True)


if __name__ == "__main__":
    main()
