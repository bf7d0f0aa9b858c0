"""What entries lose: by the delete of something that they refer to, or by an update that clears their values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..model import FIELDABLE, RECORDS, Entry, Kind
from .change import Action, Change
from .comparing.base import Identity


class Loss(NamedTuple):
    """An entry that stays, and a field of it that loses what is deleted."""

    entry: Entry
    field: str
    gone: Identity


def losses(changes: Sequence[Change], actual: Sequence[Entry]) -> Iterator[Loss]:
    """Every assignment, parent and value of a custom field that goes with a delete, and that nobody took away."""
    deleted = {(change.kind, change.key) for change in changes if change.action is Action.DELETE}
    referred = {kind for kind, _ in deleted}
    if referred.isdisjoint(_REFERRED):
        return
    touched = {(change.kind, change.id): change for change in changes}
    names = {key for kind, key in deleted if kind is Kind.CUSTOM_FIELD}
    for entry in actual:
        change = touched.get((entry.kind, entry.id))
        if change is not None and change.action is Action.DELETE:
            continue
        told: Mapping[str, object] = change.fields if change is not None else {}
        for field, kind in RECORDS[entry.kind].references.items():
            value = entry.fields.get(field)
            if kind in referred and value and field not in told:
                keys = value if isinstance(value, list) else [value]
                yield from (Loss(entry, field, (kind, key)) for key in keys if (kind, key) in deleted)
        if names and entry.kind in FIELDABLE:
            for field in names - told.keys():
                if entry.fields.get(field) is not None:
                    yield Loss(entry, field, (Kind.CUSTOM_FIELD, field))


def referred_by(entry: Entry) -> Iterator[Identity]:
    """Return what an entry of the server refers to, and the custom fields of which it has values."""
    for field, kind in RECORDS[entry.kind].references.items():
        value = entry.fields.get(field)
        yield from ((kind, str(key)) for key in (value if isinstance(value, list) else [value]) if key)
    if entry.kind in FIELDABLE:
        yield from ((Kind.CUSTOM_FIELD, name) for name, value in entry.fields.items() if value is not None)


def cleared(change: Change) -> list[str]:
    """Return the fields of an update that lose what they have: emptied ones, and references that only become fewer."""
    references = RECORDS[change.kind].references
    return [
        name
        for name, (before, after) in change.fields.items()
        if before not in _EMPTY
        and (after in _EMPTY or (name in references and isinstance(before, list) and set(after) < set(before)))
    ]


_EMPTY: tuple[object, ...] = (None, "", [], {})


def losers(kinds: Iterable[Kind]) -> frozenset[Kind]:
    """The kinds of which entries may lose something when entries of these kinds are deleted."""
    gone = set(kinds)
    referring = {kind for kind, model in RECORDS.items() if not gone.isdisjoint(model.references.values())}
    return frozenset(referring | (FIELDABLE.keys() if Kind.CUSTOM_FIELD in gone else set()))


_REFERRED = frozenset({Kind.CUSTOM_FIELD, *(kind for model in RECORDS.values() for kind in model.references.values())})
