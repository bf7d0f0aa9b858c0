"""Violations, and the words that somebody may have meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model import Invalid, Violation, did_you_mean, dotted, nearest

KEYS = ["title", "slug", "placement", "is_published"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("tilte", "title"), ("TITLE", "title"), ("is_publshed", "is_published"), ("x", None), ("", None)],
)
def test_the_nearest_known_word(word: str, meant: str | None) -> None:
    assert nearest(word, KEYS) == meant


def test_a_word_that_is_near_nothing_gets_no_hint() -> None:
    assert did_you_mean("zzz", KEYS) == ""
    assert did_you_mean("zzz", []) == ""


def test_a_known_word_in_other_letters_is_told_as_it_is_written() -> None:
    assert did_you_mean("linux", ["Linux", "macOS"]) == "did you mean 'Linux'?"


def test_a_nested_value_is_named_with_dots() -> None:
    assert dotted(("listings", 3, "seo", "title")) == "listings.3.seo.title"


def test_an_invalid_value_tells_every_violation_by_field() -> None:
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
