"""The filters of a list are above it, each with a link that removes only this one."""

from typing import Any

import pytest

from ..conftest import Service
from .conftest import ON_ONE_DATABASE, Reader
from .html_document import Element

pytestmark = ON_ONE_DATABASE

EVERY = {
    "q": "adze",
    "category": "saws",
    "tag": "old",
    "field.licence": 'of "x,b" & c',
    "field.free": "no",
    "field.size.min": "2",
}


@pytest.fixture(scope="module")
def shop(service: Service) -> Reader:
    """Return a site with more than a page of listings that meet EVERY filter."""
    api = service.directory("Tools", service.user("Ada"), locales=("en", "fr"))
    for label, type_, options in (
        ("Licence", "select", ["MIT", EVERY["field.licence"]]),
        ("Free", "checkbox", []),
        ("Size", "number", []),
    ):
        api.make("custom-fields", label=label, type=type_, options=options, filterable=True)
    links = {"categories": [api.make("categories", title="Saws")["id"]], "tags": [api.make("tags", title="Old")["id"]]}
    fields = {"licence": EVERY["field.licence"], "free": False, "size": 3, **links}
    api.post("/projects/bulk", {"listings": [{"name": f"Adze {number}", **fields} for number in range(21)]})
    return Reader(api)


def chips(reader: Reader, path: str = "/", **query: Any) -> dict[str, str]:
    """Return where the links above a list lead, by their names without the hidden words."""
    return {_shown(chip): chip["href"].removeprefix(reader.mount) for chip in _chips(reader, path, **query)}


def _chips(reader: Reader, path: str = "/", **query: Any) -> list[Element]:
    return reader.read(path, **query).one("form", class_="filters").all("a", class_="chip")


def _shown(chip: Element) -> str:
    hidden = chip.one(class_="visually-hidden").text
    return chip.text.removeprefix(hidden).removesuffix("×").strip()


def test_each_filter_has_a_link_that_removes_only_this_one(shop: Reader) -> None:
    others = {name: {other: value for other, value in EVERY.items() if other != name} for name in EVERY}
    found = chips(shop, **EVERY)
    assert [*found] == ["Saws", "Old", 'Licence of "x,b" & c', "Free No", "Size ≥ 2", "“adze”"]
    removed = ("category", "tag", "field.licence", "field.free", "field.size.min", "q")
    for name, link in zip(removed, found.values(), strict=True):
        rest = chips(shop, link)
        assert len(rest) == len(EVERY) - 1
        assert rest == chips(shop, **others[name])


def test_a_chip_keeps_the_order_and_language_and_leads_to_the_first_page(shop: Reader) -> None:
    found = chips(shop.speaking("fr"), sort="name", page=2, category="saws", tag="old")
    assert found == {"Saws": "/?tag=old&sort=name&locale=fr", "Old": "/categories/saws/?sort=name&locale=fr"}


def test_the_chip_of_a_category_page_leads_to_the_home_page(shop: Reader) -> None:
    assert chips(shop, "/categories/saws/") == {"Saws": "/"}
    query = {"q": "adze", "sort": "newest", "field.free": "no"}
    assert chips(shop, "/categories/saws/", **query)["Saws"] == "/?q=adze&field.free=no&sort=newest"


@pytest.mark.parametrize(
    ("locale", "names"),
    [
        ("en", ["Remove filter: Saws ×", "Remove filter: Free No ×"]),
        ("fr", ["Retirer le filtre : Saws ×", "Retirer le filtre : Free Non ×"]),
    ],
)
def test_a_chip_describes_what_it_removes(shop: Reader, locale: str, names: list[str]) -> None:
    found = _chips(shop.speaking(locale), category="saws", **{"field.free": "no"})
    assert [chip.text for chip in found] == names
    assert [chip.one("span", aria_hidden="true").text for chip in found] == ["×", "×"]


def test_words_in_the_default_language_are_marked(shop: Reader) -> None:
    found = _chips(shop.speaking("fr"), **EVERY)
    values = [chip.one("bdi").attributes.get("lang") for chip in found]
    assert values == ["en", "en", "en", None, None, None]  # the last three are "Non", a number and the visitor's text
    labels = [label["lang"] for chip in found for label in chip.all(class_="meta")]
    assert labels == ["en", "en", "en"]


@pytest.mark.parametrize("query", [{}, {"sort": "name"}, {"q": " "}, {"page": 2}])
def test_a_list_without_a_filter_has_no_chips(shop: Reader, query: dict[str, Any]) -> None:
    form = shop.read(**query).one("form", class_="filters")
    assert form.all("ul", class_="chips") == form.all("a") == []


def test_one_link_removes_all_filters(shop: Reader) -> None:
    for path, query in (("/", EVERY), ("/", {"q": "nothing"}), ("/categories/saws/", {})):
        page = shop.read(path, **query)
        links = [link for link in page.one("main").all("a") if link.text == "Clear the filters"]
        assert [link["href"] for link in links] == [f"{shop.mount}/"]
