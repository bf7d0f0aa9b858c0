"""From a save to what the browser shows, under `contentsync dev`: `make bench-dev`.

The folder is a copy of the articles that are measured elsewhere. A real Chromium shows the last one; its file gets a
line more, and a MutationObserver notes by the clock of the machine when that line is in the page.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import MISSING, find
from tests.dev.dev_process import READY, DevProcess, start_dev

from . import trees
from .command import run
from .measurement import bench_dir
from .results import Result

COMMAND = "make bench-dev"
AIMS = {1_000: (None, 0.3), 10_000: (8.0, 0.3)}  # seconds of the first start, and from a save to the browser
LISTINGS = 100_000  # rows of one table, whose processor time is measured: a save takes no longer on a busy machine
SAVES = 30
UPDATE = "1 change in"  # in the output
PORT = 8399  # of both starts, as the second one compares everything under another address
PAUSE = 0.5  # seconds between two saves, as someone writes

_NOTE = """word => new MutationObserver(() => {
  if (!(word in window) && document.body.textContent.includes(word)) window[word] = Date.now();
}).observe(document, { childList: true, subtree: true, characterData: true })"""


def measure(aims: dict[int, tuple[float | None, float]], saves: int) -> Iterator[Result]:
    """Every row, as soon as it is known."""
    for count, (aim_of_start, aim) in aims.items():
        with _copied(count) as folder:
            yield Result(f"`dev`, {count:,} articles, the first start", "", _started(folder), "seconds", aim_of_start)
            yield Result(f"`dev`, {count:,} articles, started again", "", _started(folder), "seconds")
            times = _saves(folder, saves)
            detail = f"{min(times):.2f} to {max(times):.2f}, the median of {saves} saves"
            yield Result(
                f"from a save to the browser, {count:,} articles", "", statistics.median(times), "seconds", aim, detail
            )


def _started(folder: Path) -> float:
    """How long it takes until the site has everything."""
    began = time.perf_counter()
    with start_dev(folder) as dev:
        dev.wait_for_output(READY, 300)
        return time.perf_counter() - began


def _saves(folder: Path, saves: int) -> list[float]:
    file = max(folder.glob("articles/*/*.md"))
    slug = f"post-{int(file.stem.removeprefix('post-'))}"
    with start_dev(folder) as dev, _page() as page:
        dev.wait_for_output(READY, 300)
        home = dev.ask("/")[1].partition('rel="canonical" href="')[2].partition('"')[0]
        page.goto(f"{home}blog/{slug}/")
        page.wait_for_timeout(1_000)
        return [_save(page, file, f"word{number}") for number in range(saves + 1)][1:]  # the first one warms up


def _save(page: Page, file: Path, word: str) -> float:
    page.evaluate(_NOTE, word)
    time.sleep(PAUSE)
    began = time.time()
    with file.open("a") as stream:
        stream.write(f"\n{word}\n")
    page.get_by_text(word, exact=True).wait_for(state="attached")
    seen: float = page.evaluate("word => window[word]", word)
    return seen / 1000 - began


def measure_listings(count: int) -> Iterator[Result]:
    """Every row about a table, in seconds of processor time."""
    with _copy_of(trees.listings_csv(count)) as folder:
        for name in ("the first start", "started again"):
            with start_dev(folder, port=PORT) as dev:
                dev.wait_for_output(READY, 600)
                yield Result(f"`dev`, {count:,} listings, {name}", "", _processor_time(dev), "seconds")
                if name == "started again":
                    times = [_save_row(folder, dev, number) for number in range(4)][1:]  # the first one warms up
                    yield Result(f"a save of one row, {count:,} listings", "", statistics.median(times), "seconds")
                dev.stop()


def _processor_time(dev: DevProcess) -> float:
    """Return the seconds of processor time that the process has used, with those of its ended children."""
    fields = Path(f"/proc/{dev.process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _save_row(folder: Path, dev: DevProcess, number: int) -> float:
    table = folder / "listings" / "all.csv"
    header, *rows = table.read_text().splitlines()
    cells = rows[number].split(",")
    cells[header.split(",").index("description")] = f"word{number}"
    rows[number] = ",".join(cells)
    time.sleep(PAUSE)
    began, updates = _processor_time(dev), dev.log.count(UPDATE)
    table.write_text("\n".join([header, *rows, ""]))
    dev.wait_for_output(rf"(?s)(?:{UPDATE}.*){{{updates + 1}}}", 60)
    time.sleep(PAUSE)  # what follows the report
    return _processor_time(dev) - began


def _copied(count: int) -> AbstractContextManager[Path]:
    return _copy_of(trees.articles(count))


@contextmanager
def _copy_of(tree: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=bench_dir()) as name:
        folder = Path(name) / "folder"
        shutil.copytree(tree, folder, ignore=shutil.ignore_patterns(".contentsync"))
        yield folder


@contextmanager
def _page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        path = find(playwright)
        if path is None:
            raise SystemExit(MISSING)
        with playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]) as browser:
            yield browser.new_page()


if __name__ == "__main__":
    sys.exit(
        run(
            COMMAND,
            __doc__,
            lambda quick: chain(
                measure({100: (None, 0.3)} if quick else AIMS, 3 if quick else SAVES),
                measure_listings(1_000 if quick else LISTINGS),
            ),
        )
    )
