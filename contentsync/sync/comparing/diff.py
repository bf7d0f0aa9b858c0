"""TODO."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind
from .base import Applied, Kept
from .entry_fields import BODIES, given_fields, is_given, is_unknown, value_at
from .fingerprint import EXACT, fingerprint_sent, is_known, same

# What an entry cannot be without, or what nothing stands for: these stop being managed (docs/sync.md, Three sides).
_KEPT = frozenset({"slug", "title", "name", "label", "type", "markdown", "content", "published_at", "is_markdown"})


class FieldChange(NamedTuple):
    """A field's value on the server and in the folder; null where there is none."""

    before: Any
    after: Any


class Differences(NamedTuple):
    """The fields to write, by dotted name in the order of the file; those taken out of the file come last."""

    changes: dict[str, FieldChange]
    drifted: frozenset[str]  # of the changes: only the server has another value than was applied
    conflicts: frozenset[str]  # of the changes: both have, and not the same; or only the server had one until now


def compare(desired: Entry, actual: Entry | None, applied: Applied | None) -> Differences:
    """What to write over `actual` (None: there is nothing), and which of it would undo somebody else's change.

    A field that the folder leaves out is not managed; one that was applied and is left out now goes back to its
    default. Where the server keeps another value than it was sent, and nobody has changed either, is no difference;
    neither is an entity for a character, until somebody edits it here. A field that the service does not return is
    compared with the base alone: it is sent if it is new or has changed here.
    """
    if actual is not None and is_plainly_equal(desired, actual, applied.fields if applied else ()):
        return UNCHANGED
    kind = desired.kind
    changes: dict[str, FieldChange] = {}
    drifted: set[str] = set()
    conflicts: set[str] = set()
    given: set[str] = set()
    for name, there, here in given_fields(desired, actual):
        given.add(name)
        if actual is None:
            if name != "is_markdown":  # which follows from the body
                changes[name] = FieldChange(None, here)
            continue
        kept = applied.kept(name) if applied else None
        if is_unknown(actual, name):
            if not _is_applied(kind, name, here, kept):
                changes[name] = FieldChange(None, here)
            continue
        if same(kind, name, here, there, literal=True):
            continue
        changed_here = kept is not None and fingerprint_sent(kind, name, here) != kept.sent
        if not changed_here and same(kind, name, here, there):
            continue
        if kept is not None:
            changed_there = not is_known(kind, name, there, kept.there)
            if not changed_here and not changed_there:
                continue
            if changed_there:
                (conflicts if changed_here else drifted).add(name)
        elif applied is not None and was_set(kind, name, there):
            conflicts.add(name)
        changes[name] = FieldChange(there, here)
    if "is_markdown" in drifted and not BODIES.isdisjoint(changes.keys() - drifted):
        drifted.remove("is_markdown")
        conflicts |= {"is_markdown"} | (BODIES & changes.keys())
    if actual is not None and applied is not None and applied.fields.keys() - given:
        for name in applied.fields:
            if name not in given and not is_given(desired, name) and has_default(name):
                there, default = value_at(actual.fields, name), _default(desired.kind, name)
                kept = applied.kept(name)
                if is_unknown(actual, name):
                    if not (name.startswith("translations.") or _is_applied(kind, name, default, kept)):
                        changes[name] = FieldChange(None, default)
                elif not same(desired.kind, name, default, there):
                    changes[name] = FieldChange(there, default)
                    if kept is not None and not is_known(desired.kind, name, there, kept.there):
                        conflicts.add(name)
    return Differences(changes, frozenset(drifted), frozenset(conflicts))


UNCHANGED = Differences({}, frozenset(), frozenset())


# Kinds whose fields are all compared as they are, one value with one value.
_FLAT = frozenset({Kind.CATEGORY, Kind.TAG, Kind.LISTING})


def is_plainly_equal(desired: Entry, actual: Entry, applied: Iterable[str]) -> bool:
    """Whether nothing needs a closer look: most entries of most plans. `applied` are the fields of the line."""
    there = actual.fields
    return (
        desired.kind in _FLAT
        and desired.fields.keys() >= set(applied)
        and all(there.get(name) == value for name, value in desired.fields.items())
        and EXACT.isdisjoint(desired.fields)
        and actual.unknown.isdisjoint(desired.fields)
    )


def _is_applied(kind: Kind, name: str, here: Any, kept: Kept | None) -> bool:
    """Whether a field that the service does not return was sent as it is here; if it never was, whether it is empty."""
    return same(kind, name, here, None) if kept is None else fingerprint_sent(kind, name, here) == kept.sent


def was_set(kind: Kind, name: str, there: Any) -> bool:
    """Whether somebody has given a value to a field that we had not, where the service makes none by itself."""
    is_made = name in _KEPT and (name not in BODIES or kind is Kind.ARTICLE)
    return not is_made and not same(kind, name, _default(kind, name), there)


def has_default(name: str) -> bool:
    """Whether a field that the folder leaves out goes back to a default."""
    return name.startswith("translations.") or name not in _KEPT


def _default(kind: Kind, name: str) -> Any:
    rule = RECORDS[kind].rules().get(name)
    return deepcopy(rule.default) if rule else None
