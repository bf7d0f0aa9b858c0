"""The words that a search has found are marked in the cards of its results."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.server.site.highlight import highlighted, word_matcher
from contentsync.server.store.listing_filter import SearchText, SearchWord
from contentsync.server.store.words import query_words

from ..conftest import Api
from .conftest import ON_ONE_DATABASE, Reader
from .html_document import Element


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
