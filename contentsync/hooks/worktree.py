"""A working tree of our own in the repository's folder, with the files of a commit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from ..git import environ_without_hook, git_line, git_read

# The copy contains all files, also those that a sparse checkout excludes, and runs no hooks.
_SETTINGS = ("-c", "core.sparseCheckout=false", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


@dataclass(frozen=True, slots=True)
class Worktree:
    """A git working tree at `path`, which is not deleted after use, so that the next use reads only changed files."""

    common_dir: Path  # of the repository
    path: Path

    @contextmanager
    def lock(self, on_wait: Callable[[], None]) -> Iterator[None]:
        """Lock the working tree. If another process has the lock, call `on_wait` and wait until it ends."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{self.path}.lock")
        try:
            acquired = lock.acquire(timeout=0)
        except Timeout:
            on_wait()
            acquired = lock.acquire()
        with acquired:  # its end releases the lock
            yield

    def check_out(self, commit: str) -> None:
        """Check out a commit, without a branch. Raise Refused with git's message.

        Call it only inside `lock`: it deletes git's lock files, which an interrupted checkout may have left there.
        """
        environ = environ_without_hook()
        repository = f"--git-dir={self.common_dir}"
        link = self.path / ".git"
        if self.path.is_dir() and [*self.path.iterdir()] == [link]:
            link.unlink()  # nothing was checked out yet: git may have been killed while it made the working tree
        if link.exists():
            # The repository may have been moved, and the working tree with it.
            git_read(repository, "worktree", "repair", str(self.path), environ=environ)
        else:
            # -f twice: a path that git has registered and locked before is used again.
            words = ("worktree", "add", "--quiet", "-f", "-f", "--detach", "--no-checkout", str(self.path), commit)
            git_read(repository, *_SETTINGS, *words, environ=environ)
        git_dir = Path(git_line("rev-parse", "--absolute-git-dir", folder=self.path, environ=environ))
        for stale_lock in git_dir.glob("*.lock"):
            stale_lock.unlink()
        git_read(*_SETTINGS, "reset", "--quiet", "--hard", commit, folder=self.path, environ=environ)
        # Delete all files that are not of the commit, except our state and caches.
        git_read(*_SETTINGS, "clean", "-ffdxq", "-e", ".contentsync", folder=self.path, environ=environ)
