"""Planning, syncing, watching and pulling a folder of listings: `make bench-sync`.

The folder is synced once to `contentsync serve`, a process of its own with a new SQLite file. Every row then runs in
turn with its yardstick and gives the median ratio.
"""

import http.client
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import trees
from .command import run
from .measurement import CONTENTSYNC, bench_dir, compare, peak, peak_so_far, seconds
from .results import Result, ratio
from .server.load import HOST, Sender
from .server.ours import Ours, prepare, serving

COMMAND = "make bench-sync"
PROGRAMS = ("git",)
PER_PAGE = 100
PLAN = [CONTENTSYNC, "plan", "--detailed-exitcode"]
PLAN_CHANGES = [CONTENTSYNC, "plan"]
SYNC = [CONTENTSYNC, "sync", "--yes", "--quiet"]
PULL = [CONTENTSYNC, "pull"]
REPORTS = {"status": [CONTENTSYNC, "status"], "drift": [CONTENTSYNC, "drift"], "pull": PULL}
WATCH = [CONTENTSYNC, "watch"]
GIT_STATUS = ["git", "status"]
# On one kept connection; what is read is dropped.
READ_PAGES = """
import http.client, os, sys
host, port, pages = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
connection = http.client.HTTPConnection(host, port)
for page in range(1, pages + 1):
    headers = {"Authorization": "Bearer " + os.environ["CONTENTSYNC_TOKEN"]}
    connection.request("GET", f"/api/directories/1/projects?page={page}", headers=headers)
    connection.getresponse().read()
"""
_CONFIG = """
[targets.bench]
url = "http://{host}:{port}"
directory = 1
"""


@dataclass(frozen=True)
class Size:
    """How many listings, and how often."""

    listings: int
    changes: int  # rows that change here, and records that change on the server
    pulled: int  # listings of the folder that is pulled, which has a tenth as many articles
    runs: int


FULL = Size(100_000, 1_000, 5_000, 5)
QUICK = Size(5_000, 50, 500, 3)
_POLL = 0.01  # seconds between two looks at a record
_PAUSE = 4.0  # seconds between two saves of a person; by then the stamps of files are settled
_GROWTH = 12  # times the time, at most, for ten times the listings


def measure(size: Size) -> Iterator[Result]:
    """Every row, as soon as it is known; the aims are those for 100,000 listings."""
    yield from _measure_plans(size)
    yield from _measure_reports(size)
    yield from _measure_watch(size)
    yield _measure_pull(size.pulled, size.pulled // 10, size.runs)
    yield from _measure_growth(size.listings // 10, size.runs)
    yield from _measure_growth(size.listings, size.runs)


def _measure_growth(fewer: int, runs: int) -> Iterator[Result]:
    """The first sync and a plan of ten times as many listings; and the memory of this plan."""
    more = 10 * fewer
    with _synced(fewer) as (small, small_server, small_sync), _synced(more) as (large, large_server, large_sync):

        def plan(folder: Path, server: Ours) -> float:
            os.environ["CONTENTSYNC_TOKEN"] = server.token
            return seconds(PLAN, folder)

        def plan_without_snapshot(folder: Path, server: Ours) -> float:
            _remove_caches(folder)
            return plan(folder, server)

        beside = f"{fewer:,} listings"
        found = compare(lambda: large_sync, lambda: small_sync, 1)
        yield ratio(f"the first `sync` of {more:,} listings", beside, found, aim=_GROWTH)
        plan(small, small_server)  # so that an empty plan is cached
        plan(large, large_server)
        what = f"`plan`, {more:,} listings in one CSV file, nothing changed"
        if more > FULL.listings:  # `_measure_plans` has the row of fewer listings
            yield _peak(f"{what}: memory", PLAN, large, aim=1000)
        found = compare(lambda: plan(large, large_server), lambda: plan(small, small_server), runs)
        yield ratio(what, beside, found, aim=_GROWTH)
        found = compare(
            lambda: plan_without_snapshot(large, large_server), lambda: plan_without_snapshot(small, small_server), 1
        )
        yield ratio(f"{what}, no snapshot", beside, found, aim=_GROWTH)


def _measure_pull(listings: int, articles: int, runs: int) -> Result:
    with _synced(listings, articles) as (folder, server, _):
        read = _read_pages(server, listings)

        def pull() -> float:
            empty = tempfile.mkdtemp(dir=folder.parent)
            shutil.copy(folder / "contentsync.toml", empty)
            return seconds(PULL, Path(empty))

        found = compare(pull, lambda: seconds(read, folder), runs)
    return ratio(f"`pull` of {listings + articles:,} entries into an empty folder", _beside(listings), found)


def _read_pages(server: Ours, listings: int) -> list[str]:
    return [sys.executable, "-c", READ_PAGES, HOST, str(server.port), str(_pages(listings))]


def _beside(listings: int) -> str:
    return f"`http.client`, {_pages(listings):,} pages"


def _pages(listings: int) -> int:
    return -(-listings // PER_PAGE)


def _measure_plans(size: Size) -> Iterator[Result]:
    with _synced(size.listings) as (folder, server, syncing):
        read, beside = _read_pages(server, size.listings), _beside(size.listings)
        changed = range(2 * size.changes + 1, 3 * size.changes + 1)
        updates = size.listings // 20
        what = f"`plan`, {size.listings:,} listings in one CSV file"

        def read_pages() -> float:
            return seconds(read, folder)

        def plan() -> float:
            return seconds(PLAN, folder)

        def plan_of_one_change() -> float:
            _change_rows(folder, 1)
            return seconds(PLAN_CHANGES, folder)

        def plan_of_changes_on_both_sides() -> float:
            _change_rows(folder, size.changes)
            _change_records(server, changed)
            return seconds(PLAN_CHANGES, folder)

        def sync_of_updates() -> float:
            _change_rows(folder, updates)
            return seconds(SYNC, folder)

        def sync() -> float:
            return seconds(SYNC, folder)

        def sync_of_one_change() -> float:
            _change_rows(folder, 1)
            return sync()

        def plan_without_snapshot() -> float:
            _remove_caches(folder)
            return plan()

        plan()  # so that an empty plan is cached
        yield ratio(f"{what}, nothing changed", beside, compare(plan, read_pages, size.runs), aim=0.5)
        yield _peak(f"{what}, nothing changed: memory", PLAN, folder, aim=150)
        found = compare(plan, lambda: seconds(GIT_STATUS, folder), size.runs)
        yield ratio(f"{what}, nothing changed", "`git status`", found)
        found = compare(plan_without_snapshot, read_pages, size.runs)
        yield ratio(f"{what}, nothing changed, no snapshot", beside, found, aim=6)
        _remove_caches(folder)
        yield _peak(f"{what}, nothing changed, no snapshot: memory", PLAN, folder, aim=500)
        found = compare(plan_of_one_change, read_pages, size.runs)
        yield ratio(f"{what}, one row changed", beside, found, aim=1.1)
        yield _peak(f"{what}, one row changed: memory", PLAN_CHANGES, folder, aim=300)
        found = compare(plan_of_changes_on_both_sides, read_pages, size.runs)
        changes = f"{what}, {size.changes:,} rows changed here, {size.changes:,} records there"
        yield ratio(changes, beside, found, aim=2.5)
        _change_records(server, changed)
        yield _peak(f"{changes}: memory", PLAN_CHANGES, folder, aim=400)
        same = f"`sync`, {size.listings:,} listings in one CSV file"
        sync()  # the changes of the plans
        yield ratio(f"{same}, nothing changed", beside, compare(sync, read_pages, size.runs), aim=0.8)
        yield _peak(f"{same}, nothing changed: memory", SYNC, folder, aim=120)
        yield ratio(f"{same}, one row changed", beside, compare(sync_of_one_change, read_pages, size.runs), aim=1.5)
        _change_rows(folder, 1)
        yield _peak(f"{same}, one row changed: memory", SYNC, folder, aim=200)
        found = compare(sync_of_updates, read_pages, 1)
        yield ratio(f"`sync` of {updates:,} changed rows, one request each", beside, found, aim=12)
        found = compare(lambda: syncing, read_pages, size.runs)
        yield ratio(f"the first `sync` of {size.listings:,} listings", beside, found, aim=15)


def _measure_reports(size: Size) -> Iterator[Result]:
    """What `status` and `drift` say, and what `pull` has not to write: there is nothing, or one row changed here."""
    with _synced(size.listings) as (folder, server, _):
        read, beside = _read_pages(server, size.listings), _beside(size.listings)
        seconds(PULL, folder)  # what the server had before
        _change_rows(folder, 1)  # so that the last run, which `status` reads, is a small one
        for name, command in REPORTS.items():
            what = f"`{name}`, {size.listings:,} listings in one CSV file"

            def report(command: Sequence[str] = command) -> float:
                return seconds([*command], folder)

            def report_one_change(command: Sequence[str] = command) -> float:
                _change_rows(folder, 1)
                return seconds([*command], folder)

            seconds(SYNC, folder)
            seconds(PLAN, folder)  # so that an empty plan is cached
            yield ratio(f"{what}, nothing changed", beside, compare(report, lambda: seconds(read, folder), size.runs))
            yield _peak(f"{what}, nothing changed: memory", command, folder)
            found = compare(report_one_change, lambda: seconds(read, folder), size.runs)
            yield ratio(f"{what}, one row changed", beside, found)
            yield _peak(f"{what}, one row changed: memory", command, folder)


def _measure_watch(size: Size) -> Iterator[Result]:
    """From a save of one row to the server."""
    with _synced(size.listings) as (folder, server, _):
        seconds(PLAN, folder)  # so that the synced rows are stored
        with subprocess.Popen(WATCH, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as watch:
            try:
                times = list(_saves(folder, server, iter(watch.stdout or ()), size.runs))
                most = peak_so_far(watch.pid)
            finally:
                watch.terminate()
    what = f"`watch`, {size.listings:,} listings in one CSV file"
    detail = f"{min(times):.2f} to {max(times):.2f}, the median of {size.runs} saves"
    yield Result(f"{what}: from a save of one row to the server", "", statistics.median(times), "seconds", 1.5, detail)
    yield Result(f"{what}: memory", "", most, "MB")


def _saves(folder: Path, server: Ours, rounds: Iterator[bytes], runs: int) -> Iterator[float]:
    """The seconds from each save of the first row until the server has its new name; `rounds` are reported lines."""
    connection = http.client.HTTPConnection(HOST, server.port)

    def record() -> bytes:
        headers = {"Authorization": f"Bearer {server.token}"}
        connection.request("GET", "/api/directories/1/projects/1", headers=headers)  # of the first row
        return connection.getresponse().read()

    for _ in range(runs):
        next(rounds)  # the last one has ended
        time.sleep(_PAUSE)
        before = record()
        saved = _with_new_names(folder, 1)
        began = time.perf_counter()
        _table(folder).write_bytes(saved)
        while record() == before:
            time.sleep(_POLL)
        yield time.perf_counter() - began


@contextmanager
def _synced(listings: int, articles: int = 0) -> Iterator[tuple[Path, Ours, float]]:
    """A repository of the entries, the server that has them, and the seconds that the sync took."""
    with tempfile.TemporaryDirectory(dir=bench_dir()) as name:
        home, folder = Path(name), Path(name) / "folder"
        shutil.copytree(trees.listings_csv(listings), folder, ignore=shutil.ignore_patterns(".contentsync"))
        if articles:
            shutil.copytree(trees.articles(articles) / "articles", folder / "articles")
        url = f"sqlite:///{home / 'site.db'}"
        token = prepare(url)
        with serving(url, token, home / "server.log") as server:
            with (folder / "contentsync.toml").open("a") as config:
                config.write(_CONFIG.format(host=HOST, port=server.port))
            _commit(folder)
            os.environ["CONTENTSYNC_TOKEN"] = token
            began = time.perf_counter()
            seconds(SYNC, folder)
            yield folder, server, time.perf_counter() - began


def _remove_caches(folder: Path) -> None:
    shutil.rmtree(folder / ".contentsync" / "cache", ignore_errors=True)


def _commit(folder: Path) -> None:
    (folder / ".gitignore").write_text(".contentsync/\n")
    for arguments in (
        ("init", "--quiet"),
        ("add", "."),
        ("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message", "All"),
    ):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True)  # noqa: S607  # the git that a user has


def _change_rows(folder: Path, count: int) -> None:
    """Write a new name into the first column of the first rows."""
    _table(folder).write_bytes(_with_new_names(folder, count))


def _with_new_names(folder: Path, count: int) -> bytes:
    header, *lines = _table(folder).read_text(encoding="utf-8").split("\n")
    for number in range(count):
        lines[number] = f"Changed {time.time()},{lines[number].partition(',')[2]}"
    return "\n".join([header, *lines]).encode()


def _table(folder: Path) -> Path:
    return folder / "listings" / "all.csv"


def _change_records(server: Ours, ids: Sequence[int]) -> None:
    """Write a new text into records, as another user."""
    number = int(time.time())
    with Sender() as sender:
        sender.send(server.port, [server.change(identity, number) for identity in ids], clients=4)


def _peak(what: str, command: list[str], folder: Path, aim: float | None = None) -> Result:
    found = peak(command, folder)
    return Result(what, "", found.together, "MB", aim, f"{found.largest:.0f} MB the largest process")


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, lambda quick: measure(QUICK if quick else FULL), PROGRAMS))
