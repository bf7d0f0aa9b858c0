"""The consents of a user, in options and in the trailers of commits: how much of what a gate counts may pass.

docs/ci.md, Consent in a commit
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

TRAILER = "Contentsync-Allow"
# What a review of a commit can judge: the others depend on the state of the server.
BY_TRAILER = ("deletes", "clears", "publish", "updates")

_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Consents:
    """The number that each `--allow-...` option allows: exactly that many pass; None means that it was not used.

    Each field is named as its option, which `cli/plan_options.py` declares.
    """

    deletes: int | None = None
    clears: int | None = None
    publish: int | None = None
    updates: int | None = None
    recreate: int | None = None
    unknown_base: int | None = None


class NeededConsent(NamedTuple):
    """What a user must consent to, so that a gate lets it pass: a field of `Consents`, and its number."""

    name: str
    number: int

    @property
    def option(self) -> str:
        """The option without its number."""
        return f"--allow-{self.name.replace('_', '-')}"

    def __str__(self) -> str:
        return f"{self.option} {self.number}"


class Choice(NamedTuple):
    """One of several consents: an option or a command, and its effect."""

    words: str
    effect: str

    def __str__(self) -> str:
        return f"{self.words} ({self.effect})"


DRIFT_CHOICES = (Choice("--on-drift overwrite", "as in the folder"), Choice("--on-drift keep", "as on the server"))


@dataclass(frozen=True, slots=True)
class Trailer:
    """A trailer of a commit, and how many of what it allows at most; nothing if it has a `fault`."""

    commit: str
    author: str
    text: str
    allowed: Mapping[str, int]  # by the field of `Consents`
    fault: str = ""

    @classmethod
    def parse(cls, commit: str, author: str, text: str) -> "Trailer":
        """Return the trailer of a commit whose value is `text`, such as `updates=214, deletes=14`."""
        try:
            return cls(commit, author, text, _parse(text))
        except ValueError as error:
            return cls(commit, author, text, {}, str(error))


class UsedConsent(NamedTuple):
    """The number of what a plan contains, and the trailer that allows as many."""

    name: str
    number: int
    trailer: Trailer


@dataclass(frozen=True, slots=True)
class CommitConsents:
    """How the trailers of the commits since the base have affected a plan."""

    used: tuple[UsedConsent, ...] = ()
    faulty: tuple[Trailer, ...] = ()
    missing: str = ""  # the trailer that would consent to what the plan is refused for; "" if no trailer can


NO_CONSENTS = CommitConsents()


def trailer_line(numbers: Mapping[str, int]) -> str:
    """Return the trailer that allows these numbers, as a line of a message; "" for none."""
    text = ", ".join(f"{name}={number}" for name, number in numbers.items())
    return f"{TRAILER}: {text}" if text else ""


def _parse(text: str) -> dict[str, int]:
    """Return the numbers by name; of a repeated name the largest one. Raise ValueError with the fault."""
    allowed: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        if name not in BY_TRAILER:
            raise ValueError(f"'{name}' is not one of {', '.join(BY_TRAILER)}")
        if not (number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS):
            raise ValueError(f"{name}= needs a whole number, not '{number}'")
        allowed[name] = max(allowed.get(name, 0), int(number))
    return allowed
