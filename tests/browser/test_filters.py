"""Finding things on the home page, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from contentsync.server.store.words import normalise

from .reader import Reader
from .sites import Site
from .viewports import DESK, PHONE, WIDE, show_at


@pytest.fixture(
    params=[
        pytest.param(False, id="without-javascript"),
        pytest.param(True, id="with-javascript", marks=pytest.mark.whole),
    ]
)
def home(reader: Reader, example: Site, request: pytest.FixtureRequest) -> Page:
    return reader.open(example.address, javascript=request.param)


def names(page: Page) -> list[str]:
    """Return the names of the listings on the page."""
    return page.locator(".card h2").all_inner_texts()


def shown(page: Page) -> int:
    """Return the number of results that the page displays."""
    found = re.search(r"\d+", page.locator("p.count").inner_text())
    assert found is not None
    return int(found[0])


def test_a_search_finds_a_text(home: Page) -> None:
    home.get_by_role("searchbox", name="Search").fill("scaffolding for bees")
    home.get_by_role("button", name="Search").click()
    assert names(home) == []
    home.get_by_role("searchbox", name="Search").fill("barge repair")
    home.get_by_role("button", name="Search").click()
    assert names(home) == ["Summer Repair Barge"]
    expect(home.get_by_role("searchbox", name="Search")).to_have_value("barge repair")


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


def test_a_filter_link_removes_its_own_filter(home: Page) -> None:
    home.get_by_role("combobox", name="Category").select_option("repair-cafes")
    home.get_by_role("combobox", name="Tag").select_option("bicycles")
    home.get_by_role("button", name="Show").click()
    filters = home.get_by_role("list", name="Filters").get_by_role("link")
    expect(filters).to_have_text([re.compile("Repair cafés"), re.compile("Bicycles"), "Clear the filters"])
    home.get_by_role("link", name="Remove filter: Bicycles", exact=True).press("Enter")
    expect(home.get_by_role("combobox", name="Tag")).to_have_value("")
    expect(home.get_by_role("combobox", name="Category")).to_have_value("repair-cafes")
    expect(filters).to_have_count(2)


def test_highlighted_words_are_as_large_as_plain_words(home: Page) -> None:
    home.get_by_role("searchbox", name="Search").fill("repair")
    home.get_by_role("button", name="Search").click()
    sizes = home.locator("mark").evaluate_all(
        """marks => marks.map(mark => {
            const plain = document.createElement("span")
            plain.textContent = mark.textContent
            mark.before(plain, " ")
            return [mark, plain].map(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])
        })"""
    )
    assert len(sizes) > 1
    assert all(marked == plain for marked, plain in sizes)


def test_the_next_page_has_other_listings_and_the_same_filter(home: Page) -> None:
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


def test_a_field_is_a_filter_and_a_list_is_sorted(home: Page) -> None:
    home.get_by_role("combobox", name="Licence").select_option("AGPL-3.0")
    home.get_by_role("combobox", name="Sort by").select_option("Name")
    home.get_by_role("button", name="Show").click()
    assert shown(home) > 1
    assert names(home) == sorted(names(home), key=normalise)
    licence = home.get_by_role("combobox", name="Licence")
    expect(licence.locator("option:checked")).to_have_text(f"AGPL-3.0 ({shown(home)})")


def columns(page: Page) -> int:
    """Return the number of cards in the first row."""
    tops = [box["y"] for card in page.locator(".card").all() if (box := card.bounding_box())]
    return tops.count(tops[0])


def test_the_cards_fill_the_width(home: Page) -> None:
    found = {}
    for width in (WIDE, DESK, PHONE):
        show_at(home, width)
        found[width] = columns(home)
    assert found == {WIDE: 5, DESK: 4, PHONE: 1}


def test_menus_are_collapsed_on_a_phone_above_the_first_listing(home: Page) -> None:
    show_at(home, PHONE)
    first = home.locator(".card").first.bounding_box()
    assert first is not None
    assert first["y"] < 400
    category = home.get_by_role("combobox", name="Category")
    expect(category).to_be_hidden()
    home.get_by_text("Filters", exact=True).click()
    expect(category).to_be_visible()
    blog = home.locator("header").get_by_role("link", name="Blog")
    expect(blog).to_be_hidden()
    home.get_by_text("Menu", exact=True).click()
    expect(blog).to_be_visible()
