"""Folders with values of all types, edits on the server, and syncs under any policy.

After a sync, the server has the content of the folder, a second plan is empty, and no other record has changed.
"""

from collections.abc import Iterator
from typing import Any

from contentsync.content.folder.load import load_content
from contentsync.model import RECORDS, Entry, Kind
from contentsync.sync.comparing.diff import compare
from contentsync.sync.planning.plan import DELETED_REASON

from ..exit_codes import REFUSED
from ..properties.folders import CUSTOM_FIELDS, folders
from . import another_user
from .engine import History, Profile
from .steps import replace_files

_SETTINGS = "max_deletes = { percent = 100, count = 1000 }\n"
_OURS = ("--prune", "--adopt", "--on-drift", "overwrite", "--on-conflict", "ours")
# A new listing wants a slug that an old one has under another URL, or refers to an entry that stays deleted.
_UNSYNCABLE = {"slug-taken", "unknown-reference"}
_CUSTOM = {field["name"] for field in CUSTOM_FIELDS}


def _begin(history: History) -> str:
    """Sync a folder to the empty server."""
    replace_files(history, history.draw.value(folders()), _SETTINGS)
    history.run("sync", "--yes", *_OURS)
    there = {(entry.kind, entry.key): entry for entry in history.server.entries()}
    desired = {(entry.kind, entry.key): entry for entry in load_content(history.folder).entries}
    if there.keys() != desired.keys():
        history.wrong.append(f"another content: {there.keys() ^ desired.keys()}")
    else:
        differing = {key: compare(entry, there[key], None).changes for key, entry in desired.items()}
        history.wrong += [f"another value: {key}: {changes}" for key, changes in differing.items() if changes]
    history.notes["policy"] = _OURS
    return "sync a folder"


def _sync(history: History) -> str:
    """Edit the server, and sync another folder under any policy, or refuse it and write nothing."""
    edits = [another_user.edit_record(history) for _ in range(history.dice.randint(0, 6))]
    replace_files(history, history.draw.value(folders()), _SETTINGS)
    policy = _policy(history)
    before, records = history.server.entries(), history.server.records()
    ran = history.attempt("sync", "--yes", "--format", "json", *policy)
    history.notes["policy"] = policy if ran.code == 0 else None
    if ran.code == 0:
        history.wrong += _others_are_as_before(history, before, ran.document["changes"])
    else:
        codes = {each["code"] for part in ("problems", "refused") for each in ran.document.get(part, ())}
        expected = {"emptied", "empty-folder"} if ran.code == REFUSED else _UNSYNCABLE
        if not codes or not codes <= expected:
            history.wrong.append(f"sync: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
        if history.server.records() != records:
            history.wrong.append("a sync that was refused has written")
    return "; ".join(filter(None, [*edits, f"sync another folder {' '.join(policy)}: {ran.code}"]))


def _policy(history: History) -> tuple[str, ...]:
    choices = (("--prune", "--no-prune"), ("overwrite", "keep"), ("ours", "theirs"))
    prune, on_drift, on_conflict = map(history.dice.choice, choices)
    return (prune, "--adopt", "--on-drift", on_drift, "--on-conflict", on_conflict)


def _others_are_as_before(history: History, before: list[Entry], changes: list[Any]) -> Iterator[str]:
    """No record has changed for which no change was planned."""
    planned = {(change["kind"], change[name]) for change in changes for name in ("key", "previous_key")}
    now = {(entry.kind, entry.id): entry for entry in history.server.entries()}
    for entry in before:
        if (entry.kind, entry.key) not in planned:
            found = now.get((entry.kind, entry.id))
            if found is None or _own_fields(found) != _own_fields(entry):
                yield f"changed without a plan: {entry}: {found and found.fields}, not {entry.fields}"


def _own_fields(entry: Entry) -> dict[str, Any]:
    """Return the fields but for those that change with another entry, which may be renamed or deleted."""
    others = RECORDS[entry.kind].references.keys() | (_CUSTOM if entry.kind is Kind.LISTING else set())
    return {name: value for name, value in entry.fields.items() if name not in others}


def _second_plan_is_empty(history: History) -> Iterator[str]:
    """A second plan is empty, but for an entry that `theirs` left deleted: that is drift from then on."""
    policy = history.notes["policy"]
    if not policy:
        return
    plan = history.attempt("plan", "--format", "json", *policy)
    if plan.code:
        yield f"plan: exit code {plan.code}: {plan.err}{plan.out[-500:]}"
        return
    creates_again = "overwrite" in policy and "theirs" in policy
    changes = [
        change
        for change in plan.document["changes"]
        if not (creates_again and change["action"] == "create" and change["reason"] == DELETED_REASON)
    ]
    if changes:
        yield f"not empty: {changes}"


CONVERGENCE = Profile(
    begin=_begin,
    steps={_sync: 1},
    oracles=(_second_plan_is_empty,),
    length=(1, 3),
    seeds=1_000,
)
