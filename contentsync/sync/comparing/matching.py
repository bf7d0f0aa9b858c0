"""Which of the server's records an entry of the folder is: the one with its key, or one that it had another key for.

`RenameDetection` finds former keys of entries by their notes, files, texts and table rows. `Matching` decides.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...content.scan import DOCUMENT_SUFFIXES
from ...model import RECORDS, Entry, Kind, Reference
from .base import AppliedEntry, Base, ServerRecords, base_label
from .entry_fields import BODIES, Identity, authored_fields, map_references
from .fingerprint import digest, sent_fingerprint

SIMILARITY = 0.5  # share of equal fields, as in git, above which a new file may be a renamed one


class RenameCandidate(NamedTuple):
    """An entry of the folder that may be a record of the server under another key."""

    identity: Identity
    old: Identity  # the key in the base, or else the record's
    record: Entry


class RenameDetection:
    """The former keys of entries.

    `renamed_files` maps new paths to the paths in the base. A protected entry, or one that the config excludes, has no
    file of its own any more, so only `sync.previous` can name it.
    """

    def __init__(
        self,
        base: Base,
        wanted: Mapping[Identity, Entry],
        records: ServerRecords,
        renamed_files: Mapping[str, str],
        is_excluded: Callable[[AppliedEntry], bool],
    ) -> None:
        self._base = base.entries  # a plain dictionary: `Base.get` is slow
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
        for identity, applied in base.items():
            if identity not in wanted:
                self._add_orphan(applied)

    def candidates(self) -> list[RenameCandidate]:
        """Return the records that entries may be besides the one of their key, the surest first."""
        ranked = []
        for identity, entry in self._wanted.items():
            applied = self._base.get(identity)
            if applied and entry.source and applied.path == entry.source.path and not entry.notes.previous:
                continue  # true for most entries
            for rank, names in enumerate((self._from_notes(entry), self._from_file(entry), self._from_text(entry))):
                ranked += [
                    (rank, candidate) for old in names if (candidate := self._candidate(identity, old)) is not None
                ]
        return [candidate for _, candidate in sorted(ranked, key=lambda pair: pair[0])]

    def former_identities(self, entry: Entry) -> Iterator[Identity]:
        """Yield the former keys in an entry's notes and of its file, whether the server has them or not."""
        yield from self._from_notes(entry)
        yield from self._from_file(entry)

    def _add_orphan(self, applied: AppliedEntry) -> None:
        if applied.protect or self._is_excluded(applied):
            return
        if applied.kind is Kind.LISTING:
            self._rows["slug", applied.slug].append(applied)
            self._rows["name", applied.title].append(applied)
        elif _is_document(applied.path):
            self._documents[applied.kind, _bodies(_sent_fingerprints(applied))].append(applied)

    def _candidate(self, identity: Identity, old: Identity) -> RenameCandidate | None:
        applied = self._base.get(old)
        record = self._records.by_key(old) if applied is None else self._records.find(applied)
        return None if record is None else RenameCandidate(identity, old, record)

    def _from_notes(self, entry: Entry) -> Iterator[Identity]:
        """Yield the keys in `sync.previous`, without those that the entry was applied with.

        An entry that has its record can only take over records that are managed. If a run stopped in the middle of a
        swap, its base says which entry should get the key.
        """
        if (entry.kind, entry.key) in self._moving:
            yield self._moving[entry.kind, entry.key]
        own = self._base.get((entry.kind, entry.key))
        used = own.previous if own is not None and self._records.find(own) is not None else None
        for key in entry.notes.previous:
            if used is None or (key not in used and (entry.kind, key) in self._base):
                yield entry.kind, key

    def _from_file(self, entry: Entry) -> Iterator[Identity]:
        """Yield the former key of the entry of this file, by the file's path or its former path."""
        path = entry.source.path if entry.source else ""
        if not _is_document(path):
            return
        for before in (path, self._renamed_files.get(path, "")):
            applied = self._by_path.get((entry.kind, before))
            if applied is not None and applied.key != entry.key and not self._is_excluded(applied):
                own = self._base.get((entry.kind, entry.key))
                if own is None or not self._stays(entry, own, applied):
                    yield applied.identity

    def _stays(self, entry: Entry, own: AppliedEntry, other: AppliedEntry) -> bool:
        """Return whether an entry has its own key still, and only the path of the other one."""
        if self._records.find(own) is None:
            return False
        fingerprints = self._fingerprints(entry)
        return own.digest == digest(entry.fields) or _count_equal(fingerprints, own) > _count_equal(fingerprints, other)

    def _from_text(self, entry: Entry) -> Iterator[Identity]:
        """Yield the one similar entry without a row or file, for an entry whose key is new on both sides."""
        identity = (entry.kind, entry.key)
        if identity in self._base or self._records.by_key(identity) is not None:
            return
        if entry.kind is Kind.LISTING:
            for name in ("slug", "name"):
                if entry.fields.get(name):
                    yield from _only_one(self._rows.get((name, str(entry.fields[name])), []))
        elif self._documents and entry.source and _is_document(entry.source.path):
            fingerprints = self._fingerprints(entry)
            yield from _only_one(
                [
                    applied
                    for applied in self._documents.get((entry.kind, _bodies(fingerprints)), [])
                    if _is_alike(fingerprints, applied)
                ]
            )

    def _fingerprints(self, entry: Entry) -> dict[str, str]:
        """Return the fingerprints of an entry's fields without its key, with references as the base has them."""

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


def _only_one(entries: list[AppliedEntry]) -> Iterator[Identity]:
    if len(entries) == 1:
        yield entries[0].identity


def _sent_fingerprints(applied: AppliedEntry) -> dict[str, str]:
    """Return the fingerprints of the fields as they were sent, without the key."""
    return {
        name: pair.partition("/")[0] for name, pair in applied.fields.items() if name != RECORDS[applied.kind].key_field
    }


def _bodies(fingerprints: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset((name, fingerprints[name]) for name in BODIES & fingerprints.keys())


def _count_equal(fingerprints: Mapping[str, str], applied: AppliedEntry) -> int:
    return len(fingerprints.items() & _sent_fingerprints(applied).items())


def _is_alike(fingerprints: Mapping[str, str], applied: AppliedEntry) -> bool:
    return _count_equal(fingerprints, applied) > SIMILARITY * len(
        fingerprints.keys() | _sent_fingerprints(applied).keys()
    )


@dataclass(frozen=True, slots=True)
class Match:
    """The server's record and the applied entry that belong to an entry of the folder."""

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
        self._base = base.entries  # a plain dictionary: `Base.get` is slow
        self._records = ServerRecords(actual)
        self._matches: dict[Identity, Match] = {}
        self._matched: set[int] = set()  # of the server's entries, by identity of the object
        self._used: set[Identity] = set()  # of applied entries

        wanted = {(entry.kind, entry.key): entry for entry in desired}
        self._detection = RenameDetection(base, wanted, self._records, renamed_files or {}, is_excluded)
        candidates = self._resolve([*self._detection.candidates(), *self._renamed_on_server(wanted)], wanted)
        for identity, candidate in candidates.items():
            self._match(identity, candidate.record, self._base.get(candidate.old))
        new = [identity for identity in wanted if identity not in candidates and not self._match_own(identity)]
        unmatched = []
        for identity in new:
            record = self._records.by_key(identity)
            if record is not None and id(record) not in self._matched:
                self._match(identity, record, None)
            else:
                unmatched.append(identity)
        slugs = _free_slugs(actual, wanted, self._matched)
        for identity in unmatched:
            entry = wanted[identity]
            # Slugs are unique, so a listing with a new URL can only overwrite the record with its slug.
            slug = entry.fields.get("slug") if entry.kind is Kind.LISTING else None
            found = slugs.get(slug) if slug else None
            if found is not None and id(found) not in self._matched:
                self._match(identity, found, None)
            else:
                self._used.add(identity)
                self._matches[identity] = Match()

    def find(self, entry: Entry) -> Match:
        return self._matches[entry.kind, entry.key]

    def find_deleted(self, entry: Entry) -> AppliedEntry | None:
        """Return the applied entry for an entry that the server no longer has under any key."""
        for identity in ((entry.kind, entry.key), *self._detection.former_identities(entry)):
            applied = self._base.get(identity)
            if applied is not None and self._records.find(applied) is None:
                return applied
        return None

    def mark_used(self, applied: AppliedEntry) -> None:
        """Do not report an applied entry as an orphan, although no record of the server belongs to it."""
        self._used.add(applied.identity)

    def is_matched(self, actual: Entry) -> bool:
        """Return whether a record of the server belongs to an entry of the folder."""
        return id(actual) in self._matched

    def orphans(self) -> Iterator[tuple[AppliedEntry, Entry | None]]:
        """Yield the applied entries that belong to no entry of the folder, with the record if there is no doubt."""
        for identity, applied in self._base.items():
            if identity not in self._used:
                record = self._records.find_exact(applied)
                yield applied, None if record is None or id(record) in self._matched else record

    def managed_records(self) -> Iterator[Entry]:
        """Yield the server's records of applied entries."""
        for applied in self._base.values():
            record = self._records.find(applied)
            if record is not None:
                yield record

    def _own(self, identity: Identity) -> Entry | None:
        """Return the record of a key, or the one that had it when it was applied."""
        record = self._records.by_key(identity)
        applied = self._base.get(identity)
        return self._records.find(applied) if record is None and applied is not None else record

    def _renamed_on_server(self, wanted: Iterable[Identity]) -> Iterator[RenameCandidate]:
        """Yield the entries whose own record got another key on the server.

        They match it unless their key now belongs to a record that stays: records may have swapped their keys.
        """
        for identity in wanted:
            applied = self._base.get(identity)
            record = None if applied is None else self._records.find(applied)
            if record is not None and record is not self._records.by_key(identity):
                yield RenameCandidate(identity, identity, record)

    def _match_own(self, identity: Identity) -> bool:
        """Match an entry with the record of its key if it is the one that was applied and is free."""
        applied = self._base.get(identity)
        record = self._records.by_key(identity)
        if (
            applied is None
            or record is None
            or id(record) in self._matched
            or self._records.find(applied) is not record
        ):
            return False
        self._match(identity, record, applied)
        return True

    def _match(self, identity: Identity, record: Entry, applied: AppliedEntry | None) -> None:
        self._matches[identity] = Match(record, applied)
        self._matched.add(id(record))
        self._used.add(identity)
        if applied is not None:
            self._used.add(applied.identity)

    def _resolve(
        self, candidates: list[RenameCandidate], wanted: Mapping[Identity, Entry]
    ) -> dict[Identity, RenameCandidate]:
        """Return the candidates that do not exclude each other; when one is rejected, another may take its record.

        A candidate is rejected if its key belongs to a record that stays, or its record to an entry of the folder that
        does not take another one.
        """
        while True:
            accepted: dict[Identity, RenameCandidate] = {}
            leaving: set[int] = set()
            for candidate in candidates:
                if candidate.identity not in accepted and id(candidate.record) not in leaving:
                    accepted[candidate.identity] = candidate
                    leaving.add(id(candidate.record))
            rejected = set()
            for candidate in accepted.values():
                owner = self._records.by_key(candidate.identity)
                is_free = owner is None or owner is candidate.record or id(owner) in leaving
                is_owned = (
                    candidate.old in wanted
                    and candidate.old not in accepted
                    and self._own(candidate.old) is candidate.record
                )
                if is_owned or not is_free:
                    rejected.add(id(candidate))
            if not rejected:
                return accepted
            candidates = [candidate for candidate in candidates if id(candidate) not in rejected]


def _free_slugs(actual: Iterable[Entry], wanted: Mapping[Identity, Entry], matched: set[int]) -> dict[object, Entry]:
    return {
        entry.fields.get("slug"): entry
        for entry in actual
        if entry.kind is Kind.LISTING and (entry.kind, entry.key) not in wanted and id(entry) not in matched
    }
