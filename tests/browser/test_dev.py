"""`contentsync dev` in a browser: saves appear in the page, and errors are shown over it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from ..content.conftest import write
from ..dev.dev_process import READY, DevProcess, start_dev
from .accessibility import violations
from .page_monitor import PageMonitor

LONG = "\n\n".join(f"Paragraph {number} of a long text." for number in range(200))
ARTICLE = f"---\ntitle: Growing\n---\n\nBegins.\n\n{LONG}\n\nEnds.\n"
FILES = {
    "articles/growing.md": ARTICLE,
    "pages/about.md": "---\ntitle: About\nplacement: navbar\n---\n\nUs.\n",
}
SLOW = 5_000  # milliseconds, generous for a busy machine; `make bench-dev` measures the real time


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("dev") / "site", FILES)


@pytest.fixture(scope="module")
def dev(folder: Path) -> Iterator[DevProcess]:
    with start_dev(folder) as dev:
        dev.wait_for_output(READY)
        yield dev


@pytest.fixture
def page(browser: Browser, dev: DevProcess, folder: Path) -> Iterator[Page]:
    """Yield an open tab with the article; fail if it logged an error."""
    write(folder, FILES)
    context = browser.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    monitor = PageMonitor(dev.address)
    monitor.attach(context)
    page.goto(f"{dev.address}/sites/test/blog/growing/")
    page.get_by_text("Ends.", exact=True).wait_for()
    yield page
    context.close()
    monitor.errors = [error for error in monitor.errors if "404" not in error]  # of a page whose file was deleted
    monitor.assert_clean()


def overlay(page: Page) -> Locator:
    return page.get_by_role("alertdialog")


def save(folder: Path, text: str) -> None:
    write(folder, {"articles/growing.md": text})


def test_a_save_appears_in_the_page_without_scrolling_it(page: Page, folder: Path, record_property: object) -> None:
    page.evaluate("scrollTo(0, 1500)")
    page.evaluate("window.same = true")
    began = time.monotonic()
    save(folder, ARTICLE.replace("Ends.", "Ends well."))
    expect(page.get_by_text("Ends well.")).to_be_attached(timeout=SLOW)
    record_property("save to browser", round(time.monotonic() - began, 3))  # type: ignore[operator]
    assert page.evaluate("scrollY") == 1500
    assert page.evaluate("window.same"), "the page was reloaded"


def test_the_scroll_position_is_kept_when_text_is_inserted_above(page: Page, folder: Path) -> None:
    line = page.get_by_text("Paragraph 100 of", exact=False)
    line.scroll_into_view_if_needed()
    before = line.bounding_box()
    save(folder, ARTICLE.replace("Begins.", "Begins.\n\nAnd something new."))
    expect(page.get_by_text("And something new.")).to_be_attached(timeout=SLOW)
    after = line.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 2


def test_an_error_is_shown_over_the_page_until_it_is_fixed(page: Page, folder: Path) -> None:
    save(folder, "---\ntitel: <b>Growing</b>\nactive: maybe\n---\n\nText.\n")
    expect(overlay(page)).to_be_visible(timeout=SLOW)
    expect(overlay(page)).to_have_accessible_name("2 errors")
    expect(overlay(page)).to_be_focused()
    items = overlay(page).get_by_role("listitem")
    expect(items).to_have_count(2)
    expect(items.first).to_contain_text("articles/growing.md:2:1")
    expect(items.first).to_contain_text("2 | titel: <b>Growing</b>")
    expect(items.first.locator("mark")).to_have_text("titel")
    expect(items.first).to_contain_text("did you mean 'title'?")
    assert overlay(page).locator("pre b").count() == 2  # the line numbers: a text is never HTML
    expect(page.get_by_text("Ends.", exact=True)).to_be_attached()  # the page as it was

    save(folder, ARTICLE)
    expect(overlay(page)).not_to_be_attached(timeout=SLOW)


@pytest.mark.whole
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_overlay(page: Page, folder: Path, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    save(folder, "---\ntitel: Growing\nactive: maybe\n---\n\nText.\n")
    expect(overlay(page)).to_be_visible(timeout=SLOW)
    assert violations(page) == {}


@pytest.mark.whole
def test_a_badge_shows_the_hidden_errors_again(page: Page, folder: Path) -> None:
    save(folder, "---\ntitel: Growing\n---\n\nText.\n")
    expect(overlay(page)).to_be_visible(timeout=SLOW)
    page.keyboard.press("Escape")
    expect(overlay(page)).not_to_be_attached()
    page.get_by_role("button", name="1 error").click()
    expect(overlay(page)).to_be_visible()
    overlay(page).get_by_role("button").click()
    save(folder, "---\ntitel: Growing\nactive: maybe\n---\n\nText.\n")
    expect(overlay(page)).to_have_accessible_name("2 errors", timeout=SLOW)  # another mistake is shown again


@pytest.mark.whole
def test_every_open_tab_shows_the_errors(page: Page, folder: Path) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    save(folder, "---\ntitel: Growing\n---\n\nText.\n")
    for tab in (page, other):
        expect(overlay(tab)).to_be_visible(timeout=SLOW)
    other.reload()
    expect(overlay(other)).to_be_visible(timeout=SLOW)


def test_all_tabs_are_reloaded_if_they_exceed_the_connections(page: Page, folder: Path) -> None:
    tabs = [page, *(page.context.new_page() for _ in range(6))]
    for tab in tabs[1:]:
        tab.goto(page.url)
    save(folder, ARTICLE.replace("Ends.", "Ends well."))
    for tab in tabs:
        expect(tab.get_by_text("Ends well.")).to_be_attached(timeout=SLOW)
    page.close()  # the one that has listened for all
    save(folder, ARTICLE.replace("Ends.", "Ends better."))
    for tab in tabs[1:]:
        expect(tab.get_by_text("Ends better.")).to_be_attached(timeout=SLOW)


def test_an_open_page_shows_the_deletion_and_the_return_of_its_file(page: Page, folder: Path) -> None:
    (folder / "articles/growing.md").rename(folder.parent / "grown.md")
    expect(page.get_by_text("Ends.", exact=True)).not_to_be_attached(timeout=SLOW)
    (folder.parent / "grown.md").rename(folder / "articles/growing.md")
    expect(page.get_by_text("Ends.", exact=True)).to_be_attached(timeout=SLOW)


@pytest.mark.whole
def test_an_open_tab_reconnects_to_a_new_server(browser: Browser, tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    with start_dev(folder) as dev:
        dev.wait_for_output(READY)
        port = dev.port
        page = browser.new_page()
        page.goto(f"{dev.address}/sites/test/blog/growing/")
        page.get_by_text("Ends.", exact=True).wait_for()
        assert dev.stop() == 130
    save(folder, ARTICLE.replace("Ends.", "Ends well."))
    with start_dev(folder, "--follow", port=port) as dev:
        dev.wait_for_output(READY)
        expect(page.get_by_text("Ends well.")).to_be_attached(timeout=SLOW)
        write(folder, {"pages/about.md": FILES["pages/about.md"].replace("Us.", "All of us.")})
        expect(page.get_by_text("All of us.")).to_be_attached(timeout=SLOW)
        assert page.url == f"{dev.address}/sites/test/pages/about/"
    page.close()


@pytest.mark.whole
def test_the_benchmark_of_dev_produces_a_measurement(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.dev", "--quick"]
    ran = subprocess.run(command, env={**os.environ, "BENCH_DIR": str(tmp_path)}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "from a save to the browser, 100 articles" in ran.stdout
