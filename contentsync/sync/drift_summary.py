"""What changed on the server since the last sync, taken from a plan that would overwrite all of it."""

from collections.abc import Mapping
from typing import NamedTuple

from ..model import Entry, Kind
from .change import Action, Change
from .comparing.diff import FieldChange
from .plan import Plan
from .plan_policy import Policy

# With this policy, a plan has everything that was changed on the server among its changes.
DRIFT_POLICY = Policy(prune=True, on_drift="overwrite", on_conflict="ours")


class ChangedEntry(NamedTuple):
    """A managed entry that was changed on the server."""

    entry: Entry  # of the folder; the server's if the folder no longer has it
    actual: Entry
    fields: Mapping[str, FieldChange]  # before: in the folder; after: on the server
    is_removed: bool  # the folder no longer has it


class DriftSummary(NamedTuple):
    """The managed entries that were changed or deleted on the server, and the entries that only the server has."""

    changed: tuple[ChangedEntry, ...]
    deleted: tuple[Entry, ...]
    new: tuple[Entry, ...]
    submissions: tuple[Entry, ...]  # new listings that are not active
    is_base_known: bool  # False: nothing was synced yet, so nothing can have changed since

    def __bool__(self) -> bool:
        return any((self.changed, self.deleted, self.new, self.submissions))


def summarize_drift(plan: Plan) -> DriftSummary:
    """Return what was changed on the server; `plan` must be made with DRIFT_POLICY."""
    retained = {(entry.kind, entry.key) for entry, _ in plan.retained}
    unmanaged = [entry for entry in plan.unmanaged if (entry.kind, entry.key) not in retained]
    return DriftSummary(
        tuple(_changed_entry(change, change.actual) for change in plan.changes if change.drift and change.actual),
        tuple(change.entry for change in plan.changes if change.recreates),
        tuple(entry for entry in unmanaged if not _is_submission(entry)),
        tuple(filter(_is_submission, unmanaged)),
        plan.base.is_known,
    )


def _changed_entry(change: Change, actual: Entry) -> ChangedEntry:
    fields = {
        name: FieldChange(change.fields[name].after, change.fields[name].before)
        if name in change.fields
        else FieldChange(None, actual.fields.get(name))
        for name in change.drift
    }
    return ChangedEntry(change.entry, actual, fields, change.action is Action.DELETE)


def _is_submission(entry: Entry) -> bool:
    return entry.kind is Kind.LISTING and entry.fields.get("is_active") is False
