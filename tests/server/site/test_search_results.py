"""Articles, pages and organizers that a search finds, and marks around the words that it has found."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.server.site.search_results import MAX_FOUND, highlighted, word_matcher
from contentsync.server.store.listing_filter import SearchText, SearchWord
from contentsync.server.store.search_text import MAX_OTHERS
from contentsync.server.store.words import query_words

from ..conftest import Api, Service
from .conftest import ON_ONE_DATABASE, Clock, Reader
from .html_document import Element

LATER = "2090-01-01T00:00:00Z"


def searched(query: str) -> SearchText:
    return SearchText(tuple(map(SearchWord, query_words(query))))


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Repairers repair a prepaired chair", "repair", ["Repairers", "repair"]),
        ("The Café", "CAFE", ["Café"]),
        ("Cafe\u0301 Łódź", "café lodz", ["Cafe\u0301", "Łódź"]),
        ("ﬁsh", "fi", ["ﬁsh"]),
        ("C, C++, C# and C+", "c++", ["C++"]),
        ("C, C++, C# and C+", "c#", ["C#"]),
        ("Node.js and js_node", "node.js", ["Node", "js", "js", "node"]),
        ("Étau à l'ancienne", "l'ancienne", ["l'ancienne"]),
        ("100% steel, 1001 saws", "100%", ["100", "1001"]),
        ("हिन्दी हिम", "हिन्दी", ["हिन्दी"]),
        ("100%", "%", []),
        ("a & b", "amp", []),
        ("saw", "", []),
        ("", "saw", []),
    ],
)
def test_words_that_start_with_a_query_word_are_highlighted(text: str, query: str, marked: list[str]) -> None:
    found = highlighted(text, word_matcher(searched(query)))
    assert [html.unescape(each) for each in re.findall("<mark>(.*?)</mark>", found)] == marked


def test_every_part_of_a_text_is_escaped() -> None:
    text = "<b>R&D</b> <mark>x</mark>"
    assert highlighted(text, {"R", "x"}.__contains__) == (
        "&lt;b&gt;<mark>R</mark>&amp;D&lt;/b&gt; &lt;mark&gt;<mark>x</mark>&lt;/mark&gt;"
    )


@given(st.text(st.sampled_from("aé\u0301+#'’<>&;\" \n漢1_"), max_size=30), st.text("a1é", max_size=2))
def test_highlighting_does_not_change_the_text(text: str, query: str) -> None:
    found = highlighted(text, word_matcher(searched(query)))
    assert html.unescape(re.sub("</?mark>", "", found)) == text


@ON_ONE_DATABASE
def test_a_search_highlights_its_words_in_names_and_summaries(api: Api, reader: Reader) -> None:
    category = api.make("categories", title="Saws")["id"]
    api.make("projects", name="Rip saw", description="A saw for <timber>", categories=[category])

    def marked(**query: str) -> list[tuple[str, list[str]]]:
        card = reader.read(**query).one("li", class_="card")
        parts: list[Element] = [card.one("h2"), card.one(class_="summary")]
        return [(part.text, [mark.text for mark in part.all("mark")]) for part in parts]

    assert marked(q="SAW timb") == [("Rip saw", ["saw"]), ("A saw for <timber>", ["saw", "timber"])]
    assert marked(category="saws") == marked() == [("Rip saw", []), ("A saw for <timber>", [])]


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
