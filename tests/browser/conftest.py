"""A Chromium, a server with content-example on it, and a reader whose pages are monitored.

pytest-xdist assigns neighbouring tests to the same process, so that few browsers start.
"""

import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from ..end_to_end.conftest import EXAMPLE, UNHURRIED
from ..serving import Serving, serving
from .busy_server import busy_server
from .chromium import MISSING, find
from .reader import Reader, Windows
from .sites import Site, make_site


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Yield Playwright while the tests of this package run; no other asyncio loop can run in its thread."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Yield Chromium; skip the test if it is not installed."""
    path = find(playwright)
    if path is None:
        pytest.skip(MISSING)
    with playwright.chromium.launch(
        executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else []
    ) as browser:
        yield browser


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    """Return the pool of windows of the browser."""
    return Windows(browser)


@pytest.fixture
def reader(windows: Windows) -> Iterator[Reader]:
    """Yield a reader; fail if an opened page did something that is forbidden for pages."""
    reader = Reader(windows)
    yield reader
    reader.leave()


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the URL of the server's database."""
    return f"sqlite:///{tmp_path_factory.mktemp('browser') / 'site.db'}"


@pytest.fixture(scope="package")
def server(browser: Browser, database: str) -> Iterator[Serving]:
    """Yield `contentsync serve` as a process of its own."""
    with serving(
        database, "--rate-limit", "0", "--page-rate-limit", "0", "--log-level", "warning", "--migrate",
        "--media", str(EXAMPLE / "media"),
    ) as server:  # fmt: skip
        yield server
        assert server.stop(signal.SIGTERM) == 0
    assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="package")
def example(server: Serving, database: str, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return the site of content-example, which no test changes."""
    folder = tmp_path_factory.mktemp("example") / "site"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".contentsync"))
    with (folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write(UNHURRIED)
    site = make_site(
        server,
        database,
        "Bench & Shelf",
        description="Open tools and open workshops for small libraries.",
        locales=("en", "fr"),
        organizers_label="Organiser",
    )
    site.sync(folder)
    return site


@pytest.fixture(scope="module")
def busy(example: Site, database: str) -> Iterator[str]:
    """Yield the address of Bench & Shelf on a server that refuses its long reads."""
    with busy_server(database, example.number) as address:
        yield f"{address}/sites/{example.slug}/"


@pytest.fixture(scope="package")
def empty(server: Serving, database: str) -> Site:
    """Return a directory in which nothing has been published yet."""
    return make_site(server, database, "Nothing yet")
