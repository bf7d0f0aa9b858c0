"""Records that a plan leaves out, because they are equal to entries of the folder (decision 18)."""

from collections.abc import Collection, Iterable, Set
from typing import NamedTuple

from ..model import Entry
from .record_lines import RecordLines


class NotSynced(Exception):
    """The server may have changed in a way that concerns synced records: they may not be left out."""


class SyncedRecords(NamedTuple):
    """The digests, keys, slugs and ids of the records of a kind that are left out, and the languages of their texts."""

    digests: Collection[str]
    keys: Collection[str]
    slugs: Collection[str]
    ids: Set[int]
    locales: Collection[str] = frozenset()

    def others(self, lines: RecordLines) -> list[bytes]:
        """Return the JSON of the other records of a list. Raise NotSynced if it lacks one of the synced records."""
        others = [record for digest, record in lines.items() if digest not in self.digests]
        if len(lines) - len(others) != len(self.digests):
            raise NotSynced
        return others

    def check(self, others: Iterable[Entry]) -> None:
        """Raise NotSynced if another record has one of their keys or slugs."""
        if any(entry.key in self.keys or entry.fields.get("slug") in self.slugs for entry in others):
            raise NotSynced
