"""What entries lost by the deletes of a run, given back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..model import RECORDS, Entry, Kind, Reference
from .applying.result import Status
from .calling import Calling
from .change import Action, Change
from .comparing.base import Applied
from .comparing.diff import FieldChange
from .comparing.equal import same
from .comparing.fingerprint import fingerprint
from .memory.ledger import Ledger
from .memory.runs import Lost, Step
from .undone import Undone


def lost_by(steps: Iterable[Step]) -> Iterator[Lost]:
    """What others lost by deletes: the value before the first of them."""
    seen = set()
    for step in steps:
        for lost in step.lost if step.status in (Status.DONE, Status.UNKNOWN) else ():
            if lost[:3] not in seen:
                seen.add(lost[:3])
                yield lost


def taken_back(gifts: Iterable[Undone]) -> Iterator[Lost]:
    """The values that entries had before a run gave them something back."""
    for one in gifts:
        if one.id is not None:
            for name in one.fields:
                yield Lost(one.kind, one.id, name, (one.before or {}).get(name))


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


def parents_deleted(steps: Iterable[Step]) -> Mapping[int | None, Any]:
    """Return the parents of the categories that a run deleted, by id."""
    deleted = (step for step in steps if step.kind is Kind.CATEGORY and step.action is Action.DELETE)
    return {step.id: (step.before or {}).get("parent_id") for step in deleted}


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
