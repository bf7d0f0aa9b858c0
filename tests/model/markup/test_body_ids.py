"""The ids of a body are those that a reader's browser finds on the site."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.markup import clean_html, markdown_html
from contentsync.model.markup.body_ids import body_ids, current_ids, is_markdown
from contentsync.model.slug import heading_id, make_slug

from .html_reader import read

PARTS = '# ## {#Id} {#x} [^1] [^1]: <a name=x> <a id="q"> <h2 id=x> </a> </h2> <p id=site:x> <table> <li id=z> <select>'
PARTS += " <svg> <script> </script> <!-- --> ` ``` ~~~ === --- <b id=x> <div> </div> <td id=t> <template> <style> : > -"
PARTS += " 1. &amp; What's Über [a](/b) ![a](/b) <textarea> <title> https://a.example/%C3%BC"
PIECES = st.sampled_from([*PARTS.split(), "\n", "\n\n", "    ", " ", "```py\n"])
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join)


@given(TEXTS, st.booleans())
def test_the_ids_of_a_text_are_those_of_its_html(text: str, markdown: bool) -> None:
    html = markdown_html(text) if markdown else clean_html(text)
    shown = {tag.attributes["id"] for tag in read(html)[0] if "id" in tag.attributes}
    assert body_ids(text, markdown=markdown) == shown


def test_only_current_ids_are_returned_without_those_of_former_releases() -> None:
    assert current_ids(body_ids("# Prices\n\n# Other", markdown=True)) == {"prices", "other"}


@pytest.mark.parametrize(
    ("text", "expected"), [("# A", True), ("<div>", False), ("\n<!-- a", False), ("<a@b.c>", True)]
)
def test_a_body_that_starts_with_a_tag_is_html(text: str, expected: bool) -> None:  # by pytest
    assert is_markdown(text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("What's new?", "whats-new"),
        ("Über uns", "über-uns"),
        ("Straße & Co", "straße--co"),
        ("ヘディング", "ヘディング"),
        ("हिन्दी", "हिन्दी"),
        ("A_b C-d", "a_b-c-d"),
        ("v1.2 🚀", "v12-"),
        ("???", "heading"),
    ],
)
def test_a_heading_has_the_id_that_github_would_give_it(title: str, expected: str) -> None:
    assert heading_id(title) == expected


@given(st.text(st.characters(max_codepoint=127), max_size=30))
def test_a_plain_title_also_has_the_id_of_former_releases(title: str) -> None:
    words = " ".join("".join(filter(str.isalnum, word)) for word in title.split()).strip()
    assert heading_id(" ".join(words.split())) == (make_slug(words) or "heading")
