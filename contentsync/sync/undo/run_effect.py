"""The effect of a run on each entry, from its first write to its last, by the run's journal."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ...model import FIELDABLE, RECORDS, Entry, EntryKey, Kind, Readers, Reference, coerce_fields, custom_readers
from ...model.references import map_reference, map_references
from ..comparing.base import AppliedEntry, Base, RemovedReference, StateBuilder, custom_label
from ..comparing.change import Action, Status
from ..comparing.entry_fields import is_custom
from ..comparing.fingerprint import are_equal
from ..comparing.outcome import ADDED_BY_SERVICE, is_stored, without_added_by_service
from ..state.run_history import Step


class CurrentKeys:
    """The present keys of the server's records by id, or the `restored` keys of the records that an undo changes."""

    def __init__(self, actual: Sequence[Entry], restored: Mapping[tuple[Kind, int | None], str]) -> None:
        self._keys = {(entry.kind, entry.id): entry.key for entry in actual} | dict(restored)
        # A field that the undo deletes has no name if another one gets its name.
        given = {key for (kind, _id), key in restored.items() if kind is Kind.CUSTOM_FIELD}
        self._fields = {
            custom_label("", id_): key
            for (kind, id_), key in self._keys.items()
            if kind is Kind.CUSTOM_FIELD and ((kind, id_) in restored or key not in given)
        }

    def translate_entry(self, entry: Entry) -> tuple[Entry, list[str]]:
        """Return an entry of a journal with present keys, and those of its references whose record no longer exists.

        References keep the ids of the journal. If the undo creates a record again, writes find its new id by its key.
        """
        missing: list[str] = []

        def with_present_key(kind: Kind, key: str) -> str:
            if not isinstance(key, Reference) or key.id is None:
                return str(key)
            name = self._keys.get((kind, key.id))
            if name is None:
                missing.append(f"{kind} {key}")
            return Reference(name or "", key.id)  # "" marks a missing record, and is removed below

        entry = map_references(entry, with_present_key)
        fields = {self.translate_field(name): value for name, value in entry.fields.items()}
        for name in RECORDS[entry.kind].references:
            if isinstance(fields.get(name), list):
                fields[name] = [*filter(None, fields[name])]
            elif name in fields:
                fields[name] = fields[name] or None
        return replace(entry, fields=fields), missing

    def translate_field(self, name: str) -> str:
        """Return the present name of a field; the base and `with_ids` name custom fields by their ids."""
        return self._fields.get(name, name)


def with_ids(step: Step) -> Step:
    """Return a step whose references have the ids of their records, and whose custom fields are named by id (`#12`).

    `before` and the references that a delete removed (`dangling`) get ids. The values in `fields` are fingerprints, so
    there only the names of custom fields change. A step of an older journal has no ids and is returned unchanged.
    """
    if step.ids is None:
        return step
    ids = step.ids

    def with_id(kind: Kind, key: str) -> str:
        return Reference(key, ids.get(kind, {}).get(key))

    def add_ids(kind: Kind, name: str, value: Any) -> Any:
        referred = RECORDS[kind].references.get(name)
        return value if referred is None else map_reference(value, referred, with_id)

    def label(kind: Kind, name: str) -> str:
        if not is_custom(kind, name):
            return name
        return custom_label(name, ids.get(Kind.CUSTOM_FIELD, {}).get(name))

    before = step.before
    if before is not None:
        before = {label(step.kind, name): add_ids(step.kind, name, value) for name, value in before.items()}
    dangling = [
        RemovedReference(kind, id_, label(kind, name), add_ids(kind, name, value))
        for kind, id_, name, value in step.dangling
    ]
    fields = {label(step.kind, name): pair for name, pair in step.fields.items()}
    return replace(step, before=before, dangling=dangling, fields=fields)


_Value = TypeVar("_Value")
# Fields that a service generates for new entries.
_GENERATED = frozenset({"slug", "published_at", "is_markdown"}) | ADDED_BY_SERVICE


@dataclass(slots=True)
class RunEffect:
    """The effect of a run on one entry."""

    kind: Kind
    id: int | None
    key: str  # after the run
    before: Mapping[str, Any] | None  # None: the run created it
    applied_before: AppliedEntry | None  # the base's record before the run; None: not managed
    applied_after: AppliedEntry | None = None  # the base's record after the run; None: not managed
    deleted: bool = False
    uncertainty: str = ""  # why the entry's state before the run is not known; empty if it is known
    fields: dict[str, str] = field(default_factory=dict)  # fingerprints of the written values, by dotted name

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def identity(self) -> EntryKey:
        return self.kind, self.key

    @property
    def is_restored_reference(self) -> bool:
        """Return whether the entry was not managed, and the run only restored a reference of it."""
        was_managed = self.applied_before is not None or self.applied_after is not None
        was_update = self.before is not None and not self.deleted
        return was_update and not was_managed

    @property
    def written_entry(self) -> AppliedEntry | None:
        """Return the base's record after the run with only the fields that the run wrote; None if it is not managed."""
        applied = None if self.deleted else self.applied_after or self.applied_before
        if applied is None:
            return None
        base_fields = {} if self.applied_after is None else self.applied_after.fields
        fields: dict[str, str] = {}
        for name, written in self.fields.items():
            pair = base_fields.get(name)  # SENT or SENT/STORED
            if pair is None and self.before is None:
                continue  # a field of a new entry that the server did not store as it was sent
            # After an undo, the base may have another value than the undo wrote: the one from before the undone run.
            fields[name] = pair if pair is not None and written in pair.split("/") else written
        return applied._replace(
            key=self.key,
            fields=fields,
            id=applied.id or self.id,
            path="",
            protect=False,
            previous=(),
            moving="",
        )

    def find_current(self, state: StateBuilder) -> AppliedEntry | None:
        """Return the base's present record of the entry, which may have another id if it was created again."""
        current = state.by_id(self.kind, self.id)
        written = self.applied_after or self.applied_before
        # A restored server assigns the ids of lost records again.
        is_other_record = current is not None and written is not None and current.is_other_record(written)
        return state.by_key(self.identity) if current is None or is_other_record else current

    def base_before(self, current: AppliedEntry | None) -> AppliedEntry | None:
        """Return the base's record before the run, but with the later changes of fields that the run did not write.

        `current` is the base's present record. Return None if the entry was not managed before the run, or if a user
        has removed it from the base since. If it was not managed after the run, ignore later changes.
        """
        applied_before, applied_after = self.applied_before, self.applied_after
        if applied_after is None:  # nothing shows which fields later runs have changed
            return applied_before
        if current == applied_after:
            return applied_before
        if current is None:
            return None
        # Fields that this run wrote are as before it, even if a later run has changed them too.
        names = (current.fields.keys() | applied_after.fields.keys()) - self.fields.keys()
        changed_later = {name for name in names if current.fields.get(name) != applied_after.fields.get(name)}
        fields = {name: pair for name, pair in current.fields.items() if name in changed_later}
        # The mixed record has no digest of all fields in the folder, and no temporary key that a run must replace.
        mixed = current._replace(digest="", moving="")
        if applied_before is None:
            return mixed._replace(fields=fields) if changed_later else None
        fields |= {name: pair for name, pair in applied_before.fields.items() if name not in changed_later}
        # The key of before, if this run has renamed the entry; else the present one, perhaps from a later rename.
        renamed_by_run = applied_before.key != applied_after.key
        key = applied_before.key if renamed_by_run else current.key
        return mixed._replace(key=key, fields=fields)


def effects_of_run(steps: Iterable[Step], base: Base, actual: Sequence[Entry]) -> Iterator[RunEffect]:
    """Yield the effect of a run on each entry; a write with an unknown result counts if the server shows its effect."""
    records = {(entry.kind, entry.id): entry for entry in actual}
    effects: dict[tuple[Kind, int | str], RunEffect] = {}  # by id, or by key if the id is not known
    new_names: dict[str, str] = {}  # of custom fields that the run renamed, by old name
    with_temporary_keys = {(applied.kind, applied.id): applied for applied in base.values() if applied.moving}
    custom = custom_readers(actual)
    for step in steps:
        applied_temporary = with_temporary_keys.get((step.kind, step.id))
        if _still_has_temporary_key(step, applied_temporary) or not _is_effective(step, base, records):
            continue  # it has changed nothing, or nothing but the key yet
        applied = step.applied or step.intended
        id_ = step.id
        if id_ is None and applied is not None:
            id_ = applied.id  # a create gets its id from the server
        effect = effects.setdefault(
            (step.kind, step.key if id_ is None else id_),
            RunEffect(step.kind, id_, step.key, _values_before(step, new_names, custom), step.base),
        )
        if step.kind is Kind.CUSTOM_FIELD and step.previous is not None:
            new_names[step.previous] = step.key
        effect.key = step.key
        effect.deleted = step.action is Action.DELETE
        if effect.deleted or step.is_unmanaged:
            effect.applied_after = None
        elif applied is not None:
            effect.applied_after = applied
        effect.fields |= step.fields
        if step.action is Action.CREATE:
            effect.uncertainty = _uncertainty(step, base, records)
    _rename_custom_fields(effects.values(), records)
    yield from effects.values()


def _values_before(step: Step, names: Mapping[str, str], custom: Readers) -> Mapping[str, Any] | None:
    """Return the values before a step, None for a create; custom fields have the names that the run gave to them.

    In a step with ids, custom fields are named by id, so `names` (old -> new) is not used. A journal of an earlier
    release has values in the types that the service wrote.
    """
    if step.before is None:
        return None
    fields = dict(step.before)
    if step.kind in FIELDABLE and step.ids is None:
        fields = _renamed(fields, names)
    coerce_fields(step.kind, fields, custom)
    return fields


def _rename_custom_fields(effects: Collection[RunEffect], records: Mapping[tuple[Kind, int | None], Entry]) -> None:
    """Give custom fields their present names in the effects: an incomplete undo may have renamed the fields."""
    fields = [effect for effect in effects if effect.kind is Kind.CUSTOM_FIELD and (effect.kind, effect.id) in records]
    names = {effect.key: records[effect.kind, effect.id].key for effect in fields}
    if all(old == new for old, new in names.items()):
        return
    for effect in effects:
        if effect.kind not in FIELDABLE:
            continue
        effect.fields = _renamed(effect.fields, names)
        if effect.before is not None:
            effect.before = _renamed(effect.before, names)
        if effect.applied_after is not None:
            fields_after = _renamed(effect.applied_after.fields, names)
            effect.applied_after = effect.applied_after._replace(fields=fields_after)


def _renamed(values: Mapping[str, _Value], names: Mapping[str, str]) -> dict[str, _Value]:
    return {names.get(name, name): value for name, value in values.items()}


def _is_effective(step: Step, base: Base, records: Mapping[tuple[Kind, int | None], Entry]) -> bool:
    """Return whether a step changed the server; an unknown result counts if the records show it."""
    if step.status is not Status.UNKNOWN:
        return step.status is Status.DONE or step.applied is not None  # a failed create may have made the record
    if step.action is Action.DELETE:
        return (step.kind, step.id) not in records
    if step.action is Action.CREATE:
        record = _find_created(step, base, records)
        return record is not None and is_stored(step.kind, without_added_by_service(step.fields), record)
    return True  # to undo an update that was not done changes nothing: the record has the old values


def _still_has_temporary_key(step: Step, applied: AppliedEntry | None) -> bool:
    """Return whether an entry still has a temporary key because the result of this step is unknown."""
    if applied is None or applied.moving != step.key:  # an undo of this run has written another temporary key
        return False
    return step.status is Status.UNKNOWN and step.intended != applied


def _uncertainty(step: Step, base: Base, records: Mapping[tuple[Kind, int | None], Entry]) -> str:
    """Return why an entry that the run created may belong to another user; "" if it certainly does not."""
    if step.already_existed and step.before is None:
        return "it was there already, and how it was is not known"
    record = _find_created(step, base, records) if step.status is Status.UNKNOWN else None
    if record is not None and not _has_only_sent(record, step):
        return "it may be another user's: it has more values than the run sent"
    return ""


def _find_created(step: Step, base: Base, records: Mapping[tuple[Kind, int | None], Entry]) -> Entry | None:
    """Return the record that a create with an unknown result may have created; None if the entry is not managed."""
    applied = base.get((step.kind, step.key))
    return None if applied is None else records.get((step.kind, applied.id))


def _has_only_sent(record: Entry, step: Step) -> bool:
    """Return whether each field of a record with a value was sent by a create, is generated, or has its default."""
    sent = {name.partition(".")[0] for name in step.fields} | _GENERATED
    rules = RECORDS[step.kind].rules()
    for name, value in record.fields.items():
        if name in sent or not _has_value(value):
            continue
        if name not in rules or not are_equal(step.kind, name, rules[name].default, value):
            return False
    return True


def _has_value(value: Any) -> bool:
    """Return whether a value is not empty; an object of empty values is empty."""
    if isinstance(value, Mapping):
        return any(map(_has_value, value.values()))
    return value not in (None, "", [])


def removed_references(steps: Iterable[Step]) -> Iterator[RemovedReference]:
    """Yield each reference that other entries lost by deletes, with the value before the first delete."""
    seen = set()
    for step in steps:
        if step.status not in (Status.DONE, Status.UNKNOWN):
            continue
        for reference in step.dangling:
            field = (reference.kind, reference.id, reference.field)
            if field not in seen:
                seen.add(field)
                yield reference


def previous_references(effects: Iterable[RunEffect]) -> Iterator[RemovedReference]:
    """Yield the previous values of the references that a run restored in entries that were not managed."""
    for effect in effects:
        if effect.is_restored_reference:
            for name in effect.fields:
                yield RemovedReference(effect.kind, effect.id, name, (effect.before or {}).get(name))


def deleted_parents(steps: Iterable[Step]) -> Mapping[int | None, Any]:
    """Return the parent of each category that a run deleted, by the id of the category."""
    deleted = (step for step in steps if step.kind is Kind.CATEGORY and step.action is Action.DELETE)
    return {step.id: (step.before or {}).get("parent_id") for step in deleted}
