"""contentsync.content.front_matter."""

import pytest

from .conftest import Load, only, spots

PAGE = "pages/a.md"


def test_the_text_under_the_front_matter_is_the_body(read: Load) -> None:
    entry = only(read({PAGE: "---\ntitle: A\n---\n\n\nFirst\n\n---\n\nSecond\n\n"}))
    assert entry.fields == {"title": "A", "slug": "a", "markdown": "First\n\n---\n\nSecond"}
    assert entry.source is not None
    assert entry.source.where("markdown").line == 6
    assert entry.source.where("title").column == 8


def test_an_indented_first_line_keeps_its_indentation(read: Load) -> None:
    assert only(read({PAGE: "---\ntitle: A\n---\n    code\n"})).fields["markdown"] == "    code"


def test_a_blank_body_is_not_given(read: Load) -> None:
    assert "markdown" not in only(read({PAGE: "---\ntitle: A\n---\n \n\t\n"})).fields


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_are_the_same_text_with_the_same_lines(read: Load, end: str) -> None:
    """FI-04"""
    text = "---\ntitle: A\nplacement: top\n---\nOne\nTwo\n"
    assert spots(read({PAGE: text.replace("\n", end)})) == spots(read({PAGE: text})) == [(PAGE, 3, 12, "not-a-choice")]
    good = text.replace("top", "footer").replace("\n", end)
    assert only(read({PAGE: good})).fields["markdown"] == "One\nTwo"


def test_a_byte_order_mark_is_dropped(read: Load) -> None:
    """FI-03"""
    assert only(read({PAGE: "\ufeff---\ntitle: A\n---\n"})).fields["title"] == "A"


def test_a_block_that_is_never_closed_is_an_error_where_it_opens(read: Load) -> None:
    """FI-08"""
    content = read({PAGE: "---\ntitle: A\n\nText\n"})
    assert spots(content) == [(PAGE, 1, 1, "unclosed-front-matter")]
    assert "---" in content.problems[0].hint


def test_json_front_matter_is_an_error(read: Load) -> None:
    """FI-11"""
    assert spots(read({PAGE: '{\n"title": "A"\n}\nText'})) == [(PAGE, 1, 1, "json-front-matter")]


def test_toml_front_matter_is_read(read: Load) -> None:
    """FI-11"""
    text = """+++
title = "A"
active = false
published_at = 2026-03-01T10:00:00+01:00
categories = ["x", "12"]
[seo]
title = "S"
+++
Text
"""
    entry = only(read({"articles/a.md": text}))
    assert entry.fields == {
        "title": "A",
        "slug": "a",
        "active": False,
        "published_at": "2026-03-01T09:00:00.000000Z",
        "categories": ["x", "12"],
        "seo": {"title": "S"},
        "markdown": "Text",
    }
    assert entry.source is not None
    assert entry.source.where("seo.title").line == 7


def test_mistakes_in_toml_front_matter_have_their_places(read: Load) -> None:
    content = read(
        {
            "pages/a.md": '+++\ntitle = "A"\n\n[seo]\ntitel = "x"\n+++\n',
            "pages/b.md": '+++\ntitle = "A"\nnew_tab = \n+++\n',
            "pages/c.md": '+++\ntitle = "A"\norder = "first"\n+++\n',
        }
    )
    assert spots(content) == [
        ("pages/a.md", 5, 1, "unknown-key"),
        ("pages/b.md", 3, 11, "toml-syntax"),
        ("pages/c.md", 3, 9, "not-an-integer"),
    ]


def test_a_file_without_front_matter_is_all_body(read: Load) -> None:
    """FI-07"""
    assert spots(read({PAGE: "Only text\n"})) == [(PAGE, 1, 1, "required")]
    assert spots(read({PAGE: ""})) == [(PAGE, 1, 1, "required")]


def test_the_body_field_may_not_stand_in_the_front_matter_too(read: Load) -> None:
    assert spots(read({PAGE: "---\ntitle: A\nmarkdown: x\n---\ny\n"})) == [(PAGE, 3, 1, "body-twice")]
    assert only(read({PAGE: "---\ntitle: A\nmarkdown: x\n---\n"})).fields["markdown"] == "x"


def test_front_matter_over_64_kb_is_an_error_before_parsing(read: Load) -> None:
    """YA-23"""
    keys = "".join(f"k{number}: 1\n" for number in range(10_000))
    assert spots(read({PAGE: f"---\ntitle: A\n{keys}---\n"})) == [(PAGE, 1, 1, "too-large")]


def test_html_is_the_content_of_an_article(read: Load) -> None:
    entry = only(read({"articles/a.html": "---\ntitle: A\n---\n<p>x</p>\n"}))
    assert entry.fields["content"] == "<p>x</p>"
    assert "markdown" not in entry.fields


@pytest.mark.parametrize("path", ["organizers/a.md", "listings/a.md"])
def test_text_is_the_content_of_organizers_and_listings(read: Load, path: str) -> None:
    assert only(read({path: "---\nname: A\n---\nText\n"})).fields["content"] == "Text"


def test_values_that_look_like_something_else_stay_text(read: Load) -> None:
    """YA-08, YA-09, YA-10"""
    fields = only(
        read({"organizers/a.md": "---\nname: NO\nphone: 01234\ndescription: 12:30\naddress: 1_000\n---\n"})
    ).fields
    assert (fields["name"], fields["phone"], fields["description"], fields["address"]) == (
        "NO",
        "01234",
        "12:30",
        "1_000",
    )
