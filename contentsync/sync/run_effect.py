"""TODO."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..model import FIELDABLE, RECORDS, Entry, Kind, Readers, Reference, custom_readers, read_native
from .applying.outcome import ADDED_TO, is_stored
from .change import Action, Status
from .comparing.base import Applied, Base, label
from .comparing.entry_fields import is_custom, mapped, referring
from .comparing.fingerprint import same
from .state.run_history import Lost, Step


class Calling:
    """The names of the server's records, `restored` for those that get another one, or are created again."""

    def __init__(self, actual: Sequence[Entry], restored: Mapping[tuple[Kind, int | None], str]) -> None:
        self._names = {(entry.kind, entry.id): entry.key for entry in actual} | dict(restored)
        self._fields = {label("", id_): key for (kind, id_), key in self._names.items() if kind is Kind.CUSTOM_FIELD}

    def entry(self, entry: Entry) -> tuple[Entry, list[str]]:
        """Return an entry that a journal gives under the present names, and the names of what is not there any more.

        Its references have the ids that they had, also where the record is to be created again.
        """
        missing: list[str] = []

        def named(kind: Kind, key: str) -> str:
            if not isinstance(key, Reference) or key.id is None:
                return str(key)
            name = self._names.get((kind, key.id))
            if name is None:
                missing.append(f"{kind} {key}")
            return Reference(name or "", key.id)

        entry = referring(entry, named)
        fields = {self.field(name): value for name, value in entry.fields.items()}
        for name in RECORDS[entry.kind].references:
            if isinstance(fields.get(name), list):
                fields[name] = [*filter(None, fields[name])]
            elif name in fields:
                fields[name] = fields[name] or None
        return replace(entry, fields=fields), missing

    def field(self, name: str) -> str:
        """Return the name of a field that a line or a `canonical` step has."""
        return self._fields.get(name, name)


def canonical(step: Step) -> Step:
    """Return a step with ids for all names: in references, and in place of those of custom fields."""
    if step.ids is None:
        return step
    ids = step.ids

    def value(kind: Kind, name: str, before: Any) -> Any:
        referred = RECORDS[kind].references.get(name)
        return before if referred is None else mapped(before, referred, named)

    def named(kind: Kind, key: str) -> str:
        return Reference(key, ids.get(kind, {}).get(key))

    def field(kind: Kind, name: str) -> str:
        return label(name, ids.get(Kind.CUSTOM_FIELD, {}).get(name)) if is_custom(kind, name) else name

    before = step.before and {field(step.kind, name): value(step.kind, name, it) for name, it in step.before.items()}
    lost = [Lost(kind, id_, field(kind, name), value(kind, name, it)) for kind, id_, name, it in step.lost]
    fields = {field(step.kind, name): known for name, known in step.fields.items()}
    return replace(step, before=before, lost=lost, fields=fields)


_Value = TypeVar("_Value")


_UNKNOWABLE = frozenset({"slug", "published_at", "is_markdown"}) | ADDED_TO  # a service gives new ones their own


@dataclass(slots=True)
class Undone:
    """An entry that a run has written."""

    kind: Kind
    id: int | None
    key: str  # that the run left it under
    before: Mapping[str, Any] | None  # None: the run created it
    was: Applied | None  # its line before the run; None: it was not ours
    line: Applied | None = None  # as the run left it; None: nothing is remembered of it
    deleted: bool = False
    doubt: str = ""  # why nobody can say how it was
    fields: dict[str, str] = field(default_factory=dict)  # what the run wrote: dotted names, and the fingerprints

    @property
    def is_gift(self) -> bool:
        """Whether it was not ours, and the run only gave it something back."""
        return not self.deleted and self.line is None and self.was is None and self.before is not None

    @property
    def left(self) -> Applied | None:
        """The line as the run left it, with the fields that it wrote: the others are no business of the way back."""
        line = None if self.deleted else self.line or self.was
        if line is None:
            return None
        remembered = {} if self.line is None else self.line.fields
        fields = {
            # The line of an undo tells of drift that was there before, not of what was written.
            name: remembered[name] if written in remembered.get(name, "").split("/") else written
            for name, written in self.fields.items()
            # What a new entry has was all remembered, or is not as it was sent.
            if self.before is not None or name in remembered
        }
        return replace(
            line, key=self.key, fields=fields, id=line.id or self.id, path="", protect=False, previous=(), moving=""
        )

    def line_before(self, now: Applied | None) -> Applied | None:
        """The line before the run, with what later runs have made of it; `now` is the one that there is.

        None: it was not ours, or somebody has forgotten it since.
        """
        was, left = self.was, self.line
        if left is None or now == left:
            return was
        if now is None:
            return None
        names = now.fields.keys() | left.fields.keys()
        later = {name for name in names - self.fields.keys() if now.fields.get(name) != left.fields.get(name)}
        fields = {name: mark for name, mark in now.fields.items() if name in later}
        if was is None:
            return replace(now, fields=fields, digest="", moving="") if later else None
        fields |= {name: mark for name, mark in was.fields.items() if name not in later}
        return replace(now, key=now.key if was.key == left.key else was.key, fields=fields, digest="", moving="")


def undone(steps: Iterable[Step], base: Base, actual: Sequence[Entry]) -> Iterator[Undone]:
    """What was done to each entry; a write that is not known to have been done counts if the server shows it."""
    there = {(entry.kind, entry.id): entry for entry in actual}
    entries: dict[tuple[Kind, int | str], Undone] = {}
    names: dict[str, str] = {}  # of custom fields: the run's, by the one before it
    moving = {(line.kind, line.id): line for line in base.values() if line.moving}
    custom = custom_readers(actual)
    for step in steps:
        if not _counts(step, base, there) or _is_yet_to_come(step, moving.get((step.kind, step.id))):
            continue
        line = step.applied or step.intended
        identity = step.id if step.id is not None else line.id if line is not None else None
        one = entries.setdefault(
            (step.kind, step.key if identity is None else identity),
            Undone(step.kind, identity, step.key, _before(step, names, custom), step.base),
        )
        if step.kind is Kind.CUSTOM_FIELD and step.previous is not None:
            names[step.previous] = step.key
        one.key = step.key
        one.deleted = step.action is Action.DELETE
        one.line = None if one.deleted or step.is_foreign else line or one.line
        one.fields |= step.fields
        if step.action is Action.CREATE:
            one.doubt = _doubt(step, base, there)
    _rename_values(entries.values(), there)
    yield from entries.values()


def _before(step: Step, names: Mapping[str, str], custom: Readers) -> Mapping[str, Any] | None:
    """The values before a step, under the names that the run gave to custom fields; so they have them now.

    Those of a step with ids need no names. A journal of an earlier release has values in the types that the service
    wrote.
    """
    if step.before is None:
        return None
    fields = dict(step.before)
    if step.kind in FIELDABLE and step.ids is None:
        fields = _renamed(fields, names)
    read_native(step.kind, fields, custom)
    return fields


def _rename_values(entries: Collection[Undone], there: Mapping[tuple[Kind, int | None], Entry]) -> None:
    """Call the values of custom fields as the server does now: an incomplete undo may have renamed the fields back."""
    fields = [one for one in entries if one.kind is Kind.CUSTOM_FIELD and (one.kind, one.id) in there]
    names = {one.key: there[one.kind, one.id].key for one in fields}
    for one in entries if any(old != new for old, new in names.items()) else ():
        if one.kind in FIELDABLE:
            one.before = None if one.before is None else _renamed(one.before, names)
            one.fields = _renamed(one.fields, names)
            one.line = None if one.line is None else replace(one.line, fields=_renamed(one.line.fields, names))


def _renamed(values: Mapping[str, _Value], names: Mapping[str, str]) -> dict[str, _Value]:
    return {names.get(name, name): value for name, value in values.items()}


def _counts(step: Step, base: Base, there: Mapping[tuple[Kind, int | None], Entry]) -> bool:
    if step.status is not Status.UNKNOWN:
        return step.status is Status.DONE or step.applied is not None
    if step.action is Action.DELETE:
        return (step.kind, step.id) not in there
    if step.action is Action.CREATE:
        record = _made(step, base, there)
        return record is not None and is_stored(step.kind, _certain(step), record)
    return True  # what was not written is as it was, and nothing comes of it


def _is_yet_to_come(step: Step, line: Applied | None) -> bool:
    """Whether an entry with its temporary name still, as `line` says, waits for a write that nobody has heard of."""
    if line is None or line.moving != step.key:  # an undo of this run has given it another temporary name
        return False
    return step.status is Status.UNKNOWN and step.intended != line


def _doubt(step: Step, base: Base, there: Mapping[tuple[Kind, int | None], Entry]) -> str:
    """Why what a run created may be somebody else's; empty if it is not."""
    if step.found and step.before is None:
        return "it was there already, and how it was is not known"
    record = _made(step, base, there) if step.status is Status.UNKNOWN else None
    if record is not None and not _is_bare(record, step):
        return "it may be somebody else's: it has more than the run gave it"
    return ""


def _made(step: Step, base: Base, there: Mapping[tuple[Kind, int | None], Entry]) -> Entry | None:
    """What the server has of an entry that is ours by now, and that a create of which nobody has heard was to make."""
    line = base.get((step.kind, step.key))
    return None if line is None else there.get((step.kind, line.id))


def _is_bare(record: Entry, step: Step) -> bool:
    """Whether a record has nothing besides what a create gave it."""
    given = {name.partition(".")[0] for name in step.fields} | _UNKNOWABLE
    rules = RECORDS[step.kind].rules()
    return all(
        not _has(value) or (name in rules and same(step.kind, name, rules[name].default, value))
        for name, value in record.fields.items()
        if name not in given
    )


def _has(value: Any) -> bool:
    return any(map(_has, value.values())) if isinstance(value, Mapping) else value not in (None, "", [])


def _certain(step: Step) -> Mapping[str, str]:
    return {name: mark for name, mark in step.fields.items() if name not in ADDED_TO}


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


def parents_deleted(steps: Iterable[Step]) -> Mapping[int | None, Any]:
    """Return the parents of the categories that a run deleted, by id."""
    deleted = (step for step in steps if step.kind is Kind.CATEGORY and step.action is Action.DELETE)
    return {step.id: (step.before or {}).get("parent_id") for step in deleted}
