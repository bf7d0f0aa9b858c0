"""The refs of a target in the remote repository.

- `refs/contentsync/TARGET` is the commit that was synced last.
- `refs/contentsync/@attempts/TARGET/COMMIT` are commits that a run has begun to sync since then, and not finished. They
  are there before anything is written. Those before the commit that was synced last say nothing, so it does no harm if
  they cannot be deleted.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from environment import GIT_NAMES, GIT_PREFIXES, environment

NO_COMMIT = "0" * 40  # what a first sync has for a base


class GitFailed(Exception):
    """A command of git has failed; this never means that a ref does not exist."""


@dataclass(frozen=True)
class Deployed:
    """The refs of a target in the remote repository and in this clone."""

    folder: str
    target: str
    remote: str = "origin"

    @property
    def ref(self) -> str:
        return f"refs/contentsync/{self.target}"

    @property
    def top(self) -> Path:
        """The working tree that contains the folder. In the folder itself, git might read settings from a commit."""
        folder = Path(self.folder).resolve()
        for top in (folder, *folder.parents):
            if (top / ".git").exists():
                return top
        raise GitFailed(f"{self.folder} is in no git repository")

    @property
    def _attempts(self) -> str:
        return f"refs/contentsync/@attempts/{self.target}/"

    def fetch(self) -> tuple[str, ...]:
        """Bring the refs, and all commits before HEAD; return the options of plan and sync that name them.

        Raise GitFailed.
        """
        if self.target.startswith("@") or self._run("check-ref-format", self.ref).returncode:
            raise GitFailed(f"{self.ref} cannot be a ref: the target needs another name")
        listed = self._git("ls-remote", self.remote, self.ref, f"{self._attempts}*").splitlines()
        refs = {line.partition("\t")[2] for line in listed}
        attempts = sorted(ref for ref in refs if ref.startswith(self._attempts))
        known = [self.ref] if self.ref in refs else []
        if known:
            self._deepen()
        for ref in (*known, f"{self._attempts}*"):
            self._git("fetch", "--quiet", "--no-tags", "--prune", self.remote, f"+{ref}:{ref}")
        words = ["--base", f"git:{self.ref if known else NO_COMMIT}"]
        return (*words, *(word for attempt in attempts for word in ("--attempt", attempt)))

    def fetch_branch(self, name: str) -> str:
        """Bring a branch of the remote, unless it is there, and all commits before HEAD; return its ref.

        Raise GitFailed.
        """
        ref = f"refs/remotes/{self.remote}/{name}"
        self._deepen()
        if self._run("rev-parse", "--verify", "--quiet", ref).returncode:
            self._git("fetch", "--quiet", "--no-tags", self.remote, f"+refs/heads/{name}:{ref}")
        return ref

    def _deepen(self) -> None:
        """Bring the commits that a shallow clone lacks."""
        if self._git("rev-parse", "--is-shallow-repository") == "true":
            self._git("fetch", "--quiet", "--no-tags", "--unshallow", self.remote)

    def begin(self, commit: str) -> bool:
        """Remember, at the remote, that a run is about to apply a commit; False if one was before. Raise GitFailed.

        Only after `fetch`, which knows what is remembered.
        """
        if not self._run("rev-parse", "--verify", "--quiet", f"{self._attempts}{commit}").returncode:
            return False
        self._git("push", "--quiet", self.remote, f"{commit}:{self._attempts}{commit}")
        return True

    def forget(self, *commits: str) -> None:
        """Forget, at the remote, that commits were begun. Raise GitFailed."""
        self._git("push", "--quiet", self.remote, *(f":{self._attempts}{commit}" for commit in commits))

    def require_clean(self) -> str:
        """Return the commit of HEAD. Raise GitFailed if the content folder differs from it."""
        folder = Path(self.folder).resolve().relative_to(self.top).as_posix()
        words = ("status", "--porcelain", "--untracked-files=all", "--ignored", "--")
        changed = self._git(*words, f":(literal){folder}", ":(exclude,glob)**/.contentsync/**")
        if changed:
            raise GitFailed(f"the content folder is not what the commit holds: {changed.splitlines()[0]}")
        return self._git("rev-parse", "HEAD")

    def move(self, commit: str) -> None:
        """Remember, at the remote, that the commit was synced. Raise GitFailed."""
        self._git("push", "--quiet", self.remote, f"{commit}:{self.ref}")

    def begun(self) -> list[str]:
        """Return the commits that runs have begun to apply, as `fetch` found them. Raise GitFailed."""
        names = self._git("for-each-ref", "--format=%(refname)", self._attempts).split()
        return [name.removeprefix(self._attempts) for name in names]

    def _git(self, *words: str) -> str:
        done = self._run(*words)
        if done.returncode:
            self._fail(words[0], done)
        return done.stdout.strip()

    def _run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603  # a list of words
            ["git", "-C", self.top, *words],  # noqa: S607
            env=environment(*GIT_NAMES, prefixes=GIT_PREFIXES),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def _fail(self, command: str, done: "subprocess.CompletedProcess[str]") -> NoReturn:
        said = done.stderr.strip().splitlines()
        raise GitFailed(f"git {command} failed: {said[-1] if said else done.returncode}")
