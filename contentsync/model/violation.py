"""A rule that a value breaks, told in the same words in a file's report and in a 422."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

MAX_WORD = 64  # characters; nobody mistypes a longer one
MAX_SHOWN = 255  # characters of a key or a value in a message; no known key is longer


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: `loc` is the way to the value from the entry (`("seo", "title")`)."""

    code: str
    loc: tuple[str | int, ...]
    message: str  # a whole clause that names the field: "seo.title must be at most 255 characters"
    hint: str = ""
    meant: str = ""  # the known key that most likely was meant by an unknown one
    of_key: bool = False  # whether it is the key that is wrong, not its value

    @property
    def field(self) -> str:
        """The dotted name of the value, as a 422 names it: `seo.title`, `categories.0`."""
        return dotted(self.loc)

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class Invalid(ValueError):
    """A value breaks rules; `violations` holds all of them."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(map(str, violations)))
        self.violations = tuple(violations)

    def errors(self) -> dict[str, list[str]]:
        """The `errors` object of a 422 (docs/contract.md 11); what is wrong with all of it stands under `body`."""
        found: dict[str, list[str]] = {}
        for violation in self.violations:
            found.setdefault(violation.field or "body", []).append(str(violation))
        return found


def first_of(violations: Iterable[Violation], most: int | None) -> list[Violation]:
    """So many of the violations, and that there are more; None: all."""
    if most is None:
        return list(violations)
    found = list(islice(violations, most + 1))
    if len(found) > most:
        found[most] = Violation("too-many", (), f"the entry has more errors: only the first {most} are reported")
    return found


def dotted(loc: Iterable[str | int]) -> str:
    """The name of a nested value: its parts joined by dots."""
    return ".".join(cut_short(str(part)) for part in loc)


def cut_short(text: str) -> str:
    """The text as a message repeats it: whoever sends megabytes does not get them back."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that somebody who wrote `word` most likely meant."""
    if len(word) > MAX_WORD:
        return None
    candidates = list(known)
    folded = {candidate.casefold(): candidate for candidate in candidates}
    matches = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint for a word that is not known; empty when nothing is near."""
    match = nearest(word, known)
    return f"did you mean '{match}'?" if match else ""
