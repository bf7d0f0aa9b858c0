"""The fields that differ between an entry of the folder and its record on the server, and which side changed them."""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind
from ...model.entry import value_at
from .base import AppliedEntry, FieldFingerprints
from .entry_fields import BODIES, authored_fields, is_authored, is_unknown
from .fingerprint import EXACT_FIELDS, are_equal, matches_fingerprint, sent_fingerprint

# Required fields and fields without an empty value: after removal from a file, they are unmanaged
# (docs/sync.md, Three sides).
_NO_DEFAULT = frozenset(
    {"slug", "title", "name", "label", "type", "markdown", "content", "published_at", "is_markdown"}
)

# Kinds whose fields are compared as whole values: those of the others may have parts, such as `seo.title`.
_KINDS_OF_WHOLE_VALUES = frozenset({Kind.CATEGORY, Kind.TAG, Kind.LISTING})


class FieldChange(NamedTuple):
    """A field's value on the server (`before`) and in the folder (`after`); None if the field is missing there."""

    before: Any
    after: Any


class NewFields(Mapping[str, FieldChange]):
    """The fields of a new entry as changes, made on demand: a plan may have 100,000 new entries."""

    __slots__ = ("values_after",)

    def __init__(self, values_after: Mapping[str, Any]) -> None:
        self.values_after = values_after

    def __getitem__(self, name: str) -> FieldChange:
        return FieldChange(None, self.values_after[name])

    def __contains__(self, name: object) -> bool:
        return name in self.values_after

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_after)

    def __len__(self) -> int:
        return len(self.values_after)


def new_fields(entry: Entry) -> NewFields:
    """Return the fields to write for an entry that has no record, by dotted name."""
    if entry.kind in _KINDS_OF_WHOLE_VALUES:  # no field has a dotted name
        return NewFields(entry.fields)
    fields = {name: value for name, _stored, value in authored_fields(entry, actual=None)}
    fields.pop("is_markdown", None)  # derived, to be compared with a record; the service derives it from the texts
    return NewFields(fields)


class ComparedEntry(NamedTuple):
    """An entry of the folder, compared with its record and its applied entry (None if there is none)."""

    entry: Entry
    actual: Entry
    applied: AppliedEntry | None
    changes: dict[str, FieldChange]  # the fields to write, in the order of the file; fields removed from it are last
    drifted: frozenset[str] = frozenset()  # fields to write that only the server has changed since the last run
    # Fields to write that both sides have changed, or that only another user had set.
    conflicts: frozenset[str] = frozenset()


def compare(desired: Entry, actual: Entry, applied: AppliedEntry | None) -> ComparedEntry:
    """Compare an entry with its record: which fields to write, and which of them would undo another user's change.

    A field that the folder no longer sets gets its default if it was applied before. A value that the server stored
    differently from the sent one is no difference until one side changes it. An HTML entity equals its character until
    the folder changes the text. A field that the service does not return is sent if its value is not the one sent last.
    """
    if is_plainly_equal(desired, actual, applied.fields if applied else ()):
        return ComparedEntry(desired, actual, applied, changes={})
    kind = desired.kind
    changes: dict[str, FieldChange] = {}
    drifted: set[str] = set()
    conflicts: set[str] = set()
    authored: set[str] = set()
    for name, stored, desired_value in authored_fields(desired, actual):
        authored.add(name)
        recorded = applied.fingerprints(name) if applied else None
        if is_unknown(actual, name):
            if _must_be_sent(kind, name, desired_value, recorded):
                changes[name] = FieldChange(None, desired_value)
            continue
        if are_equal(kind, name, desired_value, stored, literal=True):  # an HTML entity differs from its character
            continue
        changed_in_folder = recorded is not None and sent_fingerprint(kind, name, desired_value) != recorded.sent
        if not changed_in_folder and are_equal(kind, name, desired_value, stored):  # an entity equals its character
            continue
        if recorded is not None:
            changed_on_server = not matches_fingerprint(kind, name, stored, recorded.stored)
            if not changed_in_folder and not changed_on_server:
                continue
            if changed_on_server and changed_in_folder:
                conflicts.add(name)
            elif changed_on_server:
                drifted.add(name)
        elif applied is not None and was_set_by_other_user(kind, name, stored):
            conflicts.add(name)
        changes[name] = FieldChange(stored, desired_value)
    if "is_markdown" in drifted and BODIES & (changes.keys() - drifted):
        # The folder has changed a body, and another user has changed which of the bodies is shown.
        drifted.remove("is_markdown")
        conflicts |= {"is_markdown"} | (BODIES & changes.keys())
    if applied is not None and applied.fields.keys() - authored:
        for name in applied.fields:
            # `authored` lacks translations that the folder sets to the default text.
            is_removed = name not in authored and not is_authored(desired, name)
            if is_removed and has_default(name):
                stored, default = value_at(actual.fields, name), default_value(kind, name)
                recorded = applied.fingerprints(name)
                if is_unknown(actual, name):
                    is_translation = name.startswith("translations.")  # in a language that the directory does not have
                    if not is_translation and _must_be_sent(kind, name, default, recorded):
                        changes[name] = FieldChange(None, default)
                elif not are_equal(kind, name, default, stored):
                    changes[name] = FieldChange(stored, default)
                    if recorded is not None and not matches_fingerprint(kind, name, stored, recorded.stored):
                        conflicts.add(name)
    return ComparedEntry(desired, actual, applied, changes, frozenset(drifted), frozenset(conflicts))


def is_plainly_equal(desired: Entry, actual: Entry, applied: Iterable[str]) -> bool:
    """Return whether an entry is certainly equal to its record; False means that `compare` must decide.

    `applied` are the names of the applied fields. It is True only for kinds whose fields are compared as whole values.
    """
    stored = actual.fields
    return (
        desired.kind in _KINDS_OF_WHOLE_VALUES
        and desired.fields.keys() >= set(applied)
        and desired.fields.items() <= stored.items()
        and EXACT_FIELDS.isdisjoint(desired.fields)
        and actual.unknown.isdisjoint(desired.fields)
    )


def is_exactly_equal(desired: Entry, actual: Entry, applied: Iterable[str]) -> bool:
    """Return whether an entry is plainly equal to its record, and its references have the same ids."""
    return is_plainly_equal(desired, actual, applied) and all(
        _ids(desired.fields[name]) == _ids(actual.fields[name])
        for name in RECORDS[desired.kind].references
        if name in desired.fields
    )


def _ids(references: Any) -> list[int | None]:
    """Return the ids of one reference or of several; None for keys without an id."""
    return [getattr(key, "id", None) for key in (references if isinstance(references, list) else [references])]


def _must_be_sent(kind: Kind, name: str, desired_value: Any, recorded: FieldFingerprints | None) -> bool:
    """Return whether the folder's value is not the one sent last; if none was sent (None), whether it is not empty."""
    if recorded is None:
        return not are_equal(kind, name, desired_value, actual=None)
    return sent_fingerprint(kind, name, desired_value) != recorded.sent


def was_set_by_other_user(kind: Kind, name: str, stored: Any) -> bool:
    """Return whether another user has set a field that was never applied: not its default, and not generated."""
    is_generated = name in _NO_DEFAULT and (name not in BODIES or kind is Kind.ARTICLE)
    return not is_generated and not are_equal(kind, name, default_value(kind, name), stored)


def has_default(name: str) -> bool:
    """Return whether a field (dotted name) gets its default again after it is removed from the folder."""
    return name.startswith("translations.") or name not in _NO_DEFAULT


def default_value(kind: Kind, name: str) -> Any:
    """Return the default of a top-level field; None for a part of an object and for a custom field."""
    rule = RECORDS[kind].rules().get(name)
    return deepcopy(rule.default) if rule else None
