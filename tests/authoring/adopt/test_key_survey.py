"""contentsync.authoring.adopt.key_survey: the type of a custom field, by the rules for its values."""

from typing import Any

import pytest

from contentsync.authoring.adopt.key_survey import KeyUse


def inferred(values: list[Any]) -> dict[str, Any]:
    use = KeyUse()
    for number, value in enumerate(values):
        use.add(number, value)
    return use.field_type()


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        (["yes", "no", "yes"], "checkbox"),
        (["true", "False"], "checkbox"),
        (["1", "0", "1"], "number"),
        (["3", "4.5", "-1"], "number"),
        (["01234", "12345"], "text"),  # a code
        (["2024-01-01", "2024-02-29"], "date"),
        (["2024-01-01", "2023-02-29"], "text"),
        (["https://a.example.org", "http://b.example.org/x"], "url"),
        (["https://a.example.org", "soon"], "text"),
        (["a@example.org", "b@example.org"], "email"),
        (["a@example.org", "ask @ the desk"], "text"),
        (["x" * 300, "y"], "textarea"),
        ([["a", "b"], ["c"]], "list"),
        (["easy"], "text"),
    ],
)
def test_the_inferred_type_is_the_first_that_fits_all_values(values: list[Any], type_: str) -> None:
    assert inferred(values) == {"type": type_}


def test_a_few_repeated_values_are_inferred_as_a_choice() -> None:
    assert inferred(["MIT", "GPL", "MIT", "GPL", "MIT", "GPL"]) == {"type": "select", "options": ["GPL", "MIT"]}


def test_lists_of_few_values_are_inferred_as_a_multiple_choice() -> None:
    assert inferred([["a", "b"], ["b"], ["a", "b"], "a"]) == {"type": "multi_select", "options": ["a", "b"]}


def test_many_different_values_are_not_inferred_as_a_choice() -> None:
    assert inferred([f"word {number % 25}" for number in range(500)]) == {"type": "text"}


def test_values_beyond_the_limit_still_determine_the_type() -> None:
    assert inferred([*map(str, range(6000)), "n/a"]) == {"type": "text"}
