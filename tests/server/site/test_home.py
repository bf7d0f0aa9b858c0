"""The home page: listings, and their filters."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest

from contentsync.server.site.listing_pages import MAX_POSTS

from ..conftest import Api, Service
from .conftest import Reader


def listings(api: Api, names: Iterable[str], **fields: Any) -> None:
    for name in names:
        api.make("projects", name=name, **fields)


def test_featured_listings_come_first_and_then_the_newest(api: Api, reader: Reader) -> None:
    listings(api, ["Adze"])
    listings(api, ["Brace"], is_featured=True)
    listings(api, ["Chisel"])
    assert reader.names() == ["Brace", "Chisel", "Adze"]


def test_a_card_shows_the_main_values_of_a_listing(api: Api, reader: Reader) -> None:
    category = api.make("categories", title="Hand tools")
    tag = api.make("tags", title="Steel", color="#123456")
    api.make(
        "projects",
        name="Adze",
        description="Hews *beams*.",
        logo_url="https://img.example.org/adze.png",
        logo_alt_text="An adze",
        categories=[category["id"]],
        tags=[tag["id"]],
        is_featured=True,
    )
    card = reader.read().one("li", class_="card")
    assert card.one("h2").one("a")["href"] == f"{reader.mount}/listings/adze/"
    assert (
        card.one("img").attributes | {"src": "https://img.example.org/adze.png", "alt": "An adze"}
        == card.one("img").attributes
    )
    assert "Hews *beams*." in card.text
    assert card.one(class_="badge").text == "Featured"
    assert card.one("ul", class_="categories").one("a")["href"] == f"{reader.mount}/categories/hand-tools/"
    assert card.one("a", class_=f"tag-{tag['id']}")["href"] == f"{reader.mount}/?tag=steel"


def test_an_empty_directory_has_a_home_page(reader: Reader) -> None:
    page = reader.read()
    assert page.one("h1").text == "Tools"
    assert page.one(class_="empty").text == "There is no listing here yet."
    assert page.all("form") == page.all(class_="tiles") == []


def test_a_site_without_listings_shows_its_newest_articles(api: Api, reader: Reader) -> None:
    for number in range(MAX_POSTS + 1):
        day = f"2024-01-{number + 1:02}"
        api.make("articles", title=f"Post {number}", markdown="Text", published_at=f"{day}T00:00:00Z")
    page = reader.read()
    assert [post.one("h2").text for post in page.all("li", class_="post")][:2] == ["Post 12", "Post 11"]
    assert len(page.all("li", class_="post")) == MAX_POSTS
    assert page.all(class_="empty") == []
    assert f"{reader.mount}/blog/" in [link["href"] for link in page.one("main").all("a")]
    listings(api, ["Adze"])
    assert reader.read().all("li", class_="post") == []


def test_a_search_without_results_links_to_categories(api: Api, reader: Reader) -> None:
    listings(api, ["Adze"])
    api.make("categories", title="Axes")
    empty = reader.read(q="saw").one(class_="empty")
    assert empty.one(class_="empty-text").text == "No listing fits."
    assert [each["href"] for each in empty.all("a")] == [f"{reader.mount}/categories/axes/", f"{reader.mount}/"]


@pytest.fixture(scope="module")
def shop(service: Service) -> Api:
    """Return a directory of saws and planes."""
    api = service.directory("Tools", service.user("Ada"))
    saws = api.make("categories", title="Saws")["id"]
    fine = api.make("categories", title="Fine saws", parent_id=saws)["id"]
    planes = api.make("categories", title="Planes")["id"]
    old = api.make("tags", title="Old")["id"]
    api.make("projects", name="Rip saw", categories=[saws], description="For timber")
    api.make("projects", name="Dovetail saw", categories=[fine], tags=[old], description="For joints")
    api.make(
        "projects",
        name="Jack plane",
        categories=[planes],
        tags=[old],
        description="For timber, 100% steel; Sørlandet, Łódź",
    )
    api.make("projects", name="Étau à l'ancienne", description="Pour le bois, type A_B")
    return api


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"category": "planes"}, ["Jack plane"]),
        ({"category": "saws"}, ["Dovetail saw", "Rip saw"]),
        ({"tag": "old"}, ["Jack plane", "Dovetail saw"]),
        ({"q": "timber"}, ["Jack plane", "Rip saw"]),
        ({"q": "SAW for"}, ["Dovetail saw", "Rip saw"]),
        ({"q": "for SAW"}, ["Dovetail saw", "Rip saw"]),
        ({"q": "old"}, ["Jack plane", "Dovetail saw"]),
        ({"q": "planes"}, ["Jack plane"]),
        ({"q": "saws"}, ["Dovetail saw", "Rip saw"]),
        ({"q": "timber saws"}, ["Rip saw"]),
        ({"q": "SORLANDET lodz"}, ["Jack plane"]),
        ({"q": "etau a l'ANCIENNE"}, ["Étau à l'ancienne"]),
        ({"q": "100%"}, ["Jack plane"]),
        ({"q": "A_B"}, ["Étau à l'ancienne"]),
        ({"q": "% _ \\"}, ["Étau à l'ancienne", "Jack plane", "Dovetail saw", "Rip saw"]),
        ({"q": "' OR 1=1 --"}, []),
        ({"q": "\0timber"}, ["Jack plane", "Rip saw"]),
        ({"q": " "}, ["Étau à l'ancienne", "Jack plane", "Dovetail saw", "Rip saw"]),
        ({"category": "saws", "tag": "old"}, ["Dovetail saw"]),
        ({"category": "saws", "tag": "old", "q": "timber"}, []),
        ({"category": "", "tag": "", "q": ""}, ["Étau à l'ancienne", "Jack plane", "Dovetail saw", "Rip saw"]),
    ],
)
def test_filters_are_combined(shop: Api, query: dict[str, str], names: list[str]) -> None:
    """SL-09: a text is searched for as it is."""
    assert Reader(shop).names(**query) == names


@pytest.mark.parametrize("query", [{"category": "none"}, {"tag": "none"}, {"category": "old"}, {"tag": "saws"}])
def test_an_unknown_filter_is_a_404(shop: Api, query: dict[str, str]) -> None:
    assert Reader(shop).status("/", **query) == 404


def test_the_form_shows_the_chosen_filters(shop: Api) -> None:
    page = Reader(shop).read(category="fine-saws", tag="old", q='"saw"')
    form = page.one("form", class_="filters")
    assert form.one("input", name="q")["value"] == '"saw"'
    chosen = [each["value"] for each in form.all("option") if "selected" in each.attributes]
    assert chosen == ["fine-saws", "old", ""]
    assert [each.text for each in form.all("option")] == [
        "All categories", "Saws (1)", "– Fine saws (1)", "Planes (0)", "All tags", "Old (1)",
        "Best match first", "Newest first", "Name",
    ]  # fmt: skip


def test_a_long_search_text_is_cut(shop: Api) -> None:
    assert Reader(shop).names(q="timber " * 1000) == ["Jack plane", "Rip saw"]


@pytest.mark.parametrize(
    ("query", "canonical", "robots"),
    [
        ({}, "/", None),
        ({"q": "", "category": ""}, "/", None),
        ({"utm_source": "x"}, "/", None),
        ({"category": "saws"}, "/categories/saws/", None),
        ({"tag": "old"}, "/?tag=old", None),
        ({"q": "saw"}, "/?q=saw", "noindex, follow"),
        ({"tag": "old", "category": "saws"}, "/?category=saws&tag=old", "noindex, follow"),
    ],
)
def test_a_list_has_one_canonical_address(shop: Api, query: dict[str, str], canonical: str, robots: str | None) -> None:
    page = Reader(shop).read(**query)
    assert page.link("canonical") == shop.site + canonical
    assert page.meta("robots") == robots


@pytest.fixture(scope="module")
def many(service: Service) -> Api:
    """Return a directory of 50 listings, which are three pages."""
    api = service.directory("Tools", service.user("Ada"))
    for start in (0, 25):
        api.post("/projects/bulk", {"listings": [{"name": f"Tool {number}"} for number in range(start, start + 25)]})
    return api


def test_a_long_list_has_pages(many: Api) -> None:
    reader = Reader(many)
    pages = [reader.read(page=number) for number in (1, 2, 3)]
    names = [[each.text for each in page.all(class_="card-title")] for page in pages]
    assert [len(each) for each in names] == [20, 20, 10]
    assert [*chain(*names)] == [f"Tool {number}" for number in reversed(range(50))]
    assert [(page.link("prev"), page.link("next")) for page in pages] == [
        (None, f"{many.site}/?page=2"),
        (f"{many.site}/", f"{many.site}/?page=3"),
        (f"{many.site}/?page=2", None),
    ]
    assert [page.link("canonical") for page in pages] == [
        f"{many.site}/",
        f"{many.site}/?page=2",
        f"{many.site}/?page=3",
    ]
    assert pages[1].title == "Tools, Page 2 · Tools"


def test_the_pages_of_a_filtered_list_keep_the_filter(many: Api) -> None:
    reader = Reader(many)
    page = reader.read(q="tool", page=2)
    assert page.one("nav", class_="pagination").one("a", rel="next")["href"] == f"{reader.mount}/?q=tool&page=3"
    assert page.one("nav", class_="pagination").one("a", rel="prev")["href"] == f"{reader.mount}/?q=tool"


def test_pagination_has_numbers(many: Api) -> None:
    reader = Reader(many)
    pages = reader.read(page=2).one("nav", class_="pagination")
    assert [(each.text, each["href"]) for each in pages.one("ul").all("a")] == [
        ("1", f"{reader.mount}/"),
        ("2", f"{reader.mount}/?page=2"),
        ("3", f"{reader.mount}/?page=3"),
    ]
    assert pages.one("a", aria_current="page")["aria-label"] == "Page 2 of 3"


@pytest.mark.parametrize("text", ["\u0301", " \u0301 ", "\0"])
def test_a_search_text_without_letters_is_not_a_filter(many: Api, text: str) -> None:
    page = Reader(many).read(q=text)
    assert page.title == "Tools"
    assert page.link("canonical") == f"{many.site}/"


@pytest.mark.parametrize("number", ["4", "0", "-1", "x", "", "01", "99999999999999999999", "\u0662"])
def test_a_page_after_the_last_one_is_a_404(many: Api, number: str) -> None:
    assert Reader(many).status("/", page=number) == 404
