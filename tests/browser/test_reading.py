"""From the home page, a reader gets to a page of every type by clicking."""

import re

import pytest
from playwright.sync_api import Page, expect

from .reader import Reader
from .sites import Site
from .viewports import PHONE


@pytest.fixture
def home(reader: Reader, example: Site) -> Page:
    return reader.open(example.address)


def heading(page: Page) -> str:
    """Return the title of the page."""
    return page.get_by_role("heading", level=1).inner_text()


def follow(page: Page, *names: str) -> None:
    """Click on the links with these texts, one after the other."""
    for name in names:
        page.get_by_role("link", name=name, exact=True).first.click()


def test_a_click_on_a_card_opens_its_listing(home: Page) -> None:
    name = home.locator(".card h2").first.inner_text()
    home.locator(".card").first.click(position={"x": 5, "y": 5})  # all of the card is the link
    assert heading(home) == name
    assert name in home.title()


def test_a_category_page_links_to_its_listings(home: Page) -> None:
    follow(home, "Categories", "Repair cafés", "Summer Repair Barge")
    assert heading(home) == "Summer Repair Barge"
    expect(home.locator("main .expired").first).to_be_visible()


def test_a_blog_category_links_to_its_articles(home: Page) -> None:
    follow(home, "Blog", "Stories", "One laser cutter, six villages")
    assert heading(home) == "One laser cutter, six villages"
    expect(home.get_by_role("table")).to_contain_text("Biscuits")
    follow(home, "La Fabrique du Lac")
    assert heading(home) == "La Fabrique du Lac"


def test_the_list_of_organizers_links_to_an_organizer_and_its_listings(home: Page) -> None:
    follow(home, "Organisers", "Café Bricole")
    assert heading(home) == "Café Bricole"
    follow(home, "Café Bricole on the Road")
    assert heading(home) == "Café Bricole on the Road"


@pytest.mark.parametrize(
    ("part", "title"),
    [("header", "About Bench & Shelf"), ("aside", "How we check"), ("footer", "Privacy")],
)
def test_a_custom_page_is_linked_in_its_configured_menu(home: Page, part: str, title: str) -> None:
    home.locator(f"{part}:not(main *)").get_by_role("link", name=title).click()
    assert heading(home) == title


def test_an_external_page_opens_in_a_new_tab_without_an_opener(home: Page) -> None:
    link = home.get_by_role("link", name="Forum")
    assert link.get_attribute("href") == "https://forum.bench-shelf.example.org/"
    assert link.get_attribute("target") == "_blank"
    assert "noopener" in (link.get_attribute("rel") or "")


def test_the_language_switch_opens_the_same_page_in_both_directions(reader: Reader, example: Site) -> None:
    page = reader.open(example.at("blog/first-year-of-a-repair-cafe/"), width=PHONE)
    english = heading(page)
    page.get_by_text("Menu", exact=True).click()
    follow(page, "Français")
    assert heading(page) != english
    assert page.locator("html").get_attribute("lang") == "fr"
    page.get_by_text("Menu", exact=True).click()
    follow(page, "Blog")
    assert page.locator("html").get_attribute("lang") == "fr"
    page.go_back()
    if not page.get_by_role("link", name="English").is_visible():
        page.get_by_text("Menu", exact=True).click()
    follow(page, "English")
    assert heading(page) == english


def test_a_404_page_links_to_the_home_page(reader: Reader, example: Site) -> None:
    page = reader.open(example.at("blog/no-such-article/"), status=404)
    assert heading(page) == "Page not found"
    follow(page, "Go to the home page")
    assert page.url == example.address


def test_hidden_content_is_not_in_the_browser(reader: Reader, example: Site) -> None:
    page = reader.open(example.at("blog/"))
    for path in ("pages/volunteer-rota/", "blog/time-capsule-2030/", "blog/spring-call-for-entries/"):
        assert page.request.get(example.at(path)).status == 404
    assert page.get_by_text(re.compile("Time capsule|Spring call")).count() == 0


def test_the_pictures_of_the_example_load(reader: Reader, example: Site) -> None:
    for path in ("organizers/", "blog/", "listings/bokbaten/", "organizers/lydarkivet/"):
        page = reader.open(example.at(path))
        pictures = page.locator("img").all()
        assert pictures
        for picture in pictures:
            picture.scroll_into_view_if_needed()
            expect(picture).to_have_js_property("complete", True)
            assert picture.evaluate("image => image.naturalWidth") > 0, picture.get_attribute("src")


def test_a_broken_logo_shows_an_initial(reader: Reader, empty: Site) -> None:
    empty.make("projects", name="Werkhof Nord", logo_url="https://example.org/logo.png")
    page = reader.open(empty.address)
    logo = page.locator("img.logo")
    logo.scroll_into_view_if_needed()  # it is loaded then, and cannot be
    assert reader.monitor.images
    assert logo.evaluate("image => image.complete && image.naturalWidth") == 0
    assert logo.evaluate("image => getComputedStyle(image, '::after').content") == '"W"'
