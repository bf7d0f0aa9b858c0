"""Reading content folders beside what others need for the same files: `make bench-content`.

Every row runs both in turn in this one go and gives the median ratio. The trees are made outside the repository, in
BENCH_DIR (default: below the system's temporary folder), and used again.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from . import trees
from .command import run
from .measurement import CONTENTSYNC, Timed, compare, peak, reported_seconds, seconds
from .profile import profile
from .results import Result, ratio

COMMAND = "make bench-content"
PROGRAMS = ("hugo", "git")
VALIDATE = [CONTENTSYNC, "validate"]
HUGO = ["hugo", "list", "all"]
CAT = ["sh", "-c", "find . -name '*.md' -type f | xargs cat > /dev/null"]
GIT_STATUS = ["git", "status"]
SCAN = """
from pathlib import Path
from time import perf_counter
from contentsync.content.validation_report import load_cached_report
began = perf_counter()
assert load_cached_report(Path()), "something has changed"
print(perf_counter() - began)
"""
READ_CSV = "import csv; [None for row in csv.reader(open('listings/all.csv', newline=''))]"


@dataclass(frozen=True)
class Size:
    """How many files (and rows), and how often."""

    small: int
    large: int
    runs: int


FULL = Size(10_000, 100_000, 9)
QUICK = Size(1_000, 5_000, 3)


def measure(size: Size) -> Iterator[Result]:
    """Every row, as soon as it is known."""
    yield from _cold(size)
    yield from _unchanged(size)
    yield from _links(size)
    yield from _listings(size)


def _cold(size: Size) -> Iterator[Result]:
    small, large = trees.articles(size.small), trees.articles(size.large)
    found = compare(_first_run(small), lambda: seconds(HUGO, small), size.runs)
    result = ratio(f"`validate`, {size.small:,} Markdown files, first run", "`hugo list all`", found, 0.35)
    yield _explained(size, result, small)
    found = compare(_first_run(large), lambda: seconds(CAT, large), size.runs)
    what = f"`validate`, {size.large:,} Markdown files, first run"
    yield _explained(size, ratio(what, "`find` and `cat`", found, 1.3), large)
    yield _peak(f"{what}: memory", large, 300)


def _unchanged(size: Size) -> Iterator[Result]:
    tree = trees.repository(size.large)
    found = compare(lambda: seconds(VALIDATE, tree), lambda: seconds(GIT_STATUS, tree), size.runs)
    result = ratio(f"`validate`, {size.large:,} files, nothing changed", "`git status`", found, 2)
    yield _explained(size, result, tree, first=False)
    scan = [sys.executable, "-c", SCAN]
    found = compare(lambda: reported_seconds(scan, tree), lambda: seconds(GIT_STATUS, tree), size.runs)
    result = ratio(f"the scan of {size.large:,} files for changes alone", "`git status`", found, 1.2)
    yield _explained(size, result, tree, first=False)


def _links(size: Size) -> Iterator[Result]:
    linked, plain = trees.articles(size.small, linked=True), trees.articles(size.small)
    found = compare(_first_run(linked), _first_run(plain), size.runs)
    yield ratio(f"{size.small:,} files, one in ten with an internal link, first run", "the same without", found)


def _listings(size: Size) -> Iterator[Result]:
    table_, list_ = trees.listings_csv(size.large), trees.listings_yaml(size.large)
    what = f"`validate`, {size.large:,} listings"
    found = compare(_first_run(table_), lambda: seconds([sys.executable, "-c", READ_CSV], table_), size.runs)
    yield ratio(f"{what} in one CSV file", "`csv.reader` alone", found)
    yield _peak(f"{what} in one CSV file: memory", table_, 64)
    found = compare(_first_run(list_), _first_run(table_), size.runs)
    yield _explained(size, ratio(f"{what} in one YAML file", "in one CSV file", found, 1.2), list_)


def _explained(size: Size, result: Result, tree: Path, *, first: bool = True) -> Result:
    """With the profile that says why, if the aim is missed by more than a run that warms up."""
    if result.verdict != "MISSED" or not size.runs:
        return result
    if first:
        trees.forget_cache(tree)
    return replace(result, profile=profile(tree))


def _first_run(tree: Path) -> Timed:
    def run() -> float:
        trees.forget_cache(tree)
        return seconds(VALIDATE, tree)

    return run


def _peak(what: str, tree: Path, aim: float) -> Result:
    trees.forget_cache(tree)
    found = peak(VALIDATE, tree)
    detail = f"{found.largest:.0f} MB the largest process"
    return Result(what, "", found.together, "MB", aim, detail)


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, lambda quick: measure(QUICK if quick else FULL), PROGRAMS))
