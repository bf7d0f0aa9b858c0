"""The runs that stopped before their end, and which of their writes were done, as the server shows.

`may_be_synced` finds out, without a server, whether a sync may have seen an entry under its key.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...content.config.config_tables import Target
from ...errors import ContentsyncError
from ...model import RECORDS, Entry, Kind, Reference
from ..comparing.base import AppliedEntry, Base, ServerRecords, StateBuilder
from ..comparing.change import Action, Status
from ..comparing.matching import Matching
from ..comparing.outcome import applied_confirmed, is_stored, without_added_by_service
from ..planning.plan import Plan
from .journal import append_lines, state_after
from .run_history import Run, Step, has_end, list_journals, read_run
from .state_dir import StateDir, unwritable_error
from .state_file import read_state, write_state


class UnfinishedRuns:
    """The runs whose journals have no end, the oldest first.

    A command that plans calls `recover_base` between reading the server and planning. A command that writes also calls
    `close`, once the recovered state is on disk and before it sends anything.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(run for run in runs if not run.has_ended)

    @classmethod
    def read(cls, state_dir: StateDir, target: Target) -> "UnfinishedRuns":
        """Return the unfinished runs of a target. Raise Damaged for a damaged journal."""
        return cls([read_run(file, target) for file in list_journals(state_dir) if not has_end(file)])

    def __bool__(self) -> bool:
        return bool(self.runs)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds with unknown results of writes, which must be read from the server."""
        return frozenset(step.kind for run in self.runs for step in run.steps if step.status is Status.UNKNOWN)

    @property
    def applied_entries(self) -> Iterator[AppliedEntry]:
        """Yield the applied entries that the writes of these runs intended, and those that the runs recorded."""
        for run in self.runs:
            for step in run.steps:
                yield from filter(None, (step.intended, step.applied))

    def recover_base(self, base: Base, actual: Sequence[Entry]) -> Base:
        """Return the base with the writes of these runs. `actual` must have all the server's records of `self.kinds`.

        A create of unknown result counts as done if the server has such a record (docs/evidence.md 3).
        """
        if not self.runs:
            return base
        state = StateBuilder(base.values())
        records = ServerRecords(actual)
        for run in self.runs:
            for step in run.steps:
                if step.status is not Status.UNKNOWN:
                    _replay(step, state)
            for step in run.steps:
                if step.status is Status.UNKNOWN:
                    _resolve_unknown(step, state, records, actual)
        return state.base

    def close(self) -> None:
        """Write the end of each journal. Raise Unwritable if one cannot be written."""
        for run in self.runs:
            try:
                descriptor = os.open(run.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
                try:
                    text = run.file.read_bytes()
                    if not text.endswith(b"\n"):  # a line that is cut off is damage once another one follows it
                        os.ftruncate(descriptor, text.rfind(b"\n") + 1)
                    append_lines(descriptor, run.file, [{"end": "settled"}])
                    # Without its end on disk, the run would be replayed after later runs and undo their base updates.
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise unwritable_error(run.file, error) from error


def save_base_updates(state_dir: StateDir, target: Target, plan: Plan) -> None:
    """Write a plan's base, with its base updates, to disk before the first request. Raise Unwritable.

    That base includes the writes of unfinished runs, so mark their journals as ended.
    """
    unfinished = UnfinishedRuns.read(state_dir, target)
    if plan.base_updates or plan.base_removals or unfinished or not plan.base.is_saved:
        write_state(state_dir.state, state_after(plan).base.values(), target, plan.left_out)
    unfinished.close()


def _replay(step: Step, state: StateBuilder) -> None:
    """Update the state by a step whose result is known; a failed one counts only if it has an applied entry."""
    if step.status is Status.DONE and step.action is Action.DELETE:
        _replay_delete(step, state)
    elif step.status is Status.DONE and step.is_unmanaged:
        state.remove(step.kind, step.previous or step.key, step.id)
    elif step.applied is not None:
        _put_applied(step, step.applied, state)


def _resolve_unknown(step: Step, state: StateBuilder, records: ServerRecords, actual: Sequence[Entry]) -> None:
    """Update the state by a step of unknown result, if the server's records show that it was done."""
    record = records.by_id(step.kind, step.id)
    if step.action is Action.DELETE:
        if record is None:
            _replay_delete(step, state)
    elif step.is_unmanaged:
        if record is not None and is_stored(step.kind, step.fields, record):
            state.remove(step.kind, step.previous or step.key, step.id)
    elif step.intended is not None:
        fields = step.fields
        if step.id is None:
            record = _find_created(step, state, records, actual)
            fields = without_added_by_service(fields)
        # A record of a new database may have the same id, but has another time of creation.
        is_same = record is not None and step.intended.created in (None, record.created)
        if record is not None and is_same and is_stored(step.kind, fields, record):
            _put_applied(step, applied_confirmed(step.intended, step.fields, record), state)


def _find_created(step: Step, state: StateBuilder, records: ServerRecords, actual: Sequence[Entry]) -> Entry | None:
    """Return the record that a create may have made: the unmanaged record with the key of its entry.

    A listing without a URL may have got another key from the server: then it is the only unmanaged listing without a
    URL that has the sent values. Return None if there is no such record.
    """
    with_key = records.by_key((step.kind, step.key))
    if with_key is not None:
        is_managed = state.by_id(with_key.kind, with_key.id) is not None
        return None if is_managed else with_key
    if step.kind is not Kind.LISTING:
        return None
    similar = [
        record
        for record in actual
        if record.kind is Kind.LISTING
        and not record.fields.get("url")
        and state.by_id(record.kind, record.id) is None
        and is_stored(record.kind, without_added_by_service(step.fields), record)
    ]
    return similar[0] if len(similar) == 1 else None


def _replay_delete(step: Step, state: StateBuilder) -> None:
    """Remove the deleted entry from the state, and from the fingerprints of the references to it."""
    ids = (step.ids or {}).get(step.kind, {})

    def with_ids(value: Any) -> Any:
        if isinstance(value, list):
            return [Reference(str(key), ids.get(key)) for key in value]
        return Reference(value, ids.get(value)) if isinstance(value, str) else value

    fields = {name: with_ids((step.before or {}).get(name)) for name in RECORDS[step.kind].references}
    removed = [reference._replace(before=with_ids(reference.before)) for reference in step.dangling]
    state.record_delete(step.kind, Reference(step.previous or step.key, step.id), fields, removed)


def _put_applied(step: Step, applied: AppliedEntry, state: StateBuilder) -> None:
    """Add the applied entry of a write to the state, in place of the entry under its former key."""
    if step.previous is not None:
        state.remove(step.kind, step.previous, step.id)
    state.put(applied)


def may_be_synced(folder: Path, targets: Iterable[Target], entries: Sequence[Entry], entry: Entry) -> bool:
    """Return False if no target has an entry of the folder under its key: the record with the key is another entry's.

    Return True if a target has no complete base here, as after a sync in CI or an interrupted run.
    """
    return any(_may_target_have(folder, target, entries, entry) for target in targets)


def _may_target_have(folder: Path, target: Target, entries: Sequence[Entry], entry: Entry) -> bool:
    """Return whether the target's base has the entry under its key, or there is no complete base here."""
    try:
        state_dir = StateDir.for_target(folder, target.name)
        base = read_state(state_dir.state, target)
        if not base.is_known or UnfinishedRuns.read(state_dir, target):
            return True
    except ContentsyncError:
        return True
    # Match the entries as if the server had exactly what was applied.
    records = [
        Entry(applied.kind, applied.key, {}, id=applied.id, created=applied.created) for applied in base.values()
    ]
    applied = Matching(entries, records, base).find(entry).applied
    return applied is not None and applied.identity == (entry.kind, entry.key)
