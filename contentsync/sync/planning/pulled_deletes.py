"""The entries that another user deleted on the server, and which of them a pull may remove from the folder.

The gate is that of a sync (docs/sync.md, Deletes) with the sides swapped: here, the server is the complete one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...authoring.edit.folder_index import FolderIndex
from ...content.folder.load import Content
from ...errors import pluralize
from ...git_checkout import uncommitted_files
from ...model import Entry, EntryKey, Kind
from ...printed_commands import WITHOUT_FOLDER
from ..comparing.change import Action, Change, dangling_references, references_of
from .consents import NeededConsent
from .gates import IS_COMPLETE, delete_gate, find_lost, lost_message, pending_deletes
from .order import order_changes
from .plan import Policy, Refusal
from .pull import PullPlan


def uncommitted_entries(content: Content, entries: Collection[Entry]) -> dict[EntryKey, str]:
    """Return a file of each entry that git could not restore, by key; omit entries without such a file."""
    index = FolderIndex(content.folder, content.config)
    files = {(entry.kind, entry.key): index.entry_files(entry) for entry in entries}
    locations = {path: index.location(path) for paths in files.values() for path in paths}
    uncommitted = uncommitted_files(content.folder, {*locations.values()})
    found = {key: next((path for path in paths if locations[path] in uncommitted), "") for key, paths in files.items()}
    return {key: path for key, path in found.items() if path}


def with_deletes(plan: PullPlan, desired: Iterable[Entry], uncommitted: Mapping[EntryKey, str]) -> PullPlan:
    """Return the plan of a pull that also removes entries which were deleted on the server.

    An entry stays in the folder if the folder has changed it, if its note protects it, if another entry that stays
    refers to it, or if git could not restore it: `uncommitted` are the paths of such files, by entry. The plan has the
    reason for each of these. `desired` is the whole folder with resolved references.
    """
    kept = dict(plan.kept)
    removed: dict[EntryKey, Entry] = {}
    for entry in plan.deleted_there:
        key = entry.kind, entry.key
        if key in kept:
            continue
        if entry.notes.protect:
            kept[key] = "its note sync.protect is set: remove the note, or the entry"
        elif key in uncommitted:
            kept[key] = f"git could not restore {uncommitted[key]}: commit it, and pull again"
        else:
            removed[key] = entry
    referring = {(entry.kind, entry.key): _after(entry, plan.incoming.changes) for entry in desired}
    while blocked := dict(_still_named(removed, referring)):
        for key, referrer in blocked.items():
            kept[key] = f"{referrer} still names it: remove the name there, and pull again"
            del removed[key]
    # Referring entries first, as in a sync: if only some of them can be removed, the others are still valid.
    stages = order_changes([Change(Action.DELETE, entry, entry) for entry in removed.values()], actual=())
    in_order = tuple((change.kind, change.key) for stage in stages for change in stage)
    return replace(plan, incoming=replace(plan.incoming, deleted=in_order), kept=kept)


def _after(entry: Entry, changes: Mapping[EntryKey, Mapping[str, Any]]) -> Entry:
    """Return an entry with the values that a pull writes into it."""
    fields = changes.get((entry.kind, entry.key))
    return replace(entry, fields={**entry.fields, **fields}) if fields else entry


def _still_named(
    removed: Collection[EntryKey], referring: Mapping[EntryKey, Entry]
) -> Iterator[tuple[EntryKey, Entry]]:
    """Yield each entry to remove to which an entry that stays refers, with one such entry."""
    if not removed:
        return
    for key, entry in referring.items():
        if key not in removed:
            yield from ((target, entry) for target in references_of(entry) if target in removed)


def check_deletes(
    plan: PullPlan,
    desired: Sequence[Entry],
    policy: Policy,
    command: Callable[..., str] = WITHOUT_FOLDER,
    *,
    is_server_empty: bool,
) -> tuple[Refusal, ...]:
    """Return the reasons to refuse the deletes of a pull, or any pull from a server that may have lost entries.

    The gates are those of a sync. `desired` is the whole folder. `command` writes the commands in the reasons.
    `is_server_empty` is whether all kinds were read and the server has no entry.
    """
    recreate = command("sync", "--allow-recreate", str(len(plan.deleted_there)))
    hint = f"If not, {recreate} creates them again"
    lost = tuple(_loss_refusals(plan, policy, hint))
    if is_server_empty and (lost or plan.incoming.deleted):
        missing = pluralize(len(plan.deleted_there), "managed entry is", "managed entries are")
        message = f"the server has no entries, and {missing} missing: {IS_COMPLETE} {hint}"
        return (Refusal("empty-server", message),)
    if lost and policy.allowed.deletes is None:
        return lost
    return tuple(_delete_refusals(plan, desired, policy)) or lost


def _loss_refusals(plan: PullPlan, policy: Policy, hint: str) -> Iterator[Refusal]:
    """Yield the reasons to refuse a pull from a server that may have lost or hidden entries, each with the hint."""
    missing: dict[Kind, list[str]] = defaultdict(list)
    for entry in plan.deleted_there:
        missing[entry.kind].append(entry.key)
    # The number that the user consents to: of the removed entries, or of all missing ones if none is removed.
    total = len(plan.incoming.deleted) or len(plan.deleted_there)
    if policy.allowed.deletes == total:
        return
    for kind, lost in find_lost(missing, plan.managed).items():
        message = f"{lost_message(kind, *lost)} {hint}"
        yield Refusal("recreate", message, NeededConsent("deletes", total))


def _delete_refusals(plan: PullPlan, desired: Sequence[Entry], policy: Policy) -> Iterator[Refusal]:
    """Yield the refusals of the gate for the deletes that a pull would make in the folder, as for those of a sync."""
    deleted = {*plan.incoming.deleted}
    # Entries of a folder have no id, and `dangling_references` needs one.
    entries = [replace(entry, id=number) for number, entry in enumerate(desired)]
    changes = [Change(Action.DELETE, entry, entry) for entry in entries if (entry.kind, entry.key) in deleted]
    managed = Counter(plan.managed)
    managed.update(change.kind for change in changes)
    pending = pending_deletes(changes, tuple(dangling_references(changes, entries)), plan.managed, managed)
    yield from delete_gate(pending, policy.limits, allowed=policy.allowed.deletes)
