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
from .measurement import CONTENTSYNC, Comparison, Timed, compare, peak, reported_seconds, seconds
from .profile import profile
from .results import Result, ratio
from .yardsticks import yardstick_python

COMMAND = "make bench-content"
PROGRAMS = ("hugo", "git")
VALIDATE = [CONTENTSYNC, "validate"]
HUGO = ["hugo", "list", "all"]
CAT = ["sh", "-c", "find . -name '*.md' -type f | xargs cat > /dev/null"]
GIT_STATUS = ["git", "status"]
SCAN = """
from pathlib import Path
from time import perf_counter
from contentsync.content.files.validation_report import load_cached_report
began = perf_counter()
assert load_cached_report(Path()), "something has changed"
print(perf_counter() - began)
"""
FRICTIONLESS = ["-m", "frictionless", "validate", "listings/all.csv", "--schema", "schema.json"]
UNKNOWN = 7  # columns
INVALID = 1  # the exit status of `validate` for a folder with errors
READ_CSV = "import csv; [None for row in csv.reader(open('listings/all.csv', newline=''))]"


@dataclass(frozen=True)
class Size:
    """How many files (and rows), and how often."""

    small: int
    large: int
    runs: int
    growth: int = 10  # how many times as many rows the largest table has


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
    what = f"{size.small:,} files with former addresses, one in ten with an internal link, first run"
    yield ratio(what, "the same without", found, 1.3)


def _listings(size: Size) -> Iterator[Result]:
    table_, list_ = trees.listings_csv(size.large), trees.listings_yaml(size.large)
    what = f"`validate`, {size.large:,} listings"
    found = compare(_first_run(table_), lambda: seconds([sys.executable, "-c", READ_CSV], table_), size.runs)
    yield _explained(size, ratio(f"{what} in one CSV file", "`csv.reader` alone", found, 12), table_)
    yield _peak(f"{what} in one CSV file: memory", table_, 64)
    if size.runs:  # else it would be installed
        frictionless = [yardstick_python(), *FRICTIONLESS]
        found = compare(_first_run(table_), lambda: seconds(frictionless, table_), min(3, size.runs))
        yield ratio(f"{what} in one CSV file", "`frictionless validate` with a schema", found, 1 / 3)
    found = compare(_first_run(list_), _first_run(table_), size.runs)
    yield _explained(size, ratio(f"{what} in one YAML file", "in one CSV file", found, 1.2), list_)
    yield ratio(f"`list --where`, {size.large:,} listings, again", "`csv.reader` alone", _list_again(size, table_), 5)
    count = size.small * 9 // 10
    unknown, known = trees.listings_csv(count, unknown=UNKNOWN), trees.listings_csv(count)
    found = compare(_first_run(unknown, INVALID), _first_run(known), size.runs)
    yield ratio(f"`validate`, {count:,} listings, {UNKNOWN} unknown columns", "the same without", found, 1.2)
    for rows in (size.large, size.large * size.growth):
        larger, smaller = trees.listings_csv(rows), trees.listings_csv(rows // size.growth)
        found = compare(_first_run(larger), _first_run(smaller), min(1, size.runs))
        what = f"`validate`, {rows:,} listings in one CSV file"
        yield ratio(what, f"{rows // size.growth:,} listings", found, 1.2 * size.growth)


def _list_again(size: Size, tree: Path) -> Comparison:
    """Time a condition on one column, after a list has stored the values."""
    trees.forget_cache(tree)
    command = [CONTENTSYNC, "list", "listing", "--where", "name ~ 99"]
    seconds(command, tree)
    return compare(lambda: seconds(command, tree), lambda: seconds([sys.executable, "-c", READ_CSV], tree), size.runs)


def _explained(size: Size, result: Result, tree: Path, *, first: bool = True) -> Result:
    """With the profile that says why, if the aim is missed by more than a run that warms up."""
    if result.verdict != "MISSED" or not size.runs:
        return result
    if first:
        trees.forget_cache(tree)
    return replace(result, profile=profile(tree))


def _first_run(tree: Path, status: int = 0) -> Timed:
    def run() -> float:
        trees.forget_cache(tree)
        return seconds(VALIDATE, tree, status)

    return run


def _peak(what: str, tree: Path, aim: float) -> Result:
    trees.forget_cache(tree)
    found = peak(VALIDATE, tree)
    detail = f"{found.largest:.0f} MB the largest process"
    return Result(what, "", found.together, "MB", aim, detail)


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, lambda quick: measure(QUICK if quick else FULL), PROGRAMS))
