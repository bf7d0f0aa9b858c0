"""What git lists of a repository: the newest commits of some paths, and the files that a commit changed."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from ...content.files.file_names import shown_path
from ...git import environ_with_literal_paths, git_read
from ..state.git_revision import FolderRepository

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


class ChangedFiles(NamedTuple):
    """The files that a commit changed, deleted or renamed."""

    old_paths: Sequence[str]
    renamed: Mapping[str, str]  # old paths by new ones


@dataclass(frozen=True, slots=True)
class CommitLog:
    """Lists commits and files of the repository around a content folder. Paths are relative to this folder."""

    repository: FolderRepository

    def newest_commits(self, paths: Sequence[str], count: int) -> list[Commit]:
        """Return at most `count` commits that changed files at some paths, the newest first."""
        words = ("log", "-z", "--encoding=UTF-8", _FORMAT, f"--max-count={count}", "HEAD", "--")
        output = self._git(*_SETTINGS, *words, *map(self._pathspec, paths))
        fields = output.decode("utf-8", "replace").split("\0")  # _FIELDS for each commit, one after the other
        rows = zip(*(fields[start::_FIELDS] for start in range(_FIELDS)), strict=False)
        return [Commit(id_, tuple(parents.split()), _time(time), *texts) for id_, parents, time, *texts in rows if id_]

    def changed_files(self, parent: str, commit: str) -> ChangedFiles:
        """Return the files that differ between a commit and its parent, without new ones."""
        words = ("diff-tree", "-r", "-z", "--name-status", "--find-renames", "--diff-filter=MDRT")
        listed = self.repository.read(*words, self.repository.relative_option, parent, commit)
        output = iter(os.fsdecode(listed).split("\0"))
        old_paths: list[str] = []
        renamed: dict[str, str] = {}
        for status in output:  # followed by the old path and, for R, by the new path
            if status:
                old = next(output)
                if status.startswith("R"):
                    renamed[next(output)] = old
                old_paths.append(old)
        return ChangedFiles(old_paths, renamed)

    def uncommitted_files(self, paths: Iterable[str]) -> Iterator[str]:
        """Yield those of the paths whose files differ from the commit that is checked out."""
        # By the paths that git lists, which are relative to the top of the working tree.
        wanted = {self._pathspec(path): path for path in paths}
        words = ("--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--")
        for line in os.fsdecode(self._git(*words, *wanted)).split("\0"):
            listed_path = line[len("XY ") :]  # after the two letters of the status
            if listed_path in wanted:
                yield wanted[listed_path]

    def _pathspec(self, path: str) -> str:
        """Return a path in the content folder for git, which runs at the top of the repository."""
        return shown_path(self.repository.full_path(path))

    def _git(self, *words: str) -> bytes:
        environ = environ_with_literal_paths()
        return git_read(*words, folder=self.repository.top, environ=environ, timeout=_TIMEOUT)


def _time(text: str) -> datetime:
    """Return the time of a commit in UTC; the beginning of the calendar for a text that is no time."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # a commit may contain any number
        return datetime.min.replace(tzinfo=UTC)
