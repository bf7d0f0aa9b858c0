"""The record on the server that belongs to each entry of the folder: under the same key, or under a former one.

`RenameDetection` finds former keys of entries by their notes, files, texts and table rows. `Matching` decides.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...content.scan import DOCUMENT_SUFFIXES
from ...model import RECORDS, Entry, EntryKey, Kind, Reference
from .base import AppliedEntry, Base, ServerRecords, base_label
from .entry_fields import BODIES, authored_fields, map_references
from .fingerprint import digest, sent_fingerprint

MIN_SIMILARITY = 0.5  # if more than this share of the fields is equal, a new file may be a renamed one, as in git


class RenameCandidate(NamedTuple):
    """A record that may belong to an entry of the folder under a former key."""

    key: EntryKey  # of the entry
    old: EntryKey  # the former key: the base's, or the record's if the base has none
    record: Entry


class RenameDetection:
    """Finds the former keys of entries.

    `renamed_files` maps new paths to the paths in the base. A protected entry, or one that the config excludes, may
    have no file any more, so only `sync.previous` can name it.
    """

    def __init__(
        self,
        base: Base,
        wanted: Mapping[EntryKey, Entry],
        records: ServerRecords,
        renamed_files: Mapping[str, str],
        is_excluded: Callable[[AppliedEntry], bool],
    ) -> None:
        self._base = base
        self._wanted = wanted
        self._records = records
        self._renamed_files = renamed_files
        self._is_excluded = is_excluded
        self._custom = {
            key: applied.id for (kind, key), applied in base.items() if kind is Kind.CUSTOM_FIELD and applied.id
        }
        in_file = [applied for applied in base.values() if _is_document(applied.path) and not applied.protect]
        counts = Counter((applied.kind, applied.path) for applied in in_file)
        self._by_path = {
            (applied.kind, applied.path): applied for applied in in_file if counts[applied.kind, applied.path] == 1
        }
        self._moving = {(applied.kind, applied.moving): applied.identity for applied in base.values() if applied.moving}
        self._documents: dict[tuple[Kind, frozenset[tuple[str, str]]], list[AppliedEntry]] = defaultdict(list)
        self._rows: dict[tuple[str, str], list[AppliedEntry]] = defaultdict(list)
        for key, applied in base.items():
            if key not in wanted:
                self._add_orphan(applied)

    def candidates(self) -> list[RenameCandidate]:
        """Return the records that may belong to entries under former keys, the most certain first."""
        ranked = []
        for key, entry in self._wanted.items():
            applied = self._base.get(key)
            if applied and entry.source and applied.path == entry.source.path and not entry.notes.previous:
                continue  # not renamed, as most entries
            for rank, keys in enumerate((self._from_notes(entry), self._from_file(entry), self._from_text(entry))):
                ranked += [(rank, candidate) for old in keys if (candidate := self._candidate(key, old)) is not None]
        return [candidate for _, candidate in sorted(ranked, key=lambda pair: pair[0])]

    def former_keys(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the former keys of an entry from its notes and its file; the server may lack them."""
        yield from self._from_notes(entry)
        yield from self._from_file(entry)

    def _add_orphan(self, applied: AppliedEntry) -> None:
        if applied.protect or self._is_excluded(applied):
            return
        if applied.kind is Kind.LISTING:
            self._rows["slug", applied.slug].append(applied)
            self._rows["name", applied.title].append(applied)
        elif _is_document(applied.path):
            self._documents[applied.kind, _body_fingerprints(_sent_fingerprints(applied))].append(applied)

    def _candidate(self, key: EntryKey, old: EntryKey) -> RenameCandidate | None:
        applied = self._base.get(old)
        record = self._records.by_key(old) if applied is None else self._records.find(applied)
        return None if record is None else RenameCandidate(key, old, record)

    def _from_notes(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys in `sync.previous`; for an entry that has its record, only unused keys of managed entries.

        If a run stopped in the middle of a swap, the base says which entry should get the key: yield that entry first.
        """
        if (entry.kind, entry.key) in self._moving:
            yield self._moving[entry.kind, entry.key]
        applied = self._base.get((entry.kind, entry.key))
        has_record = applied is not None and self._records.find(applied) is not None
        used = applied.previous if applied is not None else ()
        for key in entry.notes.previous:
            if not has_record or (key not in used and (entry.kind, key) in self._base):
                yield entry.kind, key

    def _from_file(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys that the base has for the entry of the same file, by its present and its former path."""
        path = entry.source.path if entry.source else ""
        if not _is_document(path):
            return
        for old_path in (path, self._renamed_files.get(path, "")):
            of_path = self._by_path.get((entry.kind, old_path))
            if of_path is not None and of_path.key != entry.key and not self._is_excluded(of_path):
                of_key = self._base.get((entry.kind, entry.key))
                if of_key is None or not self._is_only_moved(entry, of_key, of_path):
                    yield of_path.identity

    def _is_only_moved(self, entry: Entry, of_key: AppliedEntry, of_path: AppliedEntry) -> bool:
        """Return whether an entry is that of `of_key`, in a file that has been moved to the path of `of_path`."""
        if self._records.find(of_key) is None:
            return False
        new = self._fingerprints(entry)
        return of_key.digest == digest(entry.fields) or _count_equal(new, of_key) > _count_equal(new, of_path)

    def _from_text(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the key of the only similar orphan, if neither the base nor the server has the entry's key."""
        key = (entry.kind, entry.key)
        if key in self._base or self._records.by_key(key) is not None:
            return
        if entry.kind is Kind.LISTING:
            for name in ("slug", "name"):
                if entry.fields.get(name):
                    yield from _key_if_single(self._rows.get((name, str(entry.fields[name])), []))
        elif self._documents and entry.source and _is_document(entry.source.path):
            fingerprints = self._fingerprints(entry)
            yield from _key_if_single(
                [
                    applied
                    for applied in self._documents.get((entry.kind, _body_fingerprints(fingerprints)), [])
                    if _is_similar(fingerprints, applied)
                ]
            )

    def _fingerprints(self, entry: Entry) -> dict[str, str]:
        """Return the fingerprints of an entry's fields, except the key field; references get the base's ids."""

        def with_id(kind: Kind, key: str) -> Reference:
            applied = self._base.get((kind, key))
            return Reference(key, None if applied is None else applied.id)

        return {
            base_label(entry.kind, name, self._custom): sent_fingerprint(entry.kind, name, value)
            for name, _, value in authored_fields(map_references(entry, with_id), None)
            if name != RECORDS[entry.kind].key_field
        }


def _is_document(path: str) -> bool:
    """Return whether a file has exactly one entry, so that its path identifies the entry."""
    return path.lower().endswith(DOCUMENT_SUFFIXES)


def _key_if_single(entries: list[AppliedEntry]) -> Iterator[EntryKey]:
    if len(entries) == 1:
        yield entries[0].identity


def _sent_fingerprints(applied: AppliedEntry) -> dict[str, str]:
    """Return the `sent` fingerprints of an applied entry's fields, except the key field."""
    return {
        name: pair.partition("/")[0] for name, pair in applied.fields.items() if name != RECORDS[applied.kind].key_field
    }


def _body_fingerprints(fingerprints: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, fingerprints[name]) for name in BODIES & fingerprints.keys())


def _count_equal(fingerprints: Mapping[str, str], applied: AppliedEntry) -> int:
    return len(fingerprints.items() & _sent_fingerprints(applied).items())


def _is_similar(fingerprints: Mapping[str, str], applied: AppliedEntry) -> bool:
    return _count_equal(fingerprints, applied) > MIN_SIMILARITY * len(
        fingerprints.keys() | _sent_fingerprints(applied).keys()
    )


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
        self._base = base
        self._records = ServerRecords(actual)
        self._matches: dict[EntryKey, Match] = {}
        self._matched: set[int] = set()  # the `id()` of each record that belongs to an entry
        self._used: set[EntryKey] = set()  # the applied entries that belong to an entry

        wanted = {(entry.kind, entry.key): entry for entry in desired}
        self._detection = RenameDetection(base, wanted, self._records, renamed_files or {}, is_excluded)
        candidates = self._resolve([*self._detection.candidates(), *self._renamed_on_server(wanted)], wanted)
        for key, candidate in candidates.items():
            self._match(key, candidate.record, self._base.get(candidate.old))
        new = [key for key in wanted if key not in candidates and not self._match_own(key)]
        unmatched = []
        for key in new:
            record = self._records.by_key(key)
            if record is not None and id(record) not in self._matched:
                self._match(key, record, None)
            else:
                unmatched.append(key)
        slugs = {
            entry.fields.get("slug"): entry
            for entry in actual
            if entry.kind is Kind.LISTING and (entry.kind, entry.key) not in wanted and id(entry) not in self._matched
        }
        for key in unmatched:
            entry = wanted[key]
            # Slugs are unique, so a listing with a new URL can only overwrite the record with its slug.
            slug = entry.fields.get("slug") if entry.kind is Kind.LISTING else None
            record = slugs.get(slug) if slug else None
            if record is not None and id(record) not in self._matched:
                self._match(key, record, None)
            else:
                self._used.add(key)
                self._matches[key] = Match()

    def find(self, entry: Entry) -> Match:
        return self._matches[entry.kind, entry.key]

    def find_deleted(self, entry: Entry) -> AppliedEntry | None:
        """Return what the last sync applied for an entry whose record was deleted since; None if there is nothing."""
        for key in ((entry.kind, entry.key), *self._detection.former_keys(entry)):
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
        """Yield the applied entries that belong to no entry of the folder, each with its record; None if uncertain."""
        for key, applied in self._base.items():
            if key not in self._used:
                record = self._records.find_exact(applied)
                yield applied, None if record is None or id(record) in self._matched else record

    def managed_records(self) -> Iterator[Entry]:
        """Yield the server's record of each applied entry that has one."""
        for applied in self._base.values():
            record = self._records.find(applied)
            if record is not None:
                yield record

    def _record_of(self, key: EntryKey) -> Entry | None:
        """Return the record that has a key, else the one that had it when it was applied, else None."""
        record = self._records.by_key(key)
        applied = self._base.get(key)
        return self._records.find(applied) if record is None and applied is not None else record

    def _renamed_on_server(self, wanted: Iterable[EntryKey]) -> Iterator[RenameCandidate]:
        """Yield a candidate for each entry whose record got another key on the server.

        Another record may have the entry's key now. If it was renamed too, as in a swap, the candidate is valid; if
        not, `_resolve` rejects it.
        """
        for key in wanted:
            applied = self._base.get(key)
            record = None if applied is None else self._records.find(applied)
            if record is not None and record is not self._records.by_key(key):
                yield RenameCandidate(key, key, record)

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

    def _match(self, key: EntryKey, record: Entry, applied: AppliedEntry | None) -> None:
        self._matches[key] = Match(record, applied)
        self._matched.add(id(record))
        self._used.add(key)
        if applied is not None:
            self._used.add(applied.identity)

    def _resolve(
        self, candidates: list[RenameCandidate], wanted: Mapping[EntryKey, Entry]
    ) -> dict[EntryKey, RenameCandidate]:
        """Return the accepted candidates, at most one for each entry and each record; the first ones take precedence.

        Reject a candidate if another record has the entry's key and is not renamed, or if its record belongs to an
        entry of the folder that is not renamed. After a rejection, start again: another candidate may get the record.
        """
        while True:
            accepted: dict[EntryKey, RenameCandidate] = {}
            renamed: set[int] = set()  # the `id()` of records
            for candidate in candidates:
                if candidate.key not in accepted and id(candidate.record) not in renamed:
                    accepted[candidate.key] = candidate
                    renamed.add(id(candidate.record))
            rejected = set()
            for candidate in accepted.values():
                owner = self._records.by_key(candidate.key)
                is_key_free = owner is None or owner is candidate.record or id(owner) in renamed
                is_record_owned = (
                    candidate.old in wanted
                    and candidate.old not in accepted
                    and self._record_of(candidate.old) is candidate.record
                )
                if is_record_owned or not is_key_free:
                    rejected.add(id(candidate))
            if not rejected:
                return accepted
            candidates = [candidate for candidate in candidates if id(candidate) not in rejected]
