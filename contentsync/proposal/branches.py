"""The branches of proposals, in this repository or in a remote one: read their tips, and move all of them at once."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from ..errors import Refused, UsageError
from ..git import NO_COMMIT
from .quiet_git import NETWORK_SECONDS, QuietGit

_HEADS = "refs/heads/"


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
