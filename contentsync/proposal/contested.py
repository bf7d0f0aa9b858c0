"""Fields that go back and forth between the folder and the server (decision 22)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..content.config import Config
from ..model import Entry, EntryKey, Kind
from ..sync.comparing.entry_fields import value_at
from ..sync.comparing.fingerprint import are_equal
from ..sync.state.entry_commits import CommitChange, read_entry_commits

FLIPS = 3
MAX_COMMITS = 20  # of an entry that are read


def contested_fields(
    folder: Path,
    config: Config,
    entries: Iterable[Entry],
    changes: Mapping[EntryKey, Mapping[str, Any]],
) -> dict[EntryKey, tuple[str, ...]]:
    """Return the fields whose change would be the third flip between the same two values, by entry.

    `changes` are the server's values of fields that differ from the folder's `entries`.
    """
    found = {}
    for entry in entries:
        fields = changes.get((entry.kind, entry.key), {})
        if fields:
            commits = read_entry_commits(folder, config, entry.kind, entry.key, entry, MAX_COMMITS).changes
            if names := tuple(name for name, value in fields.items() if _flips(entry, name, value, commits) >= FLIPS):
                found[entry.kind, entry.key] = names
    return found


def _flips(entry: Entry, name: str, theirs: Any, commits: Sequence[CommitChange]) -> int:
    """Return how often the field has changed between the folder's value and that of the server, without a third value.

    `commits` have the newest change first. The server's present change is counted.
    """
    present, other = value_at(entry.fields, name), theirs
    flips = 1
    for commit in commits:
        if commit.before is None:
            break
        if _is(entry.kind, name, commit.before, other):
            flips += 1
            present, other = other, present
        elif not _is(entry.kind, name, commit.before, present):
            break
    return flips


def _is(kind: Kind, name: str, entry: Entry, value: Any) -> bool:
    return are_equal(kind, name, value_at(entry.fields, name), value)
