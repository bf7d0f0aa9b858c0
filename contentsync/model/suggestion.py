"""What somebody most likely meant who wrote a value that a field does not take; an empty hint where nobody knows."""

import json
import re
from datetime import UTC
from typing import Any
from urllib.parse import urlsplit

from .instant import parse_instant
from .scalar import MAX_NUMBER, parse_number
from .url import url_fault

MAX_LENGTH = 100  # characters; a longer value is nothing to repeat

# Between the digits of thousands; a comma or a dot may be meant as the decimal point.
_GROUPING = re.compile(r"(?<=[0-9])[_' ](?=[0-9]{3}(?![0-9]))")
_COMMA = re.compile(r"([-+]?[0-9]+),(?![0-9]{3}\Z)([0-9]+)\Z")
_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}\.[0-9]{3}\Z")
_DATE = re.compile(
    r"(?:([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})|([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4}))"
    r"(?:[ T]([0-9]{1,2}):([0-9]{2}(?::[0-9]{2})?) ?([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?\Z"
)
_FILE = re.compile(r"\.(?:avif|gif|html?|jpe?g|md|mp4|pdf|png|svg|webp)\Z", re.IGNORECASE)


def meant(text: str) -> str:
    """The hint that offers another text for the written one; empty where there is none to offer."""
    return f"did you mean '{text}'?" if text else ""


def number_hint(value: Any, *, whole: bool) -> str:
    """How to write a number."""
    number = value
    if isinstance(value, str):
        plain = _COMMA.sub(r"\1.\2", _GROUPING.sub("", value.strip())) if len(value) <= MAX_LENGTH else ""
        number = None if whole and _THOUSANDS.match(plain) else parse_number(plain)
    if whole and isinstance(number, float) and number.is_integer():
        number = int(number)
    if type(number) is int or (type(number) is float and not whole):
        return f"write {number}" if abs(number) < MAX_NUMBER else ""
    if isinstance(value, str) and value.strip().isdecimal():
        return "write at most 18 digits"
    return f"write it in digits, such as {10 if whole else 48.5}"


def date_hint(value: Any, *, with_time: bool) -> str:
    """The date that was written in another form, or that there is no such date."""
    match = _DATE.match(value) if isinstance(value, str) else None
    if match is None:
        return ""
    year, month, day = match.group(1, 2, 3) if match[1] else match.group(6, 5, 4)
    written = f"{year}-{month:0>2}-{day:0>2}"
    if with_time and match[7]:
        written += f" {match[7]:0>2}:{match[8]}{match[9] or ''}"
    try:
        parse_instant(written, UTC)
    except ValueError:
        return "this date or time does not exist"
    return meant(written)


def url_hint(text: str) -> str:
    """The address with what it lacks."""
    if "@" in text or len(text) > MAX_LENGTH:
        return ""
    written = text.strip().replace(" ", "%20")
    if "://" not in written:
        written = f"https://{written.removeprefix('//')}"
    if not url_fault(written) and "." in (urlsplit(written).hostname or "") and not _FILE.search(text):
        return meant(written)
    return "write the full address, such as https://example.org/about"


def email_hint(text: str, pattern: re.Pattern[str]) -> str:
    """The one address of several words."""
    words = re.split(r"[\s<>,;:]+", text) if len(text) <= MAX_LENGTH else []
    return meant(next(filter(pattern.match, words), "")) or "write an address such as info@example.org"


def list_hint(value: Any) -> str:
    """The list of what stands between commas."""
    items = [item.strip() for item in value.split(",")] if isinstance(value, str) and len(value) <= MAX_LENGTH else []
    return f"write {json.dumps([*filter(None, items)] or ['a', 'b'], ensure_ascii=False)}"
