"""The entries of a kind on both sides, each with where it is and whether the sides differ."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ...model import Entry, Kind
from ..comparing.change import Action
from .plan import Plan

_Identity = tuple[str, int | None]  # the key of an entry, and its id if it is the server's


class SideStatus(StrEnum):
    """Where an entry is, and whether both sides have the same values."""

    IN_SYNC = "in sync"
    CHANGED_HERE = "changed here"  # a sync would write it
    DRIFTED = "drifted"  # another user changed it on the server
    ONLY_HERE = "only here"
    UNMANAGED = "unmanaged"  # only on the server
    REMOVED_HERE = "removed here"  # managed, and only on the server
    SKIPPED = "skipped"  # by its `sync:` key


class BothSides(NamedTuple):
    """The entries of the folder, and those that only the server has."""

    entries: Sequence[Entry]
    statuses: Mapping[_Identity, SideStatus]

    def status(self, entry: Entry) -> SideStatus:
        """Return the status of one of the entries."""
        return self.statuses.get(_identity(entry), SideStatus.IN_SYNC)


def compare_sides(plan: Plan, folder_entries: Sequence[Entry], kind: Kind) -> BothSides:
    """Return the entries of a kind on both sides; `plan` must be made with DRIFT_POLICY."""
    here = [entry for entry in folder_entries if entry.kind is kind]
    by_key = {entry.key: entry for entry in here}
    statuses: dict[_Identity, SideStatus] = {}
    there: list[Entry] = []

    def add(key: str, status: SideStatus) -> None:
        if key in by_key:
            statuses[_identity(by_key[key])] = status

    for drift in plan.drift:  # what even this plan does not overwrite
        if drift.entry.kind is kind:
            add(drift.entry.key, SideStatus.ONLY_HERE if drift.deleted else SideStatus.DRIFTED)
    for _kind, key in (each for each in plan.left_deleted if each[0] is kind):
        add(key, SideStatus.ONLY_HERE)
    for change in plan.changes:
        if change.kind is not kind:
            continue
        if change.action is Action.DELETE:
            there.append(change.entry)
            statuses[_identity(change.entry)] = SideStatus.REMOVED_HERE
        elif change.action is Action.CREATE:
            add(change.key, SideStatus.ONLY_HERE)
        else:
            add(change.key, SideStatus.DRIFTED if change.drift else SideStatus.CHANGED_HERE)
    retained = {_identity(entry) for entry, _reason in plan.retained if entry.kind is kind}
    for entry in plan.unmanaged:
        if entry.kind is kind and _identity(entry) not in statuses:
            there.append(entry)
            is_retained = _identity(entry) in retained
            statuses[_identity(entry)] = SideStatus.REMOVED_HERE if is_retained else SideStatus.UNMANAGED
    for entry in here:
        if entry.notes.skip:
            statuses[_identity(entry)] = SideStatus.SKIPPED
    return BothSides([*here, *there], statuses)


def _identity(entry: Entry) -> _Identity:
    return entry.key, entry.id
