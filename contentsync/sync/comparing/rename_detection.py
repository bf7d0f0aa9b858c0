"""Find the former keys of entries by their files, texts and table rows (docs/sync.md, Renames)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ...content.file_names import DOCUMENT_SUFFIXES
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
    is_noted: bool = False  # in `sync.previous`, and the base has the former key


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
        # Orphans: applied entries whose key the folder lacks.
        self._documents: dict[tuple[Kind, frozenset[tuple[str, str]]], list[AppliedEntry]] = defaultdict(list)
        self._rows: dict[tuple[str, str], list[AppliedEntry]] = defaultdict(list)  # by field name and value
        for key, applied in base.items():
            if key not in wanted:
                self._add_orphan(applied)

    def candidates(self) -> list[RenameCandidate]:
        """Return the records that may belong to entries under former keys, the most certain first."""
        from_files: list[RenameCandidate] = []
        from_texts: list[RenameCandidate] = []
        for key, entry in self._wanted.items():
            applied = self._base.get(key)
            if applied and entry.source and applied.path == entry.source.path:
                continue  # not renamed, as most entries
            from_files += filter(None, (self._candidate(key, old) for old in self.from_file(entry)))
            from_texts += filter(None, (self._candidate(key, old) for old in self._from_text(entry)))
        return [*from_files, *from_texts]

    def from_file(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys that the base has for the entry of the same file, by its present and its former path."""
        path = entry.source.path if entry.source else ""
        if not _is_document(path):
            return
        for old_path in (path, self._renamed_files.get(path, "")):
            from_path = self._by_path.get((entry.kind, old_path))
            if from_path is not None and from_path.key != entry.key and not self._is_excluded(from_path):
                with_key = self._base.get((entry.kind, entry.key))
                if with_key is None or not self.is_more_like(entry, with_key, from_path):
                    yield from_path.identity

    def is_more_like(self, entry: Entry, applied: AppliedEntry, other: AppliedEntry) -> bool:
        """Return whether an entry is certainly more like one applied entry, whose record exists, than like another."""
        if self._records.find(applied) is None:
            return False
        is_unchanged = applied.digest == digest(entry.fields)
        return is_unchanged or self.count_equal(entry, applied) > self.count_equal(entry, other)

    def count_equal(self, entry: Entry, applied: AppliedEntry) -> int:
        """Return the number of fields of an entry, except the key, that are as they were applied."""
        return _count_equal(self._fingerprints(entry), applied)

    def _add_orphan(self, applied: AppliedEntry) -> None:
        """Add an applied entry whose key the folder lacks to the entries that a new one may be."""
        if applied.protect or self._is_excluded(applied):
            return
        if applied.kind is Kind.LISTING:
            self._rows["slug", applied.slug].append(applied)
            self._rows["name", applied.title].append(applied)
        elif _is_document(applied.path):
            self._documents[applied.kind, _body_fingerprints(_sent_fingerprints(applied))].append(applied)

    def _candidate(self, key: EntryKey, old: EntryKey) -> RenameCandidate | None:
        record = self._records.find(self._base[old])
        return None if record is None else RenameCandidate(key, old, record)

    def _from_text(self, entry: Entry) -> Iterator[EntryKey]:
        """Yield the keys of orphans that an entry may have been, unless the base or the server has its present key.

        A listing yields one key for a unique equal slug, and one for a unique equal name; they may be the same.
        """
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
                    if is_similar(fingerprints, applied)
                ]
            )

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


def is_similar(fingerprints: Mapping[str, str], applied: AppliedEntry) -> bool:
    """Return whether an entry has most values of an applied one; `fingerprints` are those without the key field."""
    names = fingerprints.keys() | _sent_fingerprints(applied).keys()
    return _count_equal(fingerprints, applied) > MIN_SIMILARITY * len(names)
