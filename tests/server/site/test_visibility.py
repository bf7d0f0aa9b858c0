"""Hidden entries have no page, and are not in lists, menus, feeds and the sitemap."""

from typing import Any

import pytest

from ..conftest import Api
from .conftest import Clock, Reader

PAST, FUTURE = "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
SECRET = "Xylograph"

LISTING, ARTICLE = ("projects", "/listings/xylograph/"), ("articles", "/blog/xylograph/")
PAGE, ORGANIZER = ("pages", "/pages/xylograph/"), ("organizers", "/organizers/xylograph/")
CATEGORY = ("categories", "/categories/xylograph/")
POST, PLACED = {"title": SECRET, "markdown": "x"}, {"title": SECRET, "placement": "navbar"}

SHOWN: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a listing": (*LISTING, {"name": SECRET}),
    "a listing that ended, with a badge": (*LISTING, {"name": SECRET, "ends_at": PAST}),
    "a listing that began": (*LISTING, {"name": SECRET, "starts_at": PAST, "ends_at": FUTURE}),
    "an article": (*ARTICLE, {**POST, "published_at": PAST}),
    "an article without a date": (*ARTICLE, {**POST, "published_at": None}),
    "a page in the menu": (*PAGE, PLACED),
    "an organizer": (*ORGANIZER, {"name": SECRET}),
    "a category": (*CATEGORY, {"title": SECRET}),
}
HIDDEN: dict[str, tuple[str, str, dict[str, Any]]] = {
    "an inactive listing": (*LISTING, {"name": SECRET, "is_active": False}),
    "a listing that has not begun": (*LISTING, {"name": SECRET, "starts_at": FUTURE}),
    "an inactive article": (*ARTICLE, {**POST, "active": False}),
    "an article of the future": (*ARTICLE, {**POST, "published_at": FUTURE}),
    "an unpublished page": (*PAGE, {**PLACED, "is_published": False}),
    "an inactive organizer": (*ORGANIZER, {"name": SECRET, "is_active": False}),
    "an inactive category": (*CATEGORY, {"title": SECRET, "is_active": False}),
}


def where(reader: Reader, text: str = SECRET) -> set[str]:
    """Return the paths of all pages that contain the text."""
    return {path.removeprefix(reader.mount) for path, page in reader.crawl().items() if text in page}


@pytest.mark.parametrize(("collection", "path", "fields"), SHOWN.values(), ids=SHOWN.keys())
def test_visible_entries_are_reachable(reader: Reader, collection: str, path: str, fields: dict[str, Any]) -> None:
    reader.api.make(collection, **fields)
    assert path in where(reader)
    assert SECRET in reader.read(path).text
    assert f"{reader.site}{path}" in reader.ask("/sitemap.xml").text


@pytest.mark.parametrize(("collection", "path", "fields"), HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_entries_appear_nowhere(reader: Reader, collection: str, path: str, fields: dict[str, Any]) -> None:
    reader.api.make(collection, **fields)
    assert where(reader) == set()
    assert reader.status(path) == 404
    assert "xylograph" not in reader.ask("/sitemap.xml").text


def test_a_hidden_listing_is_not_found_by_any_filter(api: Api, reader: Reader) -> None:
    category, tag = api.make("categories", title="Saws"), api.make("tags", title="Old")
    organizer = api.make("organizers", name="Guild")
    links = {"categories": [category["id"]], "tags": [tag["id"]], "organizers": [organizer["id"]]}
    api.make("projects", name=SECRET, is_active=False, **links)
    api.make("projects", name="Rip saw", **links)
    for path, query in [
        ("/", {}),
        ("/", {"q": "saw"}),
        ("/", {"tag": "old"}),
        ("/", {"category": "saws"}),
        ("/categories/saws/", {}),
    ]:
        assert reader.names(path, **query) == ["Rip saw"]
    assert reader.names("/", q=SECRET) == []
    assert [each.text for each in reader.read("/organizers/guild/").all("h3", class_="card-title")] == ["Rip saw"]


def test_an_unlisted_page_is_reachable_only_by_its_address(api: Api, reader: Reader) -> None:
    """docs/contract.md 1 and 3: and search engines are asked not to index it."""
    api.make("pages", title=SECRET, placement="unlisted")
    assert where(reader) == set()
    page = reader.read("/pages/xylograph/")
    assert page.one("h1").text == SECRET
    assert page.meta("robots") == "noindex, follow"


def test_subcategories_of_an_inactive_category_move_up(api: Api, reader: Reader) -> None:
    hidden = api.make("categories", title=SECRET, is_active=False)["id"]
    below = api.make("categories", title="Saws", parent_id=hidden)["id"]
    api.make("projects", name="Rip saw", categories=[below, hidden])
    assert where(reader) == set()
    assert reader.names("/") == ["Rip saw"]
    assert [each.text for each in reader.read("/categories/").all("h2", class_="card-title")] == ["Saws"]
    crumbs = reader.read("/listings/rip-saw/").one("nav", class_="breadcrumbs")
    assert [each.text for each in crumbs.all("li")] == ["Home", "Saws", "Rip saw"]


def test_an_inactive_tag_appears_nowhere(api: Api, reader: Reader) -> None:
    tag = api.make("tags", title=SECRET, is_active=False, color="#123456")
    api.make("projects", name="Rip saw", tags=[tag["id"]])
    assert where(reader) == set()
    assert reader.status("/", tag="xylograph") == 404
    assert "#123456" not in reader.ask("/colours.css").text


def test_an_inactive_organizer_is_not_shown_by_its_listings(api: Api, reader: Reader) -> None:
    organizer = api.make("organizers", name=SECRET, is_active=False)
    api.make("projects", name="Rip saw", organizers=[organizer["id"]])
    assert SECRET not in reader.read("/listings/rip-saw/").text


def test_disabled_organizers_appear_nowhere(api: Api) -> None:
    """docs/contract.md 3 and 4.4.7"""
    reader = Reader(api.service.directory("Quiet", api.user, organizers_enabled=False))
    organizer = reader.api.make("organizers", name=SECRET)
    reader.api.make("projects", name="Rip saw", organizers=[organizer["id"]])
    assert where(reader) == set()
    assert [reader.status(path) for path in ("/organizers/", "/organizers/xylograph/")] == [404, 404]


def test_an_ended_listing_has_a_badge_or_is_hidden(api: Api) -> None:
    """docs/contract.md 3"""
    readers = {
        expired: Reader(api.service.directory("Fair", api.user, expired=expired)) for expired in ("badge", "hide")
    }
    for reader in readers.values():
        reader.api.make("projects", name=SECRET, ends_at=PAST)
    assert where(readers["hide"]) == set()
    assert readers["hide"].status("/listings/xylograph/") == 404
    card = readers["badge"].read().one("li", class_="card")
    assert card.one(class_="badge").text == "Expired"
    page = readers["badge"].read("/listings/xylograph/")
    assert page.one("main").one(class_="badge").text == "Expired"
    assert "Ended on 1 January 2020" in page.text


def test_a_scheduled_article_appears_at_its_time(api: Api, reader: Reader, clock: Clock) -> None:
    """TM-08: without a deploy or another action."""
    api.make("articles", title=SECRET, markdown="x", published_at="2030-06-01T12:00:00Z")
    for moment, seen in [
        ("2030-06-01T11:59:59.999999Z", False),
        ("2030-06-01T12:00:00.000000Z", True),
        ("2030-06-01T12:00:00.000001Z", True),
    ]:
        clock.moment = moment
        assert (reader.status("/blog/xylograph/") == 200) is seen
        for path in ("/blog/", "/feed.xml", "/atom.xml", "/sitemap.xml"):
            assert ("xylograph" in reader.ask(path).text) is seen, (path, moment)
        assert (reader.status("/blog/", category="News") == 200) is False


@pytest.mark.parametrize("expired", ["badge", "hide"])
def test_a_listing_is_visible_between_its_start_and_end(api: Api, clock: Clock, expired: str) -> None:
    """TM-08, docs/contract.md 3: both times are included (model.visibility)."""
    reader = Reader(api.service.directory("Fair", api.user, expired=expired))
    reader.api.make("projects", name="Fair", starts_at="2030-06-01T12:00:00Z", ends_at="2030-06-02T12:00:00Z")
    seen = []
    for moment in (
        "2030-06-01T11:59:59.999999Z",
        "2030-06-01T12:00:00.000000Z",
        "2030-06-02T12:00:00.000000Z",
        "2030-06-02T12:00:00.000001Z",
    ):
        clock.moment = moment
        on_home, in_search = reader.names("/"), reader.names("/", q="fair")
        assert on_home == in_search
        assert bool(on_home) == (reader.status("/listings/fair/") == 200)
        assert bool(on_home) == ("/listings/fair/" in reader.ask("/sitemap.xml").text)
        badge = [each.text for each in reader.read("/").all(class_="badge")]
        seen.append(badge[0] if badge else len(on_home))
    assert seen == [0, 1, 1, "Expired" if expired == "badge" else 0]
