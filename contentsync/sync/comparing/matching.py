"""The record on the server that belongs to each entry of the folder: under the same key, or under a former one.

`NotedRenames` and `RenameDetection` find the former keys of entries. `Matching` decides.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ...errors import ContentError
from ...model import RECORDS, Entry, EntryKey, Kind, key_fields
from .base import AppliedEntry, Base, ServerRecords
from .entry_fields import BODIES
from .fingerprint import are_equal
from .former_keys import MIN_SIMILARITY, NotedRenames, RenameCandidate, RenameDetection


class Match(NamedTuple):
    """The server's record and the applied entry that belong to an entry of the folder; None if there is none."""

    actual: Entry | None = None
    applied: AppliedEntry | None = None


class Matching:
    """Every entry of the folder with its match; a record of the server belongs to at most one entry.

    `renamed_files` maps new paths to old ones, as git reports them. `is_excluded` returns whether the present config
    excludes the file of an applied entry.
    """

    def __init__(
        self,
        desired: Sequence[Entry],
        actual: Sequence[Entry],
        base: Base,
        renamed_files: Mapping[str, str] | None = None,
        is_excluded: Callable[[AppliedEntry], bool] = lambda applied: False,
    ) -> None:
        """Match the entries: renamed ones first, then those whose own record has their key, then the others."""
        self._base = base
        self._records = ServerRecords(actual)
        self._matches: dict[EntryKey, Match] = {}
        self._matched: set[int] = set()  # the `id()` of each record that belongs to an entry
        self._used: set[EntryKey] = set()  # the applied entries that belong to an entry

        wanted = {(entry.kind, entry.key): entry for entry in desired}
        self._detection = RenameDetection(base, wanted, self._records, renamed_files or {}, is_excluded)
        self._noted = NotedRenames(base, wanted, self._records, self._detection)
        self.contradictions = [*self._noted.contradictions]  # between notes of former keys
        every = [*self._noted.candidates(), *self._detection.candidates(), *self._renamed_on_server(wanted)]
        candidates = self._accepted_candidates(every, wanted)
        for key, candidate in candidates.items():
            self._match(key, candidate.record, self._base.get(candidate.old))
        # Entries whose own record has their key come first, because no other entry may take that record.
        new = [key for key in wanted if key not in candidates and not self._match_own(key)]
        new = [key for key in new if not self._match_taken_over(key, wanted)]
        unmatched = [key for key in new if not self._match_if_free(key, self._records.by_key(key))]
        listings = (entry for entry in actual if entry.kind is Kind.LISTING and id(entry) not in self._matched)
        free_by_slug = {entry.fields.get("slug"): entry for entry in listings if (entry.kind, entry.key) not in wanted}
        for key in unmatched:
            # Two listings cannot have one slug. So match the record with this slug: the plan gives it the new URL.
            slug = wanted[key].fields.get("slug") if wanted[key].kind is Kind.LISTING else None
            if not slug or not self._match_if_free(key, free_by_slug.get(slug)):
                self._matches[key] = Match()
                self._used.add(key)  # the folder has this key, so an applied entry with the key is no orphan

    def require_no_contradiction(self) -> None:
        """Raise ContentError if notes of former keys contradict each other: no plan can say which entry is right."""
        if self.contradictions:
            raise ContentError([contradiction.problem for contradiction in self.contradictions])

    def find(self, entry: Entry) -> Match:
        return self._matches[entry.kind, entry.key]

    def find_deleted(self, entry: Entry) -> AppliedEntry | None:
        """Return what the last sync applied for an entry whose record was deleted since; None if there is nothing."""
        own = entry.kind, entry.key
        noted = self._noted.former_key(own)
        for key in (own, noted, *self._detection.from_file(entry)):
            if key is None:
                continue
            if key != noted and self._noted.is_noted(key):  # by another entry, so the key is that entry's former key
                continue
            applied = self._base.get(key)
            if applied is not None and self._records.find(applied) is None:
                return applied
        return None

    def mark_used(self, applied: AppliedEntry) -> None:
        """Exclude an applied entry without a record from `orphans`."""
        self._used.add(applied.identity)

    def is_matched(self, actual: Entry) -> bool:
        """Return whether a record of the server belongs to an entry of the folder."""
        return id(actual) in self._matched

    def orphans(self) -> Iterator[tuple[AppliedEntry, Entry | None]]:
        """Yield the applied entries that belong to no entry of the folder, each with its record.

        The record is None if it is gone, belongs to an entry of the folder, or may not be the applied one.
        """
        for key, applied in self._base.items():
            if key not in self._used:
                record = self._records.find_exact(applied)
                is_free = record is not None and id(record) not in self._matched
                yield applied, record if is_free else None

    def managed_records(self) -> Iterator[Entry]:
        """Yield the server's record of each applied entry that has one."""
        for applied in self._base.values():
            record = self._records.find(applied)
            if record is not None:
                yield record

    def _record_of(self, key: EntryKey) -> Entry | None:
        """Return the record that has a key, else the one that had it when it was applied, else None."""
        return self._records.by_key(key) or self._own_record(key)

    def _renamed_on_server(self, wanted: Iterable[EntryKey]) -> Iterator[RenameCandidate]:
        """Yield a candidate for each entry whose record, found by its id, got another key on the server.

        Another record may have the entry's key now. If it was renamed too, as in a swap, the candidate is valid; if
        not, `_accepted_candidates` rejects it.
        """
        for key in wanted:
            applied = self._base.get(key)
            record = None if applied is None else self._records.find(applied)
            if record is not None and record is not self._records.by_key(key):
                yield RenameCandidate(key, old=key, record=record)  # the folder still has the applied key

    def _match_own(self, key: EntryKey) -> bool:
        """Match an entry with the record that it was applied to, if that still has its key; return whether it does."""
        applied = self._base.get(key)
        record = self._records.by_key(key)
        if (
            applied is None
            or record is None
            or id(record) in self._matched
            or self._records.find(applied) is not record
        ):
            return False
        self._match(key, record, applied)
        return True

    def _match_taken_over(self, key: EntryKey, wanted: Mapping[EntryKey, Entry]) -> bool:
        """Match an entry whose key another user gave to an applied record, and the folder has taken over.

        So it is after the merge of a proposal. Return False if there is no such record, if its values are others, or if
        the folder or the base has another entry for one of the two keys.
        """
        record = self._records.by_key(key)
        if record is None or key in self._base or id(record) in self._matched:
            return False
        applied = self._applied_by_id.get((record.kind, record.id))
        if applied is None or applied.identity in wanted or self._records.find_exact(applied) is not record:
            return False
        if not _are_alike(wanted[key], record):
            return False
        self._match(key, record, applied)
        return True

    @cached_property
    def _applied_by_id(self) -> dict[tuple[Kind, int | None], AppliedEntry]:
        return {(applied.kind, applied.id): applied for applied in self._base.values() if applied.id is not None}

    def _match_if_free(self, key: EntryKey, record: Entry | None) -> bool:
        """Match an entry with a record to which it was not applied; return False if there is none or it is not free."""
        if record is None or id(record) in self._matched:
            return False
        self._match(key, record, applied=None)
        return True

    def _match(self, key: EntryKey, record: Entry, applied: AppliedEntry | None) -> None:
        self._matches[key] = Match(record, applied)
        self._matched.add(id(record))
        self._used.add(key if applied is None else applied.identity)

    def _accepted_candidates(
        self, candidates: list[RenameCandidate], wanted: Mapping[EntryKey, Entry]
    ) -> dict[EntryKey, RenameCandidate]:
        """Return the accepted candidates, at most one for each entry and each record; the first ones take precedence.

        Reject those that `_is_possible` excludes, and start again: another candidate may get the record.
        """
        while True:
            accepted: dict[EntryKey, RenameCandidate] = {}
            renamed: set[int] = set()  # the `id()` of records
            for candidate in candidates:
                if candidate.key not in accepted and id(candidate.record) not in renamed:
                    accepted[candidate.key] = candidate
                    renamed.add(id(candidate.record))
            rejected: set[int] = set()  # the `id()` of candidates
            for candidate in accepted.values():
                is_old_in_use = candidate.old in wanted and candidate.old not in accepted
                if not self._is_possible(candidate, renamed, is_old_in_use=is_old_in_use):
                    rejected.add(id(candidate))
            if not rejected:
                return accepted
            candidates = [candidate for candidate in candidates if id(candidate) not in rejected]

    def _is_possible(self, candidate: RenameCandidate, renamed: Collection[int], *, is_old_in_use: bool) -> bool:
        """Return whether a candidate can be accepted; `renamed` are the `id()` of the records that get new keys.

        `is_old_in_use` is whether an entry that is not renamed has the former key now. A noted candidate is excluded if
        that entry contradicts the note. A candidate without a note is excluded if its record belongs to that entry, or
        if another record has the new key and keeps it.
        """
        owner = self._records.by_key(candidate.key)
        is_key_free = owner is None or owner is candidate.record or id(owner) in renamed
        if not candidate.is_noted:
            is_applied_in_use = is_old_in_use and candidate.old in self._base
            is_record_in_use = is_applied_in_use and self._record_of(candidate.old) is candidate.record
            return is_key_free and not is_record_in_use
        contradiction = self._noted.find_contradiction(candidate) if is_old_in_use else None
        if contradiction is not None:
            self.contradictions.append(contradiction)
            return False
        if is_key_free or self._base[candidate.old].id is not None:
            return True  # the id in the base identifies the renamed record, even if another record has the new key
        # The base is a commit, which has no ids. Another record with the new key may be the renamed one already, unless
        # the base had the new key for that record.
        return self._own_record(candidate.key) is owner

    def _own_record(self, key: EntryKey) -> Entry | None:
        """Return the record of the base's entry with this key; the record may have another key on the server now."""
        applied = self._base.get(key)
        return None if applied is None else self._records.find(applied)


def _are_alike(entry: Entry, record: Entry) -> bool:
    """Return whether an entry has the title, a body or most values of a record, apart from its keys; skip empty values.

    Both have the same key, so this only excludes an unrelated entry that got the key by chance.
    """
    model, keys = RECORDS[entry.kind], key_fields(entry.kind)
    values = {name: value for name, value in entry.fields.items() if value and name not in keys}
    equal = {name for name, value in values.items() if are_equal(entry.kind, name, value, record.fields.get(name))}
    return not equal.isdisjoint((model.title_field, *BODIES)) or len(equal) > MIN_SIMILARITY * len(values)
