"""Find the records that entries name in `sync.previous`: such a note wins over the slug (docs/sync.md, Renames)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...errors import Problem, Where
from ...model import Entry, EntryKey
from .base import AppliedEntry, Base, ServerRecords
from .diff import compare
from .fingerprint import digest
from .rename_detection import RenameCandidate, RenameDetection


class Contradiction(NamedTuple):
    """An entry that names a former key, and the entry that contradicts it.

    `other` names the key too, or has it and is unchanged since the last sync.
    """

    entry: Entry
    key: str
    other: Entry

    @property
    def problem(self) -> Problem:
        """Return the problem to report at the note of the entry."""
        entry, other, key = self.entry, self.other, self.key
        at = f" ({other.source.path})" if other.source else ""
        if other.key == key:
            message = f"sync.previous names '{key}', but {other}{at} has not changed since the last sync"
            hint = f"remove '{key}' from sync.previous: an entry that was renamed no longer has the old slug"
        else:
            message = f"sync.previous names '{key}', and so does that of {other}{at}"
            hint = f"remove '{key}' from the entry that was not renamed from it"
        where = entry.source.where("sync.previous") if entry.source else Where("")
        return Problem("ambiguous-previous", message, where, hint, kind=entry.kind, key=entry.key)


class NotedRenames:
    """The former keys that entries name, each with one entry, and the contradictions between such notes.

    A note stays in the file after the rename, and another entry may get the former key. So a note that an earlier sync
    has used has no effect.
    """

    def __init__(
        self, base: Base, wanted: Mapping[EntryKey, Entry], records: ServerRecords, detection: RenameDetection
    ) -> None:
        self._base = base
        self._wanted = wanted
        self._records = records
        self._detection = detection
        self._moving: dict[EntryKey, AppliedEntry] = {}  # applied entries with temporary keys, by their next keys
        self._orphans: dict[EntryKey, list[AppliedEntry]] = defaultdict(list)  # by the keys in their used notes
        for identity, applied in base.items():
            if applied.moving:
                self._moving[applied.kind, applied.moving] = applied
            if applied.previous and identity not in wanted:
                for name in applied.previous:
                    self._orphans[applied.kind, name].append(applied)
        self._with_notes = {key: entry for key, entry in wanted.items() if entry.notes.previous}
        claims = {key: old for key, entry in self._with_notes.items() if (old := self._noted_key(entry)) is not None}
        self._remove_contradicted(claims)
        claimants: dict[EntryKey, list[Entry]] = defaultdict(list)  # by the former keys that they name
        for key, old in claims.items():
            claimants[old].append(wanted[key])
        self._former_keys = {
            (entries[0].kind, entries[0].key): old for old, entries in claimants.items() if len(entries) == 1
        }
        self._claimed = {*self._former_keys.values()}
        self.contradictions: list[Contradiction] = []  # between entries that name the same key
        for (_kind, name), entries in claimants.items():
            if len(entries) > 1:
                first, second, *_others = entries
                self.contradictions += [
                    Contradiction(entry, name, second if entry is first else first) for entry in entries
                ]

    def candidates(self) -> Iterator[RenameCandidate]:
        """Yield the records that entries name, those of the base first."""
        for key, applied in self._moving.items():
            if key in self._wanted and (record := self._records.find(applied)) is not None:
                old = self._former_keys.get(key)
                noted = applied if old is None else self._base[old]
                # The record of a deleted entry has a temporary key too, while another entry takes its key.
                if noted is applied or not self._detection.is_more_like(self._wanted[key], noted, applied):
                    yield RenameCandidate(key, applied.identity, record)
        for key, old in self._former_keys.items():
            record = self._records.find(self._base[old])
            if record is not None:
                yield RenameCandidate(key, old, record, is_noted=True)
        for key, entry in self._with_notes.items():
            if key not in self._base and key not in self._former_keys:
                yield from self._unmanaged_candidates(entry)

    def former_key(self, key: EntryKey) -> EntryKey | None:
        """Return the former key of an entry by its notes; the server may lack its record."""
        return self._former_keys.get(key)

    def is_taken(self, key: EntryKey) -> bool:
        """Return whether an entry with another key names a key of the base as its own former key."""
        return key in self._claimed

    def find_contradiction(self, candidate: RenameCandidate) -> Contradiction | None:
        """Return what contradicts a note whose key another entry has, which was not renamed; None if nothing does."""
        entry, other = self._wanted[candidate.key], self._wanted[candidate.old]
        is_of_undo = entry.source is None  # which knows its records by their ids
        if is_of_undo or self._base[candidate.old].digest != digest(other.fields):
            return None
        return Contradiction(entry, candidate.old[1], other)

    def _noted_key(self, entry: Entry) -> EntryKey | None:
        """Return the first key of the base in an entry's notes that no sync has used.

        After several renames without a sync, the first slug is that of the record.
        """
        for name in entry.notes.previous:
            old = entry.kind, name
            if old in self._base and name != entry.key and not self._is_used(entry, name):
                return old
        return None

    def _is_used(self, entry: Entry, name: str) -> bool:
        """Return whether a sync has used the note of the former key `name`, perhaps while the entry had another key."""
        former = [(entry.kind, key) for key in (entry.key, *entry.notes.previous)]
        named = self._base.get((entry.kind, name))
        keys = (*former, *self._detection.from_file(entry))
        users = [applied for key in keys if (applied := self._base.get(key)) is not None and name in applied.previous]
        if users:
            is_renamed_again = named is not None and all(self._is_renamed_again(entry, named, each) for each in users)
            return not is_renamed_again
        return any(
            named is None or self._detection.is_more_like(entry, applied, named)
            for applied in self._orphans.get((entry.kind, name), ())
        )

    def _is_renamed_again(self, entry: Entry, named: AppliedEntry, applied: AppliedEntry) -> bool:
        """Return whether an entry is that of `named`, and not that of `applied`, which once had the same key."""
        other = self._wanted.get(named.identity)
        count_equal = self._detection.count_equal
        is_other = other is not None and count_equal(other, named) > count_equal(entry, named)
        return self._detection.is_more_like(entry, named, applied) and not is_other

    def _remove_contradicted(self, claims: dict[EntryKey, EntryKey]) -> None:
        """Remove the claims of entries still like their own applied entries, whose keys nothing else claims."""
        while True:  # without a removed claim, another key may be unclaimed
            named = {*claims.values()}
            unrenamed = [
                key
                for key, old in claims.items()
                if key in self._base
                and key not in named
                and self._wanted[key].source is not None  # an undo knows its records by their ids
                and self._detection.is_more_like(self._wanted[key], self._base[key], self._base[old])
            ]
            if not unrenamed:
                return
            for key in unrenamed:
                del claims[key]

    def _unmanaged_candidates(self, entry: Entry) -> Iterator[RenameCandidate]:
        """Yield the records that only the server knows under former keys of an entry, the last key first.

        Without a base, a note may have been used. So it has no effect on entries that are equal to their records.
        """
        key = entry.kind, entry.key
        if self._is_equal_to_record(key):
            return
        for name in reversed(entry.notes.previous):
            old = entry.kind, name
            record = self._records.by_key(old)
            if record is None or old in self._base:
                continue
            if self._base.is_known and old in self._wanted:  # the record belongs to the entry with its key
                continue
            if not self._is_used(entry, name) and not self._is_equal_to_record(old):
                yield RenameCandidate(key, old, record)

    def _is_equal_to_record(self, key: EntryKey) -> bool:
        """Return whether the entry and the record with a key both exist and do not differ."""
        entry, record = self._wanted.get(key), self._records.by_key(key)
        return entry is not None and record is not None and not compare(entry, record, applied=None).changes
