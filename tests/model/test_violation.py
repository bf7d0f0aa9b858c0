"""One code and one message for each broken rule, and suggestions for unknown words (docs/contract.md 11)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model import RECORDS, Context, Invalid, Kind, Violation, did_you_mean, dotted, nearest

from .judge import BILINGUAL, FILE, least, violations

KEYS = ["title", "slug", "placement", "is_published"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("tilte", "title"), ("TITLE", "title"), ("is_publshed", "is_published"), ("x", None), ("", None)],
)
def test_the_nearest_known_word_is_found(word: str, expected: str | None) -> None:
    assert nearest(word, KEYS) == expected


def test_a_word_without_a_similar_one_has_no_hint() -> None:
    assert did_you_mean("zzz", KEYS) == ""
    assert did_you_mean("zzz", []) == ""


def test_a_known_word_in_another_case_is_suggested_as_it_is_written() -> None:
    assert did_you_mean("linux", ["Linux", "macOS"]) == "did you mean 'Linux'?"


def test_a_nested_value_is_named_with_dots() -> None:
    assert dotted(("listings", 3, "seo", "title")) == "listings.3.seo.title"


def test_an_invalid_error_lists_every_violation_by_field() -> None:
    invalid = Invalid(
        [
            Violation("too-long", ("title",), "title is too long"),
            Violation("bad", ("title",), "title is bad", "try another"),
            Violation("required", ("seo", "title"), "seo.title is required"),
        ]
    )
    assert invalid.errors() == {
        "title": ["title is too long", "title is bad (try another)"],
        "seo.title": ["seo.title is required"],
    }
    assert str(invalid) == "title is too long; title is bad (try another); seo.title is required"


@given(st.text(), st.lists(st.text(min_size=1), unique=True))
def test_the_nearest_word_is_a_known_one(word: str, known: list[str]) -> None:
    assert nearest(word, known) in [None, *known]


@given(st.lists(st.text(min_size=1, max_size=64), min_size=1, unique_by=str.casefold))
def test_every_known_word_is_nearest_to_itself(known: list[str]) -> None:
    assert [nearest(word, known) for word in known] == known


@pytest.mark.parametrize(
    ("kind", "values", "reported"),
    [
        (Kind.PAGE, {}, "title is required"),
        (Kind.ORGANIZER, {"name": " "}, "name is required and must not be blank"),
        (Kind.PAGE, {"title": "x" * 256}, "title must be at most 255 characters, but has 256"),
        (Kind.PAGE, {"slug": "A b"}, "slug must consist of at most 255 lower-case letters, digits and hyphens"),
        (Kind.PAGE, {"order": "1"}, "order must be a whole number"),
        (Kind.PAGE, {"new_tab": 1}, "new_tab must be true or false"),
        (Kind.PAGE, {"placement": "x"}, "placement must be one of navbar, footer, sidebar, unlisted"),
        (Kind.PAGE, {"seo": 1}, "seo must be an object of keys and values"),
        (Kind.PAGE, {"zzz": 1}, "zzz is not a known key"),
        (Kind.LISTING, {"categories": "a"}, "categories must be a list"),
        (Kind.LISTING, {"latitude": 91}, "latitude must be at most 90"),
        (Kind.LISTING, {"longitude": -181}, "longitude must be at least -180"),
        (Kind.LISTING, {"email": "ada"}, "email must be an e-mail address"),
        (Kind.TAG, {"color": "red"}, "color must be a hex colour such as #0a7 or #00aa77"),
        (Kind.CUSTOM_FIELD, {"placement": "end"}, "placement must be one of after_tags, after_categories,"),
        (Kind.ARTICLE, {"markdown": None}, "an article needs markdown or content"),
        (Kind.ARTICLE, {"translations": {"en": {}}}, "translations.en must not contain the default language 'en'"),
        (
            Kind.ARTICLE,
            {"published_at": "x"},
            "published_at must be an existing date, with or without a time",
        ),
    ],
)
def test_the_message_names_the_field_and_the_expected_value(kind: Kind, values: dict[str, Any], reported: str) -> None:
    (violation,) = violations(kind, least(kind, **values) if values else {}, BILINGUAL)
    assert violation.message.startswith(reported)


@pytest.mark.parametrize(
    ("kind", "key", "hint"),
    [
        (Kind.PAGE, "tilte", "did you mean 'title'?"),
        (Kind.PAGE, "Title", "did you mean 'title'?"),
        (Kind.LISTING, "org", ""),
        (Kind.LISTING, "catgories", "did you mean 'categories'?"),
        (Kind.LISTING, "schema_", "did you mean 'schema'?"),
        (Kind.CATEGORY, "zzz", ""),
    ],
)
def test_the_hint_suggests_the_nearest_known_key(kind: Kind, key: str, hint: str) -> None:
    (violation,) = violations(kind, least(kind, **{key: "x"}))
    assert violation.hint == hint


def test_a_key_that_only_the_service_sets_suggests_to_delete_it() -> None:
    (violation,) = violations(Kind.PAGE, least(Kind.PAGE, page_url="https://example.org"), FILE)
    assert str(violation) == "page_url is not a known key (delete it: the service sets this field)"


def test_an_invalid_list_item_is_named_by_its_index() -> None:
    (violation,) = violations(Kind.LISTING, least(Kind.LISTING, additional_image_urls=["https://example.org", "x"]))
    assert violation.field == "additional_image_urls.1"
    assert violation.message.startswith("additional_image_urls.1 must be a valid URL")


def test_a_value_with_braces_is_reported_unchanged() -> None:
    (violation,) = violations(Kind.PAGE, least(Kind.PAGE, **{"{x}": 1}))
    assert violation.message == "{x} is not a known key"
    (violation,) = violations(Kind.ARTICLE, least(Kind.ARTICLE, translations={"{limit}": {}}), BILINGUAL)
    assert violation.code == "unknown-locale"


def test_a_wrong_choice_lists_the_choices_beside_many_other_errors() -> None:
    broken = violations(Kind.CUSTOM_FIELD, least(Kind.CUSTOM_FIELD, options=[1] * 60, placement="after_tag"))
    assert broken[-1].message.startswith("placement must be one of after_tags, after_categories,")
    assert len(broken) == 61


def test_the_number_of_searched_hints_is_limited() -> None:
    broken = violations(Kind.PAGE, least(Kind.PAGE, **{f"title{number}": "x" for number in range(60)}))
    assert [bool(violation.hint) for violation in broken] == [True] * 50 + [False] * 10


def test_a_language_named_like_a_field_is_read_as_a_language() -> None:
    translations = {"seo": {"markdwn": "x", "seo": {"keyword": "x"}}}
    context = Context(locales=("en", "seo"))
    broken = violations(Kind.ARTICLE, least(Kind.ARTICLE, translations=translations), context)
    assert {violation.field: violation.hint for violation in broken} == {
        "translations.seo.markdwn": "did you mean 'markdown'?",
        "translations.seo.seo.keyword": "did you mean 'keywords'?",
    }


@pytest.mark.parametrize("key", ["[key]", "__root__", "", "a.b", "0"])
def test_an_unusual_key_is_reported_unchanged(key: str) -> None:
    (violation,) = violations(Kind.PAGE, least(Kind.PAGE, **{key: 1}))
    assert (violation.code, violation.field) == ("unknown-key", key)


def test_a_wrong_key_of_an_object_is_reported_by_its_name() -> None:
    (violation,) = violations(Kind.LISTING, least(Kind.LISTING, social_links={"x" * 65: "https://example.org"}))
    assert (violation.code, violation.field) == ("too-long", "social_links." + "x" * 65)


ODD: list[Any] = [
    None,
    True,
    1.5,
    10**30,
    "\ud800",
    ["\ud800"],
    {"\ud800": 1},
    {"fr": {"seo": ["\ud800"]}},
    [[]],
    {1: {}},
    b"x",
]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("authored", [False, True])
def test_no_message_of_pydantic_reaches_a_user(kind: Kind, authored: bool) -> None:
    context = Context(authored, ("en", "fr"))
    for name in [*RECORDS[kind].rules(), "zzz"]:
        for value in ODD:
            for violation in violations(kind, {name: value}, context):
                assert "Input" not in str(violation)
                assert "_" not in violation.code
