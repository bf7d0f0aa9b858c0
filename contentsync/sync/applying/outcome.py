"""TODO."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...model import RECORDS, Entry, Kind
from ...remote.wire import key_of
from ..change import Change
from ..comparing.base import Applied, applied_of, labelled
from ..comparing.entry_fields import given_fields, is_given, is_unknown, value_at
from ..comparing.fingerprint import fingerprint, fingerprint_sent, is_of, mark, same, unsent

# The service may add the organizer of the token's user to a new listing (docs/contract.md 4.4.5).
ADDED_TO = frozenset({"organizers"})


def expected(change: Change) -> dict[str, str]:
    """The fingerprint of each field (dotted name) that a change is to leave."""
    return {name: fingerprint(change.kind, name, after) for name, (_, after) in change.fields.items()}


def is_stored(kind: Kind, fields: Mapping[str, str], entry: Entry) -> bool:
    """Whether the server's entry has the fields as they were to be, as far as it tells them; it must tell one."""
    told = {
        name: mark
        for name, mark in fields.items()
        if name.partition(".")[0] in entry.fields and not is_unknown(entry, name)
    }
    return bool(told) and all(is_of(mark, kind, name, value_at(entry.fields, name)) for name, mark in told.items())


def is_as_before(names: Iterable[str], before: Entry, found: Entry) -> bool:
    """Whether two readings of an entry agree in these fields, as far as both tell them."""
    both = before.fields.keys() & found.fields.keys()
    return all(same(before.kind, name, before.fields[name], found.fields[name]) for name in both.intersection(names))


def difference(change: Change, found: Entry) -> str:
    """The first fields that the server has otherwise than they were to be, with both values, for people."""
    differing = [
        f"{name} is {_short(value_at(found.fields, name))} and was to be {_short(after)}"
        for name, (_, after) in change.fields.items()
        if not same(change.kind, name, after, value_at(found.fields, name))
    ]
    more = f", and {len(differing) - 3} more" if len(differing) > 3 else ""
    return ", ".join(differing[:3]) + more


def intention(change: Change, custom: Mapping[str, int]) -> tuple[Applied | None, Mapping[str, str]]:
    """What is to be remembered of an entry once it is written as it was sent, and what the write is to change.

    `custom` are the ids of custom fields by name.

    Of a field that is not written, what the server had when the plan was made: if somebody has changed it since,
    the next plan is to see it.
    """
    marks = expected(change)
    if change.is_foreign or change.line is not None:
        return change.line, marks
    line = applied_of(change.entry, change.actual, change.kept, custom)
    if change.recreates is not None:
        line = replace(line, former=change.recreates.id)
    if change.actual is None:
        return line, {name: fingerprint(change.kind, name, here) for name, _, here in given_fields(change.entry, None)}
    sent = {
        known: mark(change.kind, name, after, after)
        for name, (_, after) in change.fields.items()
        if (known := labelled(change.kind, name, custom)) in line.fields
    }
    return replace(line, fields={**line.fields, **sent}), marks


def line_after(
    change: Change, intended: Applied, answer: Entry, custom: Mapping[str, int]
) -> tuple[Applied, tuple[str, ...]]:
    """What is remembered of an entry that was written, and the fields that the server took and has otherwise.

    The latter are told once and not planned for ever (docs/faults.md HT-24, HT-25).
    """
    there = {name: value for name, value, _ in given_fields(change.entry, answer)}
    fields = dict(intended.fields)
    unstored = []
    for name, (_, after) in change.fields.items():
        if name in there:
            found = there[name]
        elif is_given(change.entry, name):  # a translation that is the default's text, which is shown anyway
            continue
        elif name.partition(".")[0] in answer.fields:
            found = value_at(answer.fields, name)
        else:
            continue  # the service does not return it
        if is_unknown(answer, name):
            continue
        if not same(change.kind, name, after, found):
            unstored.append(name)
            known = labelled(change.kind, name, custom)
            if known in fields and change.line is None:
                fields[known] = mark(change.kind, name, after, found)
    slug = intended.slug or str(answer.fields.get("slug") or "")
    created = answer.created or intended.created
    return replace(intended, id=answer.id, fields=fields, slug=slug, created=created), tuple(unstored)


def line_doubted(line: Applied, base: Applied | None, names: Iterable[str]) -> Applied:
    """Return a line in which fields of an update count as never sent, except those that the base has so already.

    Without ETags, an answer that shows none of an update's changes comes from a service that ignores the fields or from
    one that has not done the update. The next run sends them again, and takes the same answer for the former.
    """
    fields = dict(line.fields)
    for name in names:
        doubted = unsent(fields[name]) if name in fields else None
        if doubted is not None and (base is None or base.fields.get(name) != doubted):
            fields[name] = doubted
    return replace(line, fields=fields)


def line_partly(change: Change, answer: Entry, custom: Mapping[str, int]) -> Applied:
    """The line for an entry that was made otherwise than it was to be: what differs is remembered as never sent, so
    that the next plan writes it."""
    if change.line is not None:
        return replace(change.line, id=answer.id, created=answer.created)
    line = applied_of(change.entry, answer, change.kept, custom)
    marks = {name: unsent(known) if "/" in known else known for name, known in line.fields.items()}
    return replace(line, fields=marks)


def line_restored(line: Applied, was: Entry, entry: Entry, custom: Mapping[str, int]) -> Applied:
    """Return the line that an undo restores, with the present ids of what was deleted and is created again.

    `was` is the entry with the ids that the line knows, `entry` the same with the present ones.
    """
    fields = {labelled(line.kind, name, custom): known for name, known in line.fields.items()}
    for name in RECORDS[line.kind].references:
        kept = line.kept(name)
        if kept is not None and name in entry.fields:
            before, now = was.fields[name], entry.fields[name]
            sent, there = kept
            if sent == fingerprint_sent(line.kind, name, before):
                sent = fingerprint_sent(line.kind, name, now)
            if there == fingerprint(line.kind, name, before):
                there = fingerprint(line.kind, name, now)
            fields[name] = sent if sent == there else f"{sent}/{there}"
    return replace(line, fields=fields)


def line_moving(change: Change, line: Applied, marks: Mapping[str, str]) -> Applied:
    """The line of an entry while it has its temporary name, of the fingerprints `marks`: if the run is cut off, nobody
    is taken to have changed it, and the name that it was to have is known."""
    before = change.actual.fields if change.actual else {}
    return replace(
        line,
        key=key_of(change.kind, {**before, **change.detour}),
        moving=change.key,
        digest="",
        fields={name: unsent(marks[name]) if name in marks else known for name, known in line.fields.items()},
    )


def line_found(intended: Applied, fields: Mapping[str, str], entry: Entry) -> Applied:
    """The line that a write was to give, for the entry that it was then found to have made or changed."""
    other = {name for name in ADDED_TO & fields.keys() if not is_stored(entry.kind, {name: fields[name]}, entry)}
    found = {name: unsent(mark(entry.kind, name, None, value_at(entry.fields, name))) for name in other}
    return replace(intended, id=entry.id, created=entry.created, fields={**intended.fields, **found})


def whole(change: Change, answer: Entry) -> Entry:
    """An answer with what it does not tell taken as it was sent."""
    return replace(answer, fields={**change.entry.fields, **answer.fields})


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
