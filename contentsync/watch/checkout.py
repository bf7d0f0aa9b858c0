"""Whether git is at work in the checkout that a folder belongs to, so that its files are of no commit."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# A lock is there while files are written; the others from the first to the last commit of what takes several.
_SIGNS = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_LINK = "gitdir: "


class Checkout:
    """A checkout, or none: then git is never at work."""

    def __init__(self, git: Path | None) -> None:
        self._git = git
        self._seen: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def around(cls, folder: Path) -> "Checkout":
        """The one that the folder is in; a linked worktree has its own."""
        for above in (folder, *folder.parents):
            git = above / ".git"
            try:
                if git.is_dir():
                    return cls(git)
                text = git.read_text(encoding="utf-8", errors="surrogateescape")
            except OSError:
                continue
            return cls(above / text.removeprefix(_LINK).strip()) if text.startswith(_LINK) else cls(None)
        return cls(None)

    def is_busy(self) -> bool:
        """Whether something goes on that nobody has got tired of waiting for."""
        return bool(self._signs() - self._seen)

    def disregard(self) -> None:
        """Waits for what goes on now no more: a merge may lie about for days, and a dead git's lock for ever."""
        self._seen = self._signs()

    def _signs(self) -> frozenset[tuple[str, int]]:
        return frozenset(_found(self._git)) if self._git else frozenset()


def _found(git: Path) -> Iterator[tuple[str, int]]:
    for sign in _SIGNS:
        with suppress(OSError):
            yield sign, (git / sign).lstat().st_ino
