"""contentsync.content.config.hiding_keys: the values by which other generators hide an entry."""

from datetime import UTC, datetime
from typing import Any

import pytest

from contentsync.content.config.hiding_keys import HIDING_KEYS, hiding_check, may_hide, normalized_key
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
def test_a_hiding_key_hides_an_entry_only_by_certain_values(key: str, hiding: Any, shown: Any) -> None:
    assert hides(key, hiding)
    assert not hides(key, shown)


def test_an_unknown_key_hides_no_entry() -> None:
    assert hiding_check(Kind.ARTICLE, "layout", NOW) is None


def test_the_same_key_is_data_in_a_listing() -> None:
    assert hides("private", "true")
    assert not hides("private", "true", Kind.LISTING)


def test_all_spellings_of_a_key_have_one_normalized_form() -> None:
    spellings = ["Post Status", "post_status", "POST-STATUS", "post.status", "postStatus", "Post: Status"]
    assert {normalized_key(spelling) for spelling in spellings} == {"poststatus"}
    assert normalized_key("Vero\u0308ffentlicht") == "veröffentlicht"


def test_all_hiding_keys_are_in_normalized_form() -> None:
    assert [key for key in HIDING_KEYS if normalized_key(key) != key] == []


def test_a_date_key_can_hide_an_entry_if_its_value_is_a_date() -> None:
    for key in ("Expiry Date", "publish-date"):
        assert may_hide(Kind.PAGE, key, "2026-05-31")
        assert not may_hide(Kind.PAGE, key, "soon")
