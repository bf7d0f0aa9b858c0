"""Fields that go back and forth between the folder and the server (decision 22)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..content.config import Config
from ..model import Entry, EntryKey, Kind
from ..sync.comparing.entry_fields import value_at
from ..sync.comparing.fingerprint import are_equal
from ..sync.state.entry_commits import CommitChange, read_entry_commits

FLIPS = 3  # changes of a field between the same two values, from which on it is contested
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
    contested = {}
    for entry in entries:
        fields = changes.get((entry.kind, entry.key), {})
        if not fields:
            continue
        commits = read_entry_commits(folder, config, entry.kind, entry.key, entry, MAX_COMMITS).changes
        flips = {name: _count_flips(entry, name, value, commits) for name, value in fields.items()}
        names = tuple(name for name, count in flips.items() if count >= FLIPS)
        if names:
            contested[entry.kind, entry.key] = names
    return contested


def _count_flips(entry: Entry, name: str, server_value: Any, commits: Sequence[CommitChange]) -> int:
    """Count how often a field changed between the folder's value and the server's, with the change on the server.

    Go back through `commits`, the newest first, until the field had a third value.
    """
    present, other = value_at(entry.fields, name), server_value
    flips = 1  # the change on the server
    for commit in commits:
        if commit.before is None:  # the commit created the entry
            break
        if _has_value(entry.kind, name, commit.before, other):
            flips += 1
            present, other = other, present
        elif not _has_value(entry.kind, name, commit.before, present):
            break
    return flips


def _has_value(kind: Kind, name: str, entry: Entry, value: Any) -> bool:
    return are_equal(kind, name, value_at(entry.fields, name), value)
