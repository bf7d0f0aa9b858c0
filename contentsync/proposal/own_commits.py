"""The commits of a proposal: made without a hook, and sealed, so that a later run recognises them (decision 22)."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .quiet_git import QuietGit

_TRAILER = "Contentsync-Proposal: "
MAX_COMMITS = 10  # of one proposal, when it is read back


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


def commit_files(git: QuietGit, parent: str, paths: Sequence[str], message: str, branch: str) -> OwnCommit | None:
    """Commit files of the working tree, on no branch; return None if they are as in `parent`.

    `paths` are relative to the top of the working tree. `branch` is only a part of the seal.
    """
    listed = b"".join(os.fsencode(path) + b"\0" for path in dict.fromkeys(paths))
    git.read("update-index", "--add", "--remove", "-z", "--stdin", stdin=listed)
    tree = git.line("write-tree")
    if tree == git.line("rev-parse", "--verify", "--end-of-options", f"{parent}^{{tree}}"):
        return None
    sealed = f"{message}\n\n{_TRAILER}{_seal(branch, tree, parent, message)}\n"
    commit = git.line("commit-tree", tree, "-p", parent, stdin=sealed.encode())
    return OwnCommit(commit, parent, message, _changes(git, parent, commit))


def read_own_commits(git: QuietGit, tip: str, branch: str) -> list[OwnCommit]:
    """Return the commits of a branch that are proposals of ours, the oldest first; [] if its tip is not one.

    A commit is ours if its seal fits its tree, its parent, its message and the name of the branch. So an amended, a
    rebased or a merged commit is not ours any more.
    """
    commits: list[OwnCommit] = []
    while len(commits) < MAX_COMMITS and (commit := _read_own(git, tip, branch)):
        commits.insert(0, commit)
        tip = commit.parent
    return commits


def _read_own(git: QuietGit, commit: str, branch: str) -> OwnCommit | None:
    """Return a commit of the branch; None if its seal does not show that `propose` made it."""
    text = git.read("cat-file", "commit", commit).decode(errors="replace")
    head, _blank_line, body = text.partition("\n\n")
    lines = head.split("\n")
    trees = _values(lines, "tree ")
    parents = _values(lines, "parent ")
    message, _separator, seal = body.removesuffix("\n").rpartition(f"\n\n{_TRAILER}")
    if len(trees) != 1 or len(parents) != 1 or seal != _seal(branch, trees[0], parents[0], message):
        return None
    return OwnCommit(commit, parents[0], message, _changes(git, parents[0], commit))


def _values(lines: Iterable[str], prefix: str) -> list[str]:
    return [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]


def _seal(branch: str, tree: str, parent: str, message: str) -> str:
    return hashlib.sha256("\0".join((branch, tree, parent, message)).encode()).hexdigest()


def _changes(git: QuietGit, parent: str, commit: str) -> bytes:
    return git.read("diff-tree", "-r", "-z", "--no-renames", "--full-index", parent, commit)
