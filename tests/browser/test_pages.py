"""A page of every type: what holds for each of them, in every width, language and scheme."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from .accessibility import violations
from .pages import OTHERS, PAGES, STATUS, TYPES, in_french
from .reader import Reader
from .sites import Site
from .window import DESK, NARROW, PHONE, keep, look, scrolls_sideways

LARGEST = 50 * 1024  # bytes of a page and all that it needs, apart from pictures

WEIGHT = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(entry => entry.initiatorType !== 'img' && new URL(entry.name).origin === location.origin)
    .map(entry => entry.decodedBodySize)"""


class Opened(NamedTuple):
    """A page, and what it is called."""

    page: Page
    name: str


@pytest.fixture(
    scope="module",
    params=[
        *TYPES,
        *(pytest.param(name, marks=pytest.mark.whole) for name in (*OTHERS, *(f"{name}.fr" for name in PAGES))),
    ],
)
def opened(request: pytest.FixtureRequest, browser: Browser, example: Site) -> Iterator[Opened]:
    """Opened once for all that is looked at."""
    name, _, locale = request.param.partition(".")
    reader = Reader(browser, pictures=True)
    path = in_french(PAGES[name]) if locale else PAGES[name]
    yield Opened(reader.open(example.at(path), status=STATUS.get(name, 200)), request.param)
    reader.leave()


LOOKS = [
    pytest.param(DESK, "light", id="desk-light"),
    pytest.param(PHONE, "dark", id="phone-dark"),
    pytest.param(DESK, "dark", id="desk-dark", marks=pytest.mark.whole),
    pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.whole),
]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_axe_finds_nothing(
    opened: Opened, width: int, scheme: str, record_property: Callable[[str, object], None]
) -> None:
    look(opened.page, width, scheme)
    found = violations(opened.page)
    record_property("axe", found)
    assert found == {}


@pytest.mark.parametrize("width", [NARROW, PHONE, DESK])
def test_no_page_scrolls_sideways(opened: Opened, width: int) -> None:
    look(opened.page, width)
    assert not scrolls_sideways(opened.page)


def test_a_page_without_its_pictures_is_small(opened: Opened, record_property: Callable[[str, object], None]) -> None:
    sizes: list[int] = opened.page.evaluate(WEIGHT)
    record_property("bytes", sum(sizes))
    record_property("requests", len(sizes))
    assert 0 < sum(sizes) < LARGEST
    assert 2 <= len(sizes) <= 4  # the page, and its style sheets


def test_headings_go_down_one_level_at_a_time(opened: Opened) -> None:
    levels: list[int] = opened.page.eval_on_selector_all(
        "main :is(h1, h2, h3, h4, h5, h6)", "all => all.map(heading => Number(heading.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_the_first_key_skips_to_the_content(opened: Opened) -> None:
    page = opened.page
    look(page, DESK)
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    box = skip.bounding_box()
    assert box is not None
    assert box["y"] >= 0  # it has come into sight
    assert skip.get_attribute("href") == f"#{page.locator('main').get_attribute('id')}"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('body > header, body > a')")


def test_what_has_the_focus_is_seen(opened: Opened) -> None:
    page = opened.page
    look(page, DESK)
    page.evaluate("document.querySelector('body > a').focus()")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):  # behind the last link
            break
        assert page.evaluate(
            """() => [null, '::after'].some(part => {
                const style = getComputedStyle(document.activeElement, part)
                return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
            })"""
        ), page.evaluate("document.activeElement.outerHTML")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_screenshot_is_kept(opened: Opened, width: int, scheme: str) -> None:
    look(opened.page, width, scheme)
    assert keep(opened.page, f"{opened.name}-{width}-{scheme}").stat().st_size > 5_000  # not blank
