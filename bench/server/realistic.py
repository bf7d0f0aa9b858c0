"""A directory as visitors know them: natural frequencies of words, filters, and records that listings refer to."""

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate, chain
from typing import Any

VOCABULARY = 30_000  # words
COMMON = 30  # of the words are as common as "the": no name has one, and no visitor searches for one
ORGANIZERS = 50
ARTICLES = 20
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "size": ("small", "medium", "large", "huge"),
    "features": ("garden", "parking", "kitchen", "music", "playground", "workshop"),
}
FLAG = "heated"
NUMBER, MOST = "seats", 200  # a field, and its highest value
FIELDS = (
    {"label": "Size", "type": "select", "options": OPTIONS["size"], "filterable": True},
    {"label": "Features", "type": "multi_select", "options": OPTIONS["features"], "filterable": True},
    {"label": "Heated", "type": "checkbox", "filterable": True},
    {"label": "Seats", "type": "number", "filterable": True},
)

_SIZES = (60, 25, 12, 3)  # percent
_TOP_CATEGORIES, _SUBCATEGORIES = 8, 4  # of each: 40 categories
_CATEGORIES = _TOP_CATEGORIES * (_SUBCATEGORIES + 1)
_TAGS = 40
_FEATURED, _DATED = 0.02, 0.01  # of the listings
_DESCRIPTION, _BODY = 15, 100  # words

_ONSETS = ("", *"bcdfghjklmnprstvwz", "br", "ch", "cl", "dr", "fl", "gr", "pl", "pr", "sh", "sl", "st", "th", "tr")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = (*[""] * 6, "n", "r", "l", "s", "t", "m", "nd", "st", "ck")


@cache
def vocabulary() -> list[str]:
    """Return made-up words, the most frequent first: most of these are short."""
    chance = random.Random(1)  # noqa: S311  # not for secrets
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        count = chance.choices((1, 2, 3), (1, 8, 6))[0]
        syllables = (chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(count))
        found["".join(syllables)] = None
    return sorted(found, key=lambda word: len(word) + chance.random() * 8)


@cache
def ranks() -> dict[str, int]:
    """Return the rank of each word among them."""
    return {word: rank for rank, word in enumerate(vocabulary())}


_ZIPF = [*accumulate(1 / rank for rank in range(1, VOCABULARY + 1))]
_ZIPF_OF_NAMES = [0.0] * COMMON + [*accumulate(1 / rank for rank in range(COMMON + 1, VOCABULARY + 1))]


def listing(number: int) -> dict[str, Any]:
    """Return the listing of a number, which refers to records with ids from 1."""
    chance = random.Random(number)  # noqa: S311  # not for secrets
    name = chance.choices(vocabulary(), cum_weights=_ZIPF_OF_NAMES, k=chance.randint(1, 3))
    text = chance.choices(vocabulary(), cum_weights=_ZIPF, k=_DESCRIPTION + _BODY)
    half = _DESCRIPTION + _BODY // 2
    value: dict[str, Any] = {
        "name": " ".join(name).capitalize(),
        "url": f"https://{number}.example.org/",
        "description": " ".join(text[:_DESCRIPTION]),
        "content": " ".join(text[_DESCRIPTION:half]) + "\n\n" + " ".join(text[half:]),
        "categories": sorted(chance.sample(range(1, _CATEGORIES + 1), chance.randint(1, 2))),
        "tags": sorted(chance.sample(range(1, _TAGS + 1), chance.randint(0, 4))),
        "organizers": [chance.randint(1, ORGANIZERS)] if chance.random() < 0.8 else [],
        "size": chance.choices(OPTIONS["size"], _SIZES)[0],
        "features": sorted(chance.sample(OPTIONS["features"], chance.randint(0, 3))),
        FLAG: chance.random() < 0.4,
        NUMBER: chance.randint(1, MOST),
        "is_featured": chance.random() < _FEATURED,
    }
    if chance.random() < _DATED:
        value |= {"starts_at": "2026-01-01T00:00:00Z", "ends_at": "2090-01-01T00:00:00Z"}
    return value


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what listings refer to, and articles, each with its path in the API, in the order of their creation."""
    for top in range(_TOP_CATEGORIES):
        yield "categories", {"title": vocabulary()[1_000 + top].capitalize()}
    for number in range(_TOP_CATEGORIES * _SUBCATEGORIES):
        title = vocabulary()[2_000 + number].capitalize()
        yield "categories", {"title": title, "parent_id": number % _TOP_CATEGORIES + 1}
    for number in range(_TAGS):
        yield "tags", {"title": vocabulary()[3_000 + number].capitalize()}
    for number in range(ORGANIZERS):
        name = " ".join(vocabulary()[4_000 + 2 * number : 4_002 + 2 * number]).title()
        yield "organizers", {"name": name, "description": listing(-number - 1)["description"]}
    for field in FIELDS:
        yield "custom-fields", field
    for number in range(ARTICLES):
        value = listing(-1_000 - number)
        yield "articles", {"title": value["name"], "markdown": value["content"], "published_at": "2026-01-15T10:00:00Z"}


class Queries:
    """Searches and filters that find something among the first `listings` listings; the same for the same seed."""

    def __init__(self, listings: int, seed: int = 1) -> None:
        self._listings = listings
        self._chance = random.Random(seed)  # noqa: S311  # not for secrets

    def word(self, letters: int = 3) -> str:
        """Return a word with at least so many letters of a name or a description: frequent words more often."""
        return self._chance.choice(self._words(letters))

    def two_words(self) -> tuple[str, str]:
        """Return two words of one listing."""
        while len(found := self._words(3)) < 2:
            pass
        first, second = self._chance.sample(found, 2)
        return first, second

    def typo(self) -> tuple[str, str]:
        """Return a word with a typing error, which is no word and still has five letters, and the word."""
        right = self.word(letters=6)
        while (wrong := self._misspelt(right)) in ranks():
            pass
        return wrong, right

    def choices(self) -> dict[str, str]:
        """Return values of one or two custom fields, as a query of the site has them."""
        values = {"size": self._chance.choice(OPTIONS["size"]), "features": self._chance.choice(OPTIONS["features"])}
        values[FLAG] = self._chance.choice(("yes", "no"))
        names = self._chance.sample([*values], self._chance.choice((1, 1, 2)))
        return {name: values[name] for name in names}

    def numbers(self) -> tuple[int, int]:
        """Return the least and the most of a number, as far apart as a visitor sets them."""
        least = self._chance.randint(1, MOST - 20)
        return least, least + self._chance.randint(5, 20)

    def _words(self, letters: int) -> list[str]:
        """Return words of one listing."""
        while True:
            found = listing(self._chance.randint(1, self._listings))
            every = chain(found["name"].lower().split(), found["description"].split())
            words = sorted({word for word in every if len(word) >= letters and ranks()[word] >= COMMON})
            if words:
                return words

    def _misspelt(self, word: str) -> str:
        """Return the word with a letter too many, too few or wrong, or with two letters exchanged."""
        at = self._chance.randrange(1, len(word) - 1)
        letter = self._chance.choice("abcdefghijklmnopqrstuvwxyz")
        head, here, after, rest = word[:at], word[at], word[at + 1], word[at + 2 :]
        edits = (head + letter + here + after, head + after, head + letter + after, head + after + here)
        return self._chance.choice(edits) + rest
