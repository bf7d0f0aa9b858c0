"""The entries of some files before and after a commit, and the entries that the commit renamed, moved or deleted."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...model import Entry, Kind
from .commit_log import ChangedFiles, Commit
from .entry_revisions import EntryRevisions, LoadedFiles

MAX_CHANGED_FILES = 1_000  # of a commit, among which the former file of an entry is looked for


class CommitFiles:
    """The files at some paths before and after a commit. A revision is read when it is first needed, and only once."""

    def __init__(self, revisions: EntryRevisions, commit: Commit, keys: Iterable[str], paths: Sequence[str]) -> None:
        """Look at the files at `paths`, in which the entries with `keys` are looked for."""
        self.commit = commit
        self._revisions = revisions
        self._keys = frozenset(keys)
        self._paths = paths

    @cached_property
    def after(self) -> LoadedFiles:
        """The files at the commit."""
        return self._revisions.read(self.commit.id, self._keys, self._paths)

    @cached_property
    def befores(self) -> list[LoadedFiles]:
        """The files at each parent of the commit; without a parent, there are none."""
        parents = self.commit.parents
        return [self._revisions.read(parent, self._keys, self._paths) for parent in parents] or [LoadedFiles({})]

    def find_origin(self, entry: Entry, keys: Sequence[str]) -> Entry | None:
        """Return the entry before the commit gave it another key or file; None if the entry is new in the commit.

        Find it by one of its `keys`; else a document by its path before the commit, and a listing by its slug or name.
        """
        for key in (*keys, *entry.notes.previous):
            if key in self._changed_entries:
                return self._changed_entries[key]
        path = entry.source.path if entry.source else ""
        if path.lower().endswith(DOCUMENT_SUFFIXES):
            old_paths = (path, self._changed.renamed.get(path, ""))
            return next((self._deleted_by_path[old] for old in old_paths if old in self._deleted_by_path), None)
        return self._only_similar(entry)

    def _only_similar(self, entry: Entry) -> Entry | None:
        """Return the only deleted listing with the slug of a listing, else the only one with its name, else None.

        See docs/sync.md, Renames.
        """
        if entry.kind is Kind.LISTING:
            for name in _SIMILAR:
                equal = self._deleted_by_value.get((name, entry.fields.get(name)), ())
                if len(equal) == 1:
                    return equal[0]
        return None

    @cached_property
    def _changed(self) -> ChangedFiles:
        parents = self.commit.parents
        return self._revisions.changed_files(parents[0], self.commit.id) if parents else ChangedFiles((), {})

    @cached_property
    def _old_paths(self) -> Sequence[str]:
        """The old paths of the files in which an entry may have been; of too many, only those of these files."""
        changed = self._changed
        if len(changed.old_paths) <= MAX_CHANGED_FILES:
            return changed.old_paths
        return [old for new, old in changed.renamed.items() if new in self._paths]

    @cached_property
    def _changed_entries(self) -> Mapping[str, Entry]:
        """The entries in the changed files, as they were before the commit, by key."""
        parents = self.commit.parents
        return self._revisions.entries_at(parents[0], self._old_paths) if parents else {}

    @cached_property
    def _deleted(self) -> list[Entry]:
        """The changed entries that no file has after the commit."""
        if not self._changed_entries:
            return []
        present = self._revisions.entries_at(self.commit.id, [*self._old_paths, *self._paths])
        return [entry for key, entry in self._changed_entries.items() if key not in present]

    @cached_property
    def _deleted_by_path(self) -> Mapping[str, Entry]:
        """The deleted entries by the path of their file; of several in one file, the first."""
        return {entry.source.path: entry for entry in reversed(self._deleted) if entry.source}

    @cached_property
    def _deleted_by_value(self) -> Mapping[tuple[str, Any], Sequence[Entry]]:
        """The deleted entries by the name and value of each field by which a listing is found again."""
        by_value: dict[tuple[str, Any], list[Entry]] = defaultdict(list)
        for entry in self._deleted:
            for name in _SIMILAR:
                if entry.fields.get(name):
                    by_value[name, entry.fields[name]].append(entry)
        return by_value


_SIMILAR = ("slug", "name")  # the fields by which a listing with another URL is found again
