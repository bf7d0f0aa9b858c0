"""The consents of a user: how much of what a gate counts the user has agreed to."""

from dataclasses import dataclass
from typing import NamedTuple


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
