import pytest

from contentsync.server.store.words import LONGEST_QUERY, MOST_LETTERS, MOST_TERMS, patterns_of, words_of


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
    assert words_of(text) == words
    assert words_of(words) == words


def test_only_the_beginning_of_long_texts_is_kept() -> None:
    assert words_of("name", None, "ﬃ" * 5000) == f"name {'ffi' * 400}"[:MOST_LETTERS]


def test_a_pattern_means_what_was_typed() -> None:
    assert patterns_of(r"100% A_b \ ") == (r"%100\%%", r"%a\_b%", r"%\\%")


def test_a_query_is_bounded() -> None:
    assert len(patterns_of("a " * 1000)) == MOST_TERMS
    assert patterns_of("x" * 1000) == (f"%{'x' * LONGEST_QUERY}%",)
    assert patterns_of("\0 \n") == ()
