"""Dates and times: the accepted forms, the form on the wire, and when a listing is visible."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any, Literal

INSTANTS = frozenset({"published_at", "starts_at", "ends_at"})  # the fields of any kind that are a time

ACCEPTED = "2026-03-01, 2026-03-01 09:00 or 2026-03-01T09:00:00Z"

# The timestamps of YAML 1.1, as Jekyll, Hugo and their editors write them, also without seconds, with `UTC`, or with
# offsets such as -0400. A month or a day may have one digit only before a time: the text has at least ten characters.
INSTANT = re.compile(
    r"(?=.{10})(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{0,9}))?)?"
    r"(?:[ \t]*(?:([Zz]|UTC|GMT)|([+-])(?:(\d{1,2})(?::([0-5]\d))?|(\d{2})([0-5]\d))))?)?\Z",
    re.ASCII,
)
_LAST = time(23, 59, 59)  # of a day


def parse_instant(text: str, zone: tzinfo, *, end_of_day: bool = False) -> datetime:
    """Return the time that a text means, in UTC (docs/content.md 3).

    `zone` applies if the text has no zone. A date alone means the start of its day, or 23:59:59 with `end_of_day`.
    Digits after microseconds are cut off. Raise ValueError for other forms, and for days or hours that do not exist.
    """
    try:
        return _moment(text, zone, _LAST if end_of_day else time.min).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the years 1 to 9999") from error


@lru_cache(maxsize=4096)  # many entries have the same days
def wire_instant(text: str, zone: tzinfo, *, end_of_day: bool = False) -> str:
    """Return the wire form of the time that a text means; parameters and errors are those of `parse_instant`."""
    return instant_text(parse_instant(text, zone, end_of_day=end_of_day))


def clock_change(text: str, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Return the two times (in UTC) that a text may mean if clocks change in `zone` then; None for one time."""
    first = _moment(text, zone, time.min)
    second = first.replace(fold=1)
    if first.tzinfo is not zone or first.utcoffset() == second.utcoffset():
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


Visibility = Literal["visible", "hidden", "expired"]


def visibility(listing: Mapping[str, Any], *, now: str, expired: str) -> Visibility:
    """Return how visitors see a listing at the time `now`, in wire form; "expired" means visible with a badge.

    The listing is visible from `starts_at` to `ends_at`, both included. After `ends_at`, the directory's setting
    `expired` applies: "badge" or "hide".
    """
    starts, ends = listing["starts_at"], listing["ends_at"]
    if not listing["is_active"] or (starts and now < starts):
        return "hidden"
    if ends and now > ends:
        return "expired" if expired == "badge" else "hidden"
    return "visible"
