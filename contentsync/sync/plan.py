"""TODO."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..model import Entry, Kind
from ..remote import BULK_SIZE, PAGINATED, PER_PAGE
from .change import Action, Change, losses, shown_afterwards
from .comparing.base import UNKNOWN, Applied, Base
from .comparing.diff import FieldChange
from .comparing.entry_fields import Called, Identity
from .plan_policy import Refusal


class Spared(NamedTuple):
    """An entry of ours that the folder has no more, and why it is not deleted."""

    entry: Entry
    why: str


class Drift(NamedTuple):
    """Fields that somebody has changed on the server, and that are left so."""

    entry: Entry
    fields: Mapping[str, FieldChange]  # before: there; after: here
    deleted: bool = False  # the whole entry was deleted on the server, and stays so


DELETED = "deleted on the server since the last sync"


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
