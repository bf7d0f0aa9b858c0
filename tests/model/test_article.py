"""Articles (docs/contract.md 2.2, 4.2, 17)."""

from typing import Any

import pytest

from contentsync.model import RECORDS, WIRE_FORM, Context, Kind, validate

from .judge import FILE, faults, least

ARTICLE = Kind.ARTICLE
STORED = {"title": "News", "slug": "news", "markdown": "Text", "content": "<p>Text</p>"}


def test_the_defaults_of_an_article() -> None:
    rules = RECORDS[ARTICLE].rules()
    assert rules["active"].default is True
    assert rules["categories"].default == []
    assert [name for name, rule in rules.items() if rule.required] == ["title"]


def test_an_article_needs_markdown_or_content() -> None:
    assert faults(ARTICLE, {"title": "News"}) == {("markdown", "required-without")}
    assert faults(ARTICLE, {"title": "News", "markdown": None, "content": None}) == {("markdown", "required-without")}
    assert faults(ARTICLE, {"title": "News", "markdown": "a"}) == set()
    assert faults(ARTICLE, {"title": "News", "content": "a"}) == set()
    assert faults(ARTICLE, {"title": "News", "markdown": "a", "content": "b"}) == set()


def test_all_missing_fields_of_an_article_are_reported_at_once() -> None:
    assert faults(ARTICLE, {}) == {("title", "required"), ("markdown", "required-without")}


def test_an_update_of_an_article_requires_a_text() -> None:
    assert faults(ARTICLE, {"title": "Old news"}, stored=STORED) == {("markdown", "required-without")}
    assert faults(ARTICLE, {"title": "Old news", "markdown": "a"}, stored=STORED) == set()
    assert faults(ARTICLE, {"content": "a"}, stored=STORED) == set()


def test_an_update_returns_only_the_sent_fields() -> None:
    assert validate(ARTICLE, {"markdown": "a"}, WIRE_FORM, stored=STORED) == {"markdown": "a"}


@pytest.mark.parametrize("context", [WIRE_FORM, FILE], ids=["wire", "file"])
@pytest.mark.parametrize("address", ["images/a.png", "/a.png", "../a b.png", "https://example.org/a.png", "a" * 255])
def test_a_thumbnail_is_any_address_of_at_most_255_characters(address: str, context: Context) -> None:
    """docs/contract.md 2.2"""
    assert validate(ARTICLE, least(ARTICLE, thumbnail_url=address), context)["thumbnail_url"] == address
    values = least(ARTICLE, thumbnail_url=address.ljust(256, "x"))
    assert faults(ARTICLE, values, context) == {("thumbnail_url", "too-long")}


def test_categories_are_free_text() -> None:
    assert validate(ARTICLE, least(ARTICLE, categories=["Guides", "How-to"]), WIRE_FORM)["categories"] == [
        "Guides",
        "How-to",
    ]


@pytest.mark.parametrize(
    ("categories", "field"),
    [(None, "categories"), ("Guides", "categories"), ({}, "categories"), ([1], "categories.0"), ([""], "categories.0")],
)
def test_categories_are_a_list_of_texts(categories: Any, field: str) -> None:
    assert {name for name, _ in faults(ARTICLE, least(ARTICLE, categories=categories))} == {field}


def test_the_publication_date_is_returned_in_utc() -> None:
    assert validate(ARTICLE, least(ARTICLE, published_at="2026-03-01 09:00"), WIRE_FORM)["published_at"] == (
        "2026-03-01T09:00:00.000000Z"
    )


@pytest.mark.parametrize("when", ["tomorrow", "2024-02-30", "2026-03-01 24:00", 1772323200, True])
def test_an_invalid_date_is_refused(when: Any) -> None:
    assert {name for name, _ in faults(ARTICLE, least(ARTICLE, published_at=when))} == {"published_at"}


@pytest.mark.parametrize("field", ["title", "slug", "active", "categories"])
def test_null_is_refused_if_the_contract_does_not_allow_it(field: str) -> None:
    assert {name for name, _ in faults(ARTICLE, least(ARTICLE, **{field: None}))} == {field}


@pytest.mark.parametrize("field", ["thumbnail_url", "thumbnail_alt_text"])
def test_null_clears_an_optional_field(field: str) -> None:
    assert validate(ARTICLE, {"markdown": "a", field: None}, WIRE_FORM, stored=STORED)[field] is None


@pytest.mark.parametrize(
    "key",
    [
        *("id", "is_markdown", "article_url", "user", "directory", "created_at", "updated_at"),
        *("blog_tool_article_id", "blog_buster_article_id"),
    ],
)
def test_keys_set_by_the_service_can_be_sent_back(key: str) -> None:
    assert validate(ARTICLE, least(ARTICLE, **{key: {"any": "thing"}}), WIRE_FORM) == least(ARTICLE)
