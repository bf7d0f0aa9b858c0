"""What visitors will see later: entries appear and expire when their dates are reached (docs/sync.md, Later dates)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from ...model import Entry, Kind
from ...model.scalar import parse_instant
from ..comparing.change import Action
from .plan import Plan

State = Literal["hidden", "current", "expired"]
Happening = Literal["appears", "expires"]


class _Rule(NamedTuple):
    """The fields that decide when visitors see an entry; "" if the kind has no such field."""

    flag: str
    start: str = ""
    end: str = ""


# docs/contract.md 1, 3
_RULES = {
    Kind.ORGANIZER: _Rule("is_active"),
    Kind.LISTING: _Rule("is_active", "starts_at", "ends_at"),
    Kind.PAGE: _Rule("is_published"),
    Kind.ARTICLE: _Rule("active", "published_at"),
}
_OTHER_KINDS = _Rule("is_active")
_KIND_ORDER = {kind: index for index, kind in enumerate(Kind)}


class Event(NamedTuple):
    """An entry that appears at a time, or that expires directly after it."""

    time: datetime
    happening: Happening
    entry: Entry


class Forecast(NamedTuple):
    """The events until a time, and the number of entries that are current and expired at that time."""

    until: datetime
    events: tuple[Event, ...]
    current: Mapping[Kind, int]  # of each kind that visitors see
    expired: Mapping[Kind, int]


def make_forecast(
    entries: Iterable[Entry], since: datetime, until: datetime, folder_entries: Sequence[Entry] = ()
) -> Forecast:
    """Return the forecast for the entries of a server; the events are in the order of their times.

    If `folder_entries` has an entry with the same key, the entry of an event gets its `source`.
    """
    events: list[Event] = []
    states: Counter[tuple[Kind, State]] = Counter()
    for entry in entries:
        if entry.kind in _RULES:
            events += events_of(entry, since, until)
            states[entry.kind, state_at(entry, until)] += 1
    if events:
        sources = {(entry.kind, entry.key): entry.source for entry in folder_entries}
        for index, event in enumerate(events):
            entry = event.entry
            source = sources.get((entry.kind, entry.key), entry.source)
            events[index] = event._replace(entry=replace(entry, source=source))
    events.sort(key=lambda event: (event.time, _KIND_ORDER[event.entry.kind], event.entry.key))
    current = {kind: states[kind, "current"] for kind in _RULES}
    expired = {kind: states[kind, "expired"] for kind, rule in _RULES.items() if rule.end}
    return Forecast(until, tuple(events), current, expired)


def state_at(entry: Entry, moment: datetime) -> State:
    """Return whether visitors see an entry at a moment. An entry is current also at its start and at its end.

    The directory decides whether visitors see expired entries, with a badge.
    """
    flag, start, end = _RULES.get(entry.kind, _OTHER_KINDS)
    starts_at, ends_at = _instant(entry, start), _instant(entry, end)
    if not entry.fields.get(flag, True) or (starts_at is not None and moment < starts_at):
        return "hidden"
    return "expired" if ends_at is not None and moment > ends_at else "current"


def events_of(entry: Entry, since: datetime, until: datetime) -> Iterator[Event]:
    """Yield the events of an entry after `since`, until `until`; none for one that is hidden then."""
    _flag, start, end = _RULES[entry.kind]
    starts_at, ends_at = _instant(entry, start), _instant(entry, end)
    # At its end an entry is still current; it expires right after.
    if starts_at is not None and since < starts_at <= until and state_at(entry, starts_at) == "current":
        yield Event(starts_at, "appears", entry)
    if ends_at is not None and since <= ends_at < until and state_at(entry, ends_at) == "current":
        yield Event(ends_at, "expires", entry)


def _instant(entry: Entry, name: str) -> datetime | None:
    """Return the time in a field; None without one, and for a text that is no time, as a service may store it."""
    value = entry.fields.get(name) if name else None
    try:
        return parse_instant(value, UTC) if isinstance(value, str) else None
    except ValueError:
        return None


def entries_after(plan: Plan) -> Iterator[Entry]:
    """Yield the server's entries as they will be after a plan."""
    changes = {(change.kind, change.id): change for change in plan.changes if change.actual is not None}
    for entry in plan.actual:
        change = changes.get((entry.kind, entry.id))
        if change is None:
            yield entry
        elif change.action is not Action.DELETE:
            written = {name: field.after for name, field in change.fields.items()}
            yield replace(change.entry, fields={**entry.fields, **written}, id=entry.id)
    yield from (change.entry for change in plan.changes if change.action is Action.CREATE)
