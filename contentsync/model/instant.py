"""Moments in time: every accepted way to write one, and the one form that goes over the wire."""

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo

INSTANTS = frozenset({"published_at", "starts_at", "ends_at"})  # the fields, of any kind, that hold a moment

ACCEPTED = "2026-03-01, 2026-03-01 09:00 or 2026-03-01T09:00:00Z"

_INSTANT = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})"
    r"(?:[ T](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?) ?(?P<zone>[Zz]|[+-]\d{2}:?\d{2})?)?\Z",
    re.ASCII,
)


def parse_instant(text: str, zone: tzinfo, *, end_of_day: bool = False) -> datetime:
    """The moment that the text names, in UTC (content-format.md, Values: dates).

    `zone` holds where the text names none. A bare date is the start of its day, or 23:59:59 with
    `end_of_day`. Raises ValueError for every other form and for days and hours that do not exist.
    """
    local = _local(text, end_of_day)
    moment = local if local.tzinfo else local.replace(tzinfo=zone)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the years 1 to 9999") from error


def clock_change(text: str, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Both moments that a local time may mean while the clocks change (it exists twice or not at all), else None."""
    local = _local(text, end_of_day=False)
    if local.tzinfo:
        return None
    first = local.replace(tzinfo=zone, fold=0)
    second = local.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return None
    return first.astimezone(UTC), second.astimezone(UTC)


def instant_text(moment: datetime) -> str:
    """The wire form of a moment: `2026-01-15T10:30:00.000000Z` (service-api.md 2)."""
    utc = moment.astimezone(UTC)
    return f"{utc.year:04d}{utc:-%m-%dT%H:%M:%S.%f}Z"


def _local(text: str, end_of_day: bool) -> datetime:
    match = _INSTANT.match(text)
    if match is None:
        raise ValueError("not a date or time")
    day = datetime.strptime(match["date"], "%Y-%m-%d")
    if match["time"] is None:
        return day.replace(hour=23, minute=59, second=59) if end_of_day else day
    moment = datetime.combine(day, time.fromisoformat(match["time"]))
    return moment.replace(tzinfo=_offset(match["zone"])) if match["zone"] else moment


def _offset(zone: str) -> tzinfo:
    if zone in "Zz":
        return UTC
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if minutes > 59:
        raise ValueError("not an offset")
    return timezone((-1 if zone[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))
