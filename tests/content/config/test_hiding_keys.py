"""contentsync.content.config.hiding_keys: the values by which other generators hide an entry."""

from datetime import UTC, datetime
from typing import Any

import pytest

from contentsync.content.config.hiding_keys import hiding_check
from contentsync.model import Kind

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def hides(key: str, value: Any, kind: Kind = Kind.ARTICLE) -> bool:
    check = hiding_check(kind, key, NOW)
    return check is not None and check(value)


@pytest.mark.parametrize(
    ("key", "hiding", "shown"),
    [
        ("status", "Entwurf", "published"),
        ("visibility", " Private", "public"),
        ("draft", "true", "no"),
        ("draft", "checked", False),  # as Airtable writes a checked box
        ("published", "false", "2024-01-01"),
        ("publish", False, True),  # of Obsidian Publish
        ("aktiv", "Nein", "ja"),
        ("permalink", "false", "/about/"),
        ("expirydate", "2026-05-31", "2026-06-02"),
        ("expires", "2026-05-31", "soon"),
        ("publishdate", "2026-06-02", "2026-05-31"),
        ("build", {"list": "never"}, {"publishResources": False}),
        ("build", {"render": False}, "never"),
    ],
)
def test_a_key_hides_an_entry_by_some_of_its_values(key: str, hiding: Any, shown: Any) -> None:
    assert hides(key, hiding)
    assert not hides(key, shown)


def test_other_keys_hide_nothing() -> None:
    assert hiding_check(Kind.ARTICLE, "layout", NOW) is None


def test_data_of_listings_hide_nothing() -> None:
    assert hides("private", "true")
    assert not hides("private", "true", Kind.LISTING)
