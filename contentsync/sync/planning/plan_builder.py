"""Make a plan: compare every entry, collect the changes, and check the gates."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from ...errors import join_first
from ...model import Entry, EntryKey, Kind, key_field_of, key_fields
from ...printed_commands import WITHOUT_FOLDER
from ..comparing.base import UNKNOWN_BASE, AppliedEntry, Base, BaseUpdates, Origin, applied_entry, base_label
from ..comparing.change import Action, Change, cleared_fields, dangling_references
from ..comparing.diff import ComparedEntry, FieldChange, new_fields
from ..comparing.entry_fields import BODIES, authored_fields, is_authored, is_unknown
from ..comparing.fingerprint import digest, fingerprint_pair
from ..comparing.key_translation import KeyTranslation
from ..comparing.matching import Match, Matching
from .contested import Contested
from .gates import loss_refusals
from .order import order_changes
from .plan import (
    DEFAULT_POLICY,
    DELETED_REASON,
    EVERYTHING,
    Drift,
    Limits,
    Plan,
    Policy,
    RetainedEntry,
    Selection,
)
from .publish_gate import BECOMES_HIDDEN, BECOMES_PUBLIC, Visibility, publish_gate, publishing_fields, visibility
from .replaced_values import author_updates
from .update_gate import update_gate


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What a plan depends on besides the entries of both sides, the base and the policy."""

    renamed_files: Mapping[str, str] | None = None  # old paths by new paths, as git reports them
    is_excluded: Callable[[AppliedEntry], bool] = lambda applied: False  # whether the config excludes its file now
    conditional: bool = True  # the server itself refuses to overwrite a record that has changed since it was read
    # Equal entries that the caller left out of both sides and the base to save time. The caller checks that no other
    # entry has one of their keys or slugs.
    left_out: Collection[EntryKey] = frozenset()
    # The entries into which a pull has written values of the server: fields that are equal now count as applied.
    merged_by_pull: Collection[EntryKey] = ()
    # By entry, the drifted fields that count as changed by the folder; any name for an entry deleted on the server.
    reverted: Mapping[EntryKey, Collection[str]] = field(default_factory=dict)
    source_limits: Mapping[str, Limits] = field(default_factory=dict)  # of updates, by file that `fetch` writes
    now: datetime | None = None  # when entries are public or hidden; without it, the present
    command: Callable[..., str] = WITHOUT_FOLDER  # writes the commands in refusals


NO_FACTS = PlanFacts()


class _EqualEntry(NamedTuple):
    """An entry that is equal to its record, to record in the base; `untouched` are fingerprints that the base keeps."""

    entry: Entry
    actual: Entry
    untouched: Mapping[str, str]
    origin: Origin


class PlanBuilder:
    """Collects the changes of one plan, and the reasons to refuse it without consent."""

    def __init__(self, policy: Policy, keys: KeyTranslation, facts: PlanFacts, now: datetime) -> None:
        self._policy = policy
        self._keys = keys
        self._facts = facts
        self._now = now
        self.changes: list[Change] = []
        self.unchanged: Counter[Kind] = Counter()
        self.retained: list[RetainedEntry] = []
        self.drift: list[Drift] = []
        self.base_updates: list[AppliedEntry | _EqualEntry] = []
        self.base_removals: list[EntryKey] = []
        self.adopted: list[Entry] = []  # records
        self.cleared: dict[Kind, dict[str, list[str]]] = defaultdict(dict)  # the fields that updates clear, by key
        self.managed_updates: list[tuple[Change, AppliedEntry]] = []  # by authors of a folder, not by an undo
        self.published: dict[str, list[str]] = {}  # by entry: the fields whose removal makes it public
        self.contested = Contested(of_folder=policy.of_folder)

    def add_entry(self, entry: Entry, match: Match, deleted: AppliedEntry | None) -> None:
        """Compare an entry of the folder with its record, and add the change or base update that it needs.

        If another user has deleted the record, `deleted` is the applied entry, and the change creates the record again.
        """
        if match.actual is None:
            entry = self._keys.with_folder_keys(entry)
            reason = DELETED_REASON if deleted else "not on the server"
            fields = new_fields(entry)
            self.changes.append(
                Change(Action.CREATE, entry, actual=None, fields=fields, reason=reason, recreates=deleted)
            )
            return
        compared = self._keys.compare(entry, match.actual, match.applied)
        reverted = self._facts.reverted.get((entry.kind, entry.key), ())
        compared = compared._replace(drifted=compared.drifted - {*reverted})
        entry, actual, applied, changes, drifted, conflicts = compared  # under the folder's keys
        untouched = _dormant_translations(entry, actual, applied) | self._leave_unwritten(compared)
        if not changes:
            self.unchanged[entry.kind] += 1
            self._update_base(entry, actual, applied, untouched)
            return
        previous = actual.key if actual.key != entry.key else None
        # A key that another user has changed is reported as drift, and not as a rename by the folder.
        renamed_from = None if key_field_of(entry) in drifted else previous
        reason = _reason(changes, renamed_from, adopted=match.actual if applied is None else None)
        drift = tuple(name for name in changes if name in drifted or name in conflicts)
        in_conflict = tuple(name for name in drift if name in conflicts)
        # The record under the server's keys: the writer translates them.
        change = Change(Action.UPDATE, entry, match.actual, changes, reason, drift, in_conflict, untouched, previous)
        self.changes.append(change._replace(origin=_origin(applied)))
        if applied is None:
            self.adopted.append(match.actual)
            self.contested.adopted.append(f"{entry} ({_field_names(changes)})")
            return
        if applied.identity == (entry.kind, entry.key) and applied.identity in self._facts.merged_by_pull:
            # Fields that the pull has made equal count as applied, although other fields differ.
            self.base_updates.append(self._with_equal_fields(applied, entry, actual, changes))
        cleared = cleared_fields(change)
        if self._policy.of_folder:
            self.managed_updates.append((change, applied))
            if published := publishing_fields(change, self._now):
                self.published[str(entry)] = published
                cleared = [name for name in cleared if name not in published]
        if cleared:
            self.cleared[change.kind][change.key] = cleared

    def leave_deleted(self, entry: Entry, applied: AppliedEntry) -> bool:
        """Report an entry that another user deleted, as the policy says; return whether it stays deleted.

        If the folder has changed the entry since it was applied, this is a conflict.
        """
        if (entry.kind, entry.key) in self._facts.reverted:
            return False
        policy = self._policy
        changed = self._keys.changed_in_folder(entry, applied) if policy.allowed.recreate is None else []
        if changed and policy.on_conflict == "theirs":
            # Later plans do not show the conflict: the folder's present entry counts as applied.
            self.contested.left_as_on_server.append(f"{entry} ({DELETED_REASON})")
            self.base_updates.append(applied._replace(key=entry.key, digest=digest(entry.fields)))
            if applied.key != entry.key:
                self.base_removals.append(applied.identity)
            return True
        if changed:
            if policy.on_conflict == "fail":
                self.contested.add_deleted_there(entry, changed)
            return False
        stays_deleted = policy.on_drift == "keep" and policy.allowed.recreate is None
        if stays_deleted:
            self.drift.append(Drift(entry, {}, deleted=True))
        elif policy.on_drift == "fail":
            self.contested.deleted.append(str(entry))
        return stays_deleted

    def add_orphan(self, applied: AppliedEntry, record: Entry | None, excluded: bool) -> None:
        """Add a managed entry that the folder lacks, as a delete or as retained.

        An entry without a `record` is gone from the server: the base forgets it.
        """
        if record is None:
            self.base_removals.append(applied.identity)
            return
        retention_reason = self._retention_reason(applied, record, excluded)
        if retention_reason:
            self.retained.append(RetainedEntry(record, retention_reason))
            return
        drift = self._keys.changed_on_server(applied, record)
        if drift and self._policy.on_conflict == "theirs":  # the record is no longer managed
            self.contested.left_as_on_server.append(
                f"{record} (deleted in the folder, {_field_names(drift)} changed there)"
            )
            self.base_removals.append(applied.identity)
            return
        if drift and self._policy.on_conflict == "fail":
            self.contested.add_deleted_here(record, drift)
        change = Change(Action.DELETE, record, record, {}, "no longer in the folder", tuple(drift))
        self.changes.append(change._replace(origin=applied.origin))

    def _retention_reason(self, applied: AppliedEntry, record: Entry, excluded: bool) -> str:
        """Return why a managed entry that the folder lacks is not deleted; "" if it may be deleted."""
        if applied.protect:
            return "protected"
        if excluded:
            return "left out by the config"
        if not self._policy.prune:
            return "prune is off"
        drift = self._keys.changed_on_server(applied, record)
        identifying = applied.fields.keys() - {*key_fields(applied.kind)}
        # Without an id, the base is a commit: the record has the same key, and may be another user's.
        if applied.id is None and identifying and identifying <= set(drift):
            return "not what was applied"
        return ""

    def _leave_unwritten(self, compared: ComparedEntry) -> dict[str, str]:
        """Remove the changes that the policy does not write; return the fingerprints to record for these fields.

        A field is drifted or in conflict, not both. A drifted field is drifted in the next plan too. If the server's
        side wins a conflict, the conflict is resolved: the base gets the fingerprints of both sides.
        """
        entry, _actual, applied, changes, drifted, conflicts = compared
        untouched = _removed_bodies(entry, applied)
        if drifted and self._policy.on_drift == "keep" and applied is not None:
            drift = {name: changes.pop(name) for name in list(changes) if name in drifted}
            self.drift.append(Drift(entry, drift))
            untouched |= {name: applied.fields[name] for name in drift}
        elif drifted and self._policy.on_drift == "fail":
            self.contested.drifted.append(f"{entry} ({_field_names(drifted)})")
        if conflicts and self._policy.on_conflict == "theirs":
            self.contested.left_as_on_server.append(f"{entry} ({_field_names(conflicts)}: changed on the server since)")
            for name in conflicts:
                stored, desired = changes.pop(name)
                if is_authored(entry, name):
                    untouched[name] = fingerprint_pair(entry.kind, name, desired, stored)
        elif conflicts and self._policy.on_conflict == "fail":
            self.contested.add_fields(entry, {name: field for name, field in changes.items() if name in conflicts})
        return untouched

    def _with_equal_fields(
        self, applied: AppliedEntry, entry: Entry, actual: Entry, changes: Mapping[str, FieldChange]
    ) -> AppliedEntry:
        """Return an applied entry with the present fingerprints of the fields that are equal on both sides.

        An unequal field keeps its applied fingerprints. If it was never applied, the result does not have it.
        """
        unequal = {name: pair for name, pair in applied.fields.items() if name in changes}
        updated = applied_entry(self._keys.with_reference_ids(entry), actual, untouched=unequal)
        never_applied = changes.keys() - unequal.keys()
        fields = {
            base_label(entry.kind, name, self._keys.custom_ids): pair
            for name, pair in updated.fields.items()
            if name not in never_applied
        }
        return applied._replace(fields=fields)

    def _update_base(
        self, entry: Entry, actual: Entry, applied: AppliedEntry | None, untouched: Mapping[str, str]
    ) -> None:
        """Add the base update for an equal entry, unless the base has it already as it is; None: the base lacks it."""
        if applied is None:
            self.adopted.append(actual)
        if applied is None or not applied.is_current(entry, actual):
            self.base_updates.append(_EqualEntry(entry, actual, untouched, _origin(applied)))
            if applied is not None and applied.identity != (entry.kind, entry.key):
                self.base_removals.append(applied.identity)

    def make_base_updates(self) -> Iterator[AppliedEntry]:
        """Yield the applied entry of each base update."""
        for update in self.base_updates:
            if isinstance(update, AppliedEntry):
                yield update
            else:
                entry = self._keys.with_reference_ids(update.entry)
                applied = applied_entry(entry, update.actual, update.untouched, self._keys.custom_ids)
                yield applied._replace(origin=update.origin)


def _dormant_translations(entry: Entry, actual: Entry, applied: AppliedEntry | None) -> dict[str, str]:
    """Return the applied translations that the folder lacks, in languages that the server does not have now.

    If such a language is added again, its old texts are visible again: the base must still have them as managed.
    """
    if applied is None or not actual.unknown:
        return {}
    unknown = [name for name in applied.fields if name.startswith("translations.") and is_unknown(actual, name)]
    if not unknown:
        return {}
    authored = {name for name, _stored, _desired in authored_fields(entry, actual)}
    return {name: applied.fields[name] for name in unknown if name not in authored}


def _removed_bodies(entry: Entry, applied: AppliedEntry | None) -> dict[str, str]:
    """Return the applied fingerprints of a body that the folder no longer has; the server keeps the body.

    The body is managed again if the folder sets it again. Articles need no such record: each update sends their body.
    """
    if applied is None or entry.kind is Kind.ARTICLE:
        return {}
    return {name: applied.fields[name] for name in BODIES if name in applied.fields and not is_authored(entry, name)}


def _origin(applied: AppliedEntry | None) -> Origin:
    """Return the origin to record of an entry that has a record; without an applied entry, the plan adopts it."""
    return "adopted" if applied is None else applied.origin


def _reason(fields: Mapping[str, FieldChange], renamed_from: str | None, adopted: Entry | None) -> str:
    """Return the reason of an update.

    `renamed_from` is the key that the folder has changed, None if it has not; `adopted` the record, if it is adopted.
    """
    differs = f"{_field_names(fields)} {'differs' if len(fields) == 1 else 'differ'}"
    if renamed_from is not None:
        return f"renamed from {renamed_from}; {differs}"
    if adopted is None:
        return differs
    created = f" (created {adopted.created})" if adopted.created else ""
    return f"{differs}; not from here{created}"


def _field_names(fields: Mapping[str, FieldChange] | Sequence[str] | frozenset[str]) -> str:
    return join_first(sorted(fields) if isinstance(fields, frozenset) else [*fields])


def make_plan(
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    selection: Selection = EVERYTHING,
    *,
    base: Base = UNKNOWN_BASE,
    policy: Policy = DEFAULT_POLICY,
    facts: PlanFacts = NO_FACTS,
) -> Plan:
    """Return the plan that makes the server's entries equal to the folder's; the order of the entries does not matter.

    `desired` is the whole folder with resolved references; only entries in `selection` may be written. Entries marked
    `sync.skip` are not written, but count as present.

    Raise ContentError for entries whose notes of former keys contradict each other.
    """
    matching = Matching(desired, actual, base, facts.renamed_files, facts.is_excluded)
    matching.require_no_contradiction()
    keys = KeyTranslation(matching, desired, actual, base)
    now = facts.now or datetime.now(UTC)
    builder = PlanBuilder(policy, keys, facts, now)
    left_deleted: list[EntryKey] = []
    for entry in desired:
        if entry in selection and not entry.notes.skip:
            match = matching.find(entry)
            # Applied by the last sync, and deleted on the server since.
            deleted_entry = matching.find_deleted(entry) if match.actual is None else None
            if deleted_entry and builder.leave_deleted(entry, deleted_entry):
                matching.mark_used(deleted_entry)
                left_deleted.append((entry.kind, entry.key))
            else:
                builder.add_entry(entry, match, deleted_entry)
    for applied, record in matching.orphans():
        if selection.covers(applied.kind, applied.key):
            builder.add_orphan(applied, record, facts.is_excluded(applied))
    stages = order_changes(builder.changes, actual)
    changes = [change for stage in stages for change in stage]
    dangling = tuple(dangling_references(changes, actual))
    deleted = {(change.kind, change.entry.id) for change in changes if change.action is Action.DELETE}
    unmatched = (entry for entry in actual if not matching.is_matched(entry))
    unmanaged = tuple(entry for entry in unmatched if (entry.kind, entry.id) not in deleted and entry in selection)
    managed = Counter(entry.kind for entry in matching.managed_records())
    remaining = Counter(entry.kind for entry in desired)
    left_out = Counter(kind for kind, _key in facts.left_out)
    for counter in (managed, remaining, builder.unchanged):
        counter.update(left_out)
    gone = [
        *(change.entry for change in changes if change.recreates),
        *(drift.entry for drift in builder.drift if drift.deleted),
    ]
    missing = {kind: [entry.key for entry in gone if entry.kind is kind] for kind in Kind}
    by_visibility: dict[Visibility, list[Entry]] = defaultdict(list)
    for change in changes:
        if change.action is Action.UPDATE:
            by_visibility[visibility(change, now)].append(change.entry)
    refusals = (
        *builder.contested.refusals(policy, facts.command),
        *loss_refusals(changes, dangling, remaining, managed, policy, builder.cleared, missing),
        *publish_gate(builder.published, policy.allowed.publish),
        *update_gate(
            author_updates(builder.managed_updates, desired),
            managed,
            policy.update_limits,
            facts.source_limits,
            policy.allowed.updates,
        ),
    )
    return Plan(
        stages,
        tuple(actual),
        builder.unchanged,
        unmanaged,
        published=tuple(by_visibility[BECOMES_PUBLIC]),
        hidden=tuple(by_visibility[BECOMES_HIDDEN]),
        adopted=tuple(sorted(builder.adopted, key=lambda record: ([*Kind].index(record.kind), record.key))),
        retained=tuple(builder.retained),
        drift=tuple(builder.drift),
        left_out=facts.left_out,
        left_deleted=tuple(left_deleted),
        refusals=refusals,
        base=base,
        base_updates=BaseUpdates(len(builder.base_updates), builder.make_base_updates),
        base_removals=tuple(builder.base_removals),
        folder_keys=keys.folder_keys,
        dangling=dangling,
        conditional=facts.conditional,
        left_as_on_server=tuple(builder.contested.left_as_on_server),
    )
