"""Find the former keys of entries: by their files, texts and table rows, and by notes (docs/sync.md, Renames).

A note is a key that an entry names in `sync.previous`. It wins over the slug.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, partial
from typing import NamedTuple

from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...content.formats.draft import is_html_field
from ...content.links.link_rewriting import without_targets
from ...errors import Problem, Where
from ...model import RECORDS, Entry, EntryKey, Kind, Reference
from ...model.references import map_references
from .base import AppliedEntry, Base, ServerRecords, base_label
from .diff import compare
from .entry_fields import BODIES, authored_fields
from .fingerprint import digest, sent_fingerprint
from .orphan_rows import OrphanRows, key_if_single, sent_fingerprints

MIN_SIMILARITY = 0.5  # if more than this share of the fields is equal, a new file may be a renamed one, as in git


class RenameCandidate(NamedTuple):
    """A record that may belong to an entry of the folder under a former key."""

    key: EntryKey  # of the entry
    old: EntryKey  # the former key: the base's, or the record's if the base has none
    record: Entry
    is_noted: bool = False  # in `sync.previous`, and the base has the former key


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


class RenameDetection:
    """Finds the former keys of entries that no note names.

    `renamed_files` maps new paths to the paths in the base. A protected entry, or one that the config excludes, may
    have no file any more, so only `sync.previous` can name it (`NotedRenames`).
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
        self._custom_ids = {
            key: applied.id for (kind, key), applied in base.items() if kind is Kind.CUSTOM_FIELD and applied.id
        }
        in_file = [applied for applied in base.values() if _is_document(applied.path) and not applied.protect]
        counts = Counter((applied.kind, applied.path) for applied in in_file)
        self._by_path = {
            (applied.kind, applied.path): applied for applied in in_file if counts[applied.kind, applied.path] == 1
        }
        # Orphans are applied entries whose key the folder lacks: those of documents by kind and fingerprints of the
        # bodies (name, fingerprint).
        self._orphan_documents: dict[tuple[Kind, frozenset[tuple[str, str]]], list[AppliedEntry]] = defaultdict(list)
        self._orphan_rows = OrphanRows()
        for key, applied in base.items():
            if key not in wanted:
                self._add_orphan(applied)

    def candidates(self) -> list[RenameCandidate]:
        """Return the records that may belong to entries under former keys, the most certain first."""
        from_files: list[RenameCandidate] = []
        from_values: list[RenameCandidate] = []
        from_texts: list[RenameCandidate] = []
        for key, entry in self._wanted.items():
            applied = self._base.get(key)
            if applied and entry.source and applied.path == entry.source.path:
                continue  # not renamed, as most entries
            from_files += filter(None, (self._candidate(key, old) for old in self.from_file(entry)))
            if key in self._base or self._records.by_key(key) is not None:
                continue
            if entry.kind is Kind.LISTING:
                unchanged = self._orphan_rows.with_values(partial(self._fingerprints, entry))
                from_values += filter(None, (self._candidate(key, old) for old in unchanged))
            from_texts += filter(None, (self._candidate(key, old) for old in self._keys_with_like_text(entry)))
        return [*from_files, *from_values, *from_texts]

    def from_file(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys that the base has for the entry of the same file, by its present and its former path."""
        path = entry.source.path if entry.source else ""
        if not _is_document(path):
            return
        for old_path in (path, self._renamed_files.get(path, "")):
            from_path = self._by_path.get((entry.kind, old_path))
            if from_path is not None and from_path.key != entry.key and not self._is_excluded(from_path):
                with_key = self._base.get((entry.kind, entry.key))
                if with_key is None or not self.is_more_like(entry, with_key, than=from_path):
                    yield from_path.identity

    def is_more_like(self, entry: Entry, applied: AppliedEntry, *, than: AppliedEntry) -> bool:
        """Return whether an entry is certainly more like `applied`, whose record exists, than like `than`."""
        if self._records.find(applied) is None:
            return False
        is_unchanged = applied.digest == digest(entry.fields)
        return is_unchanged or self.count_equal(entry, applied) > self.count_equal(entry, than)

    def count_equal(self, entry: Entry, applied: AppliedEntry) -> int:
        """Return the number of fields of an entry, except the key, that are as they were applied."""
        return _count_equal(self._fingerprints(entry), applied)

    def _add_orphan(self, applied: AppliedEntry) -> None:
        """Index an applied entry whose key the folder lacks: a new entry may be this one under another key."""
        if applied.protect or self._is_excluded(applied):
            return
        if applied.kind is Kind.LISTING:
            self._orphan_rows.add(applied)
        elif _is_document(applied.path):
            self._orphan_documents[applied.kind, _body_fingerprints(sent_fingerprints(applied))].append(applied)

    def _candidate(self, key: EntryKey, old: EntryKey) -> RenameCandidate | None:
        record = self._records.find(self._base[old])
        return None if record is None else RenameCandidate(key, old, record)

    def _keys_with_like_text(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys of orphans that an entry may have been; neither the base nor the server has its present key.

        A listing yields one key for a unique equal slug, and one for a unique equal name; they may be the same.
        """
        if entry.kind is Kind.LISTING:
            yield from self._orphan_rows.with_slug_or_name(entry)
        elif self._orphan_documents and entry.source and _is_document(entry.source.path):
            fingerprints = self._fingerprints(entry)
            found = self._orphan_documents.get((entry.kind, _body_fingerprints(fingerprints)))
            if not found:
                names = BODIES & fingerprints.keys()
                found = self._orphans_by_unlinked_text.get((entry.kind, _unlinked_fingerprints(entry, names)), [])
            yield from key_if_single([each for each in found if is_similar(fingerprints | _sent_bodies(each), each)])

    @cached_property
    def _orphans_by_unlinked_text(self) -> Mapping[tuple[Kind, frozenset[tuple[str, str]]], list[AppliedEntry]]:
        """The orphans of documents by their texts on the server: links change if their targets are renamed as well."""
        orphans = defaultdict(list)
        for applied in (each for found in self._orphan_documents.values() for each in found):
            if record := self._records.find(applied):
                orphans[applied.kind, _unlinked_fingerprints(record, BODIES & applied.fields.keys())].append(applied)
        return orphans

    def _fingerprints(self, entry: Entry) -> dict[str, str]:
        """Return the fingerprints of an entry's fields, except the key field; references get the base's ids."""

        def with_id(kind: Kind, key: str) -> Reference:
            applied = self._base.get((kind, key))
            return Reference(key, None if applied is None else applied.id)

        return {
            base_label(entry.kind, name, self._custom_ids): sent_fingerprint(entry.kind, name, value)
            for name, _stored, value in authored_fields(map_references(entry, with_id), actual=None)
            if name != RECORDS[entry.kind].key_field
        }


def _is_document(path: str) -> bool:
    """Return whether a file has exactly one entry, so that its path identifies the entry."""
    return path.lower().endswith(DOCUMENT_SUFFIXES)


def _body_fingerprints(fingerprints: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, fingerprints[name]) for name in BODIES & fingerprints.keys())


def _sent_bodies(applied: AppliedEntry) -> dict[str, str]:
    return dict(_body_fingerprints(sent_fingerprints(applied)))


def _unlinked_fingerprints(entry: Entry, names: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return the fingerprints of the bodies of these names without the targets of their links."""
    texts = {name: str(entry.fields.get(name) or "") for name in names}
    masked = {name: without_targets(text, html=is_html_field(entry.kind, name)) for name, text in texts.items()}
    return frozenset((name, sent_fingerprint(entry.kind, name, text)) for name, text in masked.items())


def _count_equal(fingerprints: Mapping[str, str], applied: AppliedEntry) -> int:
    return len(fingerprints.items() & sent_fingerprints(applied).items())


def is_similar(fingerprints: Mapping[str, str], applied: AppliedEntry) -> bool:
    """Return whether an entry has most values of an applied one; `fingerprints` are those without the key field."""
    names = fingerprints.keys() | sent_fingerprints(applied).keys()
    return _count_equal(fingerprints, applied) > MIN_SIMILARITY * len(names)


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
        # Applied entries whose key the folder lacks, by each former key whose note a sync has used for them.
        self._orphans_by_used_note: dict[EntryKey, list[AppliedEntry]] = defaultdict(list)
        for identity, applied in base.items():
            if applied.moving:
                self._moving[applied.kind, applied.moving] = applied
            if applied.previous and identity not in wanted:
                for name in applied.previous:
                    self._orphans_by_used_note[applied.kind, name].append(applied)
        self._with_notes = {key: entry for key, entry in wanted.items() if entry.notes.previous}
        noted_keys: dict[EntryKey, EntryKey] = {}  # the key of an entry -> the former key that it names
        for key, entry in self._with_notes.items():
            old = self._first_unused_note(entry)
            if old is not None:
                noted_keys[key] = old
        claimants: dict[EntryKey, list[Entry]] = defaultdict(list)  # by the former keys that they name
        for key, old in self._without_unrenamed(noted_keys).items():
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
            entry, record = self._wanted.get(key), self._records.find(applied)
            if entry is None or record is None:
                continue
            old = self._former_keys.get(key)
            if old is not None and old != applied.identity:
                # `applied` may be a deleted entry: its record got a temporary key so that `noted` could take the key.
                noted = self._base[old]
                if self._detection.is_more_like(entry, noted, than=applied):
                    continue
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

    def is_noted(self, key: EntryKey) -> bool:
        """Return whether the notes of an entry name this key of the base as its former key."""
        return key in self._claimed

    def find_contradiction(self, candidate: RenameCandidate) -> Contradiction | None:
        """Return the contradiction of a note by the entry that has the noted key now; None if there is none.

        That entry contradicts the note if it is unchanged since the last sync: then it was not renamed. If it differs,
        it may be a new entry under the key.
        """
        entry, other = self._wanted[candidate.key], self._wanted[candidate.old]
        if entry.source is None:
            return None  # the entry of an undo, which identifies its record by the id
        is_unchanged = self._base[candidate.old].digest == digest(other.fields)
        return Contradiction(entry, candidate.old[1], other) if is_unchanged else None

    def _first_unused_note(self, entry: Entry) -> EntryKey | None:
        """Return the oldest former key that an entry notes, that the base has, and whose note no sync has used.

        The notes begin with the oldest key. After several renames without a sync, the record still has the oldest one.
        """
        for name in entry.notes.previous:
            old = entry.kind, name
            if old in self._base and name != entry.key and not self._is_used(entry, name):
                return old
        return None

    def _is_used(self, entry: Entry, name: str) -> bool:
        """Return whether a sync has used the note of the former key `name`: the base has it in `previous`.

        The applied entry with the note is that of the entry's key, of another of its notes, or of its file, and not
        that of another entry. If none of them has the note, it may be one whose key the folder lacks.
        """
        named = self._base.get((entry.kind, name))
        known_keys = [(entry.kind, key) for key in (entry.key, *entry.notes.previous)]
        known_keys += self._detection.from_file(entry)
        known = [self._base[key] for key in known_keys if key in self._base]
        users = [each for each in known if name in each.previous and not self._is_of_other_entry(each, entry)]
        if users:
            is_renamed_again = named is not None and all(self._is_renamed_again(entry, named, each) for each in users)
            return not is_renamed_again
        orphans = self._orphans_by_used_note.get((entry.kind, name), ())
        return any(named is None or self._detection.is_more_like(entry, orphan, than=named) for orphan in orphans)

    def _is_renamed_again(self, entry: Entry, named: AppliedEntry, applied: AppliedEntry) -> bool:
        """Return whether an entry was renamed from `named`, whose key its note names, and not from `applied`.

        `applied` had this key before, which is why the note may be one that was used already.
        """
        return not self._is_of_other_entry(named, entry) and self._detection.is_more_like(entry, named, than=applied)

    def _is_of_other_entry(self, applied: AppliedEntry, entry: Entry) -> bool:
        """Return whether the entry with the key of `applied` is more like it than `entry`: it was not renamed."""
        with_key = self._wanted.get(applied.identity)
        count_equal = self._detection.count_equal
        return with_key is not None and count_equal(with_key, applied) > count_equal(entry, applied)

    def _without_unrenamed(self, noted_keys: Mapping[EntryKey, EntryKey]) -> Mapping[EntryKey, EntryKey]:
        """Return the notes (key -> former key) without those of entries that were certainly not renamed.

        An entry whose own key another entry names as a former one may have been renamed.
        """
        remaining = dict(noted_keys)
        while True:
            named = {*remaining.values()}
            unrenamed = [key for key, old in remaining.items() if key not in named and self._was_not_renamed(key, old)]
            if not unrenamed:
                return remaining
            for key in unrenamed:  # after that, no remaining note may name the own key of another entry
                del remaining[key]

    def _was_not_renamed(self, key: EntryKey, noted_key: EntryKey) -> bool:
        """Return whether an entry is more like what was applied under its own key than under the key in its note."""
        entry, applied = self._wanted[key], self._base.get(key)
        if entry.source is None or applied is None:  # an entry of an undo has no file and knows its record by the id
            return False
        applied_as_noted = self._base[noted_key]  # exists: `_first_unused_note` returns keys of the base
        return self._detection.is_more_like(entry, applied, than=applied_as_noted)

    def _unmanaged_candidates(self, entry: Entry) -> Iterator[RenameCandidate]:
        """Yield the records with former keys of an entry that the base does not have, the last key first.

        The base does not show whether a sync has used these notes. So they have no effect on an entry that is equal to
        the record with its own key.
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
