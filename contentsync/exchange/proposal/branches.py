"""The branches of proposals, in this repository or in a remote one, and the commits on them.

All calls of git run without hooks. The commits are sealed, so that a later run recognises them (decision 22). The
branches are moved together.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from ...errors import Refused, UsageError
from ...git import NO_COMMIT, GitResult, environ_with_literal_paths, git, git_read

MAX_COMMITS = 10  # of one proposal, when it is read back
NETWORK_SECONDS = 300

_SETTINGS = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.sparseCheckout=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "fetch.recurseSubmodules=false"),
)
_AUTHOR = {
    f"GIT_{role}_{name}": value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in (("NAME", "contentsync"), ("EMAIL", "contentsync@localhost"))
}
_HEADS = "refs/heads/"
_TRAILER = "Contentsync-Proposal: "


@dataclass(frozen=True, slots=True)
class QuietGit:
    """Git in one working tree: it runs no hooks, asks for no password and has a fixed author."""

    top: Path

    def read(self, *words: str, stdin: bytes | None = None, timeout: float | None = None) -> bytes:
        """Return git's standard output; the parameters are those of `git`. Raise Refused if git fails."""
        return git_read(*_SETTINGS, *words, folder=self.top, environ=_environ(), stdin=stdin, timeout=timeout)

    def line(self, *words: str, stdin: bytes | None = None) -> str:
        """Return git's standard output without its last line end. Raise Refused if git fails."""
        return os.fsdecode(self.read(*words, stdin=stdin)).removesuffix("\n")

    def succeeds(self, *words: str) -> bool:
        """Return whether git succeeds."""
        return not self.run(*words).returncode

    def run(self, *words: str, timeout: float | None = None) -> GitResult:
        """Return the result of git, also of a failure."""
        return git(*_SETTINGS, *words, folder=self.top, environ=_environ(), timeout=timeout)


def _environ() -> dict[str, str]:
    return {**environ_with_literal_paths(), **_AUTHOR, "GIT_TERMINAL_PROMPT": "0"}


class OwnCommit(NamedTuple):
    """A commit of a proposal: what it changes, and its message without the seal."""

    id: str
    parent: str
    message: str
    changes: bytes  # the modes, ids and paths of its files, as git lists them

    @property
    def content(self) -> tuple[str, bytes]:
        """What is equal if the same is committed again on another parent."""
        return self.message, self.changes


def commit_files(quiet_git: QuietGit, parent: str, paths: Sequence[str], message: str, branch: str) -> OwnCommit | None:
    """Make a commit of files of the working tree without moving a branch; return None if they are as in `parent`.

    It changes the index of the working tree. `paths` are relative to the top of the working tree. `branch` is
    only a part of the seal.
    """
    listed = b"".join(os.fsencode(path) + b"\0" for path in dict.fromkeys(paths))
    quiet_git.read("update-index", "--add", "--remove", "-z", "--stdin", stdin=listed)
    tree = quiet_git.line("write-tree")
    if tree == quiet_git.line("rev-parse", "--verify", "--end-of-options", f"{parent}^{{tree}}"):
        return None
    sealed = f"{message}\n\n{_TRAILER}{_seal(branch, tree, parent, message)}\n"
    commit = quiet_git.line("commit-tree", tree, "-p", parent, stdin=sealed.encode())
    return OwnCommit(commit, parent, message, _changes(quiet_git, parent, commit))


def read_last_own_commits(quiet_git: QuietGit, tip: str, branch: str) -> list[OwnCommit]:
    """Return the commits at the end of a branch that are ours, the oldest first; [] if its tip is not ours.

    A commit is ours if its seal fits its tree, its parent, its message and the name of the branch. So an amended, a
    rebased or a merged commit is not ours any more.
    """
    commits: list[OwnCommit] = []
    while len(commits) < MAX_COMMITS and (commit := _read_own(quiet_git, tip, branch)):
        commits.insert(0, commit)
        tip = commit.parent
    return commits


def _read_own(quiet_git: QuietGit, commit: str, branch: str) -> OwnCommit | None:
    """Return a commit of the branch; None if its seal does not show that `propose` made it."""
    text = quiet_git.read("cat-file", "commit", commit).decode(errors="replace")
    head, _blank_line, body = text.partition("\n\n")
    lines = head.split("\n")
    trees = _values(lines, "tree ")
    parents = _values(lines, "parent ")
    message, _separator, seal = body.removesuffix("\n").rpartition(f"\n\n{_TRAILER}")
    if len(trees) != 1 or len(parents) != 1 or seal != _seal(branch, trees[0], parents[0], message):
        return None
    return OwnCommit(commit, parents[0], message, _changes(quiet_git, parents[0], commit))


def _values(lines: Iterable[str], prefix: str) -> list[str]:
    return [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]


def _seal(branch: str, tree: str, parent: str, message: str) -> str:
    return hashlib.sha256("\0".join((branch, tree, parent, message)).encode()).hexdigest()


def _changes(quiet_git: QuietGit, parent: str, commit: str) -> bytes:
    return quiet_git.read("diff-tree", "-r", "-z", "--no-renames", "--full-index", parent, commit)


class BranchMove(NamedTuple):
    """A branch with its commit before and after; None if it does not exist."""

    name: str
    before: str | None
    after: str | None


class Branches(Protocol):
    """Branches of one repository, local or remote, by their short names (without refs/heads/)."""

    def tips(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the last commit of each branch that exists, by branch. Fetch the commits if they are remote."""

    def reason_not_to_move(self, name: str) -> str:
        """Return why a branch must not be moved; "" if it may be."""

    def move(self, moves: Sequence[BranchMove]) -> None:
        """Move all branches or none. Raise Refused if one of them is not at its commit `before`."""


@dataclass(frozen=True, slots=True)
class LocalBranches:
    """Branches of this repository."""

    git: QuietGit

    def tips(self, names: Sequence[str]) -> Mapping[str, str]:
        # An update that was killed may have left the lock of a branch.
        for name in names:
            Path(self.git.line("rev-parse", "--git-path", f"{_HEADS}{name}.lock")).unlink(missing_ok=True)
        listed = self.git.line("for-each-ref", "--format=%(objectname) %(refname)", *(_HEADS + name for name in names))
        return _parse(listed, " ", names)

    def reason_not_to_move(self, name: str) -> str:
        listed = os.fsdecode(self.git.read("worktree", "list", "--porcelain")).splitlines()
        return "it is checked out" if f"branch {_HEADS}{name}" in listed else ""

    def move(self, moves: Sequence[BranchMove]) -> None:
        if not moves:
            return
        commands = ["start\n"]
        for name, before, after in moves:  # git refuses all of them if one branch is not at `before`
            if after:
                commands.append(f"update {_HEADS}{name} {after} {before or NO_COMMIT}\n")
            else:
                commands.append(f"delete {_HEADS}{name} {before}\n")
        commands.append("commit\n")
        self.git.read("update-ref", "-m", "contentsync propose", "--stdin", stdin="".join(commands).encode())


@dataclass(frozen=True, slots=True)
class RemoteBranches:
    """Branches of a remote repository, by its name or address."""

    git: QuietGit
    remote: str

    def __post_init__(self) -> None:
        if not self.remote or self.remote.startswith("-") or "::" in self.remote:
            raise UsageError(f"'{self.remote}' is not the name of a remote", "git remote lists them")

    def tips(self, names: Sequence[str]) -> Mapping[str, str]:
        """Return the last commit of each branch that exists; fetch those that this repository does not have."""
        words = ("ls-remote", "--", self.remote, *(_HEADS + name for name in names))
        listed = self.git.run(*words, timeout=NETWORK_SECONDS)
        if listed.returncode:
            hint = "git remote lists the remotes; git ls-remote shows what is wrong"
            raise Refused(f"the branches of the remote '{self.remote}' cannot be read", hint)
        tips = _parse(os.fsdecode(listed.stdout), "\t", names)
        unknown = [name for name, tip in tips.items() if not self.git.succeeds("cat-file", "-e", f"{tip}^{{commit}}")]
        if unknown:
            # An empty refmap: no branch of this repository that tracks the remote is updated.
            words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--", self.remote)
            self.git.read(*words, *(_HEADS + name for name in unknown), timeout=NETWORK_SECONDS)
        return tips

    def reason_not_to_move(self, name: str) -> str:
        return ""  # a remote repository has no working tree

    def move(self, moves: Sequence[BranchMove]) -> None:
        if not moves:
            return
        # An empty lease requires that there is no such branch, and an empty source deletes the branch.
        leases = [f"--force-with-lease={_HEADS}{move.name}:{move.before or ''}" for move in moves]
        refspecs = [f"{move.after or ''}:{_HEADS}{move.name}" for move in moves]
        words = ("push", "--quiet", "--atomic", "--no-follow-tags", "--recurse-submodules=no", *leases)
        pushed = self.git.run(*words, "--", self.remote, *refspecs, timeout=NETWORK_SECONDS)
        if pushed.returncode:
            message = f"the branches could not be pushed to '{self.remote}': nothing was moved there"
            raise Refused(message, "someone may have pushed meanwhile: run again, and check the right to push")


def _parse(listed: str, separator: str, names: Sequence[str]) -> dict[str, str]:
    """Return the commits by branch, without the names that are not listed.

    Skip other refs: git also lists those that a name matches as a pattern.
    """
    pairs = (line.split(separator, 1) for line in listed.splitlines() if separator in line)
    found = {ref.removeprefix(_HEADS): commit for commit, ref in pairs}
    return {name: found[name] for name in names if name in found}
