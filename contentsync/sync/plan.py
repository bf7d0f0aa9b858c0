"""A plan: what a sync would write, and why, as a value."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import Entry, Kind
from ..remote import BULK_SIZE, PAGINATED, PER_PAGE
from .applying.payload import shown_afterwards
from .change import Action, Change
from .comparing.base import UNKNOWN, Applied, Base, Identity
from .comparing.findings import Drift, Findings, Spared
from .comparing.matching import Matching
from .comparing.names import Names
from .comparing.referring import Called
from .gates import Doomed, Refusal, clear_gate, gates, recreate_gate
from .losses import losses
from .order import in_order
from .policy import CAREFUL, Policy
from .selection import EVERYTHING, Selection


@dataclass(frozen=True, slots=True, repr=False)  # asyncio makes a text of what a task returns, and drops it
class Plan:
    """Everything that a sync would write, in an order in which it can be applied."""

    changes: tuple[Change, ...]
    actual: tuple[Entry, ...]  # what the server had when the plan was made
    unchanged: Mapping[Kind, int]
    unmanaged: tuple[Entry, ...]  # on the server only, and not to be deleted
    spared: tuple[Spared, ...] = ()  # those of the unmanaged that were ours
    drift: tuple[Drift, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    base: Base = UNKNOWN  # what it was made from
    learned: tuple[Applied, ...] = ()  # lines to record although nothing is sent: what is equal already is adopted
    gone: tuple[Identity, ...] = ()  # lines to forget: neither side has them any more
    names: Called = field(default_factory=dict)  # the folder's, of what the server calls otherwise
    conditional: bool = True  # the server refuses by itself to write over what has changed, or has come, since
    undoes: str = ""  # the name of the run that it undoes
    theirs: tuple[str, ...] = ()  # what `--on-conflict theirs` leaves as it is on the server, an entry each, and why

    def __bool__(self) -> bool:
        return bool(self.changes)

    def count(self, action: Action, kind: Kind | None = None) -> int:
        """How many changes there are of an action, of one kind or of all."""
        return sum(change.action is action and kind in (None, change.kind) for change in self.changes)

    @property
    def drifted(self) -> int:
        """How many entries somebody has changed on the server since they were applied."""
        changed = {(change.kind, change.key) for change in self.changes if change.drift or change.recreates}
        return len(changed | {(drift.entry.kind, drift.entry.key) for drift in self.drift})

    @property
    def writes(self) -> int:
        """How many requests write: one a change, one for every 100 new listings, one a detour, one to show HTML."""
        bulk = self.count(Action.CREATE, Kind.LISTING)
        detours = sum(bool(change.detour) for change in self.changes)
        shown = sum(bool(shown_afterwards(change)) for change in self.changes)
        return len(self.changes) - bulk + -(-bulk // BULK_SIZE) + detours + shown

    @property
    def checks(self) -> int:
        """Return how many requests read the server a second time, before deletes and before creates by a key."""
        kinds = {change.kind for change in self.changes if change.action is Action.DELETE}
        return sum(self._pages(kind) for kind in kinds) + sum(self._lookups(kind) for kind in Kind)

    @property
    def requests(self) -> int:
        """How many requests applying it takes."""
        return self.writes + self.checks

    def _pages(self, kind: Kind) -> int:
        if self.conditional or kind not in PAGINATED:
            return 1
        return max(1, -(-sum(entry.kind is kind for entry in self.actual) // PER_PAGE))

    def _lookups(self, kind: Kind) -> int:
        """Return how many requests find out whether the keys of new entries are still free."""
        creates = self.count(Action.CREATE, kind)
        if not creates or self.conditional or kind is Kind.LISTING:
            return 0
        return min(creates, self._pages(kind)) if kind is Kind.ARTICLE else self._pages(kind)

    @property
    def lost(self) -> dict[Identity, list[list[object]]]:
        """By what is deleted: kind and id of each entry that loses it, and in which field."""
        lost: dict[Identity, list[list[object]]] = defaultdict(list)
        for loss in losses(self.changes, self.actual):
            lost[loss.gone].append([loss.entry.kind.value, loss.entry.id, loss.field])
        return {gone: sorted(lost[gone], key=str) for gone in sorted(lost)}

    @property
    def digest(self) -> str:
        """A fingerprint of what would be written and lost; equal plans have equal digests."""
        written: list[object] = [
            [
                change.action,
                change.kind,
                change.key,
                change.id,
                change.previous_key,
                {name: list(pair) for name, pair in change.fields.items()},
            ]
            for change in self.changes
        ]
        written.append(sorted(self.lost.items()))
        return hashlib.sha256(json.dumps(written, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def make_plan(
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    selection: Selection = EVERYTHING,
    *,
    base: Base = UNKNOWN,
    policy: Policy = CAREFUL,
    moved: Mapping[str, str] | None = None,
    is_left_out: Callable[[Applied], bool] = lambda applied: False,
    conditional: bool = True,
) -> Plan:
    """The plan that makes the server's entries those of the folder; the order of either does not matter.

    `desired` is the whole folder with its references resolved; the selection says which of it may be written.
    Entries marked `sync.skip` are not written, but count as present. `moved` is git's knowledge of files, new
    path to old; `is_left_out` tells that an applied entry's file is no content by the config as it is now;
    `conditional`: the server refuses by itself to write over what has changed since it was read.
    """
    matching = Matching(desired, actual, base, moved, is_left_out)
    names = Names(matching, desired, actual, base)
    found = Findings(policy, names)
    for entry in desired:
        if entry in selection and not entry.notes.skip:
            match = matching.of(entry)
            lost = matching.lost(entry) if match.actual is None else None
            if lost is None:
                found.compare(entry, match)
            elif found.deleted(entry, match, lost):
                matching.keep(lost)
    for applied, record in matching.orphans():
        if selection.covers(applied.kind, applied.key):
            found.orphan(applied, record, is_left_out(applied))
    changes = in_order(found.changes, actual)
    doomed = {(change.kind, change.entry.id) for change in changes if change.action is Action.DELETE}
    unmanaged = tuple(
        entry
        for entry in actual
        if not matching.is_taken(entry) and (entry.kind, entry.id) not in doomed and entry in selection
    )
    managed = Counter(entry.kind for entry in matching.managed())
    missing = {
        kind: tuple(change.key for change in changes if change.recreates and change.kind is kind) for kind in Kind
    }
    refusals = (
        *found.refusals(),
        *_gates(changes, desired, actual, managed, policy, found.cleared),
        *recreate_gate(missing, managed, policy.allow_recreate),
    )
    return Plan(
        changes,
        tuple(actual),
        found.unchanged,
        unmanaged,
        tuple(found.spared),
        tuple(found.drift),
        refusals,
        base,
        tuple(found.learned),
        tuple(found.gone),
        names.here,
        conditional=conditional,
        theirs=tuple(found.theirs),
    )


def _gates(
    changes: Sequence[Change],
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    managed: Mapping[Kind, int],
    policy: Policy,
    cleared: Mapping[Kind, Mapping[str, Sequence[str]]],
) -> Iterator[Refusal]:
    deletes = [change for change in changes if change.action is Action.DELETE]
    left = Counter(entry.kind for entry in desired)
    losing = len({loss.entry.id for loss in losses(changes, actual) if loss.entry.kind is Kind.LISTING})
    doomed = {}
    for kind in Kind:
        keys = tuple(change.key for change in deletes if change.kind is kind)
        lost = losing if kind is Kind.LISTING else 0
        if keys or lost:
            doomed[kind] = Doomed(keys, managed[kind], left[kind], lost)
    empty = policy.of_folder and not desired
    yield from gates(doomed, policy.limits, allowed=policy.allow_deletes, empty_folder=empty)
    yield from clear_gate(cleared, doomed, managed, policy.limits, policy.allow_clears)
