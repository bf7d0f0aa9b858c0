"""contentsync.content.formats.front_matter."""

import pytest

from ..conftest import Load, only, spots

PAGE = "pages/a.md"


def test_the_text_under_the_front_matter_is_the_body(read: Load) -> None:
    """FI-09"""
    entry = only(read({PAGE: "---\ntitle: A\n---\n\n\nFirst\n\n---\n\nSecond\n\n"}))
    assert entry.fields == {"title": "A", "slug": "a", "markdown": "First\n\n---\n\nSecond"}
    assert entry.source is not None
    assert entry.source.where("markdown").line == 6
    assert entry.source.where("title").column == 8


def test_an_indented_first_line_of_the_body_keeps_its_indentation(read: Load) -> None:
    assert only(read({PAGE: "---\ntitle: A\n---\n    code\n"})).fields["markdown"] == "    code"


def test_a_blank_body_counts_as_missing(read: Load) -> None:
    assert "markdown" not in only(read({PAGE: "---\ntitle: A\n---\n \n\t\n"})).fields


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_give_the_same_text_and_lines(read: Load, end: str) -> None:
    """FI-04"""
    text = "---\ntitle: A\nplacement: top\n---\nOne\nTwo\n"
    assert spots(read({PAGE: text.replace("\n", end)})) == spots(read({PAGE: text})) == [(PAGE, 3, 12, "not-a-choice")]
    good = text.replace("top", "footer").replace("\n", end)
    assert only(read({PAGE: good})).fields["markdown"] == "One\nTwo"


def test_a_byte_order_mark_is_removed(read: Load) -> None:
    """FI-03"""
    assert only(read({PAGE: "\ufeff---\ntitle: A\n---\n"})).fields["title"] == "A"


@pytest.mark.parametrize("fence", ["---", "---  ", "--- \t"])
def test_a_fence_can_end_with_spaces(read: Load, fence: str) -> None:
    entry = only(read({PAGE: f"\n{fence}\ntitle: A\n{fence}\nText"}))
    assert (entry.fields["title"], entry.fields["markdown"]) == ("A", "Text")
    assert entry.source is not None
    assert (entry.source.where("title").line, entry.source.where("markdown").line) == (3, 5)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("---\ntitle: A\n\nText\n", "a line that contains only ---"),
        ("---", "a line that contains only ---"),
        ("+++\ntitle = 'A'\n---\nText", "a line that contains only +++"),
        ("---\ntitle: A\n ---\nText", "a line that contains only ---"),
        ("---\ntitle: A\n...\nText\n", "not with the ... in line 3"),
        ("---\ntitle: A\n----\nText\n", "not with the ---- in line 3"),
        ("\n---\ntitle: A\n--", "not with the -- in line 4"),
        ("+++\ntitle = 'A'\n---\nText", "not with the --- in line 3"),
    ],
)
def test_an_unclosed_front_matter_is_an_error_at_its_start(read: Load, text: str, hint: str) -> None:
    """FI-08"""
    content = read({PAGE: text})
    assert spots(content) == [(PAGE, text.index(text.strip()) + 1, 1, "unclosed-front-matter")]
    assert hint in content.problems[0].hint


def test_three_dots_do_not_end_the_front_matter(read: Load) -> None:
    """YA-19"""
    content = read({PAGE: "---\ntitle: A\n...\nText\n\n---\nMore\n"})
    assert spots(content) == [(PAGE, 4, 1, "yaml-syntax")]
    assert "..." in content.problems[0].hint


@pytest.mark.parametrize(
    "text",
    [
        *(
            "\u2014\ntitle: A\n\u2014\nText",
            "--\ntitle: A\n--\nText",
            "  ---\ntitle: A\n---\n",
            "---yaml\ntitle: A\n---\n",
            "----\ntitle: A\n----\n",
            "------\ntitle: A\n------\n",
            "--- title: A\n---\n",
        ),
        *("\ufeff\ufeff---\ntitle: A\n---\n", '---json\n{"title": "A"}\n---\n', "--- toml\ntitle = 'A'\n---\n"),
    ],
)
def test_a_mistyped_fence_is_an_error_and_not_a_body(read: Load, text: str) -> None:
    """FI-03, FI-08, FI-11"""
    content = read({PAGE: text})
    assert spots(content) == [(PAGE, 1, 1, "mistyped-front-matter")]
    assert "three hyphens" in content.problems[0].hint


@pytest.mark.parametrize(
    "body",
    [
        "- item\nNote: x",
        "--\nText",
        "\u2014 he said:\nno",
        "-- x\na: b",
        "text\n\u2014\na: b",
        "-----\nText",
        "---- \n\na",
    ],
)
def test_a_body_can_start_with_dashes(read: Load, body: str) -> None:
    assert spots(read({PAGE: body})) == [(PAGE, 1, 1, "required")]


@pytest.mark.parametrize("text", ["++++\ntitle = 'A'\n++++\n", "++\ntitle='A'\n++\n", "+++ title = 'A'\n+++\n"])
def test_a_mistyped_toml_fence_is_reported(read: Load, text: str) -> None:
    """FI-08, FI-11"""
    content = read({PAGE: text})
    assert spots(content) == [(PAGE, 1, 1, "mistyped-front-matter")]
    assert "three plus signs" in content.problems[0].hint


@pytest.mark.parametrize(
    ("text", "fence"),
    [
        ("title: A\n---\nText", "---"),
        ("\nlayout: post\n# a comment\ntags:\n- x\n  y: z\n\ntitle: A\n--- \n", "---"),
        ("title = 'A'\n+++\nText", "+++"),
    ],
)
def test_a_missing_first_fence_is_reported(read: Load, text: str, fence: str) -> None:
    """FI-08, FI-11"""
    content = read({PAGE: text})
    assert [problem.code for problem in content.problems] == ["mistyped-front-matter"]
    assert content.problems[0].hint == f"add a line that contains only {fence} above it"


@pytest.mark.parametrize(
    "body",
    ["Note: a heading\n---\nText", "title: A\n\nText\n\n---\n", "title\n---\n", "title: A\n----\n", "a: b\n" * 9],
)
def test_a_heading_underlined_with_dashes_is_a_body(read: Load, body: str) -> None:
    assert spots(read({PAGE: body})) == [(PAGE, 1, 1, "required")]


@pytest.mark.parametrize("json", ['{\n"title": "A"\n}\nText', '{"title": "A"}', "{}\n"])
def test_json_front_matter_is_an_error(read: Load, json: str) -> None:
    """FI-11"""
    assert spots(read({PAGE: json})) == [(PAGE, 1, 1, "json-front-matter")]


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ("- title: A", (2, 1, "not-a-mapping")),
        ("A title", (2, 1, "not-a-mapping")),
        ("title = 'A'", (2, 1, "not-a-mapping")),
        ("null", (1, 1, "required")),
        ("# title: A", (1, 1, "required")),
        ("", (1, 1, "required")),
        ('title: "A\n---\nB"', (2, 8, "yaml-syntax")),
    ],
)
def test_front_matter_without_keys_is_an_error(read: Load, block: str, place: tuple[int, int, str]) -> None:
    """FI-09, FI-10"""
    assert spots(read({PAGE: f"---\n{block}\n---\nText\n"})) == [(PAGE, *place)]


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


def test_mistakes_in_toml_front_matter_have_locations(read: Load) -> None:
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


@pytest.mark.parametrize("text", ["Only text\n", "", "---\n---\n"])
def test_a_file_without_front_matter_has_no_title(read: Load, text: str) -> None:
    """FI-07"""
    assert spots(read({PAGE: text})) == [(PAGE, 1, 1, "required")]


def test_a_page_needs_no_body_but_an_article_does(read: Load) -> None:
    """FI-07"""
    text = "---\ntitle: A\n---"
    assert only(read({PAGE: text})).fields == {"title": "A", "slug": "a"}
    assert (("articles/a.md", 1, 1, "required-without")) in spots(read({"articles/a.md": text}))


def test_a_missing_key_an_empty_value_and_an_empty_text_differ(read: Load) -> None:
    """YA-18"""
    entry = only(read({"listings/a.md": "---\nname: A\nurl:\naddress: ''\ncategories: []\ntags:\n---\n"}))
    assert entry.fields == {"name": "A", "slug": "a", "url": None, "address": "", "categories": [], "tags": []}


def test_a_body_key_beside_a_body_is_an_error(read: Load) -> None:
    assert spots(read({PAGE: "---\ntitle: A\nmarkdown: x\n---\ny\n"})) == [(PAGE, 3, 1, "body-twice")]
    assert only(read({PAGE: "---\ntitle: A\nmarkdown: x\n---\n"})).fields["markdown"] == "x"


def test_front_matter_over_64_kb_is_an_error_before_parsing(read: Load) -> None:
    """YA-23"""
    keys = "".join(f"k{number}: 1\n" for number in range(10_000))
    assert spots(read({PAGE: f"---\ntitle: A\n{keys}---\n"})) == [(PAGE, 1, 1, "too-large")]
    wide = f"seo:\n  description: {'é' * 33_000}\n"
    assert spots(read({PAGE: f"---\ntitle: A\n{wide}---\n"})) == [(PAGE, 1, 1, "too-large")]


def test_an_html_file_sets_the_content_of_an_article(read: Load) -> None:
    entry = only(read({"articles/a.html": "---\ntitle: A\n---\n<p>x</p>\n"}))
    assert entry.fields["content"] == "<p>x</p>"
    assert "markdown" not in entry.fields


@pytest.mark.parametrize("path", ["organizers/a.md", "listings/a.md"])
def test_the_body_of_an_organizer_or_listing_is_its_content(read: Load, path: str) -> None:
    assert only(read({path: "---\nname: A\n---\nText\n"})).fields["content"] == "Text"


def test_an_unintended_comment_is_a_warning_at_the_hash(read: Load) -> None:
    """YA-17"""
    content = read({PAGE: "---\ntitle: foo #bar\n---\n"})
    assert spots(content) == [(PAGE, 2, 12, "comment-in-value")]
    assert content.errors == []
    assert [entry.fields["title"] for entry in content.entries] == ["foo"]


def test_texts_that_look_like_another_type_stay_text(read: Load) -> None:
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
