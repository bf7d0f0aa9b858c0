"""TODO."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ..model import RECORDS, Entry, Kind, Notes, Reference
from ..remote.wire import key_of
from .applying.outcome import is_stored
from .change import Action, Change
from .comparing.base import Applied, Base, Ledger, Records
from .comparing.diff import FieldChange, compare
from .comparing.entry_fields import BODIES, Identity, is_unknown, referring, renamed, value_at
from .comparing.fingerprint import fingerprint, same, unsent
from .order import in_order
from .plan import Plan
from .plan_builder import make_plan
from .plan_policy import Policy, Refusal
from .run_effect import Calling, Undone, canonical, lost_by, parents_deleted, taken_back, undone
from .state.run_history import Lost, Run, Step


def given_back(
    lost: Iterable[Lost],
    actual: Iterable[Entry],
    there: Mapping[tuple[Kind, int | None], Entry],
    ledger: Ledger,
    calling: Calling,
    parents: Mapping[int | None, Any],
) -> Iterator[Change]:
    """The changes that give entries back what they lost. Nobody else's change is undone, and no more is managed.

    `there` are the entries of the server as the undo names what they refer to, `parents` those of deleted categories.
    """
    fields: dict[tuple[Kind, int], dict[str, Any]] = {}
    for kind, id_, name, before in lost:
        fields.setdefault((kind, id_), {})[name] = before
    records = {(entry.kind, entry.id): entry for entry in actual}
    for (kind, id_), lost_values in fields.items():
        entry = there.get((kind, id_))
        if entry is not None:
            values = calling.entry(Entry(kind, entry.key, lost_values))[0].fields
            missing = {
                name: FieldChange(entry.fields.get(name), before)
                for name, before in values.items()
                if not same(kind, name, before, entry.fields.get(name))
                and _has_only_lost(entry.fields.get(name), before, _heir(lost_values.get(name), parents))
            }
            if missing:
                given = Entry(kind, entry.key, {name: change.after for name, change in missing.items()})
                line = ledger.of(kind, entry.key, id_)
                line = None if line is None else with_given(line, given)
                reason = f"{', '.join(missing)} went with what the run deleted"
                record = records[kind, id_]
                yield Change(Action.UPDATE, given, record, missing, reason, line=line, is_foreign=line is None)


def with_given(line: Applied, given: Entry) -> Applied:
    """Return a line that says of what an entry refers to that the server has it again."""
    fields = dict(line.fields)
    for name in RECORDS[line.kind].references.keys() & given.fields.keys():
        kept = line.kept(name)
        if kept is not None:
            there = fingerprint(line.kind, name, given.fields[name])
            fields[name] = there if there == kept.sent else f"{kept.sent}/{there}"
    return replace(line, fields=fields)


def _heir(parent: Any, parents: Mapping[int | None, Any]) -> Any:
    """Return what a service may put in place of a parent that was deleted: the nearest one above it that stays."""
    while isinstance(parent, Reference) and parent.id in parents:
        parent = parents[parent.id]
    return parent


def _has_only_lost(now: Any, before: Any, heir: Any) -> bool:
    """Whether a value is what it was without something, and so nobody has changed it since."""
    if isinstance(now, Reference) and isinstance(heir, Reference) and now.id == heir.id:
        return True
    return now is None or (isinstance(now, list) and isinstance(before, list) and set(now) <= set(before))


_PRESENT = Notes(skip=True)


_BODIES = frozenset({"markdown", "content", "is_markdown"})


@dataclass(frozen=True, slots=True)
class _Way:
    """The way back of one entry."""

    one: Undone
    now: Applied | None  # its line
    record: Entry | None  # what the server has of it
    restored: Entry | None  # as it is to be; None: it goes

    @property
    def line(self) -> Applied | None:
        """What is remembered of it at the end."""
        return self.one.line_before(self.now)


def undo_plan(run: Run, actual: Sequence[Entry], base: Base, policy: Policy) -> Plan:
    """The plan that takes a run back; `base` is what is known now, of this run and all others."""
    steps = [*map(canonical, run.steps)]
    everything = list(undone(steps, base, actual))
    all_ways = list(_ways([one for one in everything if not one.is_gift], actual, base))
    now = Calling(actual, {})
    obstacles = _obstacles(all_ways, actual, now)
    ways = [way for way in all_ways if id(way) not in obstacles]
    names: dict[tuple[Kind, int | None], str] = {
        (way.one.kind, way.one.id): way.restored.key for way in ways if way.restored and way.one.id is not None
    }
    calling = Calling(actual, names)
    ways, losing = _called(ways, calling)
    unrestored = [*obstacles.values(), *losing]
    refusals = [] if policy.on_conflict == "theirs" or not unrestored else [_refusal(unrestored)]

    ours = {way.now.identity for way in ways if way.now} | {(way.one.kind, way.one.key) for way in ways}
    begun = [*map(canonical, run.begun.steps)] if run.begun else []
    left = base.changed(_left(ways, begun, now), ours)
    others = [Entry(*identity, {}, notes=_PRESENT) for identity in base if identity not in ours]
    restored = {(way.restored.kind, way.restored.key): way for way in ways if way.restored}
    wanted = [way.restored for way in ways if way.restored]
    plan = make_plan([*wanted, *others], actual, base=left, policy=replace(policy, of_folder=False))

    changes = {(change.kind, change.key): _told(change, restored, calling) for change in plan.changes}
    there = {(entry.kind, entry.id): renamed(entry, plan.names) for entry in actual}
    learned, gone = _learned([way for identity, way in restored.items() if identity not in changes], there)
    lost = [*taken_back(one for one in everything if one.is_gift), *lost_by(steps)]
    for gift in given_back(lost, actual, there, Ledger(base.values()), calling, parents_deleted(steps)):
        identity = gift.kind, gift.key
        changes[identity] = _with_gift(changes[identity], gift) if identity in changes else gift
    return Plan(
        in_order([*changes.values()], actual),
        tuple(actual),
        {},
        (),
        refusals=(*refusals, *plan.refusals),
        base=base,
        learned=tuple(learned),
        gone=tuple(gone),
        names=plan.names,
        theirs=(*unrestored, *plan.theirs) if policy.on_conflict == "theirs" else (),
    )


def _called(ways: Sequence[_Way], calling: Calling) -> tuple[list[_Way], list[str]]:
    """Return the ways with present names in what they restore, and the references that cannot be restored."""
    called, losing = [], []
    for way in ways:
        restored, missing = (None, []) if way.restored is None else calling.entry(way.restored)
        called.append(replace(way, restored=restored))
        losing += [f"{way.one.kind} {way.one.key} ({name} is no longer on the server)" for name in missing]
    return called, losing


def _ways(touched: Iterable[Undone], actual: Sequence[Entry], base: Base) -> Iterator[_Way]:
    ledger = Ledger(base.values())
    records = Records(actual)
    for one in touched:
        # One that was deleted and made anew since is ours under its key, with another id.
        now = ledger.line(one.kind, one.id) or base.get((one.kind, one.key))
        known = None if one.deleted else now or one.line or one.was
        record = None if known is None else records.of(known)
        if one.before is None:
            if record is not None:
                yield _Way(one, now, record, None)
        elif one.deleted:
            yield _Way(one, now, None, _whole(one.kind, one.before))
        else:
            yield _Way(one, now, record, None if record is None else _as_before(one, one.before, record))


def _whole(kind: Kind, before: Mapping[str, Any]) -> Entry:
    """An entry that was deleted, with all that it had.

    Without nulls: a create gives them by itself, and some fields take none. Only a date that an article lacked is
    null, as a create gives one.
    """
    omitted = RECORDS[kind].read_only - ({"is_markdown"} if kind is Kind.ARTICLE else set())
    fields = {
        name: deepcopy(value)
        for name, value in before.items()
        if name not in omitted and (value is not None or (kind is Kind.ARTICLE and name == "published_at"))
    }
    return Entry(kind, key_of(kind, before), fields)


def _as_before(one: Undone, before: Mapping[str, Any], record: Entry) -> Entry:
    """An entry that was changed: what the run wrote as it was. A name that the run did not give stays."""
    key_field = RECORDS[one.kind].key_field
    fields: dict[str, Any] = {key_field: record.fields.get(key_field)}
    for name in one.fields:
        if one.kind is not Kind.ARTICLE or name not in _BODIES:
            _put(fields, name.split("."), deepcopy(value_at(before, name)))
    if one.kind is Kind.ARTICLE:  # each update of one gives its text (docs/contract.md 4.2.4)
        texts = record.fields if _BODIES.isdisjoint(one.fields) else before
        shown = "markdown" if texts.get("is_markdown") else "content"
        fields |= {name: texts.get(name) for name in BODIES if name == shown or name in one.fields}
        fields["is_markdown"] = shown == "markdown"
    key = key_of(one.kind, {**record.fields, **fields})
    return Entry(one.kind, key, fields, notes=Notes(previous=(record.key,) if record.key != key else ()))


def _put(fields: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        fields = fields.setdefault(part, {})
    fields[path[-1]] = value


def _obstacles(ways: Sequence[_Way], actual: Sequence[Entry], now: Calling) -> dict[int, str]:
    """Why entries cannot be what they were, by the identity of the way."""
    there = {(entry.kind, entry.key): entry for entry in actual}
    moving = {(way.one.kind, way.record.id) for way in ways if way.record and way.restored}
    told = {}
    for way in ways:
        one = way.one
        why = one.doubt
        if not why and not one.deleted and way.record is None:
            why = "it is no longer on the server"
        if not why and way.record and way.restored and way.restored.key != way.record.key:
            holder = there.get((one.kind, way.restored.key))
            if holder is not None and (holder.kind, holder.id) not in moving:
                why = f"another one is called {way.restored.key} by now"
        if not why and (lost := _unrestorable(way, now)):
            why = f"the service does not return {', '.join(lost)}, so the value before the run is not known"
        if why:
            told[id(way)] = f"{one.kind} {one.key} ({why})"
    return told


def _unrestorable(way: _Way, now: Calling) -> list[str]:
    """Return the fields that the run wrote and whose values before it nobody knows."""
    before, record = way.one.before, way.record
    if before is None or record is None or way.restored is None:
        return []
    unknown = [name for name in way.one.fields if is_unknown(record, now.field(name))]
    return sorted(now.field(name) for name in unknown if not _is_recorded(before, name))


def _is_recorded(before: Mapping[str, Any], name: str) -> bool:
    """Whether the values before a run say something of a field (dotted name)."""
    first, _, rest = name.partition(".")
    if first not in before:
        return False
    return first != "seo" or not isinstance(before[first], Mapping) or rest in before[first]


def _refusal(told: Iterable[str]) -> Refusal:
    return Refusal("conflict", f"not to be taken back: {'; '.join(sorted(told))}", "--on-conflict theirs")


def _left(ways: Iterable[_Way], begun: Sequence[Step], now: Calling) -> Iterator[Applied]:
    """The lines as the run left them, under the names that the server has for them now.

    What an incomplete undo, `begun`, has written since is not a change by another user.
    """
    for way in ways:
        line = way.one.left
        if line is not None and way.record is not None:
            fields = {**line.fields, **dict(_written(begun, way.record, line.fields.keys(), now))}
            yield replace(line, key=way.record.key, id=way.record.id, created=way.record.created, fields=fields)


def _written(steps: Iterable[Step], record: Entry, names: Collection[str], now: Calling) -> Iterator[tuple[str, str]]:
    """Yield the fields of a record that still have the value which one of the writes gave them."""
    for step in steps:
        if (step.kind, step.id) == (record.kind, record.id):
            for name in step.fields.keys() & names:
                if is_stored(step.kind, {now.field(name): step.fields[name]}, record):
                    yield name, step.fields[name]


def _told(change: Change, restored: Mapping[Identity, _Way], calling: Calling) -> Change:
    """A change in the words of the way back, with what is remembered of it."""
    if change.action is Action.DELETE:
        return replace(change, reason="the run created it")
    way = restored[change.kind, change.key]
    line = way.line
    if line is not None:  # a conflict in which theirs won is settled
        fields = {calling.field(name): mark for name, mark in line.fields.items()}
        line = replace(line, fields={name: change.kept.get(name, mark) for name, mark in fields.items()})
    was = way.restored
    if was is not None:  # with the ids that its line knows
        referred = {name: was.fields[name] for name in RECORDS[was.kind].references if name in was.fields}
        change = replace(change, entry=replace(change.entry, fields={**change.entry.fields, **referred}))
    if line is not None and was is not None and change.action is Action.CREATE:
        before = {calling.field(name): value for name, value in (way.one.before or {}).items()}
        marks = {name: mark if _is_recorded(before, name) else unsent(mark) for name, mark in line.fields.items()}
        line = replace(line, fields=marks)  # what it is created without has yet to be sent
    reason = "the run deleted it" if change.action is Action.CREATE else change.reason
    return replace(change, reason=reason, line=line, is_foreign=line is None)


def _learned(
    ways: Iterable[_Way], there: Mapping[tuple[Kind, int | None], Entry]
) -> tuple[list[Applied], list[Identity]]:
    """The lines to record, and to forget, of entries that are as they were without any request."""
    keys = {(entry.kind, entry.key): entry for entry in there.values()}
    learned: list[Applied] = []
    gone: list[Identity] = []
    for way in ways:
        restored, line = way.restored, way.line
        known = way.record and there.get((way.record.kind, way.record.id))
        record = None if restored is None else known or keys.get((restored.kind, restored.key))
        if (
            restored is None
            or record is None
            or compare(referring(restored, lambda _, key: str(key)), record, None).changes
        ):
            continue  # what somebody has changed since was left as it is
        if line is not None:
            learned.append(replace(line, id=record.id, created=record.created))
        if way.now is not None and (line is None or line.key != way.now.key):
            gone.append(way.now.identity)
    return learned, gone


def _with_gift(change: Change, gift: Change) -> Change:
    """A change that also gives back what the entry has lost by a delete."""
    if change.action is not Action.UPDATE:
        return change
    entry = replace(change.entry, fields={**gift.entry.fields, **change.entry.fields})
    line = None if change.line is None else with_given(change.line, gift.entry)
    return replace(change, entry=entry, fields={**gift.fields, **change.fields}, line=line)
