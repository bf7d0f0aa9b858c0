"""The runs that wrote an entry, by their journals (docs/git.md, The history of an entry)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from ...content.config import Target
from ...errors import Damaged
from ...model import Kind
from .run_history import Run, Step, list_journals, read_run, run_start_time
from .state_dir import StateDir, unreadable_error


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
