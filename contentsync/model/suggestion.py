"""Hints for a value or a word that is not accepted: what the author most likely meant; empty if unknown."""

import json
import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from .scalar import MAX_NUMBER, parse_number
from .urls import url_fault

MAX_WORD = 64  # characters; a longer word is not a typing mistake
MAX_LENGTH = 100  # characters; a longer value is not repeated
_TYPING_ERROR = 0.88  # of difflib
_MIN_SIMILARITY = 0.62  # of difflib; `location` and `translations`, which have 0.6, mean different things
# Between the digits of thousands; a comma or a dot may be a decimal point.
_GROUPING = re.compile(r"(?<=[0-9])[_' ](?=[0-9]{3}(?![0-9]))")
_COMMA = re.compile(r"([-+]?[0-9]+),(?![0-9]{3}\Z)([0-9]+)\Z")  # a decimal comma, as in 1,5; not 1,500
_ONE_OR_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}\.[0-9]{3}\Z")
_FILE = re.compile(r"\.(?:avif|gif|html?|jpe?g|md|mp4|pdf|png|svg|webp)\Z", re.IGNORECASE)


def did_you_mean_text(text: str, title: str = "") -> str:
    """Return the hint that suggests a text, such as a slug with the title of its entry; empty without a text."""
    if not text:
        return ""
    return f"did you mean '{text}' ({title})?" if title else f"did you mean '{text}'?"


def nearest(word: str, known_words: Iterable[str]) -> str | None:
    """Return the known word that is most similar to `word`, whatever their case; None if no word is similar."""
    return next(iter(nearest_words(word, known_words, 1)), None)


def nearest_words(word: str, known_words: Iterable[str], number: int) -> list[str]:
    """Return at most `number` known words that are similar to `word`, whatever their case, the most similar first."""
    if len(word) > MAX_WORD:
        return []
    by_folded_text = {candidate.casefold(): candidate for candidate in known_words}
    matches = get_close_matches(word.casefold(), by_folded_text, n=number, cutoff=_MIN_SIMILARITY)
    return [by_folded_text[match] for match in matches]


@lru_cache(maxsize=1024)
def is_typing_error(word: str, meant: str) -> bool:
    """Return whether a word is so similar to another one that it is most likely a misspelling of it."""
    return bool(get_close_matches(word, [meant], cutoff=_TYPING_ERROR))


def did_you_mean(word: str, known_words: Iterable[str]) -> str:
    """Return the hint for an unknown word; empty if no known word is similar."""
    return did_you_mean_text(nearest(word, known_words) or "")


def number_hint(value: Any, *, integer: bool) -> str:
    """Return the hint that says how to write the value as a number (whole, if `integer`); empty if it is too large."""
    number = value
    if isinstance(value, str):
        short_text = value.strip() if len(value) <= MAX_LENGTH else ""
        text = _COMMA.sub(r"\1.\2", _GROUPING.sub("", short_text))  # `1 234,5` becomes `1234.5`
        is_ambiguous = integer and _ONE_OR_THOUSANDS.match(text)  # 1.500 may be 1500
        number = None if is_ambiguous else parse_number(text)
    if integer and isinstance(number, float) and number.is_integer():
        number = int(number)
    if type(number) is int or (type(number) is float and not integer):
        return f"write {number}" if abs(number) < MAX_NUMBER else ""
    if isinstance(value, str) and value.strip().isdecimal():
        return "write at most 18 digits"
    return f"write it in digits, such as {10 if integer else 48.5}"


def url_hint(text: str) -> str:
    """Return the hint with the complete URL, or with an example; empty if the text has an `@` or is too long."""
    if "@" in text or len(text) > MAX_LENGTH:
        return ""
    url = text.strip().replace(" ", "%20")
    if "://" not in url:
        url = f"https://{url.removeprefix('//')}"
    if not url_fault(url) and "." in (urlsplit(url).hostname or "") and not _FILE.search(text):
        return did_you_mean_text(url)
    return "write the full address, such as https://example.org/about"


def email_hint(text: str, pattern: re.Pattern[str]) -> str:
    """Return the hint with the first e-mail address in the text, or with an example."""
    words = re.split(r"[\s<>,;:]+", text) if len(text) <= MAX_LENGTH else []
    return did_you_mean_text(next(filter(pattern.match, words), "")) or "write an address such as info@example.org"


def list_hint(value: Any) -> str:
    """Return the hint with a list of the parts between commas, or with an example."""
    items = [item.strip() for item in value.split(",")] if isinstance(value, str) and len(value) <= MAX_LENGTH else []
    return f"write {json.dumps([*filter(None, items)] or ['a', 'b'], ensure_ascii=False)}"


def invisible_hint(text: str) -> str:
    """Return the hint that names the first invisible character of a text; "" if it has none."""
    for character in text:
        if not character.isprintable():
            return f"it contains the invisible character U+{ord(character):04X} ({_character_name(character).lower()})"
    return ""


def foreign_hint(text: str) -> str:
    """Return the hint that names the first non-ASCII character, which may look like an ASCII one; "" without one."""
    for character in text:
        if not character.isascii():
            return (
                f"the {'letter' if character.isalpha() else 'character'} '{character}' is {_character_name(character)}"
            )
    return ""


def _character_name(character: str) -> str:
    return unicodedata.name(character, "control character")
