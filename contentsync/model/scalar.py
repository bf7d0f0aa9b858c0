"""Scalars as text: the numbers, booleans, dates and times that a text may mean, and forbidden characters."""

import math
import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

from ..lazy_pattern import lazy_pattern

MAX_NUMBER = 10**18  # databases and JSON parsers disagree about larger numbers
_LONGEST = 1000  # characters of a number: the time to match one grows with the square of its length
_LONGEST_INTEGER = 99  # characters: far more than an accepted number (MAX_NUMBER) has
INTEGER = lazy_pattern(r"[-+]?[0-9]{1,18}\Z")
NUMBER = lazy_pattern(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_GROUPING = lazy_pattern(r"[., '\u00a0\u202f\u2019]")  # between the digits of thousands
# The styles of numbers in tables besides the usual one: what separates thousands, and what begins the fraction.
_STYLES = {
    "1,234.56": lazy_pattern(r"([-+]?(?:[0-9]{1,3}(?:[, '\u00a0\u202f\u2019][0-9]{3})+|[0-9]+))(?:\.([0-9]+))?\Z"),
    "1.234,56": lazy_pattern(r"([-+]?(?:[0-9]{1,3}(?:[. '\u00a0\u202f\u2019][0-9]{3})+|[0-9]+))(?:,([0-9]+))?\Z"),
}
_NOT_FINITE = lazy_pattern(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_PADDED = lazy_pattern(r"[-+]?0[0-9]")  # a code such as 01234
TRUE = frozenset({"true", "yes", "on", "1"})
FALSE = frozenset({"false", "no", "off", "0"})
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEAN = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
_MAYBE_NUMBER = frozenset("0123456789+-.")  # first characters of numbers
ACCEPTED_DATES = "2026-03-01, 2026-03-01 09:00 or 2026-03-01T09:00:00Z"
# The timestamps of YAML 1.1, as Jekyll, Hugo and their editors write them, also without seconds, with `UTC`, or with
# offsets such as -0400. A month or a day may have one digit only before a time: the text has at least ten characters.
INSTANT = lazy_pattern(
    r"(?=.{10})(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{0,9}))?)?"
    r"(?:[ \t]*(?:([Zz]|UTC|GMT)|([+-])(?:(\d{1,2})(?::([0-5]\d))?|(\d{2})([0-5]\d))))?)?\Z",
    re.ASCII,
)
_LAST_SECOND = time(23, 59, 59)
_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})
_NOT_TEXT = lazy_pattern(f"[{re.escape(_CONTROLS.decode())}\ud800-\udfff]")


class PlainScalar(str):
    """A YAML scalar without quotes: text as written, which only fields of JSON type resolve (docs/content.md 3)."""

    __slots__ = ()


def plain_scalar(text: str) -> str | None:
    """Return the value of an unquoted YAML scalar: `PlainScalar` if it may be a number or a boolean, None for null."""
    if text in _NULL:
        return None
    return PlainScalar(text) if text[0] in _MAYBE_NUMBER or text in _BOOLEAN else text


def resolve_plain_scalar(text: PlainScalar) -> str | int | float | bool | None:
    """Return the JSON value of a plain scalar, by the core schema of YAML 1.2.

    So `no`, `1:30` and `0123` are texts, because only YAML 1.1 gives them another meaning; `.inf` and `.nan` are
    floats. Raise OverflowError for a number that is too large.
    """
    if text in _NULL:
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _NOT_FINITE.match(text):
        return float(text.replace(".", ""))
    if _PADDED.match(text) or not NUMBER.match(text):
        return str(text)
    number = parse_number(text)
    if number is None:
        raise OverflowError("too large for a number")
    return number


def parse_integer(text: str) -> int | None:
    """Return the integer that a text of at most 18 digits means; None for another text."""
    return int(text) if INTEGER.match(text) else None


def parse_number(text: str) -> float | int | None:
    """Return the finite number that a text in decimal notation means; None for another text."""
    if len(text) > _LONGEST or not NUMBER.match(text):
        return None
    if text.lstrip("+-").isdecimal():
        return int(text) if len(text) <= _LONGEST_INTEGER else None  # not as a float, which loses the last digits
    number = float(text)
    return number if math.isfinite(number) else None


def with_decimal_point(text: str, style: str) -> str:
    """Return a number that a table writes in a style, such as `1.234,56`, as `parse_number` reads it: `1234.56`.

    Return any other text unchanged.
    """
    match = _STYLES[style].match(text)
    if match is None:
        return text
    whole, fraction = match.groups()
    digits = _GROUPING.sub("", whole)
    return f"{digits}.{fraction}" if fraction else digits


def parse_flag(text: str) -> bool | None:
    """Return True for true, yes, on and 1, False for false, no, off and 0 (in any letter case), else None."""
    folded = text.lower() if len(text) <= len("false") else ""
    if folded in TRUE:
        return True
    return False if folded in FALSE else None


def parse_instant(text: str, zone: tzinfo, *, end_of_day: bool = False) -> datetime:
    """Return the time that a text means, in UTC (docs/content.md 3).

    `zone` applies if the text has no zone. A date alone means the start of its day, or 23:59:59 with `end_of_day`.
    Digits after microseconds are cut off. Raise ValueError for other forms, and for days or hours that do not exist.
    """
    try:
        return _moment(text, zone, _LAST_SECOND if end_of_day else time.min).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the years 1 to 9999") from error


@lru_cache(maxsize=4096)  # many entries have the same days
def wire_instant(text: str, zone: tzinfo, *, end_of_day: bool = False) -> str:
    """Return the wire form of the time that a text means; parameters and errors are those of `parse_instant`."""
    return instant_text(parse_instant(text, zone, end_of_day=end_of_day))


def clock_change(text: str, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Return the two times (in UTC) that a text may mean if clocks change in `zone` then; None for one time."""
    first = _moment(text, zone, time.min)
    has_own_zone = first.tzinfo is not zone
    second = first.replace(fold=1)
    if has_own_zone or first.utcoffset() == second.utcoffset():
        return None
    return first.astimezone(UTC), second.astimezone(UTC)


def instant_text(moment: datetime) -> str:
    """Return the wire form of a time: `2026-01-15T10:30:00.000000Z` (docs/contract.md 2)."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _moment(text: str, zone: tzinfo, default: time) -> datetime:
    """Return the date and time in a text; `default` is the time of a date alone. Raise ValueError."""
    match = INSTANT.match(text)
    if match is None:
        raise ValueError("not a date or time")
    year, month, day, hour, minute, second, fraction, utc, sign, *offset = match.groups("")
    clock = default
    if hour:
        microseconds = f"{fraction:0<6}"[:6]  # .5 is 500000
        clock = time(int(hour), int(minute), int(second or 0), int(microseconds))
    if utc:
        zone = UTC
    elif sign:
        hours, minutes, compact_hours, compact_minutes = offset  # +05:30, or +0530
        delta = timedelta(hours=int(hours or compact_hours), minutes=int(minutes or compact_minutes or 0))
        zone = timezone(-delta if sign == "-" else delta)
    return datetime(int(year), int(month), int(day), clock.hour, clock.minute, clock.second, clock.microsecond, zone)


def find_control_character(text: str) -> str:
    """Return the first surrogate, or control character below U+0080 except tab and line ends, in a text; else ""."""
    try:
        data = text.encode()
        if len(data.translate(None, _CONTROLS)) == len(data):  # five times as fast as a search
            return ""
    except UnicodeEncodeError:
        pass
    return str(_NOT_TEXT.findall(text)[0])
