"""The base of a three-way comparison: what the last run applied, one `AppliedEntry` per entry.

The base has fingerprints instead of values, so it stays small when a text is long.
"""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind, Reference
from .entry_fields import BODIES, Identity, authored_fields, is_custom, is_unknown, value_at
from .fingerprint import digest, fingerprint, fingerprint_pair, matches_fingerprint_or_keys


class FieldFingerprints(NamedTuple):
    """The fingerprints of a field that was applied."""

    sent: str  # of the value in the folder
    stored: str  # of the value that the server had afterwards: another one where it changes values


@dataclass(frozen=True, slots=True)
class AppliedEntry:
    """An entry as it was last applied: one that a run created, wrote or adopted."""

    kind: Kind
    key: str
    id: int | None  # None where the base is a commit
    # Dotted name, or `#id` of a custom field: the fingerprint `sent`, or `sent/stored` where the two differ.
    fields: Mapping[str, str]
    digest: str = ""  # of the entry's fields: if it is equal, nothing has changed in the folder
    path: str = ""  # of its file
    slug: str = ""  # as text, to find a table row again under a new URL
    title: str = ""
    protect: bool = False  # never delete it, even when its file is deleted
    created: str | None = None  # when its record was created: a new database assigns the same ids again
    previous: tuple[str, ...] = ()  # the names in its `sync.previous` that an earlier run has used
    moving: str = ""  # the key that it should get next, if a run stopped after it wrote a temporary key
    former: int | None = None  # its id before it was deleted on the server and created again; references may have it

    @property
    def identity(self) -> Identity:
        return self.kind, self.key

    def fingerprints(self, name: str) -> FieldFingerprints | None:
        """Return the fingerprints of a field; None for one that was not managed."""
        found = self.fields.get(name)
        if found is None:
            return None
        sent, _, stored = found.partition("/")
        return FieldFingerprints(sent, stored or sent)


def applied_entry(
    entry: Entry,
    actual: Entry | None = None,
    untouched: Mapping[str, str] | None = None,
    custom: Mapping[str, int] | None = None,
) -> AppliedEntry:
    """Return the base's record of an entry that was applied; `actual` is what the server then has.

    Without `actual`, the server has what was sent. `untouched` are fields of the base that the run did not write and
    that stay as they are. `custom` maps the names of custom fields to their ids.
    """
    fields: dict[str, str] = {}
    for name, stored, sent in authored_fields(entry, actual):
        is_hidden = actual is None or is_unknown(actual, name)
        fields[name] = fingerprint_pair(entry.kind, name, sent, sent if is_hidden else stored)
    fields |= untouched or {}
    if custom:
        fields = {base_label(entry.kind, name, custom): pair for name, pair in fields.items()}
    return AppliedEntry(
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
        entry.notes.previous if entry.source else (),  # an undo uses names that no file has
    )


def custom_label(name: str, id_: int | None) -> str:
    """Return the base's name of a custom field: `#id` where the id is known, because the name may change."""
    return name if id_ is None else f"#{id_}"


def base_label(kind: Kind, name: str, custom: Mapping[str, int]) -> str:
    """Return the base's name of a field (dotted name); `custom` maps the names of custom fields to their ids."""
    return custom_label(name, custom[name]) if name in custom and is_custom(kind, name) else name


@dataclass(frozen=True)
class Base(Mapping[Identity, AppliedEntry]):
    """Everything that was applied, by kind and key.

    `known` is False if there is no base: then nothing may be deleted, and entries that the server has with other
    values are only adopted (docs/sync.md, Without a base).
    """

    entries: Mapping[Identity, AppliedEntry] = field(default_factory=dict)
    known: bool = True

    @classmethod
    def of(cls, entries: Iterable[AppliedEntry]) -> "Base":
        return cls({applied.identity: applied for applied in entries})

    def __getitem__(self, identity: Identity) -> AppliedEntry:
        return self.entries[identity]

    def __iter__(self) -> Iterator[Identity]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    # The methods of Mapping look up each key: these are faster.
    def values(self) -> ValuesView[AppliedEntry]:
        return self.entries.values()

    def items(self) -> ItemsView[Identity, AppliedEntry]:
        return self.entries.items()

    def with_updates(self, updates: Iterable[AppliedEntry] = (), removals: Iterable[Identity] = ()) -> "Base":
        """Return the base without the `removals` and with the `updates`, which replace or add entries."""
        entries: dict[Identity, AppliedEntry] = dict(self.entries)
        for identity in removals:
            entries.pop(identity, None)
        for applied in updates:
            entries[applied.identity] = applied
        return Base(entries)


UNKNOWN = Base(known=False)


class ServerRecords:
    """The server's records of the kinds that were read, and which of them an applied entry is."""

    def __init__(self, actual: Iterable[Entry]) -> None:
        self._by_key: dict[Identity, Entry] = {}
        self._by_id: dict[tuple[str, int | None], Entry] = {}
        for entry in actual:
            self._by_key[entry.kind, entry.key] = entry
            self._by_id[entry.kind, entry.id] = entry

    def by_key(self, identity: Identity) -> Entry | None:
        """Return the record of a key, whoever created it."""
        return self._by_key.get(identity)

    def find(self, applied: AppliedEntry) -> Entry | None:
        """Return the record of an applied entry, under any key; not one that another user created again.

        If the service does not return when it was created, a record with another key must have the same title or body.
        """
        record = self._by_id.get((applied.kind, applied.id))
        if record is None or applied.id is None or _is_same_creation(record, applied) is not None:
            return self.find_exact(applied)
        return record if record.key == applied.key or _has_same_text(record, applied) else None

    def find_exact(self, applied: AppliedEntry) -> Entry | None:
        """Return the record of an applied entry if there is no doubt, so that a run may delete it.

        Compare the id and the time of creation, as a new database assigns the same ids again; without that time the id
        and the key; only the key where the base is a commit.
        """
        if applied.id is None:
            return self._by_key.get(applied.identity)
        record = self._by_id.get((applied.kind, applied.id))
        if record is None:
            return None
        is_same = _is_same_creation(record, applied)
        return record if is_same or (is_same is None and record.key == applied.key) else None


def _is_same_creation(record: Entry, applied: AppliedEntry) -> bool | None:
    """Return whether both have the same time of creation; None if one of the two has none."""
    if applied.created is None or record.created is None:
        return None
    return applied.created == record.created


def _has_same_text(record: Entry, applied: AppliedEntry) -> bool:
    """Return whether a record has the applied title or the applied body; an empty one does not count."""
    return any(
        (fingerprints := applied.fingerprints(name)) is not None
        and bool(value := value_at(record.fields, name))
        and fingerprint(record.kind, name, value) == fingerprints.stored
        for name in (RECORDS[applied.kind].title_field, *BODIES)
    )


# Kind and id of an entry, a field of it that refers to a deleted record, and the field's value before.
ReferringValue = tuple[Kind, int | None, str, Any]


class StateBuilder:
    """The base while a run changes it."""

    def __init__(self, entries: Iterable[AppliedEntry]) -> None:
        self._entries: dict[Identity, AppliedEntry] = {applied.identity: applied for applied in entries}
        self._by_id: dict[tuple[Kind, int | None], Identity] = {
            (applied.kind, applied.id): applied.identity for applied in self._entries.values() if applied.id is not None
        }
        self._deleted: dict[Kind, set[int | None]] = {}  # the ids that `record_delete` was called with

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def base(self) -> Base:
        """Return a base of the entries as they are now."""
        return Base(dict(self._entries))

    def by_id(self, kind: Kind, id_: int | None) -> AppliedEntry | None:
        """Return the applied entry of a record; None for a record that is not managed."""
        identity = self._by_id.get((kind, id_))
        applied = None if identity is None else self._entries.get(identity)
        return applied if applied is not None and applied.id == id_ else None  # another entry may have the key now

    def find(self, kind: Kind, key: str, id_: int | None) -> AppliedEntry | None:
        """Return the applied entry of a record, by its key where the base is a commit and has no ids."""
        applied = self.by_id(kind, id_) or self._entries.get((kind, key))
        return applied if applied is not None and applied.id in (None, id_) else None

    def put(self, applied: AppliedEntry) -> None:
        """Add an applied entry, and remove the one that the same record had under another key."""
        self._drop(applied.kind, applied.id)
        self._entries[applied.identity] = applied
        if applied.id is not None:
            self._by_id[applied.kind, applied.id] = applied.identity

    def remove(self, kind: Kind, key: str, id_: int | None) -> None:
        """Remove the applied entry of a record, whatever key it has."""
        self._drop(kind, id_)
        applied = self.find(kind, key, id_)
        if applied is not None:
            del self._entries[applied.identity]

    def record_delete(
        self, kind: Kind, deleted: Reference, fields: Mapping[str, Any], values: Iterable[ReferringValue]
    ) -> None:
        """Remove a deleted record, and update the fingerprints of the fields that the service changed with it.

        The service removes it from lists of references, and replaces it as a parent by its own parent. `fields` are
        those of the deleted record, and `values` those that refer to it, as they were at the start of the run.
        """
        self.remove(kind, str(deleted), deleted.id)
        earlier = self._deleted.setdefault(kind, set())
        for referring, id_, name, value in values:
            if isinstance(value, list) and name in RECORDS[referring].references:
                before = [key for key in value if key.id not in earlier]
                after = [key for key in before if key.id != deleted.id]
                self._update_stored(self.by_id(referring, id_), name, before, after)
        for name, referred in RECORDS[kind].references.items():
            if referred is kind:
                for applied in [applied for applied in self._entries.values() if applied.kind is kind]:
                    self._update_stored(applied, name, deleted, fields.get(name))
        earlier.add(deleted.id)

    def _update_stored(self, applied: AppliedEntry | None, name: str, before: Any, after: Any) -> None:
        """Replace the fingerprint of a field's stored value if it is that of `before`."""
        fingerprints = None if applied is None else applied.fingerprints(name)
        if applied is None or fingerprints is None:
            return
        if matches_fingerprint_or_keys(fingerprints.stored, applied.kind, name, before):
            stored = fingerprint(applied.kind, name, after)
            self.put(replace(applied, fields={**applied.fields, name: f"{fingerprints.sent}/{stored}"}))

    def _drop(self, kind: Kind, id_: int | None) -> None:
        applied = self.by_id(kind, id_)
        if applied is not None:
            del self._entries[applied.identity]
        self._by_id.pop((kind, id_), None)
