import pytest

from contentsync.server.store.listing_rules import MAX_QUERY, MAX_SEARCH_TEXT, MAX_TERMS, search_patterns, search_text


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
    ],
)
def test_words_are_compared_without_case_and_accents(text: str, words: str) -> None:
    assert search_text(text) == words
    assert search_text(words) == words


def test_only_the_beginning_of_long_texts_is_searched() -> None:
    assert search_text("name", None, "ﬃ" * 5000) == f"name {'ffi' * 400}"[:MAX_SEARCH_TEXT]


def test_a_pattern_means_what_was_typed() -> None:
    assert search_patterns(r"100% A_b \ ") == (r"%100\%%", r"%a\_b%", r"%\\%")


def test_a_query_is_bounded() -> None:
    assert len(search_patterns("a " * 1000)) == MAX_TERMS
    assert search_patterns("x" * 1000) == (f"%{'x' * MAX_QUERY}%",)
    assert search_patterns("\0 \n") == ()
