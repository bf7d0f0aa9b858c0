"""From a save to what the browser shows, under `contentsync dev`: `make bench-dev`.

The folder is a copy of the articles that are measured elsewhere. A real Chromium shows the last one; its file gets a
line more, and a MutationObserver notes by the clock of the machine when that line is in the page.
"""

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import MISSING, find
from tests.dev.dev_process import READY, start_dev

from . import trees
from .command import run
from .measurement import bench_dir
from .results import Result

COMMAND = "make bench-dev"
AIMS = {1_000: (None, 0.3), 10_000: (8.0, 0.3)}  # seconds of the first start, and from a save to the browser
SAVES = 30
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


@contextmanager
def _copied(count: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=bench_dir()) as name:
        folder = Path(name) / "folder"
        shutil.copytree(trees.articles(count), folder, ignore=shutil.ignore_patterns(".contentsync"))
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
    sys.exit(run(COMMAND, __doc__, lambda quick: measure({100: (None, 0.3)}, 3) if quick else measure(AIMS, SAVES)))
