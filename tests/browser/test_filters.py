"""Finding things on the home page, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from .reader import Reader
from .sites import Site


@pytest.fixture(
    params=[
        pytest.param(False, id="without-javascript"),
        pytest.param(True, id="with-javascript", marks=pytest.mark.whole),
    ]
)
def home(reader: Reader, example: Site, request: pytest.FixtureRequest) -> Page:
    return reader.open(example.address, javascript=request.param)


def names(page: Page) -> list[str]:
    """Of the listings that are shown."""
    return page.locator(".card h2").all_inner_texts()


def shown(page: Page) -> int:
    """How many the page says that there are."""
    found = re.search(r"\d+", page.locator("p.count").inner_text())
    assert found is not None
    return int(found[0])


def test_a_search_finds_a_text(home: Page) -> None:
    home.get_by_role("searchbox", name="Search").fill("scaffolding for bees")
    home.get_by_role("button", name="Show").click()
    assert names(home) == []
    home.get_by_role("searchbox", name="Search").fill("repair barge")
    home.get_by_role("button", name="Show").click()
    assert names(home) == ["Summer Repair Barge"]
    expect(home.get_by_role("searchbox", name="Search")).to_have_value("repair barge")


def test_filters_are_combined_and_cleared(home: Page) -> None:
    every = shown(home)
    home.get_by_role("combobox", name="Category").select_option("repair-cafes")
    home.get_by_role("button", name="Show").click()
    in_category = shown(home)
    home.get_by_role("combobox", name="Tag").select_option("bicycles")
    home.get_by_role("button", name="Show").click()
    assert sorted(names(home)) == ["Become a Repairer by Next Year", "Popravljalnica Maribor"]
    assert every > in_category > 1
    home.get_by_role("link", name="Clear the filters").click()
    assert shown(home) == every


def test_pages_follow_one_another_and_keep_the_filter(home: Page) -> None:
    home.get_by_role("combobox", name="Category").select_option("library-software")
    home.get_by_role("button", name="Show").click()
    total, seen = shown(home), names(home)
    while home.get_by_role("link", name="Next").count():
        home.get_by_role("link", name="Next").click()
        seen += names(home)
    assert len(seen) == len(set(seen)) == total
    home.get_by_role("link", name="Previous").click()
    expect(home.get_by_role("combobox", name="Category")).to_have_value(re.compile("library-software"))


def test_featured_listings_come_first(home: Page) -> None:
    featured = [card.locator(".featured").count() for card in home.locator(".card").all()]
    assert featured[0] == 1
    assert featured == sorted(featured, reverse=True)
