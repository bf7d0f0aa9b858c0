"""Times in the future, as options name them: a date, or a duration from now."""

import re
from datetime import datetime, timedelta, tzinfo

from ..errors import UsageError
from ..model.dates import ACCEPTED, parse_instant


def end_of_duration(duration: str, now: datetime) -> datetime:
    """Return the time at which a duration such as `90d` from now ends. Raise UsageError for other texts."""
    match = re.fullmatch(r"(?P<number>[1-9][0-9]{0,5})(?P<unit>[hdw])", duration)
    if match is None:
        raise UsageError(f"'{duration}' is not a duration", "write it as 90d, 12h or 4w")
    hours = int(match["number"]) * {"h": 1, "d": 24, "w": 7 * 24}[match["unit"]]
    try:
        return now + timedelta(hours=hours)
    except OverflowError as error:
        raise UsageError(f"'{duration}' ends after the year 9999", "write it as 90d, 12h or 4w") from error


def future_time(text: str, zone: tzinfo, now: datetime) -> datetime:
    """Return the time that a text means in a zone (docs/content.md 3). Raise UsageError for a bad or past time."""
    try:
        moment = parse_instant(text, zone)
    except ValueError as error:
        raise UsageError(f"'{text}' is not a time", f"write it as {ACCEPTED}") from error
    if moment <= now:
        raise UsageError(f"'{text}' is not in the future", "write a later time")
    return moment
