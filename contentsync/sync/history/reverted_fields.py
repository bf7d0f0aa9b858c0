"""Fields whose value on the server is one that the branch has reverted since the last sync (decision 28).

A clone whose base is older than both commits cannot see by the base that the folder has changed such a field.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...content.files.content_folder import make_private_root_of
from ...content.folder.load import Content
from ...errors import Refused, UsageError
from ...file_writes import write_file
from ...git import environ_without_hook, git_line, working_tree
from ...model import EntryKey
from ...model.entry import value_at
from ..comparing.fingerprint import are_equal
from ..planning.prepare import DELETED, DriftedValues
from ..state.state_dir import StateDir

if TYPE_CHECKING:
    from .entry_commits import CommitChange

MAX_COMMITS = 20  # of an entry that are read


def read_synced_commit(state_dir: StateDir) -> str | None:
    """Return the commit that was checked out when this clone last synced its whole folder; None if it is not known."""
    with suppress(OSError, UnicodeDecodeError):
        return state_dir.synced_commit.read_text(encoding="ascii").strip() or None
    return None


def write_synced_commit(state_dir: StateDir, folder: Path) -> None:
    """Note the commit that is checked out in a folder, if it is in git.

    Ignore errors: without the note, a sync keeps values of the server that the branch has reverted.
    """
    if working_tree(folder) is None:
        return
    with suppress(OSError, Refused, UsageError):
        commit = git_line("rev-parse", "--verify", "HEAD", folder=folder, environ=environ_without_hook())
        if commit != read_synced_commit(state_dir):
            make_private_root_of(state_dir.synced_commit)
            state_dir.synced_commit.parent.mkdir(parents=True, exist_ok=True)
            write_file(state_dir.synced_commit, f"{commit}\n".encode())


@dataclass(frozen=True, slots=True)
class RevertedFields:
    """Finds the reverted fields of a folder; `ref` is the commit that is the base, None for that of the state file."""

    content: Content
    ref: str | None
    state_dir: StateDir

    def __call__(self, drifted: DriftedValues) -> Mapping[EntryKey, Collection[str]]:
        """Return the reverted ones among drifted fields, which are given with the server's values.

        `DELETED` stands for a deleted entry. Return none if git cannot show the commits since the last sync, so that
        the server's values are kept.
        """
        since = self.ref or read_synced_commit(self.state_dir)
        top = working_tree(self.content.folder)
        if since is None or top is None:
            return {}
        from ..state.git_revision import FolderRepository  # a plan without drift reads no commits

        with suppress(Refused, UsageError):
            repository = FolderRepository.around(self.content.folder, top)
            commit = repository.resolve_commit(since)
            unseen = {*repository.read("rev-list", f"{commit}..HEAD", "--").decode().split()}
            if unseen:
                return self._find(drifted, unseen)
        return {}

    def _find(self, drifted: DriftedValues, unseen: Collection[str]) -> dict[EntryKey, Collection[str]]:
        """Return, by entry, the drifted fields whose value on the server is one that an unseen commit has replaced."""
        from .entry_commits import read_commits

        entries = [entry for entry in self.content.entries if (entry.kind, entry.key) in drifted]
        found: dict[EntryKey, Collection[str]] = {}
        all_changes = read_commits(self.content.folder, self.content.config, entries, MAX_COMMITS)
        for entry, changes in zip(entries, all_changes, strict=True):
            new = [change for change in changes if change.commit.id in unseen]
            values = drifted[entry.kind, entry.key]
            if names := {name for name, value in values.items() if any(_undid(each, name, value) for each in new)}:
                found[entry.kind, entry.key] = names
        return found


def _undid(change: "CommitChange", name: str, value: Any) -> bool:
    """Return whether a field had a value before a commit; for DELETED, whether the commit deleted the entry."""
    if name == DELETED:
        return change.after is None
    before = change.before
    return before is not None and are_equal(before.kind, name, value_at(before.fields, name), value)
