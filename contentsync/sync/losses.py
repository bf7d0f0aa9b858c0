"""What listings lose when something that they refer to is deleted."""

from collections.abc import Iterator, Sequence

from ..model import RECORDS, Entry, Kind
from .base import Identity
from .change import Action, Change


def losses(changes: Sequence[Change], actual: Sequence[Entry]) -> Iterator[tuple[Entry, list[Identity]]]:
    """The listings that stay and lose an assignment, or the value of a custom field, that nobody took from them.

    With each come the deleted categories, tags, organizers and custom fields that it loses.
    """
    deleted = {
        kind: {change.key for change in changes if change.action is Action.DELETE and change.kind is kind}
        for kind in Kind
    }
    references = RECORDS[Kind.LISTING].references
    if not any(deleted[kind] for kind in (*references.values(), Kind.CUSTOM_FIELD)):
        return
    touched = {change.id: change for change in changes if change.kind is Kind.LISTING}
    for entry in actual:
        change = touched.get(entry.id)
        if entry.kind is not Kind.LISTING or (change is not None and change.action is Action.DELETE):
            continue
        told = change.fields if change is not None else {}
        lost = [
            (kind, key)
            for name, kind in references.items()
            if name not in told
            for key in entry.fields.get(name) or ()
            if key in deleted[kind]
        ]
        lost += [
            (Kind.CUSTOM_FIELD, name)
            for name in deleted[Kind.CUSTOM_FIELD]
            if name not in told and entry.fields.get(name) is not None
        ]
        if lost:
            yield entry, lost
