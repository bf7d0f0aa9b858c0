"""The words that some options take; apart, so that `--help` knows them without what acts on them."""

from enum import StrEnum

STATE = "state"  # of --base


class Format(StrEnum):
    """How the result of a command is printed."""

    TEXT = "text"
    JSON = "json"


class PlanFormat(StrEnum):
    """How a plan is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class ProblemsFormat(StrEnum):
    """How the problems of a folder are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class OnDrift(StrEnum):
    """What becomes of fields that somebody has changed on the server."""

    OVERWRITE = "overwrite"
    KEEP = "keep"
    FAIL = "fail"


class OnConflict(StrEnum):
    """What becomes of fields that were changed both here and there."""

    FAIL = "fail"
    OURS = "ours"
    THEIRS = "theirs"


class OnError(StrEnum):
    """What an entry that fails stops: nothing, or everything after it."""

    CONTINUE = "continue"
    STOP = "stop"
