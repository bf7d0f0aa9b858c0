"""TODO."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ...content.config import Target
from ...model import RECORDS, Entry, Kind, Reference
from ..applying.outcome import ADDED_TO, is_stored, line_found
from ..change import Action, Status
from ..comparing.base import Applied, Base, Ledger
from ..plan import Plan
from .journal import append, ledger_after
from .run_history import Run, Step, has_end, journals_of, read_run
from .state_dir import Place, unwritable
from .state_file import write_state


class Unfinished:
    """The runs whose journals have no end, the oldest first.

    The way of every command that plans: `settled` between reading the server and planning; and of one that writes,
    once the state it gave is on disk and nothing is sent yet: `close`.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(run for run in runs if not run.ended)

    @classmethod
    def of(cls, place: Place, target: Target) -> "Unfinished":
        """Those of a target. Raises Damaged for a journal that cannot be relied on."""
        return cls([read_run(file, target) for file in journals_of(place) if not has_end(file)])

    def __bool__(self) -> bool:
        return bool(self.runs)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds that must be read from the server, whatever else is: outcomes of them are unknown."""
        return frozenset(step.kind for run in self.runs for step in run.steps if step.status is Status.UNKNOWN)

    @property
    def lines(self) -> Iterator[Applied]:
        """What these runs have applied, or may have."""
        for run in self.runs:
            for step in run.steps:
                yield from filter(None, (step.intended, step.applied))

    def settled(self, base: Base, actual: Sequence[Entry]) -> Base:
        """The base with what these runs have done. `actual` is everything that the server has of `kinds`.

        An entry that is there as an open create was to make it is ours (docs/evidence.md 3).
        """
        if not self.runs:
            return base
        ledger = Ledger(base.values())
        there = _There(actual)
        for run in self.runs:
            gone: dict[Kind, set[int | None]] = defaultdict(set)
            for step in run.steps:
                if step.status is not Status.UNKNOWN:
                    _replay(step, ledger, gone[step.kind])
            for step in run.steps:
                if step.status is Status.UNKNOWN:
                    _settle(step, ledger, there, gone[step.kind])
        return ledger.base

    def close(self) -> None:
        """Ends the journals. Raises Unwritable."""
        for run in self.runs:
            try:
                descriptor = os.open(run.file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
                try:
                    text = run.file.read_bytes()
                    if not text.endswith(b"\n"):  # a last line that was cut is damage once another one follows it
                        os.ftruncate(descriptor, text.rfind(b"\n") + 1)
                    append(descriptor, run.file, [{"end": "settled"}])
                    os.fsync(descriptor)  # replayed once more, after other runs, it would undo what they remember
                finally:
                    os.close(descriptor)
            except OSError as error:
                raise unwritable(run.file, error) from error


def remember(place: Place, target: Target, plan: Plan) -> None:
    """Puts what a plan has learned on disk, before anything is sent; raises Unwritable.

    What unfinished runs had done is in the plan's base, so that their journals end here.
    """
    unfinished = Unfinished.of(place, target)
    if plan.learned or plan.gone or unfinished:
        write_state(place.state, ledger_after(plan).base.values(), target)
    unfinished.close()


class _There:
    """The server's entries, by what they can be found."""

    def __init__(self, actual: Sequence[Entry]) -> None:
        self.by_id = {(entry.kind, entry.id): entry for entry in actual}
        self.by_key = {(entry.kind, entry.key): entry for entry in actual}
        self.listings = [entry for entry in actual if entry.kind is Kind.LISTING]


def _replay(step: Step, ledger: Ledger, gone: set[int | None]) -> None:
    if step.status is Status.DONE and step.action is Action.DELETE:
        _forget(step, ledger, gone)
    elif step.status is Status.DONE and step.is_foreign:
        ledger.forget(step.kind, step.previous or step.key, step.id)
    elif step.applied is not None:
        _put(step, step.applied, ledger)


def _settle(step: Step, ledger: Ledger, there: _There, gone: set[int | None]) -> None:
    if step.action is Action.DELETE:
        if (step.kind, step.id) not in there.by_id:
            _forget(step, ledger, gone)
    elif step.is_foreign:
        entry = there.by_id.get((step.kind, step.id))
        if entry is not None and is_stored(step.kind, step.fields, entry):
            ledger.forget(step.kind, step.previous or step.key, step.id)
    elif step.intended is not None:
        entry = _made(step, ledger, there) if step.id is None else there.by_id.get((step.kind, step.id))
        is_it = entry is not None and step.intended.created in (None, entry.created)  # ids are given away again
        if entry is not None and is_it and is_stored(step.kind, _certain(step), entry):
            _put(step, line_found(step.intended, step.fields, entry), ledger)


def _made(step: Step, ledger: Ledger, there: _There) -> Entry | None:
    """The entry that a create has made: the one of its key; of a listing that the service named, one like it."""
    entry = there.by_key.get((step.kind, step.key))
    if entry is None and step.kind is Kind.LISTING:
        alike = [
            entry
            for entry in there.listings
            if not entry.fields.get("url")
            and ledger.line(entry.kind, entry.id) is None
            and is_stored(entry.kind, _certain(step), entry)
        ]
        return alike[0] if len(alike) == 1 else None
    return None if entry is None or ledger.line(entry.kind, entry.id) is not None else entry


def _forget(step: Step, ledger: Ledger, gone: set[int | None]) -> None:
    """Take a delete into the base; `gone` are the ids of the kind that the run has deleted until then."""
    ledger.forget(step.kind, step.previous or step.key, step.id)
    ids = (step.ids or {}).get(step.kind, {})
    for kind, id_, name, before in step.lost:
        if isinstance(before, list) and name in RECORDS[kind].references:
            ledger.note_loss(kind, id_, name, [Reference(key, ids.get(key)) for key in before], step.id, gone)
    above = {
        name: Reference(key, ids.get(key))
        for name in RECORDS[step.kind].references
        if isinstance(key := (step.before or {}).get(name), str)
    }
    ledger.note_lift(step.kind, Reference(step.previous or step.key, step.id), above)
    gone.add(step.id)


def _certain(step: Step) -> Mapping[str, str]:
    """The fields that a record must have if the step was done."""
    return {name: mark for name, mark in step.fields.items() if step.id is not None or name not in ADDED_TO}


def _put(step: Step, line: Applied, ledger: Ledger) -> None:
    if step.previous is not None:
        ledger.forget(step.kind, step.previous, step.id)
    ledger.put(line)
