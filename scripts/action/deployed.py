"""The commit that was synced last: `refs/contentsync/TARGET` of the remote repository."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from environment import environment

NOTHING = "0" * 40  # what a first sync has for a base


class GitFailed(Exception):
    """git could not do what was asked; it never means that there is nothing."""


@dataclass(frozen=True)
class Deployed:
    """The ref of a target, as the remote has it and as this clone is to know it."""

    folder: str
    target: str
    remote: str = "origin"

    @property
    def ref(self) -> str:
        return f"refs/contentsync/{self.target}"

    @property
    def top(self) -> Path:
        """The working tree around the folder. In the folder itself git might take files of a commit for settings."""
        folder = Path(self.folder).resolve()
        for top in (folder, *folder.parents):
            if (top / ".git").exists():
                return top
        raise GitFailed(f"{self.folder} is in no git repository")

    def fetch(self) -> str:
        """Brings the ref and all commits before HEAD; what `--base` is to be. Raises GitFailed."""
        if self._run("check-ref-format", self.ref).returncode:
            raise GitFailed(f"{self.ref} cannot be a ref: the target needs another name")
        found = self._run("ls-remote", "--exit-code", self.remote, self.ref)
        if found.returncode == 2:  # asked, and there is none
            return f"git:{NOTHING}"
        if found.returncode:
            self._fail("ls-remote", found)
        if self._git("rev-parse", "--is-shallow-repository") == "true":
            self._git("fetch", "--quiet", "--no-tags", "--unshallow", self.remote)
        self._git("fetch", "--quiet", "--no-tags", self.remote, f"+{self.ref}:{self.ref}")
        return f"git:{self.ref}"

    def require_clean(self) -> str:
        """HEAD, if it is what lies in the content folder. Raises GitFailed."""
        folder = Path(self.folder).resolve().relative_to(self.top).as_posix()
        words = ("status", "--porcelain", "--untracked-files=all", "--ignored", "--")
        changed = self._git(*words, f":(literal){folder}", ":(exclude,glob)**/.contentsync/**")
        if changed:
            raise GitFailed(f"the content folder is not what the commit holds: {changed.splitlines()[0]}")
        return self._git("rev-parse", "HEAD")

    def move(self, commit: str) -> None:
        """Remembers, at the remote, that the commit was synced. Raises GitFailed."""
        self._git("push", "--quiet", self.remote, f"{commit}:{self.ref}")

    def _git(self, *words: str) -> str:
        done = self._run(*words)
        if done.returncode:
            self._fail(words[0], done)
        return done.stdout.strip()

    def _run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603  # a list of words
            ["git", "-C", self.top, *words],  # noqa: S607
            env=environment("CONTENTSYNC_REF_TOKEN", prefixes=("GIT_", "SSH_", "XDG_")),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def _fail(self, command: str, done: "subprocess.CompletedProcess[str]") -> NoReturn:
        said = done.stderr.strip().splitlines()
        raise GitFailed(f"git {command} failed: {said[-1] if said else done.returncode}")
