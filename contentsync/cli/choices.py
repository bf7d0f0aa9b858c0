"""The values of options: choices, times, and the content folder. `--help` and `validate` load this module alone."""

import re
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from pathlib import Path

from ..content.content_folder import find_folder
from ..errors import UsageError

STATE_BASE = "state"  # of --base


class Format(StrEnum):
    """The form in which the result of a command is printed."""

    TEXT = "text"
    JSON = "json"


class PlanFormat(StrEnum):
    """The form in which a plan is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class SyncFormat(StrEnum):
    """The form in which a sync is reported."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"  # each event as it happens


class RedirectFormat(StrEnum):
    """The format of exported redirects."""

    NETLIFY = "netlify"
    NGINX = "nginx"
    CADDY = "caddy"
    CSV = "csv"


class ProblemsFormat(StrEnum):
    """The form in which the problems of a folder are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class OnDrift(StrEnum):
    """What a sync does with fields that were changed on the server."""

    OVERWRITE = "overwrite"
    KEEP = "keep"
    FAIL = "fail"


class OnConflict(StrEnum):
    """What a sync does with fields that were changed both here and on the server."""

    FAIL = "fail"
    OURS = "ours"
    THEIRS = "theirs"


class OnError(StrEnum):
    """What a failed entry stops: nothing, or everything after it."""

    CONTINUE = "continue"
    STOP = "stop"


def content_folder(path: Path | None) -> Path:
    """Return the named folder, else the nearest content folder upwards. Raise UsageError if there is none."""
    return path if path is not None else find_folder(_cwd())


def absolute_folder(path: Path | None) -> Path:
    """Return the content folder as an absolute path, which stays valid if the working directory is replaced."""
    folder = content_folder(path)
    return folder if folder.is_absolute() else _cwd() / folder


def _cwd() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("the current folder was deleted") from error


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
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model.dates import ACCEPTED, parse_instant

    try:
        moment = parse_instant(text, zone)
    except ValueError as error:
        raise UsageError(f"'{text}' is not a time", f"write it as {ACCEPTED}") from error
    if moment <= now:
        raise UsageError(f"'{text}' is not in the future", "write a later time")
    return moment
