"""The base of a three-way comparison: what the last run applied, one `AppliedEntry` per entry.

The base has fingerprints instead of values, so it stays small when a text is long.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from ...model import RECORDS, Entry, EntryKey, Kind, Reference
from ...model.entry import value_at
from .entry_fields import BODIES, authored_fields, is_custom, is_unknown
from .fingerprint import PackedFields, digest, fingerprint, fingerprint_pair, matches_fingerprint_or_keys

# Who made the record of an applied entry: a sync from this folder, another user before a sync found it equal or had
# consent (`--adopt`), or another user before a pull wrote it into the folder.
Origin = Literal["created", "adopted", "pulled"]


class FieldFingerprints(NamedTuple):
    """The two fingerprints of a field in the base."""

    sent: str  # of the value in the folder
    stored: str  # of the value on the server afterwards; differs from `sent` if the server changed it


class BeforePull(NamedTuple):
    """An entry as it was before a pull wrote it into the folder, where git may restore it (decision 25)."""

    # The folder's fingerprint of each field that the pull changed, by dotted name; "" if the field had no value. None:
    # the folder did not have the entry.
    folder: Mapping[str, str] | None
    applied: "AppliedEntry | None"  # None: it was not managed


class AppliedEntry(NamedTuple):
    """The base's record of an entry, as a run last created, updated or adopted it."""

    kind: Kind
    key: str
    id: int | None  # the server's id; None if the base is a commit
    # By dotted name, or `#id` of a custom field: the fingerprint `sent`, or `sent/stored` if the two differ.
    fields: Mapping[str, str]
    digest: str = ""  # of all its fields in the folder: if equal, no field has changed there; "" if unknown
    path: str = ""  # of its file, relative to the content folder
    slug: str = ""  # as text, to find a table row again under a new URL
    title: str = ""
    protect: bool = False  # never delete it, even when its file is deleted
    created: str | None = None  # the record's time of creation: a new database assigns the same ids again
    previous: tuple[str, ...] = ()  # the names in its `sync.previous` that an earlier run has used
    moving: str = ""  # the key that it should get next, if a run stopped after it wrote a temporary key
    former: int | None = None  # its id before a delete on the server and a second create; references may have it
    before_pull: BeforePull | None = None  # None: no pull has written it since the last sync
    origin: Origin = "created"  # also of entries from a commit, or from a state file that does not say it

    @property
    def identity(self) -> EntryKey:
        return self.kind, self.key

    def is_other_record(self, other: "AppliedEntry") -> bool:
        """Return whether two applied entries with one id are of two records, by their times of creation."""
        return len({self.created, other.created} - {None}) > 1

    def is_current(self, entry: Entry, actual: Entry) -> bool:
        """Return whether an applied entry is up to date for an entry of the folder that is equal to its record."""
        return (
            self.digest == digest(entry.fields)
            and (self.key, self.id, self.created) == (entry.key, actual.id, actual.created)
            and (self.protect, self.previous) == (entry.notes.protect, entry.notes.previous)
            and self.path == (entry.source.path if entry.source else "")
        )

    def fingerprints(self, name: str) -> FieldFingerprints | None:
        """Return the fingerprints of the field that `fields` calls `name`; None if it was not managed."""
        pair = self.fields.get(name)
        if pair is None:
            return None
        sent, _, stored = pair.partition("/")
        return FieldFingerprints(sent, stored or sent)


def applied_entry(
    entry: Entry,
    actual: Entry | None = None,
    untouched: Mapping[str, str] | None = None,
    custom_ids: Mapping[str, int] | None = None,
) -> AppliedEntry:
    """Return the applied entry of an entry after a write; `actual` is the server's record after the write.

    Without `actual`, assume that the server stored each value as sent. `untouched` are the base's fingerprints of the
    fields that the run did not write. `custom_ids` maps the names of custom fields to their ids.
    """
    fields: dict[str, str] = {}
    for name, stored, sent in authored_fields(entry, actual):
        is_hidden = actual is None or is_unknown(actual, name)
        fields[name] = fingerprint_pair(entry.kind, name, sent, sent if is_hidden else stored)
    fields |= untouched or {}
    applied = AppliedEntry(
        entry.kind,
        entry.key,
        actual.id if actual else entry.id,
        fields,
        digest(entry.fields),
        entry.source.path if entry.source else "",
        str(entry.fields.get("slug") or (actual.fields.get("slug") if actual else "") or ""),
        str(entry.fields.get(RECORDS[entry.kind].title_field) or ""),
        entry.notes.protect,
        actual.created if actual else None,
        entry.notes.previous if entry.source else (),  # an undo, whose entries have no file, follows no notes
    )
    return with_base_labels(applied, custom_ids or {})


def with_base_labels(applied: AppliedEntry, custom_ids: Mapping[str, int]) -> AppliedEntry:
    """Return an applied entry with the base's labels instead of the names of its fields."""
    if not custom_ids:
        return applied
    fields = {base_label(applied.kind, name, custom_ids): pair for name, pair in applied.fields.items()}
    return applied._replace(fields=fields)


def custom_label(name: str, id_: int | None) -> str:
    """Return a custom field's name in the base: `#id`, as the name may change; the name itself if `id_` is None."""
    return name if id_ is None else f"#{id_}"


def base_label(kind: Kind, name: str, custom_ids: Mapping[str, int]) -> str:
    """Return a field's name in the base: `#id` for a custom field whose id `custom_ids` has, else the dotted name."""
    return custom_label(name, custom_ids[name]) if name in custom_ids and is_custom(kind, name) else name


class Base(dict[EntryKey, AppliedEntry]):
    """All applied entries, by kind and key. Do not change a base that others may have.

    `is_known` is False if there is no base: then a run deletes nothing, and overwrites a record only with consent
    (docs/sync.md, Without a base). `is_saved` is False if the state file has another base, which a sync must replace.
    """

    def __init__(self, entries: Iterable[tuple[EntryKey, AppliedEntry]] = (), *, is_known: bool = True) -> None:
        super().__init__(entries)
        self.is_known = is_known
        self.is_saved = True

    @classmethod
    def from_entries(cls, entries: Iterable[AppliedEntry]) -> "Base":
        return cls((applied.identity, applied) for applied in entries)

    def with_updates(self, updates: Iterable[AppliedEntry] = (), removals: Iterable[EntryKey] = ()) -> "Base":
        """Return a known, saved base without the `removals` and with the `updates`.

        An update replaces the entries with the same key or the same id: a server that was restored from a backup
        assigns the ids of lost records again.
        """
        updated = {applied.identity: applied for applied in updates}
        ids = {(applied.kind, applied.id) for applied in updated.values() if applied.id is not None}
        removed = {*removals, *(key for key, applied in self.items() if ids and (applied.kind, applied.id) in ids)}
        base = Base((key, applied) for key, applied in self.items() if key in updated or key not in removed)
        base.update(updated)
        return base

    def with_keys(self, new_keys: Mapping[tuple[Kind, int | None], str]) -> "Base":
        """Return the base with the new keys of entries, by kind and id; the same object if no entry has such an id."""
        renamed = [
            applied._replace(key=new_keys[applied.kind, applied.id])
            for applied in self.values()
            if applied.id is not None and (applied.kind, applied.id) in new_keys
        ]
        if not renamed:
            return self
        base = self.with_updates(renamed)
        base.is_saved = False  # the state file differs
        return base


UNKNOWN_BASE = Base(is_known=False)


class BaseUpdates(Sequence[AppliedEntry]):
    """Applied entries to record in the base, made when one is read: a plan that is only shown needs none of them."""

    def __init__(self, count: int, make: Callable[[], Iterable[AppliedEntry]]) -> None:
        """Take the number of applied entries, and the function that makes all of them."""
        self._count = count
        self._make = make

    @cached_property
    def _made(self) -> tuple[AppliedEntry, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return self._made[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._made == tuple(other)


class ServerRecords:
    """The server's records, to be found by key or by applied entry."""

    def __init__(self, actual: Iterable[Entry]) -> None:
        self._by_key: dict[EntryKey, Entry] = {}
        self._by_id: dict[tuple[str, int | None], Entry] = {}
        for entry in actual:
            self._by_key[entry.kind, entry.key] = entry
            self._by_id[entry.kind, entry.id] = entry

    def by_id(self, kind: Kind, id_: int | None) -> Entry | None:
        """Return the record with a kind and id, even if another user created it; None for None, a missing id."""
        return self._by_id.get((kind, id_))

    def by_key(self, key: EntryKey) -> Entry | None:
        """Return the record with a kind and key, even if another user created it."""
        return self._by_key.get(key)

    def find(self, applied: AppliedEntry) -> Entry | None:
        """Return the record of an applied entry, also under a new key; None if it was deleted.

        If the times of creation are known, `find_exact` compares them. If one of them is missing, the record with the
        same id must have the same key, title or body.
        """
        record = self._by_id.get((applied.kind, applied.id))
        if record is None or applied.id is None or _are_times_known(record, applied):
            return self.find_exact(applied)
        return record if record.key == applied.key or _has_same_text(record, applied) else None

    def find_exact(self, applied: AppliedEntry) -> Entry | None:
        """Return the record of an applied entry only if it is certain enough to delete it; else None.

        Compare the id and the time of creation. If one of the times is missing, compare the id and the key. If the base
        is a commit, which has no ids, compare only the key.
        """
        if applied.id is None:
            return self._by_key.get(applied.identity)
        record = self._by_id.get((applied.kind, applied.id))
        if record is None:
            return None
        if _are_times_known(record, applied):
            return record if record.created == applied.created else None
        return record if record.key == applied.key else None


def _are_times_known(record: Entry, applied: AppliedEntry) -> bool:
    """Return whether a record and its applied entry both have a time of creation."""
    return applied.created is not None and record.created is not None


def _has_same_text(record: Entry, applied: AppliedEntry) -> bool:
    """Return whether a record's title or body is the applied one; empty texts do not count."""
    for name in (RECORDS[applied.kind].title_field, *BODIES):
        recorded = applied.fingerprints(name)
        value = value_at(record.fields, name)
        if recorded and value and fingerprint(record.kind, name, value) == recorded.stored:
            return True
    return False


class RemovedReference(NamedTuple):
    """A field that loses a reference because another entry is deleted; `before` is its value before the run."""

    kind: Kind
    id: int | None
    field: str
    before: Any


class StateBuilder:
    """The base of a run, updated after each write."""

    def __init__(self, entries: Iterable[AppliedEntry]) -> None:
        self._entries = Base.from_entries(entries)
        self._by_id: dict[tuple[Kind, int | None], EntryKey] = {
            (applied.kind, applied.id): applied.identity for applied in self._entries.values() if applied.id is not None
        }
        self._replaced: dict[tuple[Kind, int | None], AppliedEntry] = {}  # another record has their key now
        self._deleted: dict[Kind, set[int | None]] = {}  # the ids of the run's deletes so far

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def base(self) -> Base:
        """Return a copy of the present entries as a base."""
        return Base(self._entries.items())

    def by_id(self, kind: Kind, id_: int | None) -> AppliedEntry | None:
        """Return the applied entry with an id; None if the record is not managed."""
        key = self._by_id.get((kind, id_))
        applied = None if key is None else self._entries.get(key)
        return applied if applied is not None and applied.id == id_ else None  # another entry may have the key now

    def by_key(self, key: EntryKey) -> AppliedEntry | None:
        """Return the applied entry with a kind and key; None if there is none."""
        return self._entries.get(key)

    def find(self, kind: Kind, key: str, id_: int | None) -> AppliedEntry | None:
        """Return the applied entry of the record with this key and id; None if the record is not managed.

        An applied entry with the same id is found under any key, and also if another record has replaced it under its
        key. One without an id is found by the key.
        """
        applied = self.by_id(kind, id_) or self._replaced.get((kind, id_)) or self._entries.get((kind, key))
        is_of_other_record = applied is not None and applied.id not in (None, id_)
        return None if is_of_other_record else applied

    def put(self, applied: AppliedEntry) -> None:
        """Add an applied entry; it replaces the ones with the same id or the same key."""
        self._remove_by_id(applied.kind, applied.id)
        replaced = self._entries.get(applied.identity)
        if replaced is not None and replaced.id is not None:  # for the applied entry of its delete, later in the run
            self._replaced[replaced.kind, replaced.id] = replaced
        self._entries[applied.identity] = applied._replace(fields=PackedFields(applied.fields))
        if applied.id is not None:
            self._by_id[applied.kind, applied.id] = applied.identity

    def remove(self, kind: Kind, key: str, id_: int | None) -> None:
        """Remove the applied entry that `find` returns for this key and id; None: the id is not known."""
        self._remove_by_id(kind, id_)
        applied = self.find(kind, key, id_)
        if applied is not None:
            del self._entries[applied.identity]

    def record_delete(
        self, kind: Kind, deleted: Reference, fields: Mapping[str, Any], removed: Iterable[RemovedReference]
    ) -> None:
        """Remove a deleted record, and update the fingerprints of the fields that referred to it.

        The service removes the record from lists of references, and replaces it as a parent by its own parent. `fields`
        are the deleted record's fields, and `removed` the references to it at the start of the run.
        """
        self.remove(kind, str(deleted), deleted.id)
        deleted_ids = self._deleted.setdefault(kind, set())
        for referring_kind, id_, name, value in removed:
            if isinstance(value, list) and name in RECORDS[referring_kind].references:
                old_references = [key for key in value if key.id not in deleted_ids]
                new_references = [key for key in old_references if key.id != deleted.id]
                referring = self.by_id(referring_kind, id_)
                if referring is not None:
                    self._update_stored(referring, name, old=old_references, new=new_references)
        for name, referred in RECORDS[kind].references.items():
            if referred is kind:
                for applied in [applied for applied in self._entries.values() if applied.kind is kind]:
                    self._update_stored(applied, name, old=deleted, new=fields.get(name))
        deleted_ids.add(deleted.id)

    def _update_stored(self, applied: AppliedEntry, name: str, *, old: Any, new: Any) -> None:
        """Replace the stored fingerprint of a field by that of `new` if it is that of `old`, by ids or by keys."""
        fingerprints = applied.fingerprints(name)
        if fingerprints is not None and matches_fingerprint_or_keys(fingerprints.stored, applied.kind, name, old):
            stored = fingerprint(applied.kind, name, new)
            self.put(applied._replace(fields={**applied.fields, name: f"{fingerprints.sent}/{stored}"}))

    def _remove_by_id(self, kind: Kind, id_: int | None) -> None:
        """Remove the applied entry with an id; do nothing for None, or if the record is not managed."""
        applied = self.by_id(kind, id_)
        if applied is not None:
            del self._entries[applied.identity]
        self._by_id.pop((kind, id_), None)
        self._replaced.pop((kind, id_), None)
