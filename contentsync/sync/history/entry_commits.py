"""The commits that changed entries, found by their values at each commit (docs/git.md, The history of an entry)."""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.file_names import DOCUMENT_SUFFIXES, is_below
from ...git import working_tree
from ...model import Entry, Kind
from ..state.git_revision import FolderRepository
from .commit_files import MAX_CHANGED_FILES, CommitFiles, ReplacedEntries
from .commit_log import Commit, CommitLog
from .entry_revisions import EntryRevisions, Unreadable

MAX_RENAMES = 20  # of one entry that are followed
_CACHED = 8  # commits: few of them moved the same files


class CommitChange(NamedTuple):
    """An entry before and after a commit; None where it did not exist."""

    commit: Commit
    before: Entry | None
    after: Entry | None


@dataclass(slots=True)
class EntryCommits:
    """The commits that changed an entry, the newest first, and what this list lacks."""

    all_keys: tuple[str, ...]  # of the entry: the present one, then its former ones
    changes: list[CommitChange] = field(default_factory=list)
    is_in_git: bool = True
    is_shallow: bool = False  # the clone lacks older commits
    has_more: bool = False  # older commits were not read
    unreadable: int = 0  # commits in which the entry's files had errors
    without_config: int = 0  # commits in which the config had errors, so that no file could be read
    uncommitted: tuple[str, ...] = ()  # the files of the entry that differ from the commit that is checked out
    submodules: tuple[str, ...] = ()  # with the files of the entry: their commits are in other repositories


def read_entry_commits(
    folder: Path, config: Config, kind: Kind, key: str, entry: Entry | None, limit: int
) -> EntryCommits:
    """Return the commits that changed an entry; `entry` is the present one, None if the folder no longer has it.

    Read at most `limit` commits that changed a file of the entry. Raise Refused if git cannot read the repository.
    """
    history = _open_history(folder, config, limit)
    if history is None:
        return EntryCommits((key,), is_in_git=working_tree(folder) is not None)
    walk = history.walk(kind, key)
    present = entry or history.find_deleted(walk)
    if present is not None:
        walk.follow(present)
        history.read([walk])
        walk.found.uncommitted = tuple(history.log.uncommitted_files(walk.paths))
        if not walk.found.changes:
            walk.found.submodules = history.log.repository.submodules("HEAD", walk.has_file_in)
    return walk.found


def read_commits(folder: Path, config: Config, entries: Sequence[Entry], limit: int) -> list[Sequence[CommitChange]]:
    """Return the changes of each of some entries of the folder, in the same order; see `read_entry_commits`.

    Each list of commits and each revision of a file is read once for all entries of the file.
    """
    history = _open_history(folder, config, limit)
    if history is None:
        return [() for _ in entries]
    walks = [history.walk(entry.kind, entry.key) for entry in entries]
    for walk, entry in zip(walks, entries, strict=True):
        walk.follow(entry)
    history.read(walks)
    return [walk.found.changes for walk in walks]


def _open_history(folder: Path, config: Config, limit: int) -> "_History | None":
    """Return the history of a folder; None if it is in no repository, or its branch has no commit yet."""
    top = working_tree(folder)
    if top is None:
        return None
    repository = FolderRepository.around(folder, top)
    if not repository.succeeds("rev-parse", "--verify", "--quiet", "HEAD"):
        return None
    return _History(CommitLog(repository), config, limit)


class _History:
    """Reads the newest commits of entries, at most `limit` of each. Entries in the same files are read together."""

    def __init__(self, log: CommitLog, config: Config, limit: int) -> None:
        self.log = log
        self._is_shallow = log.repository.is_shallow()
        self._config = config
        self._limit = limit
        self._revisions = {kind: EntryRevisions(log, config, kind) for kind in Kind}
        self._read_replaced = lru_cache(_CACHED)(self._replaced_entries)

    def _replaced_entries(self, kind: Kind, commit: Commit) -> ReplacedEntries:
        return ReplacedEntries(self._revisions[kind], commit)

    def walk(self, kind: Kind, key: str) -> "_Walk":
        """Return a walk of the entry with a key."""
        return _Walk(self._revisions[kind], self._config, kind, key, is_shallow=self._is_shallow)

    def read(self, walks: Sequence["_Walk"]) -> None:
        """Add the changes of the commits to the walks."""
        unfinished = walks
        for _ in range(MAX_RENAMES):
            groups: dict[tuple[Kind, tuple[str, ...]], list[_Walk]] = defaultdict(list)
            for walk in unfinished:
                groups[walk.kind, tuple(sorted(walk.paths))].append(walk)
            moved = [self._read_group(kind, paths, group) for (kind, paths), group in groups.items()]
            unfinished = [walk for group in moved for walk in group]
        for walk in walks:
            walk.finish()

    def _read_group(self, kind: Kind, paths: Sequence[str], walks: Sequence["_Walk"]) -> Sequence["_Walk"]:
        """Read the commits of files, until all entries came from other ones; return the entries that did."""
        commits = self.log.newest_commits(paths, self._limit + 1)
        with_parents = dict.fromkeys(id_ for commit in commits[: self._limit] for id_ in (commit.id, *commit.parents))
        self._revisions[kind].fetch(with_parents, paths)
        for walk in walks:
            walk.found.has_more = len(commits) > self._limit
        moved: list[_Walk] = []
        for commit in commits[: self._limit]:
            keys = (key for walk in walks for key in walk.keys)
            files = CommitFiles(self._revisions[kind], partial(self._read_replaced, kind), commit, keys, paths)
            remaining: list[_Walk] = []
            for walk in walks:
                (moved if walk.read(files) else remaining).append(walk)
            walks = remaining
        return moved

    def find_deleted(self, walk: "_Walk") -> Entry | None:
        """Return the entry as it was before one of the newest commits deleted it; None if none of them did."""
        revisions = self._revisions[walk.kind]
        commits = self.log.newest_commits(self._config.paths(walk.kind), self._limit + 1)
        walk.found.has_more = len(commits) > self._limit
        for commit in commits[: self._limit]:
            for parent in commit.parents[:1]:  # none for the first commit
                changed = revisions.changed_files(parent, commit.id)
                before = revisions.entries_at(parent, changed.old_paths[:MAX_CHANGED_FILES])
                if walk.keys[0] in before:
                    return before[walk.keys[0]]
        return None


class _Walk:
    """A walk of one entry from the newest commit to the oldest one; its keys and paths grow with each rename."""

    def __init__(self, revisions: EntryRevisions, config: Config, kind: Kind, key: str, *, is_shallow: bool) -> None:
        self.kind = kind
        self.keys = [key]
        self.paths: dict[str, None] = {}  # an ordered set
        self.found = EntryCommits((key,), is_shallow=is_shallow)
        self._revisions = revisions
        self._config = config
        self._seen: set[str] = set()  # ids of commits
        # A change whose `before` is not known yet, because the files had errors in the commit before it. The next older
        # commit without errors has the missing entry.
        self._incomplete: CommitChange | None = None

    def read(self, files: CommitFiles) -> bool:
        """Add the change of a commit, which is older than those before it; one that was read already has no effect.

        Return True if the entry came from another file: the commits of that file must be read too.
        """
        commit = files.commit
        if commit.id in self._seen:
            return False
        self._seen.add(commit.id)
        after = files.after.find(self.keys)  # and so before the newer commit that was read last
        is_oldest_of_clone = self.found.is_shallow and not commit.parents
        if isinstance(after, Unreadable):
            self.found.unreadable += not after.is_config
            self.found.without_config += after.is_config
            if is_oldest_of_clone:
                self._incomplete = None  # no older commit can show what was before that change
            return False
        if self._incomplete:
            self._add(self._incomplete._replace(before=after))
            self._incomplete = None
        if is_oldest_of_clone:
            return False  # no commit shows what was before this one
        befores = [before.find(self.keys) for before in files.befores]
        known = [before for before in befores if not isinstance(before, Unreadable)]
        if len(known) < len(befores):
            self._incomplete = CommitChange(commit, before=None, after=after)
        elif after is not None and not any(known):
            origin = files.find_origin(after, self.keys)
            self._add(CommitChange(commit, origin, after))
            return origin is not None and self.follow(origin)
        elif not any(_is_same(before, after) for before in known):
            self._add(CommitChange(commit, known[0], after))
        return False

    def finish(self) -> None:
        """Complete the list after the last commit."""
        if self._incomplete and not self.found.has_more:
            self._add(self._incomplete)  # its `before` stays None: the files of all older commits had errors
        self.found.all_keys = tuple(self.keys)

    def _add(self, change: CommitChange) -> None:
        """Add a change, unless the entry is the same before and after it."""
        if not _is_same(change.before, change.after):
            self.found.changes.append(change)

    def follow(self, entry: Entry) -> bool:
        """Add the keys and paths of an entry to those that are looked for; return whether one of the paths is new."""
        self.keys += [key for key in (entry.key, *entry.notes.previous) if key not in self.keys]
        known_count = len(self.paths)
        if entry.source:
            paths = [entry.source.path, *self._translations(entry.source.path)]
            paths += [path for path, _line in entry.source.locations.values()]
            self.paths.update(dict.fromkeys([*paths, *self._revisions.link_targets("HEAD", paths)]))
        return len(self.paths) > known_count

    def has_file_in(self, folder: str) -> bool:
        """Return whether a file of the entry is in a folder."""
        return any(is_below(path, folder) for path in self.paths)

    def _translations(self, path: str) -> Iterator[str]:
        """Yield the paths of an entry's translations; there may be no files at these paths."""
        suffix = os.path.splitext(path)[1]  # noqa: PTH122  # a path in a commit
        if suffix.lower() in DOCUMENT_SUFFIXES:
            layout = self._config.layout(self.kind)
            for locale in self._config.site.locales[1:]:  # without the default language
                yield layout.translation_path(path, locale, suffix)


def _is_same(before: Entry | None, after: Entry | None) -> bool:
    """Return whether an entry has the same key, values and file at two commits; None: a commit does not have it."""
    if before is None or after is None:
        return before is after
    paths = {entry.source.path for entry in (before, after) if entry.source}
    return before.key == after.key and before.fields == after.fields and len(paths) < 2
