"""The copy of a branch that a hook syncs from, and the ref of the commit that was synced last."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..content.files.content_folder import CONFIG
from ..errors import Refused, UsageError
from ..git import ATTEMPTS, NO_COMMIT, SYNCED, environ_without_hook, git, git_line, git_read
from ..git_checkout import GitFiles
from .repository import TreeContents
from .worktree import Worktree


@dataclass(frozen=True, slots=True)
class Deployment:
    """A branch of a repository that is synced to a target.

    The copy is a git working tree in the repository's own folder. It is not deleted, so that the next sync reads
    only the changed files and each run can be undone.
    """

    common_dir: Path
    branch: str
    target: str

    def __post_init__(self) -> None:
        # A name that starts with @ could be mistaken for a folder of refs, such as @attempts in `ATTEMPTS`.
        if self.target.startswith("@") or "/" in self.target or git("check-ref-format", self.ref).returncode:
            raise UsageError(f"the target's name '{self.target}' cannot be the last part of a ref, as {self.ref}")

    @property
    def ref(self) -> str:
        """The ref of the last commit that was synced (docs/git.md, After a push to a repository of your own)."""
        return f"{SYNCED}{self.target}"

    @property
    def worktree(self) -> Path:
        """The folder of the copy."""
        return self._copy.path

    @property
    def _copy(self) -> Worktree:
        return Worktree(self.common_dir, self.common_dir / "contentsync" / self.target)

    def lock(self, on_wait: Callable[[], None]) -> AbstractContextManager[None]:
        """Lock the copy for one sync. If another sync has the lock, call `on_wait` and wait until that sync ends."""
        return self._copy.lock(on_wait)

    def branch_commit(self) -> str | None:
        """Return the last commit of the branch; None if the branch does not exist."""
        return self._commit(f"refs/heads/{self.branch}")

    def synced_commit(self) -> str | None:
        """Return the commit that was synced last; None before the first sync."""
        return self._commit(self.ref)

    def attempts(self) -> tuple[str, ...]:
        """Return the commits whose syncs have begun since the last successful sync."""
        return tuple(os.fsdecode(self._git("for-each-ref", "--format=%(objectname)", self._attempts_prefix)).split())

    def record_attempt(self, commit: str) -> None:
        """Record that a sync is about to apply a commit, in case it does not finish. Raise Refused if git fails."""
        self._git(*self.attempt_command(commit))

    def attempt_command(self, commit: str) -> list[str]:
        """Return git's arguments for `record_attempt`."""
        return ["update-ref", f"{self._attempts_prefix}{commit}", commit]

    @contextmanager
    def check_out_config(self, commit: str, wanted: str | None) -> Iterator[Path]:
        """Yield a temporary folder with the contentsync.toml of a commit, and the file that it may be a link to.

        Read it from the folder `wanted`, else (None) from the only one. Raise Refused if git cannot write it.
        """
        folder = self._folder(commit, wanted)
        git_files = GitFiles(self.common_dir)
        files = git_files.list_files(commit, [CONFIG if folder == "." else f"{folder}/{CONFIG}"])
        with git_files.check_out(git_files.follow_links(commit, files), name=self.target) as checked_out:
            yield checked_out.require_all() / folder

    def check_out(self, commit: str, wanted: str | None) -> Path:
        """Check out a commit in the copy; return the content folder `wanted`, else (None) the only one.

        Call it only inside `lock`. Raise Refused with git's message. Raise UsageError if the commit has no such folder,
        or several folders and `wanted` is None.
        """
        folder = self._folder(commit, wanted)
        self._copy.check_out(commit)
        return self.worktree / folder

    def require_descent(self, commit: str, before: str | None) -> None:
        """Raise Refused if `before`, the commit that was synced last, is no ancestor of `commit`; None: the first sync.

        The sync of such a commit could delete the work of other users.
        """
        if before is None:
            return
        words = ("merge-base", "--is-ancestor", before, commit)
        if git(f"--git-dir={self.common_dir}", *words, environ=environ_without_hook()).returncode:
            raise Refused(
                f"{self.branch} does not build upon {before[:12]}, which {self.target} has: nothing is synced",
                "push a commit that does; git revert reverts a bad one",
            )

    def record_synced(self, commit: str, before: str | None) -> None:
        """Record that the commit was synced, and delete the attempts, in one transaction.

        Raise Refused, and record nothing, if the commit that was synced last is no longer `before` (None: no commit).
        """
        updates = [f"update {self.ref} {commit} {before or NO_COMMIT}\n"]
        updates += [f"delete {self._attempts_prefix}{attempt} {attempt}\n" for attempt in self.attempts()]
        words = ("update-ref", "-m", f"contentsync: {self.branch}", "--stdin")
        self._git(*words, stdin="".join(updates).encode())

    @property
    def _attempts_prefix(self) -> str:
        return f"{ATTEMPTS}{self.target}/"

    def _folder(self, commit: str, wanted: str | None) -> str:
        """Return the path of a content folder of a commit: `wanted`, else (None) the only one. Raise UsageError."""
        folders = TreeContents.read(commit, GitFiles(self.common_dir)).folders
        names = [folder or "." for folder in folders]
        if wanted is not None:
            name = str(PurePosixPath(wanted))
            if name not in names:
                raise UsageError(f"{self.branch} has no content folder '{wanted}'", f"it has {', '.join(names)}")
            return name
        if not names:
            raise UsageError(f"{self.branch} has no {CONFIG}")
        if len(names) > 1:
            hint = f"choose one with --folder: {', '.join(names)}"
            raise UsageError(f"{self.branch} has several content folders", hint)
        return names[0]

    def _commit(self, ref: str) -> str | None:
        """Return the commit that a ref names; None if there is no such ref."""
        repository = f"--git-dir={self.common_dir}"
        environ = environ_without_hook()
        if git(repository, "show-ref", "--verify", "--quiet", ref, environ=environ).returncode:
            return None
        return git_line(repository, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}", environ=environ)

    def _git(self, *words: str, stdin: bytes | None = None) -> bytes:
        return git_read(f"--git-dir={self.common_dir}", *words, environ=environ_without_hook(), stdin=stdin)
