"""Footnotes, task lists, definition lists, alerts and the ids of headings."""

import pytest

from contentsync.content.folder_links import anchors_of
from contentsync.server.site.markup import markdown_html
from contentsync.server.site.markup.body_text import markdown_excerpt
from contentsync.server.site.markup.html_cleaning import ID_PREFIX

from .html_reader import read


def ids(text: str) -> list[str]:
    return [tag.attributes["id"] for tag in read(markdown_html(text))[0] if "id" in tag.attributes]


def test_a_footnote_and_its_marks_lead_to_each_other() -> None:
    html = markdown_html("One[^n], two[^n].\n\n[^n]: A *note*.")
    assert '<sup><a href="#section-fn:1" id="section-fnref:1" rel="noopener">1</a></sup>' in html
    assert '<li id="section-fn:1"><p>A <em>note</em>. <a href="#section-fnref:1" rel="noopener">' in html
    links = [tag.attributes["href"].removeprefix("#") for tag in read(html)[0] if tag.name == "a"]
    assert sorted(links) == sorted([*ids("One[^n], two[^n].\n\n[^n]: A *note*."), "section-fn:1"])


def test_a_heading_cannot_take_the_id_of_a_footnote() -> None:
    found = ids("# fn:1\n\n# a {#fn-1}\n\n# b {#fn:1}\n\nx[^1]\n\n[^1]: y")
    assert len(found) == len({*found}) == 5


def test_a_second_body_of_a_page_has_no_ids_and_no_links_to_them() -> None:
    tags, text = read(markdown_html("# A\n\nx[^1]\n\n[^1]: y", anchors=False))
    assert not [tag for tag in tags if tag.name == "a" or "id" in tag.attributes]
    assert "x1" in text


def test_a_task_shows_whether_it_is_done() -> None:
    html = markdown_html("- [ ] a\n- [x] b\n- c [x]")
    assert '<li class="task-list-item">☐ a</li>\n<li class="task-list-item">☑ b</li>\n<li>c [x]</li>' in html


def test_a_definition_list_has_terms_and_definitions() -> None:
    html = markdown_html("Term\n: *One*\n: Two")
    assert html == "<dl>\n<dt>Term</dt>\n<dd><em>One</em></dd>\n<dd>Two</dd>\n</dl>\n"


@pytest.mark.parametrize("kind", ["note", "tip", "important", "warning", "caution"])
def test_a_quote_may_be_an_alert(kind: str) -> None:
    html = markdown_html(f"> [!{kind.upper()}]\n> *Text*")
    assert html.startswith(f'<div class="markdown-alert markdown-alert-{kind}">\n<p class="markdown-alert-title">')
    assert "<p><em>Text</em></p>" in html


def test_a_quote_of_another_kind_stays_a_quote() -> None:
    assert markdown_html("> [!OTHER]\n> a").startswith("<blockquote>")


@pytest.mark.parametrize(
    ("heading", "expected", "title"),
    [
        ("# A {#my-id}", "section-my-id", "A"),
        ("# A *b* {#my-id .wide}", "section-my-id", "A b"),
        ("# A {.wide #x_1}", "section-x_1", "A"),
        ("# A {.wide}", "section-a", "A"),
        ("# A {#x y}", "section-a-x-y", "A {#x y}"),
        ("# A {b}", "section-a-b", "A {b}"),
        ("# Über {#über}", "section-über", "Über"),
    ],
)
def test_an_author_may_set_the_id_of_a_heading(heading: str, expected: str, title: str) -> None:
    """XS-08: with the prefix that every id in a body has."""
    tags, text = read(markdown_html(heading))
    assert (tags[0].attributes["id"], text.strip()) == (expected, title)


def test_the_same_id_is_not_set_twice() -> None:
    assert ids("# A {#x}\n\n# X\n\n# B {#x}") == ["section-x", "section-x-1", "section-x-2"]


@pytest.mark.parametrize("text", ["# A\n\n# A\n\n# A", "# A\n\n# A 1\n\n# A\n\n# A 1", "# ?\n\n# !\n\n# Heading"])
def test_equal_headings_have_the_ids_that_the_check_of_links_expects(text: str) -> None:
    assert {id_.removeprefix(ID_PREFIX) for id_ in ids(text)} == anchors_of(text)


def test_a_heading_with_a_link_is_not_a_link_itself() -> None:
    html = markdown_html("# See [this](/a)\n\n# And <a href=/b>that</a>")
    assert [tag.attributes["href"] for tag in read(html)[0] if tag.name == "a"] == ["/a", "/b"]


def test_an_excerpt_has_no_marks_of_footnotes() -> None:
    assert markdown_excerpt("# Title\n\nOne[^1], two.\n\n[^1]: x\n").startswith("Title One, two.")
