"""Find out whether a git operation in a checkout is unfinished, so that its files may belong to no commit."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# The lock exists while git writes files, the other files from the start to the end of a multi-step operation.
_MARKERS = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_LINK = "gitdir: "


class GitActivity:
    """Detects unfinished git operations in a checkout; without a checkout (None), there are none."""

    def __init__(self, git_dir: Path | None) -> None:
        self._git_dir = git_dir
        self._ignored: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def for_folder(cls, folder: Path) -> "GitActivity":
        """Return the activity in the checkout that contains the folder; a linked worktree is a checkout too."""
        for parent in (folder, *folder.parents):
            git = parent / ".git"
            try:
                if git.is_dir():
                    return cls(git)
                text = git.read_text(encoding="utf-8", errors="surrogateescape")  # a linked worktree: "gitdir: PATH"
            except OSError:
                continue
            if not text.startswith(_LINK):
                return cls(git_dir=None)
            return cls(parent / text.removeprefix(_LINK).strip())
        return cls(git_dir=None)

    def is_busy(self) -> bool:
        """Return whether git is busy with an operation that is not ignored."""
        return bool(self._markers() - self._ignored)

    def ignore_current(self) -> None:
        """Ignore the current operation: a merge may stay open for days, and a killed git leaves its lock behind."""
        self._ignored = self._markers()

    def _markers(self) -> frozenset[tuple[str, int]]:
        return frozenset(_existing_markers(self._git_dir)) if self._git_dir else frozenset()


def _existing_markers(git_dir: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and inode of each file that git has only while it works."""
    for name in _MARKERS:
        with suppress(OSError):
            yield name, (git_dir / name).lstat().st_ino
