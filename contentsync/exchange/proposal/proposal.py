"""What a proposal contains: the server's changes, sorted into branches and into what is only reported.

Fields that go back and forth between the folder and the server are only reported (decision 22).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...authoring.edit.file_edits import FileEdit, RemoteChanges
from ...content.config.config import Config
from ...errors import Problem, pluralize
from ...model import Entry, EntryKey, Kind
from ...model.entry import value_at
from ...sync.comparing.fingerprint import are_equal
from ...sync.history.entry_commits import CommitChange, read_commits
from ...sync.planning.drift_summary import DriftSummary
from ...sync.planning.plan import Refusal
from ...sync.planning.pull import PullPlan
from ..entry_writer import UnwrittenEntry

Purpose = Literal["edits", "submissions"]
BranchState = Literal["new", "updated", "unchanged", "withdrawn", "none", "blocked"]
PURPOSES: tuple[Purpose, ...] = ("edits", "submissions")
TOO_MANY_DELETES = "more was deleted on the server than the limits for deletes allow"
FLIPS = 3  # changes of a field between the same two values, from which on it is contested
MAX_COMMITS = 20  # of an entry that are read

Fields = Mapping[EntryKey, tuple[str, ...]]


class ProposalPart(NamedTuple):
    """The changes that one commit of a branch makes."""

    noun: tuple[str, str]  # for one of its entries, and for several
    target: str
    changes: RemoteChanges

    @property
    def size(self) -> int:
        return len(self.changes.changes) + len(self.changes.new) + len(self.changes.deleted)

    @property
    def counted(self) -> str:
        """The number of its entries, such as `2 edits`."""
        return pluralize(self.size, *self.noun)

    @property
    def subject(self) -> str:
        """The first line of the commit's message."""
        return f"Take over {self.counted} from {self.target}"

    def without(self, left_out: Sequence[UnwrittenEntry]) -> "ProposalPart":
        """Return the part without the entries that were left out."""
        omitted = {(item.entry.kind, item.entry.id) for item in left_out}

        def is_written(record: Entry) -> bool:
            return (record.kind, record.id) not in omitted

        records = self.changes.server_entries
        changes = {key: fields for key, fields in self.changes.changes.items() if is_written(records[key])}
        new = [record for record in self.changes.new if is_written(record)]
        staying = {(item.entry.kind, item.entry.key) for item in left_out}
        deleted = [key for key in self.changes.deleted if key not in staying]
        return self._replace(changes=replace(self.changes, changes=changes, new=new, deleted=deleted))


@dataclass(frozen=True)
class ProposedChanges:
    """What was changed on the server: what the branches take over, and what is left to the user."""

    parts: Mapping[Purpose, Sequence[ProposalPart]]
    kept: tuple[UnwrittenEntry, ...]  # of the folder, and deleted on the server; no branch removes them
    contested: Fields
    conflicts: Fields
    refusals: tuple[Refusal, ...] = ()  # of the gate for deletes


class BranchProposal(NamedTuple):
    """A branch after a run; `commit` is None if there is none."""

    purpose: Purpose
    name: str
    state: BranchState
    commit: str | None = None
    digest: str | None = None
    parts: tuple[ProposalPart, ...] = ()  # those that were committed
    edits: tuple[FileEdit, ...] = ()
    left_out: tuple[UnwrittenEntry, ...] = ()
    warnings: tuple[Problem, ...] = ()  # of the entries of this branch
    blocked: str = ""  # why it must not be moved

    @property
    def is_wanted(self) -> bool:
        """Whether the branch proposes something."""
        return self.state in ("new", "updated", "unchanged")


class Proposal(NamedTuple):
    """The result of a run."""

    onto: str  # the commit that the branches are based on
    branches: tuple[BranchProposal, ...]
    changes: ProposedChanges


def contested_fields(
    folder: Path,
    config: Config,
    entries: Iterable[Entry],
    changes: Mapping[EntryKey, Mapping[str, Any]],
) -> dict[EntryKey, tuple[str, ...]]:
    """Return the fields whose change would be the third flip between the same two values, by entry.

    `changes` are the server's values of fields that differ from the folder's `entries`.
    """
    changed = [entry for entry in entries if changes.get((entry.kind, entry.key))]
    contested = {}
    for entry, commits in zip(changed, read_commits(folder, config, changed, MAX_COMMITS), strict=True):
        fields = changes[entry.kind, entry.key]
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


def sort_changes(
    pulled: PullPlan, drift: DriftSummary, contested: Fields, target: str, refusals: tuple[Refusal, ...] = ()
) -> ProposedChanges:
    """Return the server's changes by branch, without the `contested` fields: the user must decide about those.

    A contested field has gone back and forth between the same two values. `pulled` must be a plan for a folder without
    local changes. If the gate for deletes has `refusals`, nothing is removed.
    """
    submitted = {(entry.kind, entry.id) for entry in drift.submissions}
    if refusals:
        pulled = replace(pulled, incoming=replace(pulled.incoming, deleted=()))
    deleted = pulled.incoming.deleted
    edits = replace(pulled.incoming.without_fields(contested), new=[], deleted=())
    kept = tuple(
        UnwrittenEntry(entry, pulled.kept.get((entry.kind, entry.key), TOO_MANY_DELETES))
        for entry in pulled.not_removed
    )
    # Each run proposes them in the same order; the server has them in any order.
    unmanaged = sorted(pulled.incoming.new, key=lambda entry: (entry.kind, entry.key))
    new = [entry for entry in unmanaged if (entry.kind, entry.id) not in submitted]
    submissions = [entry for entry in unmanaged if (entry.kind, entry.id) in submitted]
    parts: dict[Purpose, list[ProposalPart]] = {
        "edits": [
            ProposalPart(("edit", "edits"), target, edits),
            ProposalPart(("new entry", "new entries"), target, replace(edits, changes={}, new=new)),
            ProposalPart(("deletion", "deletions"), target, replace(edits, changes={}, deleted=deleted)),
        ],
        "submissions": [
            ProposalPart(("submission", "submissions"), target, replace(edits, changes={}, new=submissions))
        ],
    }
    return ProposedChanges(parts, kept, contested, pulled.conflicts, refusals)


def commit_message(part: ProposalPart) -> str:
    """Return the message of a commit: how many entries of each kind it changes, and no text of the server.

    A text could close an issue, mention a user, skip CI or add a trailer.
    """
    remote = part.changes
    kinds_of_changed = [kind for kind, _key in remote.changes]  # without new entries
    kinds_of_new = [entry.kind for entry in remote.new]
    kinds_of_deleted = [kind for kind, _key in remote.deleted]
    counts = Counter(kinds_of_changed + kinds_of_new + kinds_of_deleted)
    return "\n".join([part.subject, "", *(f"- {kind.counted(count)}" for kind, count in counts.items())])


def digest_of(parts: Sequence[ProposalPart]) -> str:
    """Return a digest of what is proposed, which is the same on another commit of the folder."""
    proposed = [
        [
            [[kind, key, dict(fields)] for (kind, key), fields in part.changes.changes.items()],
            [[entry.kind, entry.key, dict(entry.fields)] for entry in part.changes.new],
            *([sorted(part.changes.deleted)] if part.changes.deleted else []),
        ]
        for part in parts
    ]
    text = json.dumps(proposed, sort_keys=True, default=_json_value)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


def _json_value(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)
