"""Extreme content does not break the layout of a page."""

from collections.abc import Mapping

import pytest

from ..serving import Serving
from .accessibility import violations
from .extremes import ARABIC, LONG_WORD, fill
from .reader import Reader
from .sites import Site, make_site
from .viewports import DESK, NARROW, PHONE, save_screenshot, scrolls_sideways, show_at

PATHS = {
    "home": "",
    "filtered": f"?q={LONG_WORD[:100]}&category=level-5&tag=tag-number-7",
    "found": f"?q={ARABIC}",
    "listing": "listings/long/",
    "chinese": "listings/chinese/",
    "arabic": "listings/arabic/",
    "bare": "listings/bare/",
    "article": "blog/long/",
    "blog": "blog/",
    "organizer": "organizers/long/",
    "categories": "categories/",
    "page": "pages/navbar-0/",
}
EMPTY = {"home": "", "blog": "blog/", "categories": "categories/", "organizers": "organizers/"}


@pytest.fixture(scope="module")
def extremes(server: Serving, database: str) -> Site:
    return fill(make_site(server, database, "Extremes", locales=("en", "ar")))


def whole(paths: Mapping[str, str], *sample: str) -> list[pytest.ParameterSet]:
    """Return the paths by their names; all but some are for `make test-browser`."""
    return [
        pytest.param(path, id=name, marks=() if name in sample else pytest.mark.whole) for name, path in paths.items()
    ]


@pytest.mark.parametrize("path", whole(PATHS, "listing"))
def test_a_page_with_extreme_content_keeps_its_layout(
    reader: Reader, extremes: Site, path: str, request: pytest.FixtureRequest
) -> None:
    assert_layout(reader, extremes.at(path), request.node.callspec.id)


def test_a_right_to_left_page_keeps_its_layout(reader: Reader, extremes: Site) -> None:
    assert_layout(reader, extremes.at("?locale=ar"), "rtl")


@pytest.mark.parametrize("path", whole(EMPTY, "home"))
def test_a_directory_without_content_has_pages(
    reader: Reader, empty: Site, path: str, request: pytest.FixtureRequest
) -> None:
    assert_layout(reader, empty.at(path), f"empty-{request.node.callspec.id}")


def assert_layout(reader: Reader, address: str, name: str) -> None:
    """Assert that no element is wider than the window and that axe finds no violation."""
    page = reader.open(address)
    for width in (NARROW, PHONE, DESK):
        show_at(page, width)
        assert not scrolls_sideways(page), width
        if width != NARROW:
            save_screenshot(page, f"extreme-{name}-{width}")
    assert violations(page) == {}
