"""A `Problem` is found in a file and collected; an error ends a command.

ContentsyncError             exit
├── ContentError                1   the content or the config has errors; carries every problem
├── Unwritable                  1   a file of the content folder could not be written
├── Refused                     3   it would be unsafe; the hint names the flag that allows it
│   └── Damaged                 3   a state, journal or saved plan cannot be used
├── RemoteError                 4   the server did not do what was asked
│   ├── Unreachable             4   the request never arrived
│   │   └── Throttled           4   the rate limit allows no request for longer than a run waits
│   ├── AmbiguousOutcome                 4   it may have arrived: the outcome is unknown
│   ├── Denied                  4   401, 403: the credentials are refused
│   ├── Rejected                4   any other 4xx: this one request is refused
│   │   └── Conflicting         4   409, 412: the record has changed since it was read
│   └── ServerError             4   5xx, or an answer that does not follow the contract
├── Unavailable                 4   the built-in server's database cannot be written or read now
│   └── Unconfirmed             4   the connection was lost during a commit: the outcome is unknown
└── UsageError                 64   wrong use of the command line
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Severity(StrEnum):
    """An error stops everything; a warning is only shown."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A location in a file of the content folder."""

    path: str  # relative to the folder, with forward slashes
    line: int = 1  # from 1
    column: int = 1  # from 1, in characters


class Setting(NamedTuple):
    """A setting of the config that solves a problem: an item of a list, a pair of a mapping, or a switch."""

    table: str  # content.articles
    name: str  # rename
    key: str = ""  # the item, or the key of the pair; empty for a switch
    value: str = ""  # of the pair


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning in the content, with its location and how to fix it."""

    code: str  # kebab-case and stable: people search for it
    message: str
    where: Where
    hint: str = ""
    severity: Severity = Severity.ERROR
    kind: str | None = None
    key: str | None = None
    subject: str = ""  # the unknown key, if it is about one
    setting: Setting | None = None

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


class ContentsyncError(Exception):
    """The root of every error that a command reports without a traceback."""

    exit_code = 70
    is_documented = False  # whether its JSON document was printed

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ContentError(ContentsyncError):
    """The content or the config has errors; `problems` are all of them in `folder`, warnings included."""

    exit_code = 1

    def __init__(self, problems: Sequence[Problem], folder: Path | None = None) -> None:
        errors = sum(problem.is_error for problem in problems)
        super().__init__(f"the content has {errors} {'error' if errors == 1 else 'errors'}")
        self.problems = tuple(problems)
        self.folder = folder


class Unwritable(ContentsyncError):
    """A file of the content folder could not be written; nothing was changed."""

    exit_code = 1


class Refused(ContentsyncError):
    """Doing it would be unsafe; nothing was done."""

    exit_code = 3


class Damaged(Refused):
    """A state, a journal or a saved plan is damaged, newer than this version, or of another directory."""


class RemoteError(ContentsyncError):
    """The server did not do what was asked; the subclasses say what is known about the outcome."""

    exit_code = 4


class Unreachable(RemoteError):
    """The request never arrived: nothing can have changed."""


class Throttled(Unreachable):
    """The server asks to wait for longer than a run waits; it did not look at the request."""


class AmbiguousOutcome(RemoteError):
    """The request may have arrived, but no usable answer came back: the outcome is unknown."""


class Denied(RemoteError):
    """The server refused the credentials (401) or the directory (403)."""


class Rejected(RemoteError):
    """The server refused this one request; `errors` maps dotted field names to what is wrong with each."""

    def __init__(
        self, message: str, *, status: int, errors: Mapping[str, Sequence[str]] | None = None, hint: str = ""
    ) -> None:
        super().__init__(message, hint)
        self.status = status
        self.errors = dict(errors or {})


class Conflicting(Rejected):
    """The record has changed since it was read (`If-Match`); nothing was changed."""


class ServerError(RemoteError):
    """The server failed (5xx), or its answer does not follow the contract."""


class Unavailable(ContentsyncError):
    """The built-in server's database is busy, full or read-only; nothing was done."""

    exit_code = 4


class Unconfirmed(Unavailable):
    """The connection was lost while the database committed a write: the outcome is unknown."""


class UsageError(ContentsyncError):
    """The command line itself is wrong."""

    exit_code = 64


def first_of_many(items: Sequence[str], limit: int = 5, separator: str = ", ") -> str:
    """Return the first items for a message, and the number of the others: `a, b and 3 more`."""
    more = f" and {len(items) - limit:,} more" if len(items) > limit else ""
    return f"{separator.join(items[:limit])}{more}"
