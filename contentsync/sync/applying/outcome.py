"""What a write has done, by the record that the server has afterwards."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...errors import first_of_many
from ...model import RECORDS, Entry, Kind
from ...remote.wire import key_of
from ..change import Change
from ..comparing.base import AppliedEntry, applied_entry, base_label
from ..comparing.entry_fields import authored_fields, is_authored, is_unknown, value_at
from ..comparing.fingerprint import (
    are_equal,
    as_unsent,
    fingerprint,
    fingerprint_pair,
    matches_fingerprint_or_keys,
    sent_fingerprint,
)

# The service may add the organizer of the token's user to a new listing (docs/contract.md 4.4.5).
ADDED_BY_SERVICE = frozenset({"organizers"})


def expected_fingerprints(change: Change) -> dict[str, str]:
    """Return the fingerprint of each field (dotted name) that a change should leave."""
    return {name: fingerprint(change.kind, name, after) for name, (_, after) in change.fields.items()}


def is_stored(kind: Kind, fields: Mapping[str, str], entry: Entry) -> bool:
    """Return whether a record has the expected fields, as far as it returns them; it must return one."""
    returned = {
        name: value
        for name, value in fields.items()
        if name.partition(".")[0] in entry.fields and not is_unknown(entry, name)
    }
    return bool(returned) and all(
        matches_fingerprint_or_keys(value, kind, name, value_at(entry.fields, name)) for name, value in returned.items()
    )


def is_unchanged(names: Iterable[str], before: Entry, found: Entry) -> bool:
    """Return whether two readings of an entry agree in these fields, as far as both return them."""
    shared = before.fields.keys() & found.fields.keys()
    return all(
        are_equal(before.kind, name, before.fields[name], found.fields[name]) for name in shared.intersection(names)
    )


def describe_difference(change: Change, found: Entry) -> str:
    """Return the first fields that the server has with other values than expected, with both values."""
    differing = [
        f"{name} is {_short(value_at(found.fields, name))} and should be {_short(after)}"
        for name, (_, after) in change.fields.items()
        if not are_equal(change.kind, name, after, value_at(found.fields, name))
    ]
    return first_of_many(differing, 3)


def intended_state(change: Change, custom: Mapping[str, int]) -> tuple[AppliedEntry | None, Mapping[str, str]]:
    """Return what the base has once a change is written as sent, and the fingerprints of what the write changes.

    `custom` maps the names of custom fields to their ids. A field that is not written gets the server's value at the
    time of the plan: if another user has changed it since, the next plan shows the change.
    """
    fingerprints = expected_fingerprints(change)
    if change.is_unmanaged or change.applied_after is not None:
        return change.applied_after, fingerprints
    applied = applied_entry(change.entry, change.actual, change.untouched, custom)
    if change.recreates is not None:
        applied = replace(applied, former=change.recreates.id)
    if change.actual is None:
        return applied, {
            name: fingerprint(change.kind, name, value) for name, _, value in authored_fields(change.entry, None)
        }
    sent = {
        label: fingerprint_pair(change.kind, name, after, after)
        for name, (_, after) in change.fields.items()
        if (label := base_label(change.kind, name, custom)) in applied.fields
    }
    return replace(applied, fields={**applied.fields, **sent}), fingerprints


def applied_after_write(
    change: Change, intended: AppliedEntry, answer: Entry, custom: Mapping[str, int]
) -> tuple[AppliedEntry, tuple[str, ...]]:
    """Return what the base has of a written entry, and the fields that the server accepted and stored differently.

    The latter are reported once and not planned forever (docs/faults.md HT-24, HT-25).
    """
    stored = {name: value for name, value, _ in authored_fields(change.entry, answer)}
    fields = dict(intended.fields)
    unstored = []
    for name, (_, after) in change.fields.items():
        if name in stored:
            found = stored[name]
        elif is_authored(change.entry, name):  # a translation equal to the default text, which the server shows anyway
            continue
        elif name.partition(".")[0] in answer.fields:
            found = value_at(answer.fields, name)
        else:
            continue  # the service does not return it
        if is_unknown(answer, name):
            continue
        if not are_equal(change.kind, name, after, found):
            unstored.append(name)
            label = base_label(change.kind, name, custom)
            if label in fields and change.applied_after is None:
                fields[label] = fingerprint_pair(change.kind, name, after, found)
    slug = intended.slug or str(answer.fields.get("slug") or "")
    created = answer.created or intended.created
    return replace(intended, id=answer.id, fields=fields, slug=slug, created=created), tuple(unstored)


def applied_unless_ignored(applied: AppliedEntry, base: AppliedEntry | None, names: Iterable[str]) -> AppliedEntry:
    """Return an applied entry in which some fields of an update count as never sent, unless the base already has that.

    Without ETags, an answer without any of an update's changes comes from a service that ignores the fields or from one
    that has not done the update. The next run sends them again, and accepts the same answer as the former.
    """
    fields = dict(applied.fields)
    for name in names:
        ignored = as_unsent(fields[name]) if name in fields else None
        if ignored is not None and (base is None or base.fields.get(name) != ignored):
            fields[name] = ignored
    return replace(applied, fields=fields)


def applied_incomplete(change: Change, answer: Entry, custom: Mapping[str, int]) -> AppliedEntry:
    """Return what the base has of an entry with other values than sent: the next plan writes these again."""
    if change.applied_after is not None:
        return replace(change.applied_after, id=answer.id, created=answer.created)
    applied = applied_entry(change.entry, answer, change.untouched, custom)
    fingerprints = {name: as_unsent(known) if "/" in known else known for name, known in applied.fields.items()}
    return replace(applied, fields=fingerprints)


def applied_restored(
    applied: AppliedEntry, entry_before: Entry, entry: Entry, custom: Mapping[str, int]
) -> AppliedEntry:
    """Return the base entry after an undo, with the present ids of entries that the undo has created again.

    `entry_before` has the ids that the base has, `entry` the present ones.
    """
    fields = {base_label(applied.kind, name, custom): known for name, known in applied.fields.items()}
    for name in RECORDS[applied.kind].references:
        recorded = applied.fingerprints(name)
        if recorded is not None and name in entry.fields:
            before, now = entry_before.fields[name], entry.fields[name]
            sent, stored = recorded
            if sent == sent_fingerprint(applied.kind, name, before):
                sent = sent_fingerprint(applied.kind, name, now)
            if stored == fingerprint(applied.kind, name, before):
                stored = fingerprint(applied.kind, name, now)
            fields[name] = sent if sent == stored else f"{sent}/{stored}"
    return replace(applied, fields=fields)


def applied_temporary(change: Change, applied: AppliedEntry, fingerprints: Mapping[str, str]) -> AppliedEntry:
    """Return what the base has of an entry with temporary values, whose `fingerprints` are given.

    If the run stops here, the next one sees no change by another user, and knows the key that the entry should get.
    """
    before = change.actual.fields if change.actual else {}
    return replace(
        applied,
        key=key_of(change.kind, {**before, **change.temporary_values}),
        moving=change.key,
        digest="",
        fields={
            name: as_unsent(fingerprints[name]) if name in fingerprints else known
            for name, known in applied.fields.items()
        },
    )


def applied_found(intended: AppliedEntry, fields: Mapping[str, str], entry: Entry) -> AppliedEntry:
    """Return what a write should leave in the base, for the record that it was then found to have written."""
    different = {
        name for name in ADDED_BY_SERVICE & fields.keys() if not is_stored(entry.kind, {name: fields[name]}, entry)
    }
    found = {
        name: as_unsent(fingerprint_pair(entry.kind, name, None, value_at(entry.fields, name))) for name in different
    }
    return replace(intended, id=entry.id, created=entry.created, fields={**intended.fields, **found})


def without_added(fingerprints: Mapping[str, str]) -> dict[str, str]:
    """Return the fingerprints of the fields that a new record surely has as they were sent."""
    return {name: value for name, value in fingerprints.items() if name not in ADDED_BY_SERVICE}


def complete_answer(change: Change, answer: Entry) -> Entry:
    """Return an answer with the sent values of the fields that it does not return."""
    return replace(answer, fields={**change.entry.fields, **answer.fields})


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
