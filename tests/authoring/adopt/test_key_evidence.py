"""contentsync.authoring.adopt.key_evidence: what the values of a key show about its meaning."""

import pytest

from contentsync.authoring.adopt.key_evidence import are_names, are_pictures, has_addresses, misfit
from contentsync.authoring.adopt.key_survey import KeyUse


def use(*values: str) -> KeyUse:
    found = KeyUse()
    for number, value in enumerate(values):
        found.add(number, value)
    return found


@pytest.mark.parametrize(
    ("field", "values", "expected"),
    [
        ("url", ["https://a.example.org", "www.b.example.org", "none"], True),
        ("url", ["North", "South", "https://a.example.org"], False),
        ("email", ["a@example.org"], True),
        ("email", ["by post"], False),
        ("latitude", ["48.2"], True),
        ("latitude", ["north"], False),
        ("name", ["anything"], True),
        ("url", [], True),
    ],
)
def test_values_fit_a_field_if_half_have_its_type(field: str, values: list[str], *, expected: bool) -> None:
    assert (misfit(field, use(*values)) == "") == expected


TEN = [f"Name {number}" for number in range(10)]


@pytest.mark.parametrize(
    ("field", "values", "reason"),
    [
        ("name", ["Open", "Closed"] * 8, "most of its values recur"),
        ("title", ["Open"] * 12, "most of its values recur"),
        ("name", TEN, ""),
        ("name", ["Open", "Closed"] * 4, ""),  # too few to know
        ("category_id", TEN, "most of its values differ"),
        ("categories", TEN, "most of its values differ"),
        ("categories", [f"Food|{value}" for value in ("Art", "Music", "Sport")] * 4, ""),
        ("categories", ["Art, Food", "Food, Sport", "Sport", "Art", "Food", "Art, Sport", "Food, Art"], ""),
        ("category_id", ["Food", "Art", "Sport"] * 4, ""),
        ("category_id", TEN[:9], ""),
        ("tags", TEN, ""),
    ],
)
def test_names_differ_and_categories_recur(field: str, values: list[str], reason: str) -> None:
    assert misfit(field, use(*values)) == reason


def test_addresses_and_pictures_are_recognised() -> None:
    assert has_addresses(use("https://a.example.org/x.png", "x"))
    assert not has_addresses(use("x", "y"))
    assert are_pictures(use("a.png", "b.JPG"))
    assert not are_pictures(use("a.png", "b"))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Ann", "Ben & Co"], True),
        (["2024-05-01T10:00:00Z", "2024-05-01T11:00:00Z"], False),
        (["/about/", "/blog/"], False),
        (["https://a.example.org", "https://b.example.org"], False),
        (["1", "2"], False),
    ],
)
def test_dates_addresses_and_paths_are_no_names(texts: list[str], *, expected: bool) -> None:
    assert are_names(texts, len(texts)) == expected
