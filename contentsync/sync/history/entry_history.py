"""The history of one entry: the commits that changed it and the runs that wrote it, field by field."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from ...content.config.config_tables import Target
from ...errors import Damaged
from ...model import Entry, Kind, Reference
from ...model.entry import value_at
from ...model.references import map_references
from ..comparing.change import Action
from ..comparing.diff import FieldChange
from ..comparing.fingerprint import are_equal, fingerprint
from ..state.run_history import Run, Step, list_journals, read_run, run_start_time
from ..state.state_dir import StateDir, unreadable_error
from .commit_log import Commit
from .entry_commits import CommitChange

HistoryAction = Literal["added", "changed", "renamed", "moved", "removed", "created", "updated", "deleted"]

_ACTIONS: Mapping[Action, HistoryAction] = {
    Action.CREATE: "created",
    Action.UPDATE: "updated",
    Action.DELETE: "deleted",
}
_DERIVED = frozenset({"is_markdown"})  # it follows from the text


class RunChange(NamedTuple):
    """One write of an entry by a run."""

    run: Run
    step: Step

    @property
    def time(self) -> datetime:
        """The start of the run; the beginning of the calendar if the name of the run has no time."""
        return (run_start_time(self.run.name) or datetime.min).replace(tzinfo=UTC)


class EntryRuns(NamedTuple):
    """The writes of an entry, the newest first, and what this list lacks."""

    changes: tuple[RunChange, ...]
    has_more: bool = False  # older journals were not read
    unreadable: tuple[str, ...] = ()  # the runs whose journal is damaged, or about another directory


class HistoryItem(NamedTuple):
    """A change of an entry in the folder by a commit, or on the server by a run."""

    action: HistoryAction
    key: str  # after the change
    previous_key: str | None  # if it differs
    path: str | None  # of its file after the change, or before it was removed; None for a change by a run
    fields: Mapping[str, FieldChange]  # by dotted name
    unrecorded: frozenset[str]  # the fields whose value after the change is not known: a journal has fingerprints
    source: Commit | RunChange


def read_entry_runs(state_dir: StateDir, target: Target, kind: Kind, keys: Sequence[str], limit: int) -> EntryRuns:
    """Return the writes of an entry in the newest `limit` journals of a target.

    `keys` are the entry's present key and the former keys that its file names. If a write changed the key of the entry
    on the server, older writes are found by the key before that write too. A damaged journal is listed in the result;
    raise LocalFileError if a journal cannot be read.
    """
    known_keys = dict.fromkeys(keys)  # an ordered set
    changes: list[RunChange] = []
    unreadable: list[str] = []
    journals = list_journals(state_dir)
    for file in reversed(journals[-limit:]):
        if not _contains_any(file, [*known_keys]):
            continue
        try:
            run = read_run(file, target)
        except Damaged:
            unreadable.append(file.stem)
            continue
        for step in reversed(run.steps):
            if step.kind is kind and any(key in known_keys for key in _keys_of(step)):
                changes.append(RunChange(run, step))
                known_keys.update(dict.fromkeys(_keys_of(step)))
    return EntryRuns(tuple(changes), len(journals) > limit, tuple(unreadable))


def _keys_of(step: Step) -> Iterator[str]:
    """Yield the key of an entry after a write, and the one before it if the write changed it."""
    yield step.key
    if step.previous is not None:
        yield step.previous


def _contains_any(file: Path, keys: Sequence[str]) -> bool:
    """Return whether a journal may have a write of an entry. For speed, search it as a whole and parse no line."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise unreadable_error(file, error) from error
    return any(orjson.dumps(key) in data for key in keys)


def entry_history(kind: Kind, commits: Sequence[CommitChange], runs: Sequence[RunChange]) -> Iterator[HistoryItem]:
    """Yield the changes of an entry, the newest first. `commits` and `runs` have their newest changes first.

    The order of commits is that of git, because their times may be wrong.
    """
    values = _KnownValues(kind, commits, runs)  # of all changes; it stays the same from item to item
    remaining_runs = deque(runs)
    for change in commits:
        while remaining_runs and remaining_runs[0].time >= change.commit.time:
            yield _item_of_run(remaining_runs.popleft(), values)
        yield _item_of_commit(change)
    yield from (_item_of_run(run, values) for run in remaining_runs)


def _item_of_commit(change: CommitChange) -> HistoryItem:
    """Return the item of a change by a commit, which has the values of all fields before and after it."""
    before, after = change.before, change.after
    entry = after or before
    if entry is None:
        raise ValueError("a change of a commit needs an entry")
    previous = before.key if before and before.key != entry.key else None
    fields = dict(_field_changes(entry.kind, before.fields if before else {}, after.fields if after else {}))
    action: HistoryAction = "changed"
    if before is None:
        action = "added"
    elif after is None:
        action = "removed"
    elif previous:
        action = "renamed"
    elif not fields:
        action = "moved"
    path = entry.source.path if entry.source else None
    return HistoryItem(action, entry.key, previous, path, fields, unrecorded=frozenset(), source=change.commit)


def _item_of_run(change: RunChange, values: "_KnownValues") -> HistoryItem:
    """Return the item of a change by a run; the new values are found by the journal's fingerprints.

    Fields whose new value is not found are in `unrecorded`, with None as the value.
    """
    step = change.step
    before = step.before or {}
    if step.action is Action.DELETE:
        fields = dict(_field_changes(step.kind, before, after={}))
        return HistoryItem(
            "deleted", step.key, step.previous, path=None, fields=fields, unrecorded=frozenset(), source=change
        )
    fields = {}
    unrecorded = set[str]()
    for name, expected in step.fields.items():
        if name not in _DERIVED:
            is_known, after = values.find(name, expected)
            fields[name] = FieldChange(value_at(before, name), after)
            if not is_known:
                unrecorded.add(name)
    action = _ACTIONS[step.action]
    return HistoryItem(
        action, step.key, step.previous, path=None, fields=fields, unrecorded=frozenset(unrecorded), source=change
    )


def _field_changes(
    kind: Kind, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, FieldChange]]:
    """Yield the fields that differ, by dotted name, in the order of the later values."""
    old, new = dict(_flat(before)), dict(_flat(after))
    for name in dict.fromkeys((*new, *old)):
        change = FieldChange(old.get(name), new.get(name))
        if name not in _DERIVED and not are_equal(kind, name, change.after, change.before, literal=True):
            yield name, change


def _flat(fields: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and the value of each field; an empty object counts as a value."""
    for name, value in fields.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


class _KnownValues:
    """The values that an entry had at some time, by their fingerprints: a journal has new values only as fingerprints.

    A fingerprint of a reference is that of the id, or of the key if the journal did not know the id.
    """

    def __init__(self, kind: Kind, commits: Iterable[CommitChange], runs: Sequence[RunChange]) -> None:
        """Collect the values of an entry in its commits, and in its records before the runs, by their fingerprints."""
        ids: dict[tuple[Kind, str], int] = {}
        for run in runs:
            for referred, keys in (run.step.ids or {}).items():
                ids.update({(referred, key): id_ for key, id_ in keys.items()})

        def with_id(referred: Kind, key: str) -> Reference:
            return Reference(key, ids.get((referred, key)))

        entries: list[Entry] = []
        for change in commits:
            entries += filter(None, (change.before, change.after))
        entries += [Entry(kind, run.step.key, run.step.before) for run in runs if run.step.before]
        self._kind = kind
        self._values: dict[tuple[str, str], Any] = {}  # by name and fingerprint
        for entry in entries:
            with_ids = map_references(entry, with_id)
            for name, value in _flat(with_ids.fields):
                self._values[name, fingerprint(kind, name, value)] = value
            for name, value in _flat(entry.fields):
                self._values.setdefault((name, fingerprint(kind, name, value)), value)

    def find(self, name: str, expected: str) -> tuple[bool, Any]:
        """Return whether a value with the expected fingerprint is known, and the value; if not, (False, None)."""
        if fingerprint(self._kind, name, None) == expected:
            return True, None
        return (name, expected) in self._values, self._values.get((name, expected))
