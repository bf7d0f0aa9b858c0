"""Changes that several entries have in common: the same field, from the same value to the same value."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from ..model import Entry, Kind
from ..sync import Action, Change, FieldChange, Plan

MIN_EQUAL = 3  # from this number of entries, a report shows their equal changes as one
_MAX_LENGTH = 1_000  # of both values as JSON; longer ones are hardly ever equal


class EqualChange(NamedTuple):
    """A field that changes from one value to another in several entries of a kind."""

    kind: Kind
    name: str
    field: FieldChange
    entries: Sequence[Entry]


def split_equal_changes(plan: Plan) -> tuple[Sequence[EqualChange], Sequence[Change]]:
    """Return the equal changes of a plan, most frequent first, and its updates with all other fields.

    An update is left out if it has no other field. Fields that another user has changed, adopted records and values
    that an entry has for a moment are never counted as equal, because each needs a look of its own.
    """
    updates = [change for change in plan.changes if change.action is Action.UPDATE]
    adopted = {(record.kind, record.id) for record in plan.adopted}
    plain = [each for each in updates if (each.kind, each.id) not in adopted and not each.temporary_values]
    by_value: dict[tuple[Kind, str, bytes], list[Change]] = defaultdict(list)
    for change in plain:
        for name, key in _keys(change):
            by_value[change.kind, name, key].append(change)
    groups = {key: changes for key, changes in by_value.items() if len(changes) >= MIN_EQUAL}
    equal = [
        EqualChange(kind, name, changes[0].fields[name], [change.entry for change in changes])
        for (kind, name, _key), changes in groups.items()
    ]
    equal.sort(key=lambda each: -len(each.entries))
    shown = {(change.kind, change.key, name) for (_kind, name, _key), found in groups.items() for change in found}
    return equal, [change for change in (_without(each, shown) for each in updates) if change.fields]


def _keys(change: Change) -> Iterable[tuple[str, bytes]]:
    """Yield each field that the folder alone has changed, with a key of both values."""
    for name, field in change.fields.items():
        if name not in change.drift:
            key = orjson.dumps(list(field), default=list, option=orjson.OPT_SORT_KEYS)
            if len(key) <= _MAX_LENGTH:
                yield name, key


def _without(change: Change, shown: set[tuple[Kind, str, str]]) -> Change:
    """Return an update without the fields that are `shown` with those of other entries."""
    fields = {name: field for name, field in change.fields.items() if (change.kind, change.key, name) not in shown}
    return change if len(fields) == len(change.fields) else change._replace(fields=fields)
