"""What a write has done, by the record as the server has it afterwards."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...model import Entry, Kind
from ..change import Change
from ..comparing.base import Applied, applied_of
from ..comparing.equal import same
from ..comparing.fingerprint import fingerprint
from ..comparing.given import given_fields, is_given, value_at

# The service may add the organizer of the token's user to a new listing (service-api.md 4.4.5).
ADDED_TO = frozenset({"organizers"})


def expected(change: Change) -> dict[str, str]:
    """The fingerprint of each field (dotted name) that a change is to leave."""
    return {name: fingerprint(change.kind, name, after) for name, (_, after) in change.fields.items()}


def is_stored(kind: Kind, fields: Mapping[str, str], entry: Entry) -> bool:
    """Whether the server's entry has the fields as they were to be, as far as it tells them; it must tell one."""
    told = {name: mark for name, mark in fields.items() if name.partition(".")[0] in entry.fields}
    return bool(told) and all(
        fingerprint(kind, name, value_at(entry.fields, name)) == mark for name, mark in told.items()
    )


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


def intention(change: Change) -> tuple[Applied, Mapping[str, str]]:
    """What is to be remembered of an entry once it is written as it was sent, and what the write is to change.

    Of a field that is not written, what the server had when the plan was made: if somebody has changed it since,
    the next plan is to see it.
    """
    line = applied_of(change.entry, change.actual, change.kept)
    if change.actual is None:
        return line, line.fields
    marks = expected(change)
    return replace(line, fields={**line.fields, **{name: marks[name] for name in marks if name in line.fields}}), marks


def line_after(change: Change, intended: Applied, answer: Entry) -> tuple[Applied, tuple[str, ...]]:
    """What is remembered of an entry that was written, and the fields that the server took and has otherwise.

    The latter are told once and not planned for ever (faults.md HT-24, HT-25).
    """
    there = {name: value for name, value, _ in given_fields(change.entry, answer)}
    fields = dict(intended.fields)
    unstored = []
    for name, (_, after) in change.fields.items():
        if name in there:
            found = there[name]
        elif is_given(change.entry, name):  # a translation that is the default's text, which is shown anyway
            continue
        else:
            found = value_at(answer.fields, name)
        if not same(change.kind, name, after, found):
            unstored.append(name)
            if name in fields:
                fields[name] = f"{fields[name]}/{fingerprint(change.kind, name, found)}"
    slug = intended.slug or str(answer.fields.get("slug") or "")
    return replace(intended, id=answer.id, fields=fields, slug=slug), tuple(unstored)


def line_partly(change: Change, answer: Entry) -> Applied:
    """The line for an entry that was made otherwise than it was to be: what differs is not remembered, so that the
    next plan writes it."""
    line = applied_of(change.entry, answer, change.kept)
    return replace(line, fields={name: mark for name, mark in line.fields.items() if "/" not in mark})


def line_found(intended: Applied, fields: Mapping[str, str], entry: Entry) -> Applied:
    """The line that a write was to give, for the entry that it was then found to have made or changed."""
    other = {name for name in ADDED_TO & fields.keys() if not is_stored(entry.kind, {name: fields[name]}, entry)}
    kept = {name: mark for name, mark in intended.fields.items() if name not in other}
    return replace(intended, id=entry.id, fields=kept)


def whole(change: Change, answer: Entry) -> Entry:
    """An answer with what it does not tell taken as it was sent."""
    return replace(answer, fields={**change.entry.fields, **answer.fields})


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
