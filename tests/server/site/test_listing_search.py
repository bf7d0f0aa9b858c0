"""Filters by custom fields, the numbers beside the choices, and the order of a list."""

from math import ceil
from typing import Any

import pytest

from contentsync.model import BULK_SIZE
from contentsync.server.site.page_request import PER_PAGE
from contentsync.server.store.listing_counts import MAX_SAMPLED
from contentsync.server.store.public_listings import MAX_COUNTED, MAX_FOUND

from ..conftest import Api, Service
from .conftest import ON_ONE_DATABASE, Clock, Reader, enlarge

PAST, LATER = "2020-01-01T00:00:00Z", "2090-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def shop(service: Service) -> Api:
    """Return a directory with a filterable field of each type that can be a filter."""
    api = service.directory("Tools", service.user("Ada"), locales=("en", "fr"))
    for label, type_, options in (
        ("Licence", "select", ["MIT", "GPL", 'of "x,b"']),
        ("Systems", "multi_select", ["Linux", "macOS", "b"]),
        ("Free", "checkbox", []),
    ):
        api.make("custom-fields", label=label, type=type_, options=options, filterable=True)
    api.make("custom-fields", label="Colour", type="text", filterable=True)
    api.make("custom-fields", label="Shape", type="select", options=["round"])
    saws = api.make("categories", title="Saws")["id"]
    api.make("categories", title="Fine", parent_id=saws)
    fine = api.make("categories", title="Japanese", parent_id=saws)["id"]
    old = api.make("tags", title="Old")["id"]
    api.make("projects", name="Rip", licence="MIT", systems=["Linux", "macOS"], free=True, categories=[saws])
    api.make("projects", name="Ryoba", licence="GPL", systems=["Linux"], free=False, categories=[saws, fine])
    api.make("projects", name="Adze", licence="MIT", systems=["macOS"], colour="red", shape="round", tags=[old])
    api.make("projects", name="Brace", licence='of "x,b"')
    return api


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"field.licence": "MIT"}, ["Adze", "Rip"]),
        ({"field.licence": 'of "x,b"'}, ["Brace"]),
        ({"field.systems": "Linux"}, ["Ryoba", "Rip"]),
        ({"field.systems": "b"}, []),
        ({"field.free": "yes"}, ["Rip"]),
        ({"field.free": "no"}, ["Ryoba"]),
        ({"field.licence": "MIT", "field.systems": "macOS", "category": "saws"}, ["Rip"]),
        ({"field.licence": "", "field.systems": ""}, ["Brace", "Adze", "Ryoba", "Rip"]),
        ({"field.colour": "red"}, ["Brace", "Adze", "Ryoba", "Rip"]),
        ({"field.shape": "round"}, ["Brace", "Adze", "Ryoba", "Rip"]),
    ],
)
def test_a_filterable_field_with_options_becomes_a_filter(shop: Api, query: dict[str, str], names: list[str]) -> None:
    assert Reader(shop).names(**query) == names


@pytest.mark.parametrize(
    "query", [{"field.licence": "BSD"}, {"field.free": "true"}, {"field.systems": "linux"}, {"sort": "price"}]
)
def test_an_unknown_option_is_a_404(shop: Api, query: dict[str, str]) -> None:
    assert Reader(shop).status("/", **query) == 404


def test_a_filterable_number_has_a_minimum_and_a_maximum(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Price", type="number", filterable=True)
    for name, price in (("Adze", 3), ("Brace", 4.5), ("Clamp", None), ("Drill", -1)):
        api.make("projects", name=name, price=price)
    for query, names in (
        ({"field.price.min": "3"}, ["Brace", "Adze"]),
        ({"field.price.max": "4.4"}, ["Drill", "Adze"]),
        ({"field.price.min": "-1", "field.price.max": "3"}, ["Drill", "Adze"]),
        ({"field.price.min": "5", "field.price.max": ""}, []),
    ):
        assert reader.names(**query) == names
    assert reader.status("/", **{"field.price.min": "many"}) == 404
    page = reader.read(**{"field.price.min": "3", "field.price.max": "4.5"})
    chips = [each.text for each in page.one("ul", class_="chips").all("a")]
    assert "3 – 4.5" in chips[0]
    assert page.one("input", name="field.price.min")["value"] == "3"


def make_saws(api: Api, number: int, **values: Any) -> None:
    for first in range(0, number, BULK_SIZE):
        names = [f"Saw {n}" for n in range(first, min(first + BULK_SIZE, number))]
        api.post("/projects/bulk", {"listings": [{"name": name, **values} for name in names]})


def test_a_search_counts_1000_listings_at_most(api: Api, reader: Reader) -> None:
    category = api.make("categories", title="Tools")["id"]
    make_saws(api, MAX_FOUND + 1, categories=[category])
    page = reader.read(q="saw")
    assert page.one("p", class_="count").text == "More than 1000 listings"
    assert menus(reader, q="saw")["category"] == ["Tools (1000+)"]
    assert reader.status("/", q="saw", page=ceil(MAX_FOUND / PER_PAGE)) == 200
    assert reader.status("/", q="saw", page=ceil(MAX_FOUND / PER_PAGE) + 1) == 404
    assert reader.read("/categories/tools/").one("p", class_="count").text == "1001 listings"


@ON_ONE_DATABASE
def test_a_filter_counts_10000_listings_at_most(api: Api, reader: Reader) -> None:
    api.make("custom-fields", label="Sharp", type="checkbox", filterable=True)
    make_saws(api, MAX_COUNTED + 1, sharp=True)
    query = {"field.sharp": "yes"}
    assert reader.read(**query).one("p", class_="count").text == "More than 10000 listings"
    assert menus(reader, **query)["field.sharp"] == [f"Yes ({MAX_SAMPLED}+)", "No (0+)"]
    assert reader.status("/", **query, page=MAX_COUNTED // PER_PAGE) == 200
    assert reader.status("/", **query, page=MAX_COUNTED // PER_PAGE + 1) == 404


def test_a_misspelt_search_word_is_corrected_on_the_page(api: Api, reader: Reader) -> None:
    api.make("projects", name="Espresso bar")
    page = reader.read(q="espreso")
    assert [each.text for each in page.all(class_="card-title")] == ["Espresso bar"]
    shown = "Nothing has “espreso”. These are the results for “espresso”."
    assert shown in page.one("main").text
    assert shown not in reader.read(q="espresso").one("main").text
    api.make("articles", title="Espreso", markdown="x")
    assert shown not in reader.read(q="espreso").one("main").text


def test_values_of_hidden_and_deleted_fields_are_not_found(api: Api, reader: Reader) -> None:
    field = api.make("custom-fields", label="Note", type="text")["id"]
    api.make("projects", name="Adze", note="walnut")
    assert reader.names(q="walnut") == ["Adze"]
    api.change("custom-fields", field, is_visible=False)
    assert reader.names(q="walnut") == []
    api.change("custom-fields", field, is_visible=True)
    api.delete(f"/custom-fields/{field}")
    assert reader.names(q="walnut") == []


def test_a_renamed_category_is_found_by_its_new_name(api: Api, reader: Reader) -> None:
    category = api.make("categories", title="Saws")["id"]
    api.make("projects", name="Adze", categories=[category])
    api.change("categories", category, title="Blades")
    assert (reader.names(q="saws"), reader.names(q="blades")) == ([], ["Adze"])


def menus(reader: Reader, **query: Any) -> dict[str, list[str]]:
    """Return the choices of each menu of the form except the order, without the first choice, which is no filter."""
    form = reader.read(**query).one("form", class_="filters")
    every = {menu["name"]: [each.text for each in menu.all("option")][1:] for menu in form.all("select")}
    return {name: options for name, options in every.items() if name != "sort"}


def test_each_option_shows_the_number_of_its_listings(shop: Api) -> None:
    assert menus(Reader(shop)) == {
        "category": ["Saws (2)", "– Fine (0)", "– Japanese (1)"],
        "tag": ["Old (1)"],
        "field.licence": ["MIT (2)", "GPL (1)", 'of "x,b" (1)'],
        "field.systems": ["Linux (2)", "macOS (2)", "b (0)"],
        "field.free": ["Yes (1)", "No (1)"],
    }


def test_the_numbers_follow_the_other_filters_and_the_search_text(shop: Api) -> None:
    """Each is the number that the visitor gets by changing this filter alone."""
    reader = Reader(shop)
    chosen = menus(reader, category="saws", **{"field.licence": "MIT"})
    assert chosen["category"] == ["Saws (1)", "– Fine (0)", "– Japanese (0)"]
    assert chosen["field.licence"] == ["MIT (1)", "GPL (1)", 'of "x,b" (0)']
    assert chosen["tag"] == ["Old (0)"]
    assert menus(reader, q="adze")["field.licence"] == ["MIT (1)", "GPL (0)", 'of "x,b" (0)']
    for value, name in (("MIT", "field.licence"), ("Linux", "field.systems")):
        page = reader.read(category="saws", **{name: value})
        [option] = [each for each in page.all("option") if "selected" in each.attributes and each["value"] == value]
        assert option.text == f"{value} ({len(page.all('li', class_='card'))})"


def test_the_home_page_has_a_tile_for_each_top_category(shop: Api) -> None:
    reader = Reader(shop)
    tiles = reader.read().one("nav", class_="tiles")
    assert [(each.text, each["href"]) for each in tiles.all("a")] == [("Saws2", f"{reader.mount}/categories/saws/")]
    assert reader.read(q="saw").all("nav", class_="tiles") == []
    assert reader.read("/categories/").one("li", class_="card").one(class_="meta").text == "2 listings"


def test_a_filtered_list_has_a_title_and_keeps_its_filters(shop: Api) -> None:
    reader = Reader(shop)
    page = reader.read(sort="name", **{"field.licence": "MIT", "field.free": "yes"})
    assert page.one("h1").text == "MIT, Free Yes"
    assert page.link("canonical") == f"{shop.site}/?field.licence=MIT&field.free=yes&sort=name"
    assert page.meta("robots") == "noindex, follow"
    french = page.one("nav", class_="locales").one("a", hreflang="fr")["href"]
    assert french == f"{reader.mount}/?sort=name&field.licence=MIT&field.free=yes&locale=fr"


def test_a_title_translates_a_checkbox_value_but_no_option(service: Service) -> None:
    api = service.directory("Outils", service.user("Eve"), locales=("en", "fr"))
    api.make("custom-fields", label="Free", type="checkbox", filterable=True)
    api.make("custom-fields", label="Price", type="select", options=["yes", "no"], filterable=True)
    page = Reader(api).read(locale="fr", **{"field.free": "yes", "field.price": "yes"})
    assert page.one("h1").text == "Free Oui, yes"


def test_a_renamed_field_filters_by_its_new_name(api: Api, reader: Reader) -> None:
    options = {"type": "select", "options": ["MIT", "GPL"], "filterable": True}
    made = api.make("custom-fields", label="Licence", **options)
    api.make("projects", name="Adze", licence="MIT")
    api.change("custom-fields", made["id"], name="terms")
    api.make("projects", name="Brace", terms="MIT")
    assert reader.names(**{"field.terms": "MIT"}) == ["Brace", "Adze"]
    assert menus(reader)["field.terms"] == ["MIT (2)", "GPL (0)"]
    api.delete(f"/custom-fields/{made['id']}")
    api.make("custom-fields", label="Terms", **options)
    assert reader.names(**{"field.terms": "MIT"}) == []
    assert menus(reader)["field.terms"] == ["MIT (0)", "GPL (0)"]


def test_a_value_of_a_changed_type_causes_no_error(api: Api, reader: Reader) -> None:
    made = api.make("custom-fields", label="Kind", type="text", options=["a"], filterable=True)
    api.make("projects", name="Adze", kind="[a")
    api.make("projects", name="Brace", kind="a")
    for type_ in ("select", "multi_select", "list"):
        api.change("custom-fields", made["id"], type=type_)
        assert reader.names(**{"field.kind": "a"}) == ["Brace"]


def test_changes_are_counted_at_once(api: Api, reader: Reader, clock: Clock) -> None:
    tag = api.make("tags", title="Old")["id"]
    adze = api.make("projects", name="Adze", tags=[tag])["id"]
    api.make("projects", name="Fair", tags=[tag], starts_at="2030-06-01T12:00:00Z")
    assert menus(reader)["tag"] == ["Old (1)"]
    clock.moment = "2030-06-01T12:00:00.000000Z"
    assert menus(reader)["tag"] == ["Old (2)"]
    api.change("projects", adze, is_active=False)
    assert menus(reader)["tag"] == ["Old (1)"]
    api.change("tags", tag, title="Aged")
    assert menus(reader)["tag"] == ["Aged (1)"]


def test_hidden_expired_listings_are_not_counted(api: Api, clock: Clock) -> None:
    reader = Reader(api.service.directory("Fair", api.user, expired="hide"))
    tag = reader.api.make("tags", title="Old")["id"]
    reader.api.make("projects", name="Fair", tags=[tag], ends_at="2030-06-01T12:00:00Z")
    reader.api.make("projects", name="Adze", tags=[tag])
    seen = []
    for moment in ("2030-06-01T12:00:00.000000Z", "2030-06-01T12:00:00.000001Z"):
        clock.moment = moment
        seen.append((menus(reader)["tag"], reader.names(tag="old")))
    assert seen == [(["Old (2)"], ["Adze", "Fair"]), (["Old (1)"], ["Adze"])]


def test_a_very_large_directory_shows_no_numbers(api: Api, reader: Reader) -> None:
    category = api.make("categories", title="Saws")["id"]
    api.make("projects", name="Adze", categories=[category])
    assert menus(reader)["category"] == ["Saws (1)"]
    enlarge(api, MAX_COUNTED + 1)
    assert menus(reader) == {"category": ["Saws"], "tag": ["Old"]}
    assert reader.read().one("nav", class_="tiles").text == "Saws"


@pytest.fixture(scope="module")
def fair(service: Service) -> Api:
    """Return a directory with current, featured and expired listings."""
    api = service.directory("Fair", service.user("Ada"))
    api.make("projects", name="saw", description="zebra tool")
    api.make("projects", name="Saw blade", description="apple tool", is_featured=True)
    api.make("projects", name="Étau", description="tool", is_featured=True, ends_at=PAST)
    api.make("projects", name="Adze", description="tool", ends_at=PAST)
    api.make("projects", name="Brace", description="tool", ends_at=LATER)
    return api


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("", ["Saw blade", "Brace", "saw", "Étau", "Adze"]),
        ("featured", ["Saw blade", "Brace", "saw", "Étau", "Adze"]),
        ("newest", ["Brace", "Saw blade", "saw", "Adze", "Étau"]),
        ("name", ["Brace", "saw", "Saw blade", "Adze", "Étau"]),
    ],
)
def test_expired_listings_come_last_in_every_order(fair: Api, sort: str, names: list[str]) -> None:
    reader = Reader(fair)
    assert reader.names(sort=sort) == names
    assert reader.names(q="tool", sort=sort) == names


def test_a_long_list_shows_current_listings_before_expired_ones(api: Api, reader: Reader) -> None:
    ended = [{"name": f"Ended {number}", "ends_at": PAST, "is_featured": True} for number in range(25)]
    api.post("/projects/bulk", {"listings": [{"name": f"Tool {number}"} for number in range(21)] + ended})
    names = [name for page in (1, 2, 3) for name in reader.names(page=page)]
    expected = [f"Tool {number}" for number in reversed(range(21))]
    assert names == expected + [f"Ended {number}" for number in reversed(range(25))]
    assert reader.status("/", page=4) == 404
