"""The outcome of a write, as the server's record shows it afterwards."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...errors import join_first
from ...model import RECORDS, Entry, Kind
from ...model.entry import value_at
from ...remote.wire import key_of
from .base import AppliedEntry, applied_entry, base_label, with_base_labels
from .change import Action, Change, Expectation
from .diff import is_exactly_equal
from .entry_fields import BODIES, authored_fields, is_authored, is_unknown
from .fingerprint import (
    are_equal,
    as_unsent,
    fingerprint,
    fingerprint_pair,
    is_stored_differently,
    join_pair,
    matches_fingerprint_or_keys,
    sent_fingerprint,
)

# The service may add the organizer of the token's user to a new listing (docs/contract.md 4.4.5).
ADDED_BY_SERVICE = frozenset({"organizers"})


def _written_fingerprints(change: Change) -> dict[str, str]:
    """Return the fingerprint that each field (dotted name) of a change should have on the server after the write."""
    return {name: fingerprint(change.kind, name, after) for name, (_, after) in change.fields.items()}


def is_stored(kind: Kind, fields: Mapping[str, str], entry: Entry) -> bool:
    """Return whether a record matches the fingerprints `fields` of all fields that it has; False if it has none."""
    returned = [name for name in fields if name.partition(".")[0] in entry.fields and not is_unknown(entry, name)]
    return bool(returned) and all(
        matches_fingerprint_or_keys(fields[name], kind, name, value_at(entry.fields, name)) for name in returned
    )


def is_unchanged(names: Iterable[str], before: Entry, found: Entry) -> bool:
    """Return whether two readings of a record agree in the fields `names`; ignore fields that only one of them has."""
    shared = before.fields.keys() & found.fields.keys()
    return all(
        are_equal(before.kind, name, before.fields[name], found.fields[name]) for name in shared.intersection(names)
    )


def describe_difference(change: Change, record: Entry) -> str:
    """Return, as text, up to three fields whose value on the server is not the desired one, with both values."""
    differing = []
    for name, (_before, desired) in change.fields.items():
        stored = value_at(record.fields, name)
        if not are_equal(change.kind, name, desired, stored):
            differing.append(f"{name} is {_short(stored)} and should be {_short(desired)}")
    return join_first(differing, limit=3)


def with_expectation(change: Change, custom_ids: Mapping[str, int]) -> Change:
    """Return a create or update, whose references have their ids, with its expectation.

    The applied entry, to record in the base, is None if the entry is unmanaged afterwards. `custom_ids` maps the names
    of custom fields to their ids. For a field that is not written, the applied entry has the server's value as the plan
    read it: if another user has changed it since, the next plan shows the change.
    """
    return change._replace(expected=_expectation(change, custom_ids))


def _expectation(change: Change, custom_ids: Mapping[str, int]) -> Expectation:
    """Return the applied entry and the stored fingerprints (by field) that the server should have after a change.

    An undo (`applied_after`) brings its own applied entry. That of any other change has `sent/stored` for each written
    field: the value of the folder, and the one that the server should return.
    """
    if change.is_unmanaged or change.applied_after is not None:
        return Expectation(change.applied_after, _written_fingerprints(change))
    if change.actual is None:
        applied = applied_entry(change.entry)
        if change.recreates is not None:
            applied = applied._replace(former=change.recreates.id)
        # A pair is `sent/stored`, or `sent` alone.
        stored_fingerprints = {name: pair.rpartition("/")[2] for name, pair in applied.fields.items()}
        return Expectation(with_base_labels(applied, custom_ids), stored_fingerprints)
    applied = applied_entry(change.entry, change.actual, change.untouched, custom_ids)._replace(origin=change.origin)
    fingerprints = _written_fingerprints(change)
    fields = dict(applied.fields)
    for name, stored in fingerprints.items():
        label = base_label(change.kind, name, custom_ids)
        if label in fields:
            sent, _slash, _expected = fields[label].partition("/")
            fields[label] = join_pair(sent, stored)
    return Expectation(applied._replace(fields=fields), fingerprints)


def before_second_request(change: Change, second_fields: Collection[str]) -> Change:
    """Return a change that expects only what its first of two requests sets; `second_fields` are those of the second.

    `is_markdown` follows from the text of the second request.
    """
    left_out = {"is_markdown", *second_fields} - BODIES
    fingerprints = {name: value for name, value in change.expected.fingerprints.items() if name not in left_out}
    return change._replace(expected=change.expected._replace(fingerprints=fingerprints))


def applied_after_write(
    change: Change, intended: AppliedEntry, answer: Entry, custom_ids: Mapping[str, int]
) -> tuple[AppliedEntry, tuple[str, ...]]:
    """Return the applied entry after a write, and the names of the fields that the server stored differently.

    Such fields are reported once and not planned forever (docs/faults.md HT-24, HT-25). `intended` is the applied entry
    to record if all values are stored as sent. After an undo, its fingerprints stay: `change.applied_after` has those
    that the undo restores.
    """
    slug = intended.slug or str(answer.fields.get("slug") or "")
    written = intended._replace(id=answer.id, slug=slug, created=answer.created or intended.created)
    if is_exactly_equal(change.entry, answer, change.fields):  # for speed: most services store most values as sent
        return written, ()
    fields = dict(intended.fields)
    differing = []
    for name, sent, stored in _sent_and_stored_values(change, answer):
        if not are_equal(change.kind, name, sent, stored):
            differing.append(name)
            label = base_label(change.kind, name, custom_ids)
            if label in fields and change.applied_after is None:  # a managed field, and no undo
                fields[label] = fingerprint_pair(change.kind, name, sent, stored)
    return written._replace(fields=fields), tuple(differing)


def _sent_and_stored_values(change: Change, answer: Entry) -> Iterator[tuple[str, Any, Any]]:
    """Yield the dotted name of each field that a change wrote and the answer shows, and its sent and stored value."""
    stored_values = {name: stored for name, stored, _desired in authored_fields(change.entry, answer)}
    for name, (_before, sent) in change.fields.items():
        if is_unknown(answer, name):
            continue
        if name in stored_values:
            yield name, sent, stored_values[name]
        elif is_authored(change.entry, name):
            continue  # a translation equal to the default text, which the server shows anyway
        elif name.partition(".")[0] in answer.fields:  # such as a removed field, which gets its default
            yield name, sent, value_at(answer.fields, name)


def applied_with_unsent(applied: AppliedEntry, base: AppliedEntry | None, names: Iterable[str]) -> AppliedEntry:
    """Return an applied entry whose fields `names` count as never sent, so that the next run sends them again.

    This is for an update that changed nothing: the service ignores the fields, or has not done the update. If a field
    counts as never sent in `base` already, this was the second update: the service ignores the field.
    """
    fields = dict(applied.fields)
    for name in names:
        if name not in fields:
            continue
        unsent = as_unsent(fields[name])
        is_second_update = base is not None and base.fields.get(name) == unsent
        if not is_second_update:
            fields[name] = unsent
    return applied._replace(fields=fields)


def applied_incomplete(change: Change, answer: Entry, custom_ids: Mapping[str, int]) -> AppliedEntry:
    """Return the applied entry in which fields stored with another value than sent are unsent: a plan sends them again.

    An undo (`change.applied_after`) records the applied entry that it restores instead.
    """
    if change.applied_after is not None:
        return change.applied_after._replace(id=answer.id, created=answer.created)
    applied = applied_entry(change.entry, answer, change.untouched, custom_ids)._replace(origin=change.origin)
    fields = dict(applied.fields)
    for name, pair in applied.fields.items():
        if is_stored_differently(pair):
            fields[name] = as_unsent(pair)
    return applied._replace(fields=fields)


def applied_restored(
    applied: AppliedEntry, entry_before: Entry, entry: Entry, custom_ids: Mapping[str, int]
) -> AppliedEntry:
    """Return the applied entry after an undo, with the present ids of entries that the undo has created again.

    `entry_before` has the ids that the base has, `entry` the present ones. Custom fields get their labels (`#id`) by
    `custom_ids`, which has the present ids by name; fields that have their labels already keep them.
    """
    fields = {base_label(applied.kind, name, custom_ids): pair for name, pair in applied.fields.items()}
    for name in RECORDS[applied.kind].references:
        recorded = applied.fingerprints(name)
        if recorded is not None and name in entry.fields:
            old, new = entry_before.fields[name], entry.fields[name]
            sent, stored = recorded
            if sent == sent_fingerprint(applied.kind, name, old):
                sent = sent_fingerprint(applied.kind, name, new)
            if stored == fingerprint(applied.kind, name, old):
                stored = fingerprint(applied.kind, name, new)
            fields[name] = join_pair(sent, stored)
    return applied._replace(fields=fields)


def temporary_update(change: Change, base: AppliedEntry | None) -> Change:
    """Return the update that writes the temporary values of a change, also of one that later deletes the entry.

    `base` is the applied entry before. If the run stops after this update, the next plan does not take the temporary
    values for a change by another user, and writes the key in `moving`.
    """
    fingerprints = {name: fingerprint(change.kind, name, value) for name, value in change.temporary_values.items()}
    applied = None if base is None else _applied_temporary(change, base, fingerprints)
    return change._replace(action=Action.UPDATE, expected=Expectation(applied, fingerprints))


def _applied_temporary(change: Change, applied: AppliedEntry, fingerprints: Mapping[str, str]) -> AppliedEntry:
    """Return the applied entry after a temporary update: with the temporary key, and with the final one as `moving`."""
    before = change.actual.fields if change.actual else {}
    return applied._replace(
        key=key_of(change.kind, {**before, **change.temporary_values}),
        moving=change.key,
        digest="",  # equals no digest, so the next plan compares each field
        fields={  # stored by the server, but never sent as values of the folder, so the next plan sends those
            name: as_unsent(fingerprints[name]) if name in fingerprints else pair
            for name, pair in applied.fields.items()
        },
    )


def applied_confirmed(intended: AppliedEntry, fields: Mapping[str, str], entry: Entry) -> AppliedEntry:
    """Return the applied entry for a write of unknown result, whose record, `entry`, shows that it was done.

    `fields` are the fingerprints that the journal expects. Values that the service has added count as never sent.
    """
    added = {
        name for name in ADDED_BY_SERVICE & fields.keys() if not is_stored(entry.kind, {name: fields[name]}, entry)
    }
    unsent = {name: as_unsent(fingerprint(entry.kind, name, value_at(entry.fields, name))) for name in added}
    return intended._replace(id=entry.id, created=entry.created, fields={**intended.fields, **unsent})


def without_added_by_service(fingerprints: Mapping[str, str]) -> dict[str, str]:
    """Return the fingerprints, except of fields to which the service may add values in a new record."""
    return {name: value for name, value in fingerprints.items() if name not in ADDED_BY_SERVICE}


def complete_answer(change: Change, answer: Entry) -> Entry:
    """Return an answered record, completed by the sent values of the fields that the answer lacks."""
    if change.entry.fields.keys() <= answer.fields.keys():
        return answer
    return replace(answer, fields={**change.entry.fields, **answer.fields})


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
