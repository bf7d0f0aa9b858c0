"""The entries of some files before and after a commit, and the entries that the commit renamed, moved or deleted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...model import Entry, Kind
from .commit_log import Commit
from .entry_revisions import EntryRevisions, LoadedFiles
from .replaced_entries import SIMILAR, ReplacedEntries


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
