"""Slugs (docs/contract.md 2, 4.1, 7, 17; docs/faults.md SL-01, SL-02, SL-16)."""

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.slug import MAX_LENGTH, is_slug, make_name, make_slug, with_number


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("About us", "about-us"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("Привет", "privet"),
        ("日本語", "ri-ben-yu"),
        ("İstanbul", "istanbul"),
        ("Straße", "strasse"),
        ("ﬁeld", "field"),
        ("C++", "c"),
        ("  a -- b__c  ", "a-b-c"),
        ("1,000 tools", "1-000-tools"),
        ("1，000 tools", "1-000-tools"),
        ("don't", "don-t"),
        ("don’t", "don-t"),
        ("Q&amp;A", "q-amp-a"),
        ("2026", "2026"),
        ("Tools 🎉", "tools"),
    ],
)
def test_a_slug_is_transliterated_lower_case_and_hyphenated(title: str, slug: str) -> None:
    assert make_slug(title) == slug


@pytest.mark.parametrize("title", ["🎉", "---", "", "   ", "!?", "\u200b"])
def test_a_title_without_letters_and_digits_makes_no_slug(title: str) -> None:
    assert make_slug(title) == ""


def test_making_slugs_leaves_no_memory_in_use() -> None:
    tracemalloc.start()
    try:
        for number in range(20):
            make_slug(f"{number}" * 100_000)
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_derived_slug_is_cut_at_255_characters() -> None:
    assert make_slug("a" * 300) == "a" * MAX_LENGTH
    assert make_slug("a" * 254 + " bc") == "a" * 254


@pytest.mark.parametrize("slug", ["a", "about-us", "2026", "-a", "a-", "a--b", "a" * 255])
def test_lower_case_letters_digits_and_hyphens_are_a_slug(slug: str) -> None:
    assert is_slug(slug)


@pytest.mark.parametrize(
    "slug",
    [
        "",
        "-",
        "---",
        "About",
        "a b",
        "a_b",
        "a.b",
        "a/b",
        "../x",
        "%2e%2e",
        "a\\b",
        "a?b",
        "a#b",
        "a\n",
        "é",
        "p\u0430ypal",  # a Cyrillic a
        "a\u202eb",
        "٣",
        "a" * 256,
        "') OR 1=1",
    ],
)
def test_another_text_is_not_a_slug(slug: str) -> None:
    assert not is_slug(slug)


def test_a_name_is_the_label_in_snake_case() -> None:
    assert make_name("Run by Volunteers?") == "run_by_volunteers"
    assert make_name("🎉") == ""


def test_a_numbered_slug_ends_in_its_number() -> None:
    assert with_number("lathe", 2) == "lathe-2"


def test_a_numbered_slug_is_never_too_long() -> None:
    assert with_number("a" * 255, 2) == "a" * 253 + "-2"
    assert with_number("a" * 249 + "-" + "b" * 5, 1000) == "a" * 249 + "-1000"


@given(st.text())
def test_the_slug_of_any_text_is_empty_or_valid(text: str) -> None:
    slug = make_slug(text)
    assert slug == "" or is_slug(slug)


@given(st.text())
def test_making_a_slug_from_a_slug_changes_nothing(text: str) -> None:
    slug = make_slug(text)
    assert make_slug(slug) == slug


@given(st.text())
def test_the_name_of_any_text_is_empty_or_snake_case(text: str) -> None:
    name = make_name(text)
    assert re.fullmatch("|[a-z0-9]+(_[a-z0-9]+)*", name)
    assert make_name(name) == name


@given(st.text(min_size=1), st.integers(min_value=2, max_value=10**6))
def test_a_numbered_slug_is_a_different_valid_slug(text: str, number: int) -> None:
    slug = make_slug(text) or "x"
    assert is_slug(with_number(slug, number))
    assert with_number(slug, number) != slug
