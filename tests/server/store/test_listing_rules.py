import pytest

from contentsync.server.store.listing_rules import (
    MAX_QUERY,
    MAX_SEARCH_TEXT,
    MAX_TERMS,
    like_pattern,
    search_terms,
    search_text,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Rip  SAW\n", "rip saw"),
        ("Étau à l'ancienne", "etau a l'ancienne"),
        ("STRASSE Straße", "strasse strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁle ①", "file 1"),
        ("Οδός", "οδοσ"),
        ("東京", "東京"),
        ("Łódź Sørlandet Œuvre", "lodz sorlandet oeuvre"),
    ],
)
def test_words_are_compared_without_case_and_accents(text: str, words: str) -> None:
    assert search_text(text, None) == words
    assert search_text(words, "") == words


def test_name_and_description_are_lines_so_that_texts_sort_by_name() -> None:
    assert search_text("Saw", "Zebra\nwood") == "saw\nzebra wood" < search_text("Saw blade", "Apple")


def test_only_the_beginning_of_long_texts_is_searched() -> None:
    assert search_text("name", "ﬃ" * 5000) == f"name\n{'ffi' * 400}"[:MAX_SEARCH_TEXT]


def test_a_pattern_means_what_was_typed() -> None:
    patterns = [like_pattern(term) for term in search_terms(r"100% A_b \ ")]
    assert patterns == [r"%100\%%", r"%a\_b%", r"%\\%"]


def test_a_query_is_bounded() -> None:
    assert len(search_terms(" ".join(map(str, range(1000))))) == MAX_TERMS
    assert search_terms("x" * 1000) == ["x" * MAX_QUERY]
    assert search_terms("saw SAW saw") == ["saw"]
    assert search_terms("\0 \n") == []
