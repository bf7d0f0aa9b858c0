"""Planning a folder of listings of which nothing has changed: `make bench-sync`.

The folder is synced once to `contentsync serve`, a process of its own with a new SQLite file. Every row then runs in
turn with its yardstick and gives the median ratio.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import trees
from .command import run
from .measurement import CONTENTSYNC, bench_dir, compare, peak, seconds
from .results import Result, ratio
from .server.load import HOST
from .server.ours import Ours, prepare, serving

COMMAND = "make bench-sync"
PROGRAMS = ("git",)
PER_PAGE = 100
PLAN = [CONTENTSYNC, "plan", "--detailed-exitcode"]
SYNC = [CONTENTSYNC, "sync", "--yes", "--quiet"]
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
requests_per_minute = 1000000
"""


@dataclass(frozen=True)
class Size:
    """How many listings, and how often."""

    listings: int
    runs: int


FULL = Size(100_000, 5)
QUICK = Size(5_000, 3)


def measure(size: Size) -> Iterator[Result]:
    """Every row, as soon as it is known."""
    with _synced(size.listings) as (folder, server, syncing):
        what = f"`plan`, {size.listings:,} listings in one CSV file, nothing changed"
        pages = -(-size.listings // PER_PAGE)
        read = [sys.executable, "-c", READ_PAGES, HOST, str(server.port), str(pages)]

        def first() -> float:
            shutil.rmtree(folder / ".contentsync" / "cache", ignore_errors=True)
            return seconds(PLAN, folder)

        found = compare(lambda: seconds(PLAN, folder), lambda: seconds(GIT_STATUS, folder), size.runs)
        yield ratio(what, "`git status`", found)
        found = compare(lambda: seconds(PLAN, folder), lambda: seconds(read, folder), size.runs)
        yield ratio(what, f"`http.client`, {pages:,} pages", found)
        yield _peak(f"{what}: memory", folder)
        found = compare(first, lambda: seconds(read, folder), size.runs)
        yield ratio(f"{what}, no snapshot", f"`http.client`, {pages:,} pages", found)
        shutil.rmtree(folder / ".contentsync" / "cache")
        yield _peak(f"{what}, no snapshot: memory", folder)
        yield Result(f"the first `sync` of {size.listings:,} listings", "", syncing, "seconds")


@contextmanager
def _synced(listings: int) -> Iterator[tuple[Path, Ours, float]]:
    """A repository of the listings, the server that has them, and the seconds that the sync took."""
    with tempfile.TemporaryDirectory(dir=bench_dir()) as name:
        home, folder = Path(name), Path(name) / "folder"
        shutil.copytree(trees.listings_csv(listings), folder, ignore=shutil.ignore_patterns(".contentsync"))
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


def _commit(folder: Path) -> None:
    (folder / ".gitignore").write_text(".contentsync/\n")
    for arguments in (
        ("init", "--quiet"),
        ("add", "."),
        ("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message", "All"),
    ):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True)  # noqa: S607  # the git that a user has


def _peak(what: str, folder: Path) -> Result:
    found = peak(PLAN, folder)
    return Result(what, "", found.together, "MB", detail=f"{found.largest:.0f} MB the largest process")


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, lambda quick: measure(QUICK if quick else FULL), PROGRAMS))
