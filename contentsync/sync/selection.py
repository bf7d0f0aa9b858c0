"""Which entries a command is about: `--only KIND[/GLOB]`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..model import Entry, Kind
from ..model.kind import kind_named


@dataclass(frozen=True, slots=True)
class Selection:
    """Pairs of a kind and a glob for the key; an empty selection is about everything."""

    patterns: tuple[tuple[Kind, str], ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> "Selection":
        """The selection that `page`, `listing/https://*`, ... make together; raises UsageError for other kinds."""
        patterns = []
        for word in words:
            kind, _, glob = word.partition("/")
            patterns.append((kind_named(kind), glob or "*"))
        return cls(tuple(patterns))

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(kind for kind, _ in self.patterns) or frozenset(Kind)

    def covers(self, kind: Kind, key: str) -> bool:
        return not self.patterns or any(kind is its and fnmatchcase(key, glob) for its, glob in self.patterns)

    def __contains__(self, entry: Entry) -> bool:
        return self.covers(entry.kind, entry.key)


EVERYTHING = Selection()
