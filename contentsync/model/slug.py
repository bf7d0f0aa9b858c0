"""Slugs: made from titles, and checked (docs/contract.md 2, 17)."""

import unicodedata
from collections import Counter
from functools import lru_cache

from ..lazy_pattern import lazy_pattern

MAX_LENGTH = 255  # characters of a slug or a name
MAX_TITLE = 4 * MAX_LENGTH  # characters that count

_OTHER = lazy_pattern(r"[^a-z0-9]+")
SLUG = lazy_pattern(r"[a-z0-9-]*[a-z0-9][a-z0-9-]*\Z")


def make_slug(title: str) -> str:
    """Return the slug of a title: transliterated, lower case, with hyphens for other characters; it may be empty.

    Only the first MAX_TITLE characters count, because an unchecked value may have any length.
    """
    return _cached_slug(title) if len(title) <= MAX_LENGTH else _make(title, "-")


def heading_id(title: str) -> str:
    """Return the id of a heading, as GitHub and Hugo make it, such as `straße--co` of "Straße & Co".

    It is in lower case, without characters other than letters, digits, `_` and `-`, and with a hyphen for each space.
    A title without any of these has the id "heading". Equal ids get numbers (`numbered_slug`).
    """
    kept = (character for character in title.strip().lower() if character in " -" or _is_word(character))
    return "".join(kept).replace(" ", "-")[:MAX_LENGTH] or "heading"


def _is_word(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")


def normal_name(name: str) -> str:
    """Return the form in which names are compared: the slug, or the name as it is if no slug can be made of it."""
    return make_slug(name) or name


def make_name(label: str) -> str:
    """Return the snake_case name of a custom field's label; it may be empty."""
    return _make(label, "_")


def is_slug(text: str) -> bool:
    """Return whether the text is a slug: lower-case ASCII letters, digits and hyphens, but not hyphens alone."""
    return len(text) <= MAX_LENGTH and SLUG.match(text) is not None


def with_number(slug: str, number: int) -> str:
    """Return the slug with a hyphen and the number appended; shorten the slug so that the result is not too long."""
    ending = f"-{number}"
    return slug[: MAX_LENGTH - len(ending)].rstrip("-") + ending


def numbered_slug(slug: str, used: Counter[str]) -> str:
    """Return a slug that is not in `used`: `slug`, or `slug-1`, `slug-2`, as GitHub and Hugo name equal headings.

    Add it to `used`, which maps each slug to the last number that was appended to it.
    """
    unique = slug
    while unique in used:
        used[slug] += 1
        unique = f"{slug}-{used[slug]}"
    used[unique] = 0
    return unique


@lru_cache(maxsize=1024)  # the slug of a title is needed several times
def _cached_slug(title: str) -> str:
    return _make(title, "-")


def _make(text: str, separator: str) -> str:
    text = text[:MAX_TITLE]
    ascii_text = text if text.isascii() else _transliterated(text)
    return _OTHER.sub(separator, ascii_text.lower()).strip(separator)[:MAX_LENGTH].rstrip(separator)


def _transliterated(text: str) -> str:
    from text_unidecode import unidecode  # a slow import: it reads tables

    return str(unidecode(unicodedata.normalize("NFC", text)))
