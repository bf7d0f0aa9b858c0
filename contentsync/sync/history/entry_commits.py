"""The commits that changed an entry, found by its values at each commit (docs/git.md, The history of an entry)."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ...content.config.config import Config
from ...content.files.file_names import DOCUMENT_SUFFIXES
from ...git import environ_without_hook, git_read, working_tree
from ...model import Entry, Kind
from ..state.git_revision import FolderRepository
from .entry_revisions import EntryRevisions, Unreadable

MAX_RENAMES = 20  # of one entry that are followed
MAX_CHANGED_FILES = 1_000  # of a commit, among which the former file of an entry is looked for
_TIMEOUT = 120  # seconds for a command of git
# Settings of the user that would start other programs, or change which commits are listed.
_SETTINGS = ("-c", "log.showSignature=false", "-c", "log.follow=false")
_FORMAT = "--format=%H%x00%P%x00%cI%x00%an%x00%s"
_FIELDS = 5  # of _FORMAT


class Commit(NamedTuple):
    """A commit, with the time at which it was made."""

    id: str
    parents: tuple[str, ...]
    time: datetime
    author: str
    subject: str


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
    uncommitted: tuple[str, ...] = ()  # the files of the entry that differ from the commit that is checked out


def read_entry_commits(
    folder: Path, config: Config, kind: Kind, key: str, entry: Entry | None, limit: int
) -> EntryCommits:
    """Return the commits that changed an entry; `entry` is the present one, None if the folder no longer has it.

    Read at most `limit` commits that changed a file of the entry. Raise Refused if git cannot read the repository.
    """
    top = working_tree(folder)
    if top is None:
        return EntryCommits((key,), is_in_git=False)
    repository = FolderRepository.around(folder, top)
    if not repository.succeeds("rev-parse", "--verify", "--quiet", "HEAD"):
        return EntryCommits((key,))  # the branch has no commit yet
    walk = _Walk(repository, config, kind, key, limit)
    return walk.run(entry)


class _Walk:
    """A walk from the newest commit to the oldest one; the keys and paths of the entry grow with each rename.

    At most `limit` commits are read.
    """

    def __init__(self, repository: FolderRepository, config: Config, kind: Kind, key: str, limit: int) -> None:
        self._repository = repository
        self._revisions = EntryRevisions(repository, kind)
        self._config = config
        self._kind = kind
        self._keys = [key]
        self._paths: dict[str, None] = {}  # an ordered set
        self._limit = limit
        self._found = EntryCommits((key,), is_shallow=repository.is_shallow())
        # A change whose `before` is not known yet, because the files had errors in the commit before it. The next older
        # commit without errors has the missing entry.
        self._incomplete: CommitChange | None = None

    def run(self, entry: Entry | None) -> EntryCommits:
        """Return the commits; `entry` is the present one."""
        if entry is None:
            entry = self._find_deleted()
        if entry is None:
            return self._found
        self._follow(entry)
        seen: set[str] = set()
        for _ in range(MAX_RENAMES):
            commits = self._log([*self._paths])
            self._found.has_more = len(commits) > self._limit
            unread = [commit for commit in commits[: self._limit] if commit.id not in seen]
            has_new_path = self._read_until_rename(unread, seen)
            if not has_new_path:
                break
        if self._incomplete and not self._found.has_more:
            self._add(self._incomplete)  # its `before` stays None: the files of all older commits had errors
        self._found.all_keys = tuple(self._keys)
        self._found.uncommitted = tuple(self._uncommitted_files())
        return self._found

    def _read_until_rename(self, commits: Sequence[Commit], seen: set[str]) -> bool:
        """Add the changes of commits, the newest first, until the entry came from another file.

        Then return True: the log must be read again, with the path of that file. Return False at the end.
        """
        for commit in commits:
            seen.add(commit.id)
            after = self._at(commit.id)  # and so before the newer commit that was read last
            is_oldest_of_clone = self._found.is_shallow and not commit.parents
            if isinstance(after, Unreadable):
                self._found.unreadable += 1
                if is_oldest_of_clone:
                    self._incomplete = None  # no older commit can show what was before that change
                continue
            if self._incomplete:
                self._add(self._incomplete._replace(before=after))
                self._incomplete = None
            if is_oldest_of_clone:
                continue  # no commit shows what was before this one
            befores = [self._at(parent) for parent in commit.parents] or [None]
            known = [before for before in befores if not isinstance(before, Unreadable)]
            if len(known) < len(befores):
                self._incomplete = CommitChange(commit, before=None, after=after)
            elif after is not None and not any(known):
                origin = self._find_origin(commit, after)
                self._add(CommitChange(commit, origin, after))
                if origin is not None and self._follow(origin):
                    return True
            elif not any(_is_same(before, after) for before in known):
                self._add(CommitChange(commit, known[0], after))
        return False

    def _add(self, change: CommitChange) -> None:
        """Add a change, unless the entry is the same before and after it."""
        if not _is_same(change.before, change.after):
            self._found.changes.append(change)

    def _follow(self, entry: Entry) -> bool:
        """Add the keys and paths of an entry to those that are looked for; return whether one of the paths is new."""
        self._keys += [key for key in (entry.key, *entry.notes.previous) if key not in self._keys]
        known_count = len(self._paths)
        if entry.source:
            self._paths.update(dict.fromkeys([entry.source.path, *self._translations(entry.source.path)]))
            self._paths.update(dict.fromkeys(path for path, _line in entry.source.locations.values()))
        return len(self._paths) > known_count

    def _translations(self, path: str) -> Iterator[str]:
        """Yield the paths of an entry's translations; there may be no files at these paths."""
        suffix = os.path.splitext(path)[1]  # noqa: PTH122  # a path in a commit
        if suffix.lower() in DOCUMENT_SUFFIXES:
            layout = self._config.layout(self._kind)
            for locale in self._config.site.locales[1:]:  # without the default language
                yield layout.translation_path(path, locale, suffix)

    def _at(self, commit: str) -> Entry | Unreadable | None:
        """Return the entry at a commit, under the newest of its keys that the commit has."""
        return self._revisions.entry_at(commit, self._keys, [*self._paths])

    def _find_origin(self, commit: Commit, entry: Entry) -> Entry | None:
        """Return the entry before a commit that gave it another key or file; None if the entry is new in the commit.

        Find it by one of its keys; else a document by its path before the commit, and a listing by its slug or name.
        """
        if not commit.parents:
            return None
        parent = commit.parents[0]
        changed, renamed = self._changed_files(parent, commit.id)
        if len(changed) > MAX_CHANGED_FILES:
            changed = [old for new, old in renamed.items() if new in self._paths]
        path = entry.source.path if entry.source else ""
        before = self._revisions.entries_at(parent, changed)
        for key in (*self._keys, *entry.notes.previous):
            if key in before:
                return before[key]
        if not before:
            return None
        present_keys = self._revisions.entries_at(commit.id, [*changed, path]).keys()
        deleted = [other for key, other in before.items() if key not in present_keys]
        if not path.lower().endswith(DOCUMENT_SUFFIXES):
            return _only_similar(entry, deleted)
        for old_path in (path, renamed.get(path, "")):
            for other in deleted:
                if other.source and other.source.path == old_path:
                    return other
        return None

    def _find_deleted(self) -> Entry | None:
        """Return the entry as it was before one of the newest commits deleted it; None if none of them did."""
        commits = self._log(self._config.paths(self._kind))
        self._found.has_more = len(commits) > self._limit
        for commit in commits[: self._limit]:
            for parent in commit.parents[:1]:  # none for the first commit
                changed, _renamed = self._changed_files(parent, commit.id)
                before = self._revisions.entries_at(parent, changed[:MAX_CHANGED_FILES])
                if self._keys[0] in before:
                    return before[self._keys[0]]
        return None

    def _changed_files(self, parent: str, commit: str) -> tuple[list[str], dict[str, str]]:
        """Return the old paths of the kind's files that a commit changed, deleted or renamed.

        Return also the old path of each renamed file of any kind, by its new path.
        """
        words = ("diff-tree", "-r", "-z", "--name-status", "--find-renames", "--diff-filter=MDRT")
        listed = self._repository.read(*words, self._repository.relative_option, parent, commit)
        output = iter(os.fsdecode(listed).split("\0"))
        changed: list[str] = []
        renamed: dict[str, str] = {}
        for status in output:  # followed by the old path and, for R, by the new path
            if status:
                old = next(output)
                if status.startswith("R"):
                    renamed[next(output)] = old
                if self._kind in self._config.kinds_at(old):
                    changed.append(old)
        return changed, renamed

    def _log(self, paths: Sequence[str]) -> list[Commit]:
        """Return the newest commits that changed files at some paths: one more than are read."""
        words = ("log", "-z", "--encoding=UTF-8", _FORMAT, f"--max-count={self._limit + 1}", "HEAD", "--")
        output = self._git(*_SETTINGS, *words, *(f"{self._repository.inner}/{path}" for path in paths))
        fields = output.decode("utf-8", "replace").split("\0")  # _FIELDS for each commit, one after the other
        rows = zip(*(fields[start::_FIELDS] for start in range(_FIELDS)), strict=False)
        return [Commit(id_, tuple(parents.split()), _time(time), *texts) for id_, parents, time, *texts in rows if id_]

    def _uncommitted_files(self) -> Iterator[str]:
        """Yield the paths of the entry's files that differ from the commit that is checked out."""
        # By the paths that git lists, which are relative to the top of the working tree.
        paths = {f"{self._repository.inner}/{path}".removeprefix("./"): path for path in self._paths}
        words = ("--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--")
        for line in os.fsdecode(self._git(*words, *paths)).split("\0"):
            listed_path = line[len("XY ") :]  # after the two letters of the status
            if listed_path in paths:
                yield paths[listed_path]

    def _git(self, *words: str) -> bytes:
        environ = {**environ_without_hook(), "GIT_LITERAL_PATHSPECS": "1"}
        return git_read(*words, folder=self._repository.top, environ=environ, timeout=_TIMEOUT)


def _is_same(before: Entry | None, after: Entry | None) -> bool:
    """Return whether an entry has the same key, values and file at two commits."""
    if before is None or after is None:
        return before is after
    paths = {entry.source.path for entry in (before, after) if entry.source}
    return before.key == after.key and before.fields == after.fields and len(paths) < 2


def _only_similar(entry: Entry, others: Sequence[Entry]) -> Entry | None:
    """Return the only listing with the slug of the listing `entry`, else the only one with its name, else None.

    See docs/sync.md, Renames.
    """
    if entry.kind is not Kind.LISTING:
        return None
    for name in ("slug", "name"):
        value = entry.fields.get(name)
        equal = [other for other in others if value and other.fields.get(name) == value]
        if len(equal) == 1:
            return equal[0]
    return None


def _time(text: str) -> datetime:
    """Return the time of a commit in UTC; the beginning of the calendar for a text that is no time."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # a commit may contain any number
        return datetime.min.replace(tzinfo=UTC)
