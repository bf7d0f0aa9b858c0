"""TODO."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..model import RECORDS, Entry, Kind
from .change import Action, Change, cleared, losses
from .comparing.base import UNKNOWN, Applied, Base, applied_of
from .comparing.diff import FieldChange
from .comparing.entry_fields import BODIES, Identity, given_fields, is_given, is_unknown, value_at
from .comparing.fingerprint import digest, is_known, mark
from .comparing.key_translation import Names
from .comparing.matching import Match, Matching
from .gates import Doomed, clear_gate, gates, recreate_gate
from .order import in_order
from .plan import DELETED, Drift, Plan, Spared
from .plan_policy import CAREFUL, EVERYTHING, Policy, Refusal, Selection

NAMES = 5  # that a refusal shows


class Findings:
    """Of one plan, as it is made."""

    def __init__(self, policy: Policy, names: Names) -> None:
        self._policy = policy
        self._names = names
        self.changes: list[Change] = []
        self.unchanged: Counter[Kind] = Counter()
        self.spared: list[Spared] = []
        self.drift: list[Drift] = []
        self.learned: list[Applied] = []
        self.gone: list[Identity] = []
        self.cleared: dict[Kind, dict[str, list[str]]] = defaultdict(dict)  # managed entries, and what they lose
        self._adopted: list[str] = []
        self._drifted: list[str] = []
        self._deleted: list[str] = []
        self._conflicts: list[str] = []
        self.theirs: list[str] = []  # conflicts in which the server's values stay

    def compare(self, entry: Entry, match: Match) -> None:
        """Takes an entry of the folder that may be written."""
        record = match.actual
        found = self._names.compare(entry, match)
        entry, actual, applied = found.entry, found.actual, found.applied
        changes, drifted, conflicts = found.differences
        if actual is None or record is None:
            self.changes.append(Change(Action.CREATE, entry, None, changes, "not on the server"))
            return
        kept = _dormant(entry, actual, applied) | self._left_alone(entry, changes, drifted, conflicts, applied)
        if not changes:
            self.unchanged[entry.kind] += 1
            self._learn(entry, actual, applied, kept)
            return
        previous = actual.key if actual.key != entry.key else None
        is_renamed_there = RECORDS[entry.kind].key_field in drifted
        if applied is None:
            self._adopted.append(f"{entry} ({_names(changes)})")
        reason = _reason(changes, applied is not None, None if is_renamed_there else previous)
        drift = tuple(name for name in changes if name in drifted or name in conflicts)
        change = Change(Action.UPDATE, entry, record, changes, reason, drift, kept, previous)
        self.changes.append(change)
        if applied is not None and (lost := cleared(change)):
            self.cleared[change.kind][change.key] = lost

    def deleted(self, entry: Entry, match: Match, lost: Applied) -> bool:
        """Take an entry that another user has deleted on the server, with its line; return whether it stays deleted."""
        if self._policy.on_drift == "keep":
            self.drift.append(Drift(entry, {}, deleted=True))
            return True
        if self._policy.on_drift == "fail":
            self._deleted.append(str(entry))
        found = self._names.compare(entry, match)
        changes = found.differences.changes
        self.changes.append(Change(Action.CREATE, found.entry, None, changes, DELETED, recreates=lost))
        return False

    def orphan(self, applied: Applied, record: Entry | None, left_out: bool) -> None:
        """Takes an entry of ours that the folder has no more, with what the server has of it."""
        if record is None:
            self.gone.append(applied.identity)
            return
        why = self._why_spared(applied, record, left_out)
        if why:
            self.spared.append(Spared(record, why))
            return
        drift = _drift_of(applied, record, self._names)
        if drift and self._policy.on_drift == "fail":
            self._drifted.append(f"{record} ({_names(drift)})")
        self.changes.append(Change(Action.DELETE, record, record, {}, "no longer in the folder", tuple(drift)))

    def _why_spared(self, applied: Applied, record: Entry, left_out: bool) -> str:
        if applied.protect:
            return "protected"
        if left_out:
            return "left out by the config"
        if not self._policy.prune:
            return "prune is off"
        drift = _drift_of(applied, record, self._names)
        telling = applied.fields.keys() - {"url", RECORDS[applied.kind].key_field}
        if applied.id is None and telling and telling <= set(drift):
            return "not what was applied"  # a commit tells its name alone, which anybody may have used
        if self._policy.on_drift == "keep" and drift:
            return "changed on the server"
        return ""

    def refusals(self) -> Iterator[Refusal]:
        """What somebody must agree to, besides deletes."""
        if self._conflicts:
            yield Refusal(
                "conflict",
                f"changed here and on the server since the last sync: {_shown(self._conflicts)}",
                "--on-conflict ours or --on-conflict theirs",
            )
        if self._drifted:
            flag = "--on-drift overwrite or --on-drift keep"
            yield Refusal("drift", f"changed on the server: {_shown(self._drifted)}", flag)
        if self._deleted:
            yield Refusal(
                "drift", f"{DELETED}: {_shown(self._deleted)}", "--on-drift overwrite (create again) or --on-drift keep"
            )
        if self._adopted and not self._policy.adopt:
            yield Refusal(
                "adoption",
                f"on the server with other values, and not from here: {_shown(self._adopted)}",
                "--adopt",
            )

    def _left_alone(
        self,
        entry: Entry,
        changes: dict[str, FieldChange],
        drifted: frozenset[str],
        conflicts: frozenset[str],
        applied: Applied | None,
    ) -> dict[str, str]:
        """Takes out of the changes what stays as it is there; what the base says of these fields from now on.

        What drifted stays drifted; a conflict in which theirs won is settled.
        """
        kept = _cut(entry, applied)
        if drifted and self._policy.on_drift == "keep" and applied is not None:
            left = {name: changes.pop(name) for name in list(changes) if name in drifted}
            self.drift.append(Drift(entry, left))
            kept |= {name: applied.fields[name] for name in left}
        elif drifted and self._policy.on_drift == "fail":
            self._drifted.append(f"{entry} ({_names(drifted)})")
        if conflicts and self._policy.on_conflict == "theirs":
            self.theirs.append(f"{entry} ({_names(conflicts)}: changed on the server since)")
            for name in conflicts:
                there, here = changes.pop(name)
                if is_given(entry, name):
                    kept[name] = mark(entry.kind, name, here, there)
        elif conflicts and self._policy.on_conflict == "fail":
            self._conflicts.append(f"{entry} ({_names(conflicts)})")
        return kept

    def _learn(self, entry: Entry, actual: Entry, applied: Applied | None, kept: Mapping[str, str]) -> None:
        is_as_it_was = (
            applied is not None
            and applied.digest == digest(entry.fields)
            and (applied.key, applied.id, applied.created) == (entry.key, actual.id, actual.created)
            and (applied.protect, applied.previous) == (entry.notes.protect, entry.notes.previous)
            and applied.path == (entry.source.path if entry.source else "")
        )
        if not is_as_it_was:
            self.learned.append(applied_of(self._names.identified(entry), actual, kept, self._names.custom))
            if applied is not None and applied.identity != (entry.kind, entry.key):
                self.gone.append(applied.identity)


def _dormant(entry: Entry, actual: Entry, applied: Applied | None) -> dict[str, str]:
    """What was applied of translations that the folder no longer has, in languages that the server does not have now.

    When such a language is put back, its old texts are live again: the base must still know that they are ours.
    """
    if applied is None or not actual.unknown:
        return {}
    unknown = [name for name in applied.fields if name.startswith("translations.") and is_unknown(actual, name)]
    given = {name for name, _, _ in given_fields(entry, actual)} if unknown else set()
    return {name: applied.fields[name] for name in unknown if name not in given}


def _cut(entry: Entry, applied: Applied | None) -> dict[str, str]:
    """What was applied of a body that the folder has no more: it stays on the server, and is ours when it comes back.

    An article's goes with each update, so that nobody needs to know whose it is.
    """
    if applied is None or entry.kind is Kind.ARTICLE:
        return {}
    return {name: applied.fields[name] for name in BODIES & applied.fields.keys() if not is_given(entry, name)}


def _drift_of(applied: Applied, record: Entry, names: Names) -> list[str]:
    """The fields of a record that are not as they were applied."""
    record = names.there(record)
    applied = names.line(applied, record, record)
    drifted = []
    for name in applied.fields:
        if is_unknown(record, name) or (name == "is_markdown" and name not in record.fields):  # not every service tells
            continue
        kept = applied.kept(name)
        if kept is not None and not is_known(record.kind, name, value_at(record.fields, name), kept.there):
            drifted.append(name)
    return drifted


def _reason(fields: Mapping[str, FieldChange], managed: bool, previous: str | None) -> str:
    differs = f"{_names(fields)} {'differs' if len(fields) == 1 else 'differ'}"
    if previous is not None:
        return f"renamed from {previous}; {differs}"
    return differs if managed else f"{differs}; not from here"


def _names(fields: Mapping[str, FieldChange] | Sequence[str] | frozenset[str]) -> str:
    names = list(fields) if not isinstance(fields, frozenset) else sorted(fields)
    more = f" and {len(names) - 3} more" if len(names) > 4 else ""
    return f"{', '.join(names[:3] if more else names)}{more}"


def _shown(entries: Sequence[str]) -> str:
    more = f" and {len(entries) - NAMES} more" if len(entries) > NAMES else ""
    return f"{'; '.join(sorted(entries)[:NAMES])}{more}"


def make_plan(
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    selection: Selection = EVERYTHING,
    *,
    base: Base = UNKNOWN,
    policy: Policy = CAREFUL,
    moved: Mapping[str, str] | None = None,
    is_left_out: Callable[[Applied], bool] = lambda applied: False,
    conditional: bool = True,
) -> Plan:
    """The plan that makes the server's entries those of the folder; the order of either does not matter.

    `desired` is the whole folder with its references resolved; the selection says which of it may be written.
    Entries marked `sync.skip` are not written, but count as present. `moved` is git's knowledge of files, new
    path to old; `is_left_out` tells that an applied entry's file is no content by the config as it is now;
    `conditional`: the server refuses by itself to write over what has changed since it was read.
    """
    matching = Matching(desired, actual, base, moved, is_left_out)
    names = Names(matching, desired, actual, base)
    found = Findings(policy, names)
    for entry in desired:
        if entry in selection and not entry.notes.skip:
            match = matching.of(entry)
            lost = matching.lost(entry) if match.actual is None else None
            if lost is None:
                found.compare(entry, match)
            elif found.deleted(entry, match, lost):
                matching.keep(lost)
    for applied, record in matching.orphans():
        if selection.covers(applied.kind, applied.key):
            found.orphan(applied, record, is_left_out(applied))
    changes = in_order(found.changes, actual)
    doomed = {(change.kind, change.entry.id) for change in changes if change.action is Action.DELETE}
    unmanaged = tuple(
        entry
        for entry in actual
        if not matching.is_taken(entry) and (entry.kind, entry.id) not in doomed and entry in selection
    )
    managed = Counter(entry.kind for entry in matching.managed())
    missing = {
        kind: tuple(change.key for change in changes if change.recreates and change.kind is kind) for kind in Kind
    }
    refusals = (
        *found.refusals(),
        *_gates(changes, desired, actual, managed, policy, found.cleared),
        *recreate_gate(missing, managed, policy.allow_recreate),
    )
    return Plan(
        changes,
        tuple(actual),
        found.unchanged,
        unmanaged,
        tuple(found.spared),
        tuple(found.drift),
        refusals,
        base,
        tuple(found.learned),
        tuple(found.gone),
        names.here,
        conditional=conditional,
        theirs=tuple(found.theirs),
    )


def _gates(
    changes: Sequence[Change],
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    managed: Mapping[Kind, int],
    policy: Policy,
    cleared: Mapping[Kind, Mapping[str, Sequence[str]]],
) -> Iterator[Refusal]:
    deletes = [change for change in changes if change.action is Action.DELETE]
    left = Counter(entry.kind for entry in desired)
    losing = len({loss.entry.id for loss in losses(changes, actual) if loss.entry.kind is Kind.LISTING})
    doomed = {}
    for kind in Kind:
        keys = tuple(change.key for change in deletes if change.kind is kind)
        lost = losing if kind is Kind.LISTING else 0
        if keys or lost:
            doomed[kind] = Doomed(keys, managed[kind], left[kind], lost)
    empty = policy.of_folder and not desired
    yield from gates(doomed, policy.limits, allowed=policy.allow_deletes, empty_folder=empty)
    yield from clear_gate(cleared, doomed, managed, policy.limits, policy.allow_clears)
