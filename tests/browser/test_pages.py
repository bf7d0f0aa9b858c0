"""A page of every type: requirements for each of them, in every width, language and scheme."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from .accessibility import violations
from .pages import PAGES, STATUS, in_french
from .reader import Reader, Windows
from .sites import Site
from .viewports import DESK, NARROW, PHONE, WIDE, save_screenshot, scrolls_sideways, show_at

LARGEST = 50 * 1024  # bytes of a page and all that it needs, apart from pictures

WEIGHT = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(entry => entry.initiatorType !== 'img' && new URL(entry.name).origin === location.origin)
    .map(entry => entry.decodedBodySize)"""


BLANK_BYTES = 5_000  # more than the screenshot of a blank page has


class Look(NamedTuple):
    """A window in which a page is checked."""

    width: int
    scheme: str  # the colour scheme that the visitor prefers


LOOKS = [Look(DESK, "light"), Look(PHONE, "dark"), Look(DESK, "dark"), Look(PHONE, "light")]


class Opened(NamedTuple):
    """A page with its name, and the windows in which to check it."""

    page: Page
    name: str
    looks: list[Look]  # all of them, in another order for each page


EVERY = [*PAGES, *(f"{name}.fr" for name in PAGES)]
SAMPLE = (
    "home",
    "category",
    "filtered",
    "listing",
    "blog",
    "article",
    "not-found",
    "busy",
)  # which have every look among them


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name in SAMPLE else pytest.mark.whole) for name in EVERY],
)
def opened(request: pytest.FixtureRequest, windows: Windows, example: Site) -> Iterator[Opened]:
    """Yield a page that several tests check, opened once for all of them."""
    name, _, locale = request.param.partition(".")
    reader = Reader(windows, pictures=True)
    path = in_french(PAGES[name]) if locale else PAGES[name]
    home = request.getfixturevalue("busy") if name == "busy" else example.address
    page = reader.open(home + path, status=STATUS.get(name, 200))
    first = EVERY.index(request.param) % len(LOOKS)
    yield Opened(page, request.param, LOOKS[first:] + LOOKS[:first])
    reader.leave()


# `look` is an index into the `looks` of a page. The sample has one look of each page, and each look of some page.
in_every_look = pytest.mark.parametrize(
    "look", [0, *(pytest.param(look, marks=pytest.mark.whole) for look in range(1, len(LOOKS)))]
)


@in_every_look
def test_each_page_passes_the_accessibility_check(
    opened: Opened, look: int, record_property: Callable[[str, object], None]
) -> None:
    show_at(opened.page, *opened.looks[look])
    found = violations(opened.page)
    record_property("look", [*opened.looks[look]])
    record_property("axe", found)
    assert found == {}


@pytest.mark.parametrize("width", [NARROW, PHONE, DESK, WIDE])
def test_no_page_scrolls_sideways(opened: Opened, width: int) -> None:
    show_at(opened.page, width)
    assert not scrolls_sideways(opened.page)


def test_a_page_without_its_images_is_small(opened: Opened, record_property: Callable[[str, object], None]) -> None:
    sizes: list[int] = opened.page.evaluate(WEIGHT)
    record_property("bytes", sum(sizes))
    record_property("requests", len(sizes))
    assert 0 < sum(sizes) < LARGEST
    assert 2 <= len(sizes) <= 4  # the page, and its style sheets


def test_heading_levels_descend_one_at_a_time(opened: Opened) -> None:
    levels: list[int] = opened.page.eval_on_selector_all(
        "main :is(h1, h2, h3, h4, h5, h6)", "all => all.map(heading => Number(heading.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_the_first_key_skips_to_the_content(opened: Opened) -> None:
    page = opened.page
    show_at(page, DESK)
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    box = skip.bounding_box()
    assert box is not None
    assert box["y"] >= 0  # it has come into sight
    assert skip.get_attribute("href") == f"#{page.locator('main').get_attribute('id')}"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.closest('body > header, body > a')")


def test_the_focused_element_is_visible(opened: Opened) -> None:
    page = opened.page
    show_at(page, DESK)
    page.keyboard.press("Tab")  # with the mouse, what has the focus need not be seen
    links, unseen = page.evaluate(
        """() => {
            const links = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
                .filter(element => element.checkVisibility())
            return [links.length, links.filter(element => {
                element.focus()
                return ![null, '::after'].some(part => {
                    const style = getComputedStyle(element, part)
                    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
                })
            }).map(element => element.outerHTML)]
        }"""
    )
    assert links > 5
    assert unseen == []


@in_every_look
def test_a_screenshot_is_saved(opened: Opened, look: int) -> None:
    """It is an artefact for a person to look at; a blank page has a smaller file."""
    width, scheme = opened.looks[look]
    show_at(opened.page, width, scheme)
    assert save_screenshot(opened.page, f"{opened.name}-{width}-{scheme}").stat().st_size > BLANK_BYTES
