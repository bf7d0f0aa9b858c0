"""What is written: the same listings for every server."""

import json
import random
from collections.abc import Iterable
from typing import Any

REFERRED = {"categories": 20, "tags": 20, "organizers": 10}  # records of each, with ids from 1
BULK = 100  # listings in one request

# fmt: off
_WORDS = (
    "alpha", "beta", "gamma", "delta", "light", "bench", "shelf", "tool", "craft", "maker", "wood", "steel", "paper",
    "ink", "press", "guide", "story",
)
# fmt: on
_TEXT = 115  # words: 0.7 KB


def listings(numbers: Iterable[int]) -> list[dict[str, Any]]:
    """Listings, each with 0.7 KB of text, two categories, a tag and an organizer; their numbers make them unique."""
    return [listing(number) for number in numbers]


def bulk(envelope: str, first: int) -> bytes:
    """The body of a bulk create: listings in a member of an object."""
    return encoded({envelope: listings(range(first, first + BULK))})


def encoded(value: Any) -> bytes:
    """The value as JSON."""
    return json.dumps(value, separators=(",", ":")).encode()


def listing(number: int) -> dict[str, Any]:
    """One of them."""
    chance = random.Random(number)  # noqa: S311  # not for secrets
    text = chance.choices(_WORDS, k=_TEXT)
    categories, tags, organizers = REFERRED.values()
    return {
        "name": f"Listing {number}",
        "url": f"https://{number}.example.org/",
        "description": " ".join(text[:15]),
        "content": " ".join(text[15:]),
        "categories": [number % categories + 1, (number + 1) % categories + 1],
        "tags": [number % tags + 1],
        "organizers": [number % organizers + 1],
    }
