"""The selection, the policy and the refusals of a plan."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

from ..errors import UsageError
from ..model import Entry, EntryKey, Kind
from ..model.entry import parse_kind

OnDrift = Literal["overwrite", "keep", "fail"]
OnConflict = Literal["fail", "ours", "theirs"]


class Refusal(NamedTuple):
    """A reason not to apply a plan; `flag` is the option that allows it, or empty if no option does."""

    code: str
    message: str
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """The percentage and the number of a kind's managed entries above which deletes need consent."""

    percent: int = 20
    count: int = 10


@dataclass(frozen=True, slots=True)
class Policy:
    """What a plan may do, from the target's settings and the options of the command."""

    prune: bool = False
    limits: Limits = field(default_factory=Limits)
    allow_deletes: int | None = None
    allow_clears: int | None = None
    allow_recreate: int | None = None
    on_drift: OnDrift = "overwrite"
    on_conflict: OnConflict = "fail"
    adopt: bool = False
    of_folder: bool = True  # the desired entries are a folder's: no entry at all is then an error


DEFAULT_POLICY = Policy()
MAX_SUGGESTIONS = 3  # keys in an error message


@dataclass(frozen=True, slots=True)
class Selection:
    """Pairs of a kind and a glob for the key (`--only KIND[/GLOB]`); an empty selection covers every entry."""

    patterns: tuple[tuple[Kind, str], ...] = ()

    @classmethod
    def parse(cls, values: Sequence[str]) -> "Selection":
        """Parse values such as `page` or `listing/https://*`. Raise UsageError for an unknown kind."""
        patterns = []
        for value in values:
            kind, _, glob = value.partition("/")
            patterns.append((parse_kind(kind), glob or "*"))
        return cls(tuple(patterns))

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(kind for kind, _ in self.patterns) or frozenset(Kind)

    def covers(self, kind: Kind, key: str) -> bool:
        return not self.patterns or any(kind is wanted and fnmatchcase(key, glob) for wanted, glob in self.patterns)

    def require_matches(self, entries: Iterable[EntryKey]) -> None:
        """Raise UsageError, with the most similar keys, for a pattern that matches none of the entries.

        A pattern for a whole kind may match no entry.
        """
        keys: dict[Kind, set[str]] = defaultdict(set)
        for kind, key in entries:
            keys[kind].add(key)
        for kind, glob in self.patterns:
            if glob != "*" and not any(fnmatchcase(key, glob) for key in keys[kind]):
                raise UsageError(
                    f"--only {kind}/{glob} matches nothing here or on the server", _hint(glob, kind, keys[kind])
                )

    def __contains__(self, entry: Entry) -> bool:
        return self.covers(entry.kind, entry.key)


def _hint(glob: str, kind: Kind, keys: Collection[str]) -> str:
    """Return the hint for a glob that matches none of the keys of a kind."""
    nearest = get_close_matches(glob, sorted(keys), n=MAX_SUGGESTIONS)
    if nearest:
        return f"the nearest: {', '.join(f'{kind}/{key}' for key in nearest)}"
    return f"such as {kind}/{min(keys)}; * stands for anything" if keys else f"there are no {kind.plural}"


EVERYTHING = Selection()
