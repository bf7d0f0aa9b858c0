"""The deletes of a watch: each waits until its entry was absent for a while, and the gate counts the last ones too.

An editor may delete a file and create it again, and a program that empties a folder deletes one file after the other.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from ...errors import join_first, pluralize
from ...model import Entry, Kind
from ..comparing.change import Action, Change, Result, Status, references_of
from .gates import delete_gate, pending_deletes
from .plan import Plan, Policy, Refusal
from .server_checks import slug_conflicts

DELAY = 5.0  # seconds
WINDOW = 600.0  # seconds for which an applied delete counts

_DELETE_REFUSALS = ("deletes", "emptied", "adopted", "empty-folder")
_RecordId = tuple[Kind, int | None]


class DelayedDeletes:
    """Removes the deletes from the plans of a watch until their entries were absent from all readings for `delay`.

    Call `begin_reading` before each reading of the folder. A reading from which no plan is made, as with an error in
    the folder, starts all waits again. `clock` returns seconds. `report` gets a message for users when deletes begin to
    wait. A refusal names `command` with the option that consents.
    """

    def __init__(
        self,
        command: str,
        *,
        delay: float = DELAY,
        clock: Callable[[], float] = monotonic,
        report: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._command = command
        self._delay = delay
        self._clock = clock
        self._report = report
        self._read_at = 0.0
        self._absent_before: Mapping[_RecordId, float] = {}  # since when; as of the reading before
        self._absent: dict[_RecordId, float] = {}  # since when; as of this reading
        self._is_refused = False  # the plan of this reading
        self._applied: list[tuple[float, Kind]] = []  # when

    def begin_reading(self) -> bool:
        """Start a reading of the folder. Return whether the plan of it may have deletes that do not wait."""
        self._read_at = self._clock()
        self._absent_before, self._absent = self._absent, {}
        return not all(map(self._waits, self._absent_before.values()))

    @property
    def seconds_left(self) -> float | None:
        """The seconds until a delete of the last plan is due; None if no delete waits, or the plan is refused."""
        due = [since + self._delay for since in self._absent.values() if self._waits(since)]
        return max(0.0, min(due) - self._clock()) if due and not self._is_refused else None

    def select(self, plan: Plan, entries: Sequence[Entry], policy: Policy) -> Plan:
        """Return the plan of a reading without the deletes that wait, and without changes that need these deletes.

        All deletes of the plan and the applied ones of the last ten minutes count for the gate, as soon as one is due.
        `entries` are those of the folder.
        """
        deletes = [change for change in plan.changes if change.action is Action.DELETE]
        known = {**self._absent_before, **self._absent}
        now = self._clock()
        self._absent = {_record(each): known.get(_record(each), now) for each in deletes}
        waiting = {_record(each) for each in deletes if self._waits(self._absent[_record(each)])}
        self._report_new([each for each in deletes if _record(each) in waiting - known.keys()])
        refusals = [refusal for refusal in plan.refusals if refusal.code not in _DELETE_REFUSALS]
        if len(waiting) < len(deletes):
            refusals += self._gate_refusals(plan, entries, policy)
        self._is_refused = bool(refusals)
        if waiting:
            plan = _without(plan, waiting)
        return replace(plan, refusals=tuple(refusal.with_prefix(self._command) for refusal in refusals))

    def note_applied(self, results: Sequence[Result]) -> None:
        """Count the applied deletes among the results of a plan."""
        done = [each for each in results if each.change.action is Action.DELETE and each.status is Status.DONE]
        self._applied += [(self._clock(), each.change.kind) for each in done]

    def _waits(self, since: float) -> bool:
        return self._read_at < since + self._delay

    def _report_new(self, changes: Sequence[Change]) -> None:
        if changes:
            names = join_first([f"{change.kind}/{change.key}" for change in changes])
            self._report(f"{pluralize(len(changes), 'delete waits', 'deletes wait')} for {self._delay:g} s: {names}")

    def _gate_refusals(self, plan: Plan, entries: Sequence[Entry], policy: Policy) -> list[Refusal]:
        """Return the refusals of the gate for the deletes of a plan and those of the last ten minutes together."""
        self._applied = [(time, kind) for time, kind in self._applied if time > self._clock() - WINDOW]
        recent = Counter(kind for _time, kind in self._applied)
        records = {(entry.kind, entry.id) for entry in plan.actual}
        managed = Counter(each.kind for each in plan.base.values() if (each.kind, each.id) in records)
        remaining = Counter(entry.kind for entry in entries)
        pending = {
            kind: replace(deletes, recent=recent[kind])
            for kind, deletes in pending_deletes(plan.changes, plan.dangling, remaining, managed).items()
        }
        return [*delete_gate(pending, policy.limits, allowed=policy.allowed.deletes, is_folder_empty=not entries)]


def _record(change: Change) -> _RecordId:
    return change.kind, change.id


def _without(plan: Plan, waiting: set[_RecordId]) -> Plan:
    """Return the plan without the deletes of the records, and without the changes that wait with them.

    A file that lost entries may be cut short, so its new entries wait too, as the last one may be half a row. So do
    changes that refer to a new entry that waits, or that need the key or slug of an entry that is not deleted yet.
    """
    cut_files = {each.path for each in plan.base.values() if (each.kind, each.id) in waiting}
    left_out: set[tuple[str | None, str | None]] = set()  # kinds and keys

    def waits(change: Change) -> bool:
        """Return whether a change is a delete that waits, or one that needs it, directly or through another change."""
        if change.action is Action.DELETE:
            return _record(change) in waiting
        source = change.entry.source
        is_in_cut_file = change.action is Action.CREATE and source is not None and source.path in cut_files
        return is_in_cut_file or not left_out.isdisjoint([(change.kind, change.key), *references_of(change.entry)])

    while True:
        left_out |= {(each.kind, each.key) for each in plan.changes if waits(each) and each.action is not Action.DELETE}
        plan = plan.select(lambda change: not waits(change))
        taken = {(problem.kind, problem.key) for problem in slug_conflicts(plan)}
        if taken <= left_out and not any(map(waits, plan.changes)):
            return plan
        left_out |= taken
