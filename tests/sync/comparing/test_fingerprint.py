from copy import deepcopy
from typing import Any

import pytest

from contentsync.model import Kind, Reference
from contentsync.sync.comparing.fingerprint import PackedFields, are_equal


@pytest.mark.parametrize(
    ("kind", "name", "desired", "actual"),
    [
        (Kind.PAGE, "markdown", "one\ntwo\n", "one\r\ntwo"),
        (Kind.PAGE, "markdown", None, ""),
        (Kind.LISTING, "social_links", None, {}),
        (Kind.LISTING, "social_links", {"github": "https://a.example"}, {"github": "https://a.example", "x": None}),
        (Kind.LISTING, "tags", [], None),
        (Kind.LISTING, "tags", ["a", "b"], ["b", "a"]),
        (Kind.ARTICLE, "categories", ["News", "Tools"], ["Tools", "News"]),
        (Kind.LISTING, "starts_at", "2026-03-01T09:00:00.000000Z", "2026-03-01 09:00"),
        (Kind.LISTING, "url", "https://Tools.example.org:443/", "https://tools.example.org"),
        (Kind.LISTING, "latitude", 48, 48.0),
        (Kind.LISTING, "latitude", 48.5, "48.50"),
        (Kind.TAG, "color", "#AABBCC", "#aabbcc"),
    ],
)
def test_values_that_a_service_normalizes_are_equal(kind: Kind, name: str, desired: Any, actual: Any) -> None:
    """TM-07"""
    assert are_equal(kind, name, desired, actual)


@pytest.mark.parametrize(
    ("kind", "name", "desired", "actual"),
    [
        (Kind.PAGE, "title", "About", "about"),
        (Kind.PAGE, "order", 0, None),
        (Kind.PAGE, "is_published", False, None),
        (Kind.PAGE, "markdown", "one\n\ntwo", "one\ntwo"),
        (Kind.LISTING, "additional_image_urls", ["https://a.example", "https://b.example"], ["https://b.example"]),
        (Kind.LISTING, "starts_at", "2026-03-01T09:00:00.000000Z", "2026-03-01T09:00:01.000000Z"),
        (Kind.LISTING, "url", "https://tools.example.org/?a=1", "https://tools.example.org/?a=2"),
        (Kind.CUSTOM_FIELD, "options", ["a", "b"], ["b", "a"]),
        (Kind.CUSTOM_FIELD, "value_suffix", "EUR", " EUR"),
        (Kind.CUSTOM_FIELD, "default_value", True, 1),
        (Kind.CUSTOM_FIELD, "settings", {"a": True, "b": ""}, {"a": 1, "b": " "}),
        (Kind.LISTING, "schema", {"n": 1}, {"n": 1, "x": None}),
        (Kind.PAGE, "markdown", "x = 1", "    x = 1"),
        (Kind.ARTICLE, "translations.fr.markdown", "x = 1", "    x = 1"),
    ],
)
def test_values_that_an_author_can_distinguish_are_different(kind: Kind, name: str, desired: Any, actual: Any) -> None:
    assert not are_equal(kind, name, desired, actual)


@pytest.mark.parametrize(
    ("name", "here", "there"),
    [
        ("name", "Fish & Chips", "Fish &amp; Chips"),
        ("translations.fr.name", "Fish & Chips", "Fish &amp; Chips"),
        ("description", "it's", "it&#039;s"),
        ("logo_url", "https://CDN.example.org/a.png", "https://cdn.example.org/a.png"),
        ("website_url", "https://example.org", "https://example.org/"),
    ],
)
def test_values_that_a_service_escapes_are_equal(name: str, here: str, there: str) -> None:
    """HT-24"""
    assert are_equal(Kind.ORGANIZER, name, here, there)


@pytest.mark.parametrize(
    ("name", "here", "there"),
    [
        ("markdown", "&amp;", "&"),
        ("logo_url", "https://cdn.example.org/A.png", "https://cdn.example.org/a.png"),
        ("logo_url", "https://cdn.example.org/a#x", "https://cdn.example.org/a"),
    ],
)
def test_values_that_may_differ_in_meaning_are_different(name: str, here: str, there: str) -> None:
    assert not are_equal(Kind.ORGANIZER, name, here, there)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Kind.PAGE, "markdown"),
        (Kind.LISTING, "head_html"),
        (Kind.LISTING, "a_custom_field"),
        (Kind.ARTICLE, "translations.fr.content"),
    ],
)
def test_an_html_entity_in_possible_code_is_a_difference(kind: Kind, name: str) -> None:
    assert not are_equal(kind, name, "a && b", "a &amp;&amp; b")


def test_html_entities_are_compared_literally_on_request() -> None:
    assert not are_equal(Kind.PAGE, "title", "AT&T", "AT&amp;T", literal=True)
    assert are_equal(Kind.PAGE, "title", " AT&T\r\n", "AT&T", literal=True)


@pytest.mark.parametrize(
    ("desired", "actual", "is_same"),
    [
        ([("tools", 1)], [("software", 1)], True),
        ([("tools", 1)], [("tools", 2)], False),
        ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)], True),
        ([("tools", None)], [("tools", 1)], True),
        ([("tools", None)], [("software", 1)], False),
    ],
)
def test_references_to_the_same_record_are_equal(desired: Any, actual: Any, is_same: bool) -> None:
    references = [[Reference(*one) for one in side] for side in (desired, actual)]
    assert are_equal(Kind.LISTING, "tags", *references) is is_same
    if len(desired) == 1:
        assert are_equal(Kind.CATEGORY, "parent_id", *(side[0] for side in references)) is is_same


def test_a_copied_reference_keeps_its_id() -> None:
    copied = deepcopy([Reference("tools", 1)])
    assert (copied, copied[0].id) == (["tools"], 1)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": "0a"},
        {"name": ""},
        {"name": "0a", "#7": "1b/2c", "url": ""},
        {"": "0a", "translations.de.title": "/1b"},
    ],
)
def test_packed_fields_equal_the_original_fields(fields: dict[str, str]) -> None:
    packed = PackedFields(fields)

    assert packed == fields
    assert dict(packed) == fields
    assert [*packed.items()] == [*fields.items()]  # in the same order
    assert PackedFields(packed) == fields


def test_fields_are_found_by_name() -> None:
    packed = PackedFields({"name": "0a", "url": "1b"})

    assert packed["url"] == "1b"
    assert "url" in packed
    assert packed.get("slug") is None
    assert "slug" not in packed


@pytest.mark.parametrize("value", [None, 1, "0a 1b"])
def test_a_value_that_is_not_a_fingerprint_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        PackedFields({"name": value})
