"""The entries of some files before and after a commit, and the entries that the commit renamed, moved or deleted."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...model import Entry, Kind
from .commit_log import ChangedFiles, Commit
from .entry_revisions import EntryRevisions, LoadedFiles

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


class CommitFiles:
    """The files at some paths before and after a commit. A revision is read when it is first needed, and only once."""

    def __init__(
        self,
        revisions: EntryRevisions,
        read_replaced: Callable[[Commit], ReplacedEntries],
        commit: Commit,
        keys: Iterable[str],
        paths: Sequence[str],
    ) -> None:
        """Look at the files at `paths`, in which the entries with `keys` are looked for."""
        self.commit = commit
        self._revisions = revisions
        self._read_replaced = read_replaced
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
        replaced = self._replaced
        for key in (*keys, *entry.notes.previous):
            if key in replaced.by_key:
                return replaced.by_key[key]
        path = entry.source.path if entry.source else ""
        if path.lower().endswith(DOCUMENT_SUFFIXES):
            old_paths = (path, replaced.changed.renamed.get(path, ""))
            return next((replaced.deleted_by_path[old] for old in old_paths if old in replaced.deleted_by_path), None)
        return self._only_similar(entry)

    def _only_similar(self, entry: Entry) -> Entry | None:
        """Return the only deleted listing with the slug of a listing, else the only one with its name, else None.

        See docs/sync.md, Renames.
        """
        if entry.kind is Kind.LISTING:
            for name in SIMILAR:
                equal = self._replaced.deleted_by_value.get((name, entry.fields.get(name)), ())
                deleted = (each for each in equal if each.key not in self._present)
                first, second = next(deleted, None), next(deleted, None)
                if first and not second:
                    return first
        return None

    @cached_property
    def _replaced(self) -> ReplacedEntries:
        return self._read_replaced(self.commit).limited_to(self._paths)

    @cached_property
    def _present(self) -> Mapping[str, Entry]:
        """All entries of the files at the commit, which may have added them."""
        return self._revisions.entries_at(self.commit.id, self._paths)
