"""The words that some options take; apart, so that `--help` knows them without what acts on them."""

from enum import StrEnum

STATE = "state"  # of --base


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
