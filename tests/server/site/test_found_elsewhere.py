"""Articles, pages and organizers that a search finds."""

import pytest

from contentsync.server.site.found_elsewhere import MAX_FOUND
from contentsync.server.store.search_text import MAX_OTHERS

from ..conftest import Api, Service
from .conftest import Clock, Reader

LATER = "2090-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def workshop(service: Service) -> Api:
    """Return a directory in which a word is in entries of all kinds, some of which visitors do not see."""
    api = service.directory("Workshop", service.user("Ada"), locales=("en", "fr"))
    api.make("projects", name="Saw")
    api.make("articles", title="How to sharpen", markdown="A saw needs a file.", published_at="2026-01-01T00:00:00Z")
    api.make("articles", title="A saw of the past", markdown="x", published_at="2026-01-01T00:00:00Z")
    api.make("articles", title="The saw of the future", markdown="x", published_at=LATER)
    api.make("articles", title="A hidden saw", markdown="x", active=False)
    api.make("pages", title="Our saws", markdown="x", placement="footer")
    api.make("pages", title="An unlisted saw", markdown="x")
    api.make("pages", title="Saw elsewhere", is_external=True, external_url="https://example.com", placement="footer")
    api.make("organizers", name="The saw guild", translations={"fr": {"name": "La guilde des scies"}})
    api.make("organizers", name="The old saw guild", is_active=False)
    return api


def groups(reader: Reader, **query: str) -> dict[str, list[str]]:
    """Return the titles in each group below the listings, by its heading."""
    sections = reader.read(**query).one("main").all("section", class_="elsewhere")
    return {each.one("h2").text: [title.text for title in each.all(class_="card-title")] for each in sections}


def test_a_search_finds_visible_entries_of_all_kinds(workshop: Api) -> None:
    assert groups(Reader(workshop), q="saw") == {
        "Articles": ["A saw of the past", "How to sharpen"],
        "Pages": ["Our saws"],
        "Organizers": ["The saw guild"],
    }


def test_the_best_match_of_a_kind_comes_first(workshop: Api) -> None:
    workshop.make("organizers", name="Chisel friends", order=-2)
    workshop.make("organizers", name="Chisel", order=5)
    assert groups(Reader(workshop), q="chisel") == {"Organizers": ["Chisel", "Chisel friends"]}


def test_many_entries_of_one_kind_do_not_hide_those_of_another(workshop: Api) -> None:
    for number in range(MAX_OTHERS + 1):
        workshop.make("organizers", name=f"Rasp {number}", order=-number)
    workshop.make("articles", title="x", markdown="A rasp is coarse.", published_at="2026-01-01T00:00:00Z")
    found = groups(Reader(workshop), q="rasp")
    assert (len(found["Organizers"]), found["Articles"]) == (MAX_FOUND, ["x"])


def test_translations_are_searched_too(workshop: Api) -> None:
    assert groups(Reader(workshop).speaking("fr"), q="scies") == {"Organisateurs": ["La guilde des scies"]}


@pytest.mark.parametrize("query", [{"page": "1"}, {"sort": "newest", "page": "1"}])
def test_other_kinds_are_found_on_the_first_page_only(workshop: Api, query: dict[str, str]) -> None:
    assert groups(Reader(workshop), q="saw", **query) == {}
    assert groups(Reader(workshop)) == {}


def test_a_search_with_only_other_kinds_is_not_called_empty(workshop: Api) -> None:
    page = Reader(workshop).read(q="guild")
    assert page.all(class_="empty") == []
    assert page.one("section", class_="elsewhere").one("h3").text == "The saw guild"


def test_an_article_is_found_from_its_publication_on(workshop: Api, clock: Clock) -> None:
    clock.moment = "2090-01-01T00:00:00.000001Z"
    found = groups(Reader(workshop), q="future")
    clock.moment = ""
    assert found == {"Articles": ["The saw of the future"]}
