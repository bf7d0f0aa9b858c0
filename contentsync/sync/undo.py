"""The way back from a run: what it changed or deleted as it was before, by the run's journal.

It is a plan like any other. What the run left is its base, so a field that somebody has changed since is a conflict,
and what the run created is deleted through the gates.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from ..model import RECORDS, Entry, Kind, Notes
from ..remote.wire import key_of
from .applying.result import Status
from .change import Action, Change
from .comparing.base import Applied, Base
from .comparing.diff import FieldChange
from .comparing.equal import same
from .comparing.given import value_at
from .memory.runs import Run, Step
from .order import in_order
from .plan import Plan, make_plan
from .policy import Policy

_PRESENT = Notes(skip=True)


@dataclass(slots=True)
class _Undone:
    """What a run did to one entry, from its first write to its last."""

    kind: Kind
    id: int | None
    key: str  # that the run left it under
    before: Mapping[str, Any] | None  # None: the run created it
    line: Applied | None = None  # as the run left it; None: nothing is remembered of it
    deleted: bool = False
    fields: dict[str, None] = field(default_factory=dict)  # the dotted names that the run wrote

    @property
    def is_gift(self) -> bool:
        """Whether it was not ours, and the run only gave it something back."""
        return not self.deleted and self.line is None and self.before is not None


def undo_plan(run: Run, actual: Sequence[Entry], base: Base, policy: Policy) -> Plan:
    """The plan that takes a run back; `base` is what is known now, of this run and all others."""
    everything = list(_touched(run.steps))
    touched = [one for one in everything if not one.is_gift]
    there = {(entry.kind, entry.id): entry for entry in actual}
    restored = [_restored(one, there.get((one.kind, one.id))) for one in touched if one.before is not None]
    left = base.changed(_narrowed(touched), [(one.kind, one.key) for one in touched if one.line is None])
    present = _others(left, touched)
    plan = make_plan([*restored, *present], actual, base=left, policy=replace(policy, of_folder=False))
    changes = {(change.kind, change.key): _told(change, base) for change in plan.changes}
    gifts = [*_gifts(one for one in everything if one.is_gift), *_lost(run.steps)]
    for change in _given_back(gifts, there):
        changes.setdefault((change.kind, change.key), change)
    return Plan(in_order([*changes.values()]), tuple(actual), {}, (), refusals=plan.refusals, base=base)


def _touched(steps: Iterable[Step]) -> Iterator[_Undone]:
    """What was done to each entry; a step that is known to have failed did nothing."""
    undone: dict[tuple[Kind, int | str], _Undone] = {}
    for step in steps:
        if step.status not in (Status.DONE, Status.UNKNOWN):
            continue
        line = step.applied or step.intended
        identity = step.id if step.id is not None else line.id if line is not None else None
        one = undone.setdefault(
            (step.kind, step.key if identity is None else identity),
            _Undone(step.kind, identity, step.key, step.before),
        )
        one.key = step.key
        one.deleted = step.action is Action.DELETE
        one.line = None if one.deleted else line or one.line
        one.fields |= dict.fromkeys(step.fields)
    yield from undone.values()


def _restored(one: _Undone, actual: Entry | None) -> Entry:
    """The entry as it was: all of one that was deleted, of a changed one what the run wrote."""
    before = one.before or {}
    model = RECORDS[one.kind]
    key = key_of(one.kind, before)
    if one.deleted:
        fields = {name: deepcopy(value) for name, value in before.items() if name not in model.read_only}
        return Entry(one.kind, key, _without_empty(fields))
    changed: dict[str, Any] = {model.key_field: before.get(model.key_field)}
    for name in one.fields:
        if name != "is_markdown":
            _put(changed, name.split("."), deepcopy(value_at(before, name)))
    if one.kind is Kind.ARTICLE and changed.keys().isdisjoint({"markdown", "content"}):
        body = "markdown" if before.get("is_markdown") else "content"
        changed[body] = (actual.fields if actual else before).get(body)
    previous = (one.key,) if one.key != key else ()
    return Entry(one.kind, key, changed, notes=Notes(previous=previous))


def _without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Without the nulls: a create gives them by itself, and some fields take none."""
    return {name: value for name, value in fields.items() if value is not None}


def _put(fields: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        fields = fields.setdefault(part, {})
    fields[path[-1]] = value


def _narrowed(touched: Iterable[_Undone]) -> Iterator[Applied]:
    """The lines as the run left them, with the fields that it wrote: the others are no business of the way back."""
    for one in touched:
        if one.line is not None:
            fields = {name: mark for name, mark in one.line.fields.items() if name in one.fields}
            yield replace(one.line, fields=fields, id=one.line.id or one.id, path="", protect=False)


def _others(base: Base, touched: Iterable[_Undone]) -> Iterator[Entry]:
    """Every other entry of ours, as present: nothing happens to it."""
    ours = {(one.kind, one.key) for one in touched}
    for kind, key in base:
        if (kind, key) not in ours:
            yield Entry(kind, key, {}, notes=_PRESENT)


def _lost(steps: Iterable[Step]) -> Iterator[tuple[Kind, int, str, Any]]:
    """What others lost by deletes: of whom, the field, and the value before the first of them."""
    seen = set()
    for step in steps:
        for lost in step.lost if step.status in (Status.DONE, Status.UNKNOWN) else ():
            if lost[:3] not in seen:
                seen.add(lost[:3])
                yield lost


def _gifts(touched: Iterable[_Undone]) -> Iterator[tuple[Kind, int, str, Any]]:
    for one in touched:
        if one.id is not None:
            for name in one.fields:
                yield one.kind, one.id, name, (one.before or {}).get(name)


def _given_back(
    lost: Iterable[tuple[Kind, int, str, Any]], there: Mapping[tuple[Kind, int | None], Entry]
) -> Iterator[Change]:
    """The changes that give entries back what they lost; nobody else's change is undone, and nothing is remembered."""
    fields: dict[tuple[Kind, int], dict[str, Any]] = {}
    for kind, id_, name, before in lost:
        fields.setdefault((kind, id_), {})[name] = before
    for (kind, id_), values in fields.items():
        entry = there.get((kind, id_))
        if entry is not None:
            missing = {
                name: FieldChange(entry.fields.get(name), before)
                for name, before in values.items()
                if not same(kind, name, before, entry.fields.get(name))
                and _has_only_lost(entry.fields.get(name), before)
            }
            if missing:
                given = Entry(kind, entry.key, {name: change.after for name, change in missing.items()})
                reason = f"{', '.join(missing)} went with what the run deleted"
                yield Change(Action.UPDATE, given, entry, missing, reason, is_gift=True)


def _has_only_lost(now: Any, before: Any) -> bool:
    """Whether a value is what it was without something, and so nobody has changed it since."""
    return now is None or (isinstance(now, list) and isinstance(before, list) and set(now) <= set(before))


def _told(change: Change, base: Base) -> Change:
    """A change in the words of the way back, with what the base says of the fields that it does not write."""
    if change.action is not Action.UPDATE:
        deletes = change.action is Action.DELETE
        return replace(change, reason="the run created it" if deletes else "the run deleted it")
    line = base.get((change.kind, change.previous_key or change.key))
    kept = {} if line is None else {name: mark for name, mark in line.fields.items() if name not in change.fields}
    return replace(change, kept=kept)
