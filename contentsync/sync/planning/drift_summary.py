"""What changed on the server since the last sync, taken from a plan that would overwrite all of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...authoring.edit.text_editor import as_read
from ...errors import UsageError
from ...model import RECORDS, Entry, Kind, did_you_mean
from ...model.custom_field import definitions_of
from ..comparing.base import Base, ServerRecords
from ..comparing.change import Action, Change
from ..comparing.diff import FieldChange
from .plan import Plan, Policy

# With this policy, a plan has everything that was changed on the server among its changes.
DRIFT_POLICY = Policy(prune=True, on_drift="overwrite", on_conflict="ours")


class ChangedEntry(NamedTuple):
    """A managed entry that was changed on the server."""

    entry: Entry  # of the folder; the server's if the folder no longer has it
    actual: Entry
    fields: Mapping[str, FieldChange]  # before: in the folder; after: on the server
    is_removed: bool  # the folder no longer has it
    conflicts: tuple[str, ...] = ()  # fields that the folder has changed too: its value is not the last synced one


class DriftSummary(NamedTuple):
    """The managed entries that were changed or deleted on the server, and the entries that only the server has."""

    changed: tuple[ChangedEntry, ...]
    deleted: tuple[Entry, ...]
    new: tuple[Entry, ...]
    submissions: tuple[Entry, ...]  # new listings that are not active, or that the config marks
    is_base_known: bool  # False: nothing was synced yet, so nothing can have changed since

    def __bool__(self) -> bool:
        return any((self.changed, self.deleted, self.new, self.submissions))


def summarize_drift(plan: Plan, submissions: Mapping[str, str]) -> DriftSummary:
    """Return what was changed on the server; `plan` must be made with DRIFT_POLICY.

    A new listing is a submission if it is not active, or if a field has the value that `submissions` has for the
    field. Raise UsageError if listings have no such field.
    """
    known = {*RECORDS[Kind.LISTING].rules(), *definitions_of(plan.actual)[Kind.LISTING]}
    if unknown := next((name for name in submissions if name not in known), None):
        hint = did_you_mean(unknown, known) or "correct it in contentsync.toml"
        raise UsageError(f"propose.submissions names {unknown}, and listings have no such field", hint)
    records = ServerRecords(plan.actual)
    # Retained entries are not new on the server, because the folder had them before.
    retained = {(entry.kind, entry.key) for entry, _reason in plan.retained}
    new = [entry for entry in plan.unmanaged if (entry.kind, entry.key) not in retained]
    return DriftSummary(
        changed=tuple(
            _changed_entry(change, change.actual)
            for change in plan.changes
            if change.actual and (change.drift or _is_replaced(change, plan.base, records))
        ),
        deleted=tuple(change.entry for change in plan.changes if change.recreates),  # the plan creates them again
        new=tuple(entry for entry in new if not _is_submission(entry, submissions)),
        submissions=tuple(entry for entry in new if _is_submission(entry, submissions)),
        is_base_known=plan.base.is_known,
    )


def _is_replaced(change: Change, base: Base, records: ServerRecords) -> bool:
    """Return whether the managed record was deleted on the server, and another one was created with its key."""
    applied = base.get((change.kind, change.key))
    return change.action is Action.UPDATE and applied is not None and records.find(applied) is None


def _changed_entry(change: Change, actual: Entry) -> ChangedEntry:
    """Return the fields that were changed on the server, with the folder's value first and the server's second."""
    fields: dict[str, FieldChange] = {}
    for name in change.drift or change.fields:  # all of them, if another record has the key now
        if name in change.fields:
            on_server, in_folder = change.fields[name]  # the plan would replace the server's value with the folder's
            fields[name] = FieldChange(in_folder, on_server)
        else:  # of an entry that the folder no longer has
            fields[name] = FieldChange(None, actual.fields.get(name))
    return ChangedEntry(change.entry, actual, fields, change.action is Action.DELETE, change.conflicts)


def _is_submission(entry: Entry, submissions: Mapping[str, str]) -> bool:
    """Return whether a record is a listing that waits for approval: inactive, or with a value of the `submissions`."""
    if entry.kind is not Kind.LISTING:
        return False
    if entry.fields.get("is_active") is False:
        return True
    return any(_has_value(entry.fields.get(name), value) for name, value in submissions.items())


def _has_value(found: Any, value: str) -> bool:
    """Return whether a field has the value, written as in a file; a list has it if one of its items has."""
    return value in as_read(found) if isinstance(found, list) else as_read(found) == value
