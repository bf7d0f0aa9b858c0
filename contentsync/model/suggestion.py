"""Hints for a value or a word that is not accepted: what the author most likely meant; empty if unknown."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit

from ..lazy_pattern import lazy_pattern
from .scalar import MAX_NUMBER, parse_instant, parse_number
from .urls import url_fault

MAX_WORD = 64  # characters; a longer word is not a typing mistake
STRAIGHT_QUOTES_HINT = 'type straight quotes (") in place of the typographic ones'
TYPOGRAPHIC_QUOTES = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b"
MAX_LENGTH = 100  # characters; a longer value is not repeated
_ENCLOSED = lazy_pattern(rf"[{TYPOGRAPHIC_QUOTES}][^\u201c\u201d\u201e\u201f]*[\u201c\u201d\u2018\u2019]")
_TYPING_ERROR = 0.88  # of difflib
_MIN_SIMILARITY = 0.62  # of difflib; `location` and `translations`, which have 0.6, mean different things
# Between the digits of thousands; a comma or a dot may be a decimal point.
_GROUPING = lazy_pattern(r"(?<=[0-9])[_' ](?=[0-9]{3}(?![0-9]))")
_COMMA = lazy_pattern(r"([-+]?[0-9]+),(?![0-9]{3}\Z)([0-9]+)\Z")  # a decimal comma, as in 1,5; not 1,500
_ONE_OR_THOUSANDS = lazy_pattern(r"[-+]?[0-9]{1,3}\.[0-9]{3}\Z")
_FILE = lazy_pattern(r"\.(?:avif|gif|html?|jpe?g|md|mp4|pdf|png|svg|webp)\Z", re.IGNORECASE)
_SURE_BEGINNINGS = ("//", "www.")  # of an address without a scheme
_DOMAIN = lazy_pattern(r"\.(?:xn--[a-z0-9-]+|[^\W\d_]{2,})\Z")  # of a host; `1.2` is none

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = ("uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember")
_MONTH = "|".join(f"{short}(?:{rest}|t)?" for short, rest in zip(_MONTHS, _FULL_MONTHS, strict=True))  # also `Sept`
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?[ ]+)?"
_TIME = r"(?:,?[ T](?P<hour>[0-9]{1,2}):(?P<minutes>[0-9]{2}(?::[0-9]{2})?)[ ]?(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
# The number of days by which spreadsheets store a date: from 1954 to 2119, as other numbers may be something else.
_DAY_NUMBER = lazy_pattern(r"[2-7][0-9]{4}(?:\.[0-9]{1,15})?\Z")
_DAY_ZERO = datetime(1899, 12, 30, tzinfo=UTC)


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


def certain_word(word: str, known_words: Iterable[str], least: int = 3) -> str:
    """Return the only known word that differs from `word` by one typing mistake; "" without one, or with several."""
    near = mistyped_words(word, known_words, least)
    return near[0] if len(near) == 1 else ""


def mistyped_words(word: str, known_words: Iterable[str], least: int = 3) -> list[str]:
    """Return the known words that differ from `word` by one typing mistake.

    Capitals, spaces around the word and invisible characters are no mistake of their own. A digit is never a mistake,
    because `level2` is not `level1`. Words of fewer than `least` characters are too alike.
    """
    if len(word) > MAX_WORD:
        return []
    form = _plain_form(word)
    forms = {known: _plain_form(known) for known in known_words}
    equal = [known for known, its_form in forms.items() if its_form == form]
    long_enough = (known for known in forms if len(forms[known]) >= least)
    return equal or [known for known in long_enough if _is_one_mistake(form, forms[known])]


def _plain_form(word: str) -> str:
    return "".join(filter(str.isprintable, word)).strip().casefold()


def _is_one_mistake(word: str, meant: str) -> bool:
    """Return whether one letter is missing, too many or wrong, or two neighbours are swapped."""
    if abs(len(word) - len(meant)) > 1 or [*filter(str.isdigit, word)] != [*filter(str.isdigit, meant)]:
        return False
    start = next((index for index, pair in enumerate(zip(word, meant, strict=False)) if pair[0] != pair[1]), -1)
    if start < 0:  # one is the beginning of the other
        return word != meant
    left, right = word[start:], meant[start:]
    swapped = len(left) > 1 and left[1] + left[0] + left[2:] == right
    return swapped or right in (left[1:], right[:1] + left[1:]) or left == right[1:]


def did_you_mean(word: str, known_words: Iterable[str]) -> str:
    """Return the hint for an unknown word; empty if no known word is similar."""
    return did_you_mean_text(nearest(word, known_words) or "")


def meant_number(value: Any, *, integer: bool) -> int | float | None:
    """Return the number (whole, if `integer`) that a value means, such as `1 234,5`; None if that is not certain."""
    number = value
    if isinstance(value, str):
        short_text = value.strip() if len(value) <= MAX_LENGTH else ""
        text = _COMMA.sub(r"\1.\2", _GROUPING.sub("", short_text))  # `1 234,5` becomes `1234.5`
        is_ambiguous = integer and _ONE_OR_THOUSANDS.match(text)  # 1.500 may be 1500
        number = None if is_ambiguous else parse_number(text)
    if integer and isinstance(number, float) and number.is_integer():
        number = int(number)
    return number if type(number) is int or (type(number) is float and not integer) else None


def number_hint(value: Any, *, integer: bool) -> str:
    """Return the hint that says how to write the value as a number (whole, if `integer`); empty if it is too large."""
    number = meant_number(value, integer=integer)
    if number is not None:
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


def without_scheme(text: str) -> str | None:
    """Return the address, without a scheme, that `//example.org/a` and `www.example.org` are; None for other texts.

    Other texts are complete addresses, e-mail addresses, paths, names of files, and words.
    """
    rest = text.strip().removeprefix("//")
    is_certain = text.strip().startswith(_SURE_BEGINNINGS)
    if "://" in rest or "." not in rest or (_FILE.search(rest) and not is_certain) or url_fault(f"https://{rest}"):
        return None
    host = urlsplit(f"https://{rest}").hostname or ""
    has_domain = _DOMAIN.search(host) is not None
    return rest if has_domain else None


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


# A quick test for what `plain_date` reads: a month's name, or a slash after a year. Most dates do not match.
_MAY_BE_DATE = lazy_pattern(r"\s*(?:[A-Za-z]|[0-9]{1,2}(?:st|nd|rd|th|\.)?[- ][A-Za-z]|[0-9]{4}/[0-9])")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of dates; they are not compiled before a date is wrong, to start fast."""
    dates = (
        r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})",  # 2026/3/1
        r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})",  # 20260301
        r"(?P<day>[0-9]{1,2})\.[ ]?(?P<month>[0-9]{1,2})\.[ ]?(?P<year>[0-9]{4})",  # 1.3.2026
        r"(?P<first>[0-9]{1,2})(?P<mark>[-/])(?P<second>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4})",  # 14/03/2026
        rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?[- ](?P<name>{_MONTH})\.?,?[- ](?P<year>[0-9]{{4}})",  # 1 Mar 2026
        rf"(?P<name>{_MONTH})\.?[ ](?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?,?[ ](?P<year>[0-9]{{4}})",  # March 1, 2026
    )
    return tuple(re.compile(rf"{_WEEKDAY}{date}{_TIME}\Z", re.IGNORECASE) for date in dates)


def meant_dates(value: Any, *, with_time: bool) -> Sequence[str] | None:
    """Return the dates that a text may mean, in the accepted form: both, if it may begin with the day or the month.

    Return none for a date that does not exist, and None for another value.
    """
    text = value.strip() if isinstance(value, str) else ""
    if _DAY_NUMBER.match(text):
        return [_date_of_number(text, with_time=with_time)]
    match = next(filter(None, (form.match(text) for form in _forms())), None)
    return match and [*dict.fromkeys(_existing_dates(_readings(match, with_time=with_time)))]


def date_hint(value: Any, *, with_time: bool) -> str:
    """Return the hint with the date in the accepted form, or that this date does not exist; empty if it is no date.

    If both orders of day and month are possible, the hint names both dates.
    """
    dates = meant_dates(value, with_time=with_time)
    if not dates:
        return "" if dates is None else "this date or time does not exist"
    suggestion = did_you_mean_text("' or '".join(dates))
    is_number = _DAY_NUMBER.match(value.strip())
    return f"{suggestion} A spreadsheet stores this date as the number {value.strip()}" if is_number else suggestion


def plain_date(text: str, *, with_time: bool) -> str | None:
    """Return a date with the name of its month, such as `25 Aug 2024`, or `2024/8/25`, in the accepted form.

    Return None for another text, and for a date that has two readings or does not exist.
    """
    if len(text) > MAX_LENGTH or not _MAY_BE_DATE.match(text):
        return None
    match = next(filter(None, (form.match(text.strip()) for form in _forms())), None)
    has_time = match is not None and match["hour"] is not None
    is_plain = match is not None and ("name" in match.re.groupindex or "/" in match[0][:5])
    if match is None or not is_plain or (has_time and not with_time):
        return None
    return next(_existing_dates(_readings(match, with_time=with_time)), None)


def _readings(match: re.Match[str], *, with_time: bool) -> Iterator[str]:
    """Yield each meaning of a date in the accepted form; it may not exist."""
    parts = match.groupdict()
    time = ""
    if with_time and parts["hour"]:
        time = f" {parts['hour']:0>2}:{parts['minutes']}{parts['zone'] or ''}"
    if name := parts.get("name"):
        parts["month"] = str(_MONTHS.index(name[:3].lower()) + 1)
    if "first" in parts:
        orders = [(parts["second"], parts["first"]), (parts["first"], parts["second"])]
    else:
        orders = [(parts["month"], parts["day"])]
    for month, day in orders:
        yield f"{parts['year']}-{month:0>2}-{day:0>2}{time}"


def _existing_dates(dates: Iterator[str]) -> Iterator[str]:
    """Yield the dates that exist in the calendar, and not such as 2026-02-30."""
    for date in dates:
        try:
            parse_instant(date, UTC)
        except ValueError:
            continue
        yield date


def _date_of_number(text: str, *, with_time: bool) -> str:
    """Return the date of a spreadsheet's day number; its fraction is the time of the day, to the minute."""
    moment = _DAY_ZERO + timedelta(minutes=round(float(parse_number(text) or 0) * 24 * 60))
    return f"{moment:%Y-%m-%d %H:%M}" if with_time and "." in text else f"{moment:%Y-%m-%d}"


def is_in_typographic_quotes(text: str) -> bool:
    """Return whether one pair of typographic quotes encloses the whole text."""
    return text[:1] in TYPOGRAPHIC_QUOTES and _ENCLOSED.fullmatch(text) is not None
