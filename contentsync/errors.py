"""A `Problem` is an error or a warning in a file, collected with others; an exception of this module ends a command.

ContentsyncError             exit
├── ContentError                1   the content or the config has errors; `problems` lists them
├── LocalFileError              1   a local file could not be read
│   └── Unwritable              1   a local file could not be written or deleted
├── Refused                     3   the operation would be unsafe; the hint says how to allow it
│   └── Damaged                 3   a state, journal or saved plan cannot be used
├── RemoteError                 4   the server did not do what was requested
│   ├── Unreachable             4   the request never arrived
│   │   └── Throttled           4   the rate limit requires a longer wait than a run allows
│   ├── AmbiguousOutcome        4   the request may have arrived: its outcome is unknown
│   ├── Denied                  4   401, 403: the credentials are refused
│   ├── Rejected                4   any other 4xx: this one request is refused
│   │   └── Conflicting         4   409, 412: the record has changed since it was read
│   └── ServerError             4   5xx, or an answer that does not follow the contract
├── Unavailable                 4   the built-in server's database cannot be written or read now
│   └── Unconfirmed             4   the connection was lost during a commit: the outcome is unknown
└── UsageError                 64   wrong use of the command line
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class Severity(StrEnum):
    """Whether a problem makes the content unusable (error), or is only reported (warning)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A location in a file of the content folder."""

    path: str  # relative to the folder, with forward slashes
    line: int = 1  # from 1
    column: int = 1  # from 1, in characters


class Setting(NamedTuple):
    """A setting of the config that solves a problem: an item of a list, a pair of a mapping, a text, or a switch."""

    table: str  # content.articles
    name: str  # rename
    key: str = ""  # the item of the list, or the key of the pair; empty for a text and a switch
    value: str = ""  # the value of the pair, or the text; empty for an item and a switch


class Fix(NamedTuple):
    """The certain correction of a problem: what to write for `old`, the key, value, or part of a text at `where`."""

    where: Where
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning in the content, with its location and how to fix it."""

    code: str  # in kebab-case; it never changes, because users search for it
    message: str
    where: Where
    hint: str = ""
    severity: Severity = Severity.ERROR
    kind: str | None = None
    key: str | None = None
    subject: str = ""  # the unknown key, if the problem is an unknown key
    setting: Setting | None = None
    fixes: tuple[Fix, ...] = ()  # that solve it together, if there is no doubt; `validate --fix` makes them
    is_raised: bool = field(default=False, compare=False)  # a warning that the config makes an error

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    @property
    def breaks_rule(self) -> bool:
        """Whether it is a broken house rule. Only entries without other errors are judged by them."""
        return self.code.startswith("rule-")

    @property
    def breaks_contract(self) -> bool:
        """Whether it is an error also without the settings by which an owner demands more than the service."""
        return self.is_error and not (self.breaks_rule or self.is_raised)


class ContentsyncError(Exception):
    """The base class of the errors that a command reports without a traceback."""

    exit_code = 70

    def __init__(self, message: str, hint: str = "", *, is_printed_as_json: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.is_printed_as_json = is_printed_as_json  # already, by the command


class ContentError(ContentsyncError):
    """The content or the config has errors; `problems` lists all errors and warnings of `folder`.

    `outcome` begins the message, such as "nothing was written: ".
    """

    exit_code = 1

    def __init__(self, problems: Sequence[Problem], folder: Path | None = None, outcome: str = "") -> None:
        super().__init__(
            f"{outcome}the content has {pluralize(sum(problem.is_error for problem in problems), 'error')}"
        )
        self.problems = tuple(problems)
        self.folder = folder


class LocalFileError(ContentsyncError):
    """A local file (state, journal, plan) could not be read; the subclass says that it could not be written."""

    exit_code = 1


class Unwritable(LocalFileError):
    """A local file (content, state, journal, plan) could not be written, moved or deleted; it is unchanged."""


class Refused(ContentsyncError):
    """The operation was refused because it would be unsafe; nothing was changed."""

    exit_code = 3


class Damaged(Refused):
    """A state, a journal or a saved plan is damaged, of a newer version of contentsync, or of another directory."""


class RemoteError(ContentsyncError):
    """The server did not do what was requested; the subclass says whether it may have changed data."""

    exit_code = 4


class Unreachable(RemoteError):
    """The request never reached the server, so nothing was changed."""


class Throttled(Unreachable):
    """The server requires a longer wait than a run allows; it did not process the request."""


class AmbiguousOutcome(RemoteError):
    """The request may have reached the server, but there is no usable answer: the outcome is unknown."""


class Denied(RemoteError):
    """The server refused the credentials (401) or the access to the directory (403)."""


class Rejected(RemoteError):
    """The server refused this one request; `errors` maps dotted field names to error messages."""

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
    """The built-in server's database is busy, full or read-only; nothing was changed."""

    exit_code = 4


class Unconfirmed(Unavailable):
    """The connection was lost while the database committed a write: the outcome is unknown."""


class UsageError(ContentsyncError):
    """The command was called wrongly, or on a system without a program or folder that it needs."""

    exit_code = 64


def join_first(items: Sequence[str], limit: int = 5, separator: str = ", ") -> str:
    """Join the first `limit` items for a message, and count the remaining ones: `a, b and 3 more`."""
    more = f" and {len(items) - limit:,} more" if len(items) > limit else ""
    return f"{separator.join(items[:limit])}{more}"


def pluralize(number: int, noun: str, plural: str = "") -> str:
    """Return a number and its noun, such as `1 error` or `2 errors`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
