"""The values of options, and the folder of a command. `--help` and `validate` load this module alone."""

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
