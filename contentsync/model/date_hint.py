"""Suggest the accepted form of a date that is written differently."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from .scalar import parse_instant, parse_number
from .suggestion import did_you_mean_text

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FULL_MONTHS = ("uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember")
_MONTH = "|".join(f"{short}(?:{rest}|t)?" for short, rest in zip(_MONTHS, _FULL_MONTHS, strict=True))  # also `Sept`
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?[ ]+)?"
_TIME = r"(?:,?[ T](?P<hour>[0-9]{1,2}):(?P<minutes>[0-9]{2}(?::[0-9]{2})?)[ ]?(?P<zone>[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
# The number of days by which spreadsheets store a date: from 1954 to 2119, as other numbers may be something else.
_DAY_NUMBER = re.compile(r"[2-7][0-9]{4}(?:\.[0-9]{1,15})?\Z")
_DAY_ZERO = datetime(1899, 12, 30, tzinfo=UTC)


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


def date_hint(value: Any, *, with_time: bool) -> str:
    """Return the hint with the date in the accepted form, or that this date does not exist; empty if it is no date.

    If both orders of day and month are possible, the hint names both dates.
    """
    text = value.strip() if isinstance(value, str) else ""
    if _DAY_NUMBER.match(text):
        suggestion = did_you_mean_text(_date_of_number(text, with_time=with_time))
        return f"{suggestion} A spreadsheet stores this date as the number {text}"
    match = next(filter(None, (form.match(text) for form in _forms())), None)
    if match is None:
        return ""
    readings = [*dict.fromkeys(_existing_dates(_readings(match, with_time=with_time)))]
    if not readings:
        return "this date or time does not exist"
    return did_you_mean_text("' or '".join(readings))


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
