"""The entries before a commit in the files that it changed, deleted or renamed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ...model import Entry
from .commit_log import ChangedFiles, Commit
from .entry_revisions import EntryRevisions

MAX_CHANGED_FILES = 1_000  # of a commit, among which the former file of an entry is looked for
SIMILAR = ("slug", "name")  # the fields by which a listing with another URL is found again


class ReplacedEntries:
    """The entries before a commit in files that it changed. A revision is read when it is first needed, and only once.

    Look for all entries that the commit moved or renamed in the same object, because it reads all these files.
    """

    def __init__(self, revisions: EntryRevisions, commit: Commit, changed: ChangedFiles | None = None) -> None:
        """Look at the files that the commit changed, or at some of them: those that are `changed`."""
        self._revisions = revisions
        self._commit = commit
        self.changed = changed or self._all_changed()

    def _all_changed(self) -> ChangedFiles:
        parents = self._commit.parents
        return self._revisions.changed_files(parents[0], self._commit.id) if parents else ChangedFiles((), {})

    def limited_to(self, paths: Sequence[str]) -> "ReplacedEntries":
        """Return itself; of too many files, only those that were renamed to `paths`."""
        if len(self.changed.old_paths) <= MAX_CHANGED_FILES:
            return self
        renamed = {new: self.changed.renamed[new] for new in paths if new in self.changed.renamed}
        return ReplacedEntries(self._revisions, self._commit, ChangedFiles([*renamed.values()], renamed))

    @cached_property
    def by_key(self) -> Mapping[str, Entry]:
        """The entries by key."""
        parents = self._commit.parents
        return self._revisions.entries_at(parents[0], self.changed.old_paths) if parents else {}

    @cached_property
    def _deleted(self) -> list[Entry]:
        """The entries that none of the files has after the commit."""
        if not self.by_key:
            return []
        present = self._revisions.entries_at(self._commit.id, [*self.changed.old_paths, *self.changed.renamed])
        return [entry for key, entry in self.by_key.items() if key not in present]

    @cached_property
    def deleted_by_path(self) -> Mapping[str, Entry]:
        """The deleted entries by the path of their file; of several in one file, the first."""
        return {entry.source.path: entry for entry in reversed(self._deleted) if entry.source}

    @cached_property
    def deleted_by_value(self) -> Mapping[tuple[str, Any], Sequence[Entry]]:
        """The deleted entries by the name and value of each field in SIMILAR."""
        by_value: dict[tuple[str, Any], list[Entry]] = defaultdict(list)
        for entry in self._deleted:
            for name in SIMILAR:
                if entry.fields.get(name):
                    by_value[name, entry.fields[name]].append(entry)
        return by_value
