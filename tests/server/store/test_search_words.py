"""Suggestions for the words of a search."""

import pytest

from contentsync.server.store.search_words import MAX_SIMILAR, add_words, similar_words

from ..conftest import Api, Service

WORDS = ("espresso", "expresso", "espressos", "saw", "planes", "straße", "configuration", "x1y2z3")


@pytest.fixture(scope="module")
def dictionary(service: Service) -> Api:
    api = service.directory("Words", service.user("Ada"))
    service.run(add_words, directory_id=api.directory_id, words=WORDS)
    return api


@pytest.mark.parametrize(
    ("word", "similar"),
    [
        ("espreso", ["espresso"]),  # a letter is missing
        ("espressso", ["espresso", "espressos", "expresso"]),  # one too many
        ("espresto", ["espresso"]),  # another one
        ("sepresso", ["espresso"]),  # two in the wrong order
        ("espersso", ["espresso"]),
        ("espresso", ["espressos", "expresso"]),
        ("lanes", ["planes"]),
        ("plane", ["planes"]),
        ("sae", []),  # too short
        ("confgiurtaion", ["configuration"]),
        ("konfiguratoin", []),  # two errors, one at each end
        ("x1y2z4", []),
        ("nothing", []),
        ("e'spreso", []),
    ],
)
def test_words_with_few_errors_are_similar(dictionary: Api, word: str, similar: list[str]) -> None:
    found = dictionary.service.run(similar_words, directory_id=dictionary.directory_id, word=word)
    assert list(found) == similar


def test_only_the_most_similar_words_are_returned(service: Service) -> None:
    api = service.directory("Many", service.user("Ada"))
    service.run(add_words, directory_id=api.directory_id, words=[f"plane{letter}" for letter in "abcdefghijklmnop"])
    assert len(service.run(similar_words, directory_id=api.directory_id, word="planes")) == MAX_SIMILAR


def test_words_of_another_directory_are_not_similar(dictionary: Api) -> None:
    other = dictionary.service.directory("Other", dictionary.user)
    assert dictionary.service.run(similar_words, directory_id=other.directory_id, word="espreso") == []


def test_a_repeated_word_is_stored_once(dictionary: Api) -> None:
    for _ in range(2):
        dictionary.service.run(add_words, directory_id=dictionary.directory_id, words=WORDS)
    found = dictionary.service.run(similar_words, directory_id=dictionary.directory_id, word="espreso")
    assert list(found) == ["espresso"]
