"""contentsync.model.conditions: what users write after --where, and which entries meet it."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from contentsync.errors import UsageError
from contentsync.model import Entry, Kind
from contentsync.model.conditions import all_hold, missing_condition, parse_conditions
from contentsync.model.named_fields import FieldNames

PARIS = ZoneInfo("Europe/Paris")
NAMES = FieldNames(
    Kind.LISTING, {"price": {"type": "number"}, "opened": {"type": "date"}, "codes": {"type": "list"}}, zone=PARIS
)
FIELDS = {
    "name": "Straße 9",
    "url": "https://example.org/",
    "categories": ["tools", "books"],
    "price": 10,
    "opened": "2026-03-01",
    "codes": ["b2", "a10"],
    "is_active": False,
    "starts_at": "2026-03-01T08:30:00.000000Z",
    "social_links": {"github": "https://github.com/a"},
}


def holds(*conditions: str, **fields: Any) -> bool:
    """Return whether a listing with the FIELDS and others meets the conditions."""
    return all_hold(parse_conditions(conditions, NAMES), Entry(Kind.LISTING, "k", {**FIELDS, **fields}))


@pytest.mark.parametrize(
    "condition",
    [
        "name = Straße 9",
        "name=Straße 9",
        'name = "Straße 9"',
        "name ~ ' 9'",
        "  name  !=  straße 9 ",
        "name ~ STRASSE",
        "name > a",
        "name < Z",
        "price = 10.0",
        "price > 9",
        "price < 100",
        "price ~ 1",
        "categories = books",
        "categories ~ TOO",
        "codes > b",
        "codes < b",
        "opened = 2026-03-01",
        "opened > 2026-02-28",
        "is_active = no",
        "is_active != TRUE",
        "is_featured = no",
        "starts_at = 2026-03-01",
        "starts_at > 2026-02-28",
        "starts_at < 2026-03-02",
        "starts_at = 2026-03-01 09:30",
        "starts_at > 2026-03-01 09:29",
        "starts_at ~ 2026-03-01 09:",
        "social_links.github ~ github.com",
        "_key = k",
        "url ~ =",
        "email =",
        "is_featured =",
        "name !=",
        "email != a@example.org",
    ],
)
def test_a_listing_meets_a_condition(condition: str) -> None:
    assert holds(condition, url="https://example.org/?a=b")


@pytest.mark.parametrize(
    "condition",
    [
        "name = straße 9",
        "price != 10",
        "price > 10",
        "price < 10",
        "price > 9999",
        "categories = tool",
        "categories != books",
        "opened > 2026-03-01",
        "is_active = yes",
        "starts_at > 2026-03-01",
        "starts_at < 2026-03-01",
        "starts_at = 2026-03-01 08:30",
        "name =",
        "email !=",
        "email ~ a",
        "latitude < 90",
    ],
)
def test_a_listing_does_not_meet_a_condition(condition: str) -> None:
    assert not holds(condition)


def test_all_conditions_must_hold() -> None:
    assert holds("price > 9", "name ~ str")
    assert not holds("price > 9", "name ~ bridge")
    assert holds()


def test_a_value_of_another_type_than_its_field_meets_no_comparison() -> None:
    assert not holds("price > 1", price={"a": 1})
    assert not holds("starts_at > 2026-01-01", starts_at=7)
    assert holds("price > 1", price="5")


def test_a_missing_value_is_found() -> None:
    missing = missing_condition(NAMES.find("email"))
    assert missing.holds(Entry(Kind.LISTING, "k", {"email": None}))
    assert not missing.holds(Entry(Kind.LISTING, "k", {"email": "a@example.org"}))


def test_a_reference_may_be_written_as_a_title() -> None:
    keys = {(Kind.CATEGORY, "All tools"): ["tools"]}
    (condition,) = parse_conditions(["categories = All tools"], NAMES, lambda *name: keys[name])
    assert condition.holds(Entry(Kind.LISTING, "k", {"categories": ["tools"]}))
    assert not condition.holds(Entry(Kind.LISTING, "k", {"categories": ["All tools"]}))


def test_a_reference_to_nothing_known_is_compared_as_it_is() -> None:
    (condition,) = parse_conditions(["categories = tools"], NAMES, lambda *_: [])
    assert condition.holds(Entry(Kind.LISTING, "k", {"categories": ["tools"]}))


def test_a_title_of_two_entries_is_refused_with_their_keys() -> None:
    with pytest.raises(UsageError, match="character 14: 'All tools' names 2 categories") as refused:
        parse_conditions(["categories = All tools"], NAMES, lambda *_: ["kit", "tools"])
    assert refused.value.hint == "use the slug: kit or tools"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("email", "'email', character 6: expected one of = != < > ~", "write email = VALUE; "),
        ("", "'', character 1: a field must come first", "write FIELD OP VALUE: price > 20"),
        ("> 5", "'> 5', character 1: a field must come first", "write FIELD OP VALUE: price > 20"),
        (" prise > 5", "' prise > 5', character 2: listings have no field 'prise'", "did you mean 'price'?"),
        ("name is A", "'name is A', character 6: expected one of = != < > ~", "write name = is A, "),
        ("price == 5", "'price == 5', character 7: there is no operator ==", "write price = 5"),
        ("price >= 5", "'price >= 5', character 7: there is no operator >=", "the operators are = != < > ~"),
        ("price > cheap", "'price > cheap', character 9: 'cheap' is not a number", "write it in digits, "),
        ("price >", "'price >', character 8: a value is missing after >", "write price > VALUE"),
        ("is_active = x", "'is_active = x', character 13: 'x' is neither yes nor no", "write is_active = yes"),
        ("is_active > no", "'is_active > no', character 11: is_active cannot be compared by >", "use = or !="),
        ("opened = 1.3.2026", "'opened = 1.3.2026', character 10: '1.3.2026' is not a date", "did you mean "),
        ("starts_at > soon", "'starts_at > soon', character 13: 'soon' is not a date or time", "write it as 2026"),
    ],
)
def test_an_error_has_its_place_and_the_fix(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_conditions([text], NAMES)
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)
