"""The server's records and the base, with references and custom fields under the folder's keys.

A record may have another key on the server: the folder is about to rename it, or another user renamed it there. So
references and the names of custom fields are translated to the folder's keys before the comparison. The base identifies
records by id, so it is still right after a run that renamed a record and did not write the entries that refer to it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, EntryKey, Kind, Reference, key_field_of
from ...model.entry import value_at
from ...model.references import map_reference, map_references
from .base import AppliedEntry, Base, custom_label
from .diff import ComparedEntry, compare, default_value, is_plainly_equal
from .entry_fields import KEYED_KINDS, authored_fields, is_authored, is_unknown, rename_references
from .fingerprint import are_equal, digest, fingerprint, join_pair, matches_fingerprint, sent_fingerprint
from .matching import Match, Matching

_UNEQUAL = "?"  # equals no fingerprint, and no key begins with it


class KeyTranslation:
    """The folder's keys for the records and custom fields that entries refer to."""

    def __init__(self, matching: Matching, desired: Sequence[Entry], actual: Sequence[Entry], base: Base) -> None:
        """Collect the keys of the folder's `desired` entries, of the server's `actual` records, and of the base.

        The folder comes first: its key for a record counts, and a record that it lacks has the server's key or `#id`.
        """
        self.folder_keys: dict[EntryKey, str] = {}  # the server's key -> the folder's key, if they differ
        self._base = base
        self._references: dict[EntryKey, Reference] = {}  # a key -> the folder's key with the id of the record
        # Keys of the folder under which the server now has another user's record in place of the applied one.
        self._taken_over: set[EntryKey] = set()
        # A custom field as the base names it (`#id`, or its key if the base has no ids) -> its name in the folder.
        self._names_by_label: dict[str, str] = {}
        # A record's id -> its id before it was deleted and created again.
        self._former_ids = {
            (applied.kind, applied.id): applied.former for applied in base.values() if applied.former is not None
        }
        self._existing_ids = {(record.kind, record.id) for record in actual if record.kind in KEYED_KINDS}
        applied_records = [(applied, record.id) for applied, record in matching.orphans() if record is not None]
        for entry in desired:
            if entry.kind in KEYED_KINDS:
                match = matching.find(entry)
                if match.actual is not None and match.applied is not None:
                    applied_records.append((match.applied, match.actual.id))
                if not entry.notes.skip:
                    self._add_entry(entry, match)
        # A record's id -> its key in the base.
        self._base_keys: dict[tuple[Kind, int | None], str] = {
            (applied.kind, id_): applied.key for applied, id_ in applied_records if applied.kind in KEYED_KINDS
        }
        for record in actual:
            if record.kind in KEYED_KINDS:
                self._add_record(record)  # unless `_add_entry` has added it
        field_ids = {
            key: reference.id for (kind, key), reference in self._references.items() if kind is Kind.CUSTOM_FIELD
        }
        for (kind, key), applied in self._base.items():
            if kind is Kind.CUSTOM_FIELD:  # also of fields whose records were not read
                self._names_by_label.setdefault(custom_label(key, applied.id), key)
                field_ids.setdefault(key, applied.id)
        self.custom_ids = {key: id_ for key, id_ in field_ids.items() if id_ is not None}

    def _add_entry(self, entry: Entry, match: Match) -> None:
        """Add the reference to an entry of the folder, and the names of a custom field."""
        key = entry.kind, entry.key
        record, applied = match.actual, match.applied
        applied_with_key = self._base.get(key)
        if record is not None:
            self._references[key] = Reference(entry.key, record.id)
            applied_id = None if applied_with_key is None else applied_with_key.id
            if applied is None and applied_id not in (None, record.id):
                self._taken_over.add(key)  # by the record of another user
            if record.key != entry.key:
                self.folder_keys[entry.kind, record.key] = entry.key
        elif applied_with_key is not None and (entry.kind, applied_with_key.id) not in self._existing_ids:
            # It was deleted on the server, but other records still refer to its id.
            self._references[key] = Reference(entry.key, applied_with_key.id)
        else:
            self._references[key] = Reference(entry.key, None)
        if entry.kind is Kind.CUSTOM_FIELD:
            if applied is not None:
                self._names_by_label[applied.key] = entry.key  # for a base without ids
            id_ = self._references[key].id
            for known_id in filter(None, (id_, self._former_ids.get((entry.kind, id_)))):
                self._names_by_label[custom_label(entry.key, known_id)] = entry.key

    def _add_record(self, record: Entry) -> None:
        """Add the reference to a record, unless the folder has its key.

        If the key means another record in the folder, or a new entry, the folder's key of this record is `#id`.
        """
        key = record.kind, record.key
        in_folder = self._references.get(key)  # what the key means in the folder; its id is None for a new entry
        has_other_meaning = in_folder is not None and in_folder.id != record.id
        if has_other_meaning and key not in self.folder_keys:
            self.folder_keys[key] = f"#{record.id}"
        reference = Reference(self.folder_keys.get(key, record.key), record.id)
        if in_folder is None:
            self._references[key] = reference
        if record.kind is Kind.CUSTOM_FIELD:
            self._names_by_label.setdefault(custom_label(record.key, record.id), str(reference))

    def compare(self, entry: Entry, record: Entry, applied: AppliedEntry | None) -> ComparedEntry:
        """Return an entry of the folder compared with its record and its applied entry, under the folder's keys."""
        actual = self.translate_record(record)
        if is_plainly_equal(entry, actual, self._field_names(applied)):
            return ComparedEntry(entry, actual, applied, changes={})
        entry = self.with_reference_ids(entry)
        if applied is not None:
            applied = self.translate_applied(applied, entry, actual)
        return compare(entry, actual, applied)

    def changed_in_folder(self, entry: Entry, applied: AppliedEntry) -> list[str]:
        """Return the dotted names of the fields that the folder has changed since an entry was applied.

        A field that the folder adds or removes with its default, as a column with an empty cell, is no change.
        """
        if applied.identity != (entry.kind, entry.key):
            return [key_field_of(entry)]
        if applied.digest == digest(entry.fields):
            return []
        entry = self.with_reference_ids(entry)
        applied = self.translate_applied(applied, entry, record=entry)
        authored = {name: value for name, _stored, value in authored_fields(entry, actual=None)}
        removed = (name for name in applied.fields if not is_authored(entry, name))
        changed = []
        for name in (*authored, *removed):
            recorded = applied.fingerprints(name)
            default = default_value(entry.kind, name)
            value = authored.get(name, default)
            is_same = (
                recorded.sent == sent_fingerprint(entry.kind, name, value)
                if recorded is not None
                else are_equal(entry.kind, name, default, value)
            )
            # A service may not return `is_markdown`, so it may never have been applied.
            if not is_same and name != "is_markdown":
                changed.append(name)
        return changed

    def changed_on_server(self, applied: AppliedEntry, record: Entry) -> list[str]:
        """Return the dotted names of the fields that the server has changed since an entry was applied.

        It is for an entry that the folder no longer has: `compare` finds such fields of the others.
        """
        record = self.translate_record(record)
        # Without an entry in the folder, the references of the record are the only present ones to translate to.
        applied = self.translate_applied(applied, entry=record, record=record)
        changed = []
        for name in applied.fields:
            # Not every service returns `is_markdown`: it is then as unknown as the fields that `is_unknown` reports.
            if is_unknown(record, name) or (name == "is_markdown" and name not in record.fields):
                continue
            fingerprints = applied.fingerprints(name)  # not None, as `fields` has the name
            value = value_at(record.fields, name)
            if fingerprints is not None and not matches_fingerprint(record.kind, name, value, fingerprints.stored):
                changed.append(name)
        return changed

    def translate_record(self, record: Entry) -> Entry:
        """Return a server's record with the folder's keys of its references and custom fields."""
        return rename_references(record, self.folder_keys)

    def with_reference_ids(self, entry: Entry) -> Entry:
        """Return an entry of the folder with the ids of its references, as far as they are known."""
        return map_references(entry, lambda kind, key: self._references.get((kind, key), key))

    def with_folder_keys(self, entry: Entry) -> Entry:
        """Return a new entry of the folder with the folder's keys of its references, and perhaps with their ids.

        It is the same object if no record has another key on the server, to save memory.
        """
        return self.with_reference_ids(entry) if self.folder_keys else entry

    def translate_applied(self, applied: AppliedEntry, entry: Entry, record: Entry) -> AppliedEntry:
        """Return an applied entry under the folder's keys; `entry` and `record` must be translated already.

        A fingerprint of references in the base may be of the base's keys or of former ids, while those of `entry` and
        `record` are of the present ids. If both mean the same records, replace the base's fingerprint by the present
        one, so that the comparison finds them equal.
        """
        fields = {self._names_by_label.get(name, name): pair for name, pair in applied.fields.items()}
        for name, kind in RECORDS[applied.kind].references.items():
            recorded = applied.fingerprints(name)
            if recorded is None:
                continue
            desired, actual = entry.fields.get(name), record.fields.get(name)
            sent, stored = recorded
            if sent in (sent_fingerprint(applied.kind, name, value) for value in self._forms_in_base(desired, kind)):
                sent = sent_fingerprint(applied.kind, name, desired)
            if stored in (fingerprint(applied.kind, name, value) for value in self._forms_in_base(actual, kind)):
                stored = fingerprint(applied.kind, name, actual)
            if any((kind, key) in self._taken_over for key in (desired if isinstance(desired, list) else [desired])):
                stored = _UNEQUAL  # another user's record has the key now
            fields[name] = join_pair(sent, stored)
        return applied._replace(fields=fields)

    def _forms_in_base(self, value: Any, kind: Kind) -> tuple[Any, Any]:
        """Return references in the two forms that the base may have: with the base's keys, and with former ids.

        A record has a former id if it was deleted on the server and created again. In the first form, a reference to a
        record that the base does not have gets a key that equals no other.
        """

        def base_key(kind: Kind, key: str) -> str:
            """Return the key that the base has for the record of a reference."""
            if not isinstance(key, Reference):
                return key
            key_in_base = self._base_keys.get((kind, key.id))
            if key_in_base:
                return key_in_base
            applied = self._base.get((kind, str(key)))
            is_of_other_record = applied is not None and applied.id != key.id
            return f"{_UNEQUAL}{key}" if is_of_other_record else str(key)

        def with_former_id(kind: Kind, key: str) -> str:
            id_ = self._former_ids.get((kind, key.id)) if isinstance(key, Reference) else None
            return key if id_ is None else Reference(str(key), id_)

        return map_reference(value, kind, base_key), map_reference(value, kind, with_former_id)

    def _field_names(self, applied: AppliedEntry | None) -> Iterable[str]:
        """Return the names of the applied fields, those of custom fields as in the folder."""
        if applied is None:
            return ()
        if applied.kind not in FIELDABLE or not self._names_by_label:
            return applied.fields
        return [self._names_by_label.get(name, name) for name in applied.fields]
