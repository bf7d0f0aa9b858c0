"""The plan that undoes a run: it restores everything that the run changed or deleted, by the run's journal.

It is a plan like any other. Its base has the entries as the run wrote them, so a field that another user has changed
since is a conflict, and the gates check the deletes of created entries. Afterwards each entry is managed as before the
run: a field that the folder did not have then is not managed. If the folder is reverted too, the next plan is empty.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ...model import RECORDS, Entry, EntryKey, Kind, Notes, Reference
from ...model.entry import value_at, with_value
from ...model.references import map_references
from ...remote.wire import key_of
from ..comparing.base import AppliedEntry, Base, RemovedReference, ServerRecords, StateBuilder
from ..comparing.change import Action, Change, dangling_references
from ..comparing.diff import FieldChange, compare
from ..comparing.entry_fields import ARTICLE_TEXTS, BODIES, is_unknown, rename_references
from ..comparing.fingerprint import are_equal, as_unsent, fingerprint, join_pair
from ..comparing.outcome import is_stored
from ..planning.order import order_changes
from ..planning.plan import Plan, Policy, Refusal
from ..planning.plan_builder import make_plan
from ..state.run_history import Run, Step
from .run_effect import (
    CurrentKeys,
    RunEffect,
    deleted_parents,
    effects_of_run,
    previous_references,
    removed_references,
    with_ids,
)


def restoring_changes(
    lost: Iterable[RemovedReference],
    actual: Iterable[Entry],
    translated: Mapping[tuple[Kind, int | None], Entry],
    state: StateBuilder,
    keys: CurrentKeys,
    deleted_parents: Mapping[int | None, Any],
) -> Iterator[Change]:
    """Yield the updates that restore the references which other entries lost when a run deleted entries.

    A reference that another user has changed since is not restored. `translated` contains the entries of `actual` with
    the keys that the folder uses, `state` the present base, `keys` the keys that records have after the undo, and
    `deleted_parents` the parent of each deleted category (None or a Reference) by the category's id.
    """
    lost_values: dict[tuple[Kind, int | None], dict[str, Any]] = defaultdict(dict)  # before the run, by record
    for kind, id_, name, before in lost:
        lost_values[kind, id_][name] = before
    records = {(entry.kind, entry.id): entry for entry in actual}
    for (kind, id_), values_before in lost_values.items():
        entry = translated.get((kind, id_))
        if entry is None:
            continue
        entry_before, _missing = keys.translate_entry(Entry(kind, entry.key, values_before))
        restoring: dict[str, FieldChange] = {}
        for name, before in entry_before.fields.items():
            current = entry.fields.get(name)
            nearest_parent = _nearest_parent(values_before.get(name), deleted_parents)  # compared by id
            if not are_equal(kind, name, before, current) and _is_lost_by_deletes(current, before, nearest_parent):
                restoring[name] = FieldChange(current, before)
        if restoring:
            restored = Entry(kind, entry.key, {name: change.after for name, change in restoring.items()})
            applied = state.find(kind, entry.key, id_)
            yield Change(
                Action.UPDATE,
                restored,
                records[kind, id_],
                restoring,
                reason=f"{', '.join(restoring)} removed by the deletes of the run",
                applied_after=None if applied is None else with_references(applied, restored),
                is_unmanaged=applied is None,
            )


def with_references(applied: AppliedEntry, restored: Entry) -> AppliedEntry:
    """Return an applied entry that has the references of `restored` as stored on the server."""
    fields = dict(applied.fields)
    for name in RECORDS[applied.kind].references.keys() & restored.fields.keys():
        fingerprints = applied.fingerprints(name)
        if fingerprints is not None:
            fields[name] = join_pair(fingerprints.sent, fingerprint(applied.kind, name, restored.fields[name]))
    return applied._replace(fields=fields)


def _nearest_parent(parent: Any, deleted_parents: Mapping[int | None, Any]) -> Any:
    """Return the nearest ancestor that was not deleted: a service may put it in place of a deleted parent."""
    while isinstance(parent, Reference) and parent.id in deleted_parents:
        parent = deleted_parents[parent.id]
    return parent


def _is_lost_by_deletes(current: Any, before: Any, nearest_parent: Any) -> bool:
    """Return whether the deletes of a run explain how a value differs from that `before` the run.

    Deletes clear a reference, remove items from a list, or replace a deleted parent by `nearest_parent`, the nearest
    ancestor that was not deleted. A user has set any other value since.
    """
    if current is None:
        return True
    if isinstance(current, Reference) and isinstance(nearest_parent, Reference):
        return current.id == nearest_parent.id
    return isinstance(current, list) and isinstance(before, list) and set(current) <= set(before)


_SKIPPED = Notes(skip=True)


@dataclass(frozen=True, slots=True)
class Reversal:
    """How to reverse a run's effect on one entry."""

    effect: RunEffect
    current: AppliedEntry | None  # in the base
    record: Entry | None  # on the server
    restored: Entry | None  # the desired entry; None: delete it

    @property
    def applied_after(self) -> AppliedEntry | None:
        """Return the base's record at the end of the undo."""
        return self.effect.base_before(self.current)


def undo_plan(run: Run, actual: Sequence[Entry], base: Base, policy: Policy) -> Plan:
    """Return the plan that undoes a run; `base` is the present base, after this run and all later runs."""
    steps = [*map(with_ids, run.steps)]
    effects = list(effects_of_run(steps, base, actual))
    candidates = list(_find_reversals(effects, actual, base))
    present_keys = CurrentKeys(actual, restored={})
    obstacles = _obstacles(candidates, actual, present_keys)
    reversals = [reversal for reversal in candidates if id(reversal) not in obstacles]
    restored_keys: dict[tuple[Kind, int | None], str] = {
        (reversal.effect.kind, reversal.effect.id): reversal.restored.key
        for reversal in reversals
        if reversal.restored and reversal.effect.id is not None
    }
    keys_after = CurrentKeys(actual, restored_keys)
    reversals, unrestorable = _translate(reversals, keys_after)
    unrestored = [*obstacles.values(), *unrestorable]
    refusals = []
    if unrestored and policy.on_conflict != "theirs":
        message = f"cannot be undone: {'; '.join(sorted(unrestored))}"
        refusals.append(Refusal("conflict", message, "--on-conflict theirs"))
    # First plan the entries that the run wrote.
    unfinished_steps = [*map(with_ids, run.unfinished_undo.steps)] if run.unfinished_undo else []
    plan = _plan_entries(reversals, unfinished_steps, actual, present_keys, base, policy)
    by_restored = {(each.restored.kind, each.restored.key): each for each in reversals if each.restored}
    described = [_describe(change, by_restored, keys_after) for change in plan.changes]
    deletes = [change for change in described if change.action is Action.DELETE]
    changes = {(change.kind, change.key): change for change in described if change.action is not Action.DELETE}
    translated = {(entry.kind, entry.id): rename_references(entry, plan.folder_keys) for entry in actual}
    unwritten = [reversal for identity, reversal in by_restored.items() if identity not in changes]
    base_updates, removals = _base_changes(unwritten, translated)
    # Then add the references that its deletes removed from other entries.
    lost = [*previous_references(effects), *removed_references(steps)]
    parents, state = deleted_parents(steps), StateBuilder(base.values())
    for restoring in restoring_changes(lost, actual, translated, state, keys_after, parents):
        identity = restoring.kind, restoring.key
        changes[identity] = _merge_restored(changes[identity], restoring) if identity in changes else restoring
    planned = [*changes.values(), *deletes]
    return Plan(
        order_changes(planned, actual),
        tuple(actual),
        unchanged={},
        unmanaged=(),
        refusals=(*refusals, *plan.refusals),
        base=base,
        base_updates=tuple(base_updates),
        base_removals=tuple(removals),
        folder_keys=plan.folder_keys,
        dangling=tuple(dangling_references(planned, actual)),
        left_as_on_server=(*unrestored, *plan.left_as_on_server) if policy.on_conflict == "theirs" else (),
    )


def _plan_entries(
    reversals: Sequence[Reversal],
    unfinished_steps: Sequence[Step],
    actual: Sequence[Entry],
    current: CurrentKeys,
    base: Base,
    policy: Policy,
) -> Plan:
    """Return the plan that restores the entries of the reversals, but no references that deletes have removed.

    Its base is as the run left it, so that values which the run wrote do not count as changes by another user. All
    other entries of the base are marked as skipped. The plan may delete every entry: `of_folder` would refuse that.
    """
    reversed_entries = {reversal.current.identity for reversal in reversals if reversal.current}
    reversed_entries |= {reversal.effect.identity for reversal in reversals}
    as_written = _applied_as_written(reversals, unfinished_steps, current)
    base_of_run = base.with_updates(as_written, reversed_entries)
    unchanged = [Entry(*identity, {}, notes=_SKIPPED) for identity in base if identity not in reversed_entries]
    desired = [reversal.restored for reversal in reversals if reversal.restored]
    return make_plan([*desired, *unchanged], actual, base=base_of_run, policy=replace(policy, of_folder=False))


def _translate(reversals: Sequence[Reversal], keys: CurrentKeys) -> tuple[list[Reversal], list[str]]:
    """Return the reversals with present keys in their entries, and the references that cannot be restored."""
    translated, unrestorable = [], []
    for reversal in reversals:
        if reversal.restored is None:
            translated.append(reversal)
            continue
        restored, missing = keys.translate_entry(reversal.restored)
        translated.append(replace(reversal, restored=restored))
        unrestorable += [f"{reversal.effect} ({name} is no longer on the server)" for name in missing]
    return translated, unrestorable


def _find_reversals(effects: Iterable[RunEffect], actual: Sequence[Entry], base: Base) -> Iterator[Reversal]:
    """Yield the reversal of each effect, except restored references and created entries that are gone."""
    state = StateBuilder(base.values())
    records = ServerRecords(actual)
    for effect in effects:
        if effect.is_restored_reference:
            continue
        current = effect.find_current(state)
        latest = current or effect.applied_after or effect.applied_before
        record = None if latest is None or effect.deleted else records.find(latest)
        if effect.before is None:
            if record is not None:
                yield Reversal(effect, current, record, restored=None)
        elif effect.deleted:
            yield Reversal(effect, current, record=None, restored=_deleted_entry(effect.kind, effect.before))
        else:
            restored = None if record is None else _entry_before(effect, effect.before, record)
            yield Reversal(effect, current, record, restored)  # without a record, it is one of `_obstacles`


def _deleted_entry(kind: Kind, before: Mapping[str, Any]) -> Entry:
    """Return the entry that creates a deleted record again.

    Omit read-only fields and nulls: a create sets null anyway, and some fields do not accept it. Only the null date of
    an article stays, because a create without a date sets one.
    """
    omitted = set(RECORDS[kind].read_only)
    if kind is Kind.ARTICLE:
        omitted.discard("is_markdown")  # it says which of the two texts to show
    fields: dict[str, Any] = {}
    for name, value in before.items():
        is_article_date = kind is Kind.ARTICLE and name == "published_at"
        if name not in omitted and (value is not None or is_article_date):
            fields[name] = deepcopy(value)
    return Entry(kind, key_of(kind, before), fields)


def _entry_before(effect: RunEffect, before: Mapping[str, Any], record: Entry) -> Entry:
    """Return an entry with the old values of the fields that the run wrote, and the present key if it wrote none."""
    key_field = RECORDS[effect.kind].key_field
    fields: dict[str, Any] = {key_field: record.fields.get(key_field)}
    for name in effect.fields:
        if effect.kind is not Kind.ARTICLE or name not in ARTICLE_TEXTS:
            fields = with_value(fields, name, deepcopy(value_at(before, name)))
    if effect.kind is Kind.ARTICLE:  # each update of an article sends its text (docs/contract.md 4.2.4)
        wrote_text = any(name in ARTICLE_TEXTS for name in effect.fields)
        texts = before if wrote_text else record.fields
        shown = "markdown" if texts.get("is_markdown") else "content"
        fields |= {name: texts.get(name) for name in BODIES if name == shown or name in effect.fields}
        fields["is_markdown"] = shown == "markdown"
    key = key_of(effect.kind, {**record.fields, **fields})
    return Entry(effect.kind, key, fields, notes=Notes(previous=(record.key,) if record.key != key else ()))


def _obstacles(reversals: Sequence[Reversal], actual: Sequence[Entry], current: CurrentKeys) -> dict[int, str]:
    """Return the reasons why entries cannot be restored, by the `id()` of the reversal."""
    records = {(entry.kind, entry.key): entry for entry in actual}
    reversed_records = {(reversal.effect.kind, reversal.record.id) for reversal in reversals if reversal.record}
    reasons = {}
    for reversal in reversals:
        effect = reversal.effect
        reason = effect.uncertainty
        if not reason and not effect.deleted and reversal.record is None:
            reason = "it is no longer on the server"
        if not reason and reversal.record and reversal.restored and reversal.restored.key != reversal.record.key:
            owner = records.get((effect.kind, reversal.restored.key))
            if owner is not None and (owner.kind, owner.id) not in reversed_records:
                reason = f"another entry has the key {reversal.restored.key} now"
        if not reason and (unknown := _unrestorable(reversal, current)):
            reason = f"the service does not return {', '.join(unknown)}, so the value before the run is not known"
        if reason:
            reasons[id(reversal)] = f"{effect} ({reason})"
    return reasons


def _unrestorable(reversal: Reversal, current: CurrentKeys) -> list[str]:
    """Return the fields that the run wrote, and that neither the service returns nor the journal had before the run."""
    before, record, written = reversal.effect.before, reversal.record, reversal.effect.fields
    if before is None or record is None or reversal.restored is None:
        return []
    unrecorded = [current.translate_field(name) for name in written if not _has_value_before(before, name)]
    return sorted(name for name in unrecorded if is_unknown(record, name))


def _has_value_before(before: Mapping[str, Any], name: str) -> bool:
    """Return whether the values before a run include a field (dotted name)."""
    first, _, rest = name.partition(".")
    if first not in before:
        return False
    return first != "seo" or not isinstance(before[first], Mapping) or rest in before[first]


def _applied_as_written(
    reversals: Iterable[Reversal], unfinished_steps: Sequence[Step], current: CurrentKeys
) -> Iterator[AppliedEntry]:
    """Yield the applied entries as the run wrote them, with the server's present keys.

    Values that an incomplete undo has written since, in `unfinished_steps`, are not changes by another user.
    """
    for reversal in reversals:
        applied, record = reversal.effect.written_entry, reversal.record
        if applied is not None and record is not None:
            written = dict(_written_fields(unfinished_steps, record, applied.fields.keys(), current))
            fields = {**applied.fields, **written}
            yield applied._replace(key=record.key, id=record.id, created=record.created, fields=fields)


def _written_fields(
    steps: Iterable[Step], record: Entry, names: Collection[str], current: CurrentKeys
) -> Iterator[tuple[str, str]]:
    """Yield each field of a record that still has the value of one of the steps, with its fingerprint."""
    for step in steps:
        if (step.kind, step.id) == (record.kind, record.id):
            for name in step.fields.keys() & names:
                if is_stored(step.kind, {current.translate_field(name): step.fields[name]}, record):
                    yield name, step.fields[name]


def _describe(change: Change, restored: Mapping[EntryKey, Reversal], keys: CurrentKeys) -> Change:
    """Return a change of the undo with its reason, and with the applied entry to record afterwards.

    That is the entry's `applied_after`, except for the fields that the undo leaves as they are or cannot send.
    """
    if change.action is Action.DELETE:
        return change._replace(reason="the run created it")
    reversal = restored[change.kind, change.key]
    applied = reversal.applied_after
    if applied is not None:  # `untouched` has the fields that the undo leaves as they are on the server
        pairs = {keys.translate_field(name): pair for name, pair in applied.fields.items()}
        applied = applied._replace(fields={name: change.untouched.get(name, pair) for name, pair in pairs.items()})
    entry = reversal.restored
    if entry is not None:  # the references with their ids
        referred = {name: entry.fields[name] for name in RECORDS[entry.kind].references if name in entry.fields}
        change = change._replace(entry=replace(change.entry, fields={**change.entry.fields, **referred}))
    if applied is not None and entry is not None and change.action is Action.CREATE:
        before = {keys.translate_field(name): value for name, value in (reversal.effect.before or {}).items()}
        # The create cannot send values that the journal does not have.
        unsent = {name: as_unsent(pair) for name, pair in applied.fields.items() if not _has_value_before(before, name)}
        applied = applied._replace(fields={**applied.fields, **unsent})
    reason = "the run deleted it" if change.action is Action.CREATE else change.reason
    return change._replace(reason=reason, applied_after=applied, is_unmanaged=applied is None)


def _base_changes(
    reversals: Iterable[Reversal], records: Mapping[tuple[Kind, int | None], Entry]
) -> tuple[list[AppliedEntry], list[EntryKey]]:
    """Return the base updates and removals of reversals without a change: their records are as before the run."""
    records_by_key = {(entry.kind, entry.key): entry for entry in records.values()}
    base_updates: list[AppliedEntry] = []
    removals: list[EntryKey] = []
    for reversal in reversals:
        restored, applied = reversal.restored, reversal.applied_after
        if restored is None:
            continue
        record = records.get((reversal.record.kind, reversal.record.id)) if reversal.record else None
        record = record or records_by_key.get((restored.kind, restored.key))
        without_ids = map_references(restored, lambda _kind, reference: str(reference))  # they may be outdated
        if record is None or compare(without_ids, record, applied=None).changes:
            continue  # the record stays as another user has changed it
        if applied is not None:
            base_updates.append(applied._replace(id=record.id, created=record.created))
        if reversal.current is not None and (applied is None or applied.key != reversal.current.key):
            removals.append(reversal.current.identity)
    return base_updates, removals


def _merge_restored(change: Change, restoring: Change) -> Change:
    """Return an update that also writes the fields of `restoring`, and any other change unchanged."""
    if change.action is not Action.UPDATE:
        return change
    fields = {**restoring.entry.fields, **change.entry.fields}
    references = replace(restoring.entry, fields={name: fields[name] for name in restoring.entry.fields})
    return change._replace(
        entry=replace(change.entry, fields=fields),
        fields={**restoring.fields, **change.fields},
        applied_after=None if change.applied_after is None else with_references(change.applied_after, references),
    )
