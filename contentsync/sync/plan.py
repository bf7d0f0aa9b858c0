"""A plan: what a sync would write, and why, as a value."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..model import Entry, Kind
from ..remote import BULK_SIZE
from .diff import FieldChange, diff
from .selection import EVERYTHING, Selection

_PLACES = {kind: place for place, kind in enumerate(Kind)}


class Action(StrEnum):
    """What happens to an entry of the server."""

    CREATE = "create"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry to write."""

    action: Action
    entry: Entry
    id: int | None  # the server's; None on create
    fields: Mapping[str, FieldChange]
    reason: str

    @property
    def kind(self) -> Kind:
        return self.entry.kind

    @property
    def key(self) -> str:
        return self.entry.key

    def __str__(self) -> str:
        return f"{self.action} {self.entry}"


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a sync would write, in the order in which it is applied."""

    changes: tuple[Change, ...]
    actual: tuple[Entry, ...]  # what the server had when the plan was made
    unchanged: Mapping[Kind, int]
    unmanaged: tuple[Entry, ...]  # on the server only; never touched

    def __bool__(self) -> bool:
        return bool(self.changes)

    def count(self, action: Action, kind: Kind | None = None) -> int:
        """How many changes there are of an action, of one kind or of all."""
        return sum(change.action is action and kind in (None, change.kind) for change in self.changes)

    @property
    def requests(self) -> int:
        """How many requests applying it takes: one a change, and one for every 100 new listings."""
        bulk = self.count(Action.CREATE, Kind.LISTING)
        return len(self.changes) - bulk + -(-bulk // BULK_SIZE)

    @property
    def digest(self) -> str:
        """A fingerprint of what would be written; equal plans have equal digests."""
        written = [
            [
                change.action,
                change.kind,
                change.key,
                change.id,
                {name: list(pair) for name, pair in change.fields.items()},
            ]
            for change in self.changes
        ]
        return hashlib.sha256(json.dumps(written, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def make_plan(desired: Sequence[Entry], actual: Sequence[Entry], selection: Selection = EVERYTHING) -> Plan:
    """The plan that makes the server's entries those of the folder; the order of neither matters.

    Entries marked `sync.skip` are not written, but count as present. References must be resolved. What only
    the server has is left alone, and counted as unmanaged where the selection covers it.
    """
    there = _Found(actual, desired)
    changes: list[Change] = []
    unchanged: Counter[Kind] = Counter()
    seen: set[int] = set()
    for entry in _in_order(desired):
        match = there.match(entry)
        if match is not None:
            seen.add(id(match))
        if entry.notes.skip:
            continue
        fields = diff(entry, match)
        if match is None:
            changes.append(Change(Action.CREATE, entry, None, fields, "not on the server"))
        elif fields:
            changes.append(Change(Action.UPDATE, entry, match.id, fields, _reason(fields)))
        else:
            unchanged[entry.kind] += 1
    unmanaged = tuple(entry for entry in actual if id(entry) not in seen and entry in selection)
    return Plan(_new_listings_last(changes), tuple(actual), unchanged, unmanaged)


class _Found:
    """The server's entries by what identifies them."""

    def __init__(self, actual: Sequence[Entry], desired: Sequence[Entry]) -> None:
        keys = {entry.key for entry in desired if entry.kind is Kind.LISTING}
        self._by_key = {(entry.kind, entry.key): entry for entry in actual}
        self._free_slugs = {
            entry.fields.get("slug"): entry for entry in actual if entry.kind is Kind.LISTING and entry.key not in keys
        }

    def match(self, entry: Entry) -> Entry | None:
        """The server's entry of the same key; for a listing, else the one that holds its slug.

        A slug is unique, so a listing under a new URL can only be written over the one that has its slug.
        """
        found = self._by_key.get((entry.kind, entry.key))
        if found is None and entry.kind is Kind.LISTING and entry.fields.get("slug"):
            return self._free_slugs.get(entry.fields["slug"])
        return found


def _in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Kinds in the order of `Kind`, then by key; parent categories before their children.

    Listings that name their slug come first: the service numbers the slugs it makes around those.
    """
    parents = {entry.key: entry.fields.get("parent_id") for entry in entries if entry.kind is Kind.CATEGORY}

    def rank(entry: Entry) -> int:
        if entry.kind is Kind.CATEGORY:
            return _depth(entry.key, parents)
        return 0 if entry.kind is not Kind.LISTING or entry.fields.get("slug") else 1

    return sorted(entries, key=lambda entry: (_PLACES[entry.kind], rank(entry), entry.key))


def _new_listings_last(changes: list[Change]) -> tuple[Change, ...]:
    """New listings behind the changed ones, which may give a slug free, and in one run: they go in bulk."""
    return tuple(
        sorted(
            changes,
            key=lambda change: (
                _PLACES[change.kind],
                change.kind is Kind.LISTING and change.action is Action.CREATE,
            ),
        )
    )


def _depth(key: str, parents: Mapping[str, Any]) -> int:
    above: list[Any] = [key]
    while (parent := parents.get(above[-1])) and parent not in above:
        above.append(parent)
    return len(above)


def _reason(fields: Mapping[str, FieldChange]) -> str:
    names = list(fields)
    more = f" and {len(names) - 3} more" if len(names) > 4 else ""
    shown = names[:3] if more else names
    return f"{', '.join(shown)}{more} {'differs' if len(names) == 1 else 'differ'}"
