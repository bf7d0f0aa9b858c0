"""Make the branches of a proposal from the server's changes, in a working tree of our own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...authoring.edit.file_edits import FileEdit
from ...content.files.validation_report import new_problems
from ...content.folder.load import Content
from ...model import EntryKey
from ..entry_writer import UnwrittenEntry, write_entries
from .branches import Branches, BranchMove, OwnCommit, QuietGit, commit_files, read_last_own_commits
from .proposal import (
    PURPOSES,
    BranchProposal,
    Proposal,
    ProposalPart,
    ProposedChanges,
    Purpose,
    commit_message,
    digest_of,
)


@dataclass(frozen=True, slots=True)
class Proposer:
    """Makes the branches of one target."""

    git: QuietGit  # of the working tree of our own
    branches: Branches
    onto: str  # the commit that is checked out there
    inner: str  # the path of the content folder below its top; `.` if it is the top
    target: str

    def name(self, purpose: Purpose) -> str:
        """Return the name of a branch."""
        return f"contentsync/{self.target}/{purpose}"

    def propose(self, content: Content, changes: ProposedChanges) -> Proposal:
        """Make and move the branches, and return them. Move none of them if one of the moves fails.

        `content` is the folder in the working tree, without errors and as in the commit.
        """
        tips = self.branches.tips([self.name(purpose) for purpose in PURPOSES])
        made = tuple(self._make(purpose, content, changes.parts[purpose], tips) for purpose in PURPOSES)
        moved = (branch for branch in made if branch.state in ("new", "updated", "withdrawn"))
        self.branches.move([BranchMove(branch.name, tips.get(branch.name), branch.commit) for branch in moved])
        return Proposal(self.onto, made, changes)

    def _make(
        self, purpose: Purpose, content: Content, parts: Sequence[ProposalPart], tips: Mapping[str, str]
    ) -> BranchProposal:
        """Commit the parts, and return the branch with its new commit; "blocked" if the branch must not be moved."""
        name = self.name(purpose)
        tip = tips.get(name)
        own_commits = read_last_own_commits(self.git, tip, name) if tip else []
        if tip and not own_commits and not self.git.succeeds("merge-base", "--is-ancestor", tip, self.onto):
            reason = "its last commit is not one of contentsync propose"
        else:
            reason = self.branches.reason_not_to_move(name)
        if reason:
            return BranchProposal(purpose, name, "blocked", tip, blocked=reason)
        branch, commits = self._commit(BranchProposal(purpose, name, "none"), content, parts)
        if not commits:
            return branch._replace(state="withdrawn" if own_commits else "none")
        branch = branch._replace(digest=digest_of(branch.parts))
        if [commit.content for commit in own_commits] == [commit.content for commit in commits]:
            return branch._replace(state="unchanged", commit=tip)
        return branch._replace(state="updated" if tip else "new", commit=commits[-1].id)

    def _commit(
        self, branch: BranchProposal, content: Content, parts: Sequence[ProposalPart]
    ) -> tuple[BranchProposal, list[OwnCommit]]:
        """Write and commit each part on top of the one before it, and restore the working tree."""
        written_parts: list[ProposalPart] = []
        commits: list[OwnCommit] = []
        edits: list[FileEdit] = []
        left_out: list[UnwrittenEntry] = []
        self._reset()
        parent = self.onto
        renamed: Mapping[EntryKey, EntryKey] = {}
        problems_before = content.problems
        for part in parts:
            written = write_entries(content, part.changes, renamed)
            content, renamed = written.content, written.renamed
            left_out += written.left_out
            part = part.without(written.left_out)
            paths = [self._path(edit.location) for edit in written.edits]
            commit = commit_files(self.git, parent, paths, commit_message(part), branch.name) if paths else None
            if commit:
                parent = commit.id
                commits.append(commit)
                written_parts.append(part)
                edits += written.edits
        self._reset()
        warnings = new_problems(problems_before, content.problems)
        branch = branch._replace(parts=tuple(written_parts), edits=tuple(edits), left_out=tuple(left_out))
        return branch._replace(warnings=warnings), commits

    def _path(self, location: str) -> str:
        return location if self.inner == "." else f"{self.inner}/{location}"

    def _reset(self) -> None:
        self.git.read("reset", "--quiet", "--hard", self.onto)
        self.git.read("clean", "-ffdxq", "-e", ".contentsync")
