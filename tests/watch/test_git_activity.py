"""A folder in a repository, while git is at work."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from contentsync.watch import FolderChanges
from contentsync.watch.folder_changes import GitActivity

from .conftest import is_quiet, soon, watching

PAGES = 40


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder without an editor."""
    environ = {**os.environ, "GIT_EDITOR": "true"}
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env=environ)


@pytest.fixture
def repository(folder: Path) -> Path:
    """Return a repository with two branches: `main` with many pages, `few` with none of them."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=few")
    git(folder, "branch", "few")
    for number in range(PAGES):
        (folder / f"pages/{number}.md").write_text(f"{number}\n", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=many")
    return folder


def test_a_switch_of_branches_is_one_change(repository: Path) -> None:
    """CO-13"""

    async def story(changes: FolderChanges) -> None:
        for branch in ("few", "main"):
            await asyncio.to_thread(git, repository, "switch", "--quiet", branch)
            assert (await soon(changes)).paths >= {f"pages/{number}.md" for number in range(PAGES)}
            assert await is_quiet(changes, 0.2)

    watching(repository, story, quiet=0.15)


def test_a_change_during_a_git_command_is_reported_when_it_ends(repository: Path) -> None:
    """CO-13"""
    lock = repository / ".git/index.lock"

    async def story(changes: FolderChanges) -> None:
        lock.touch()
        (repository / "pages/0.md").unlink()
        assert await is_quiet(changes)
        (repository / "pages/1.md").unlink()
        lock.unlink()
        assert (await soon(changes)).paths == {"pages/0.md", "pages/1.md"}

    watching(repository, story)


def test_a_git_lock_that_is_never_released_delays_only_the_first_change(repository: Path) -> None:
    """CO-13"""
    messages: list[str] = []

    async def story(changes: FolderChanges) -> None:
        (repository / ".git/index.lock").touch()  # as a git that was killed leaves it
        for name in ("one", "two"):
            (repository / f"pages/{name}.md").touch()
            assert (await soon(changes)).paths == {f"pages/{name}.md"}
        assert messages == ["git is still busy in this folder: continuing without waiting"]

    watching(repository, story, report=messages.append, git_patience=0.2)


def test_a_conflict_of_a_merge_counts_as_git_activity_until_it_is_committed(repository: Path) -> None:
    """CO-13"""
    (repository / "pages/about.md").write_text("Ours\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=ours")
    git(repository, "switch", "--quiet", "few")
    (repository / "pages/about.md").write_text("Theirs\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message=theirs")
    checkout = GitActivity.for_folder(repository / "pages")
    for begin in (["merge", "main"], ["rebase", "main"], ["cherry-pick", "main"]):
        assert not checkout.is_busy()
        with pytest.raises(subprocess.CalledProcessError):
            git(repository, *begin)
        assert checkout.is_busy(), begin
        git(repository, begin[0], "--abort")


def test_a_linked_worktree_is_busy_only_with_its_own_lock(repository: Path) -> None:
    worktree = repository.parent / "worktree"
    git(repository, "worktree", "add", "--quiet", str(worktree), "few")
    (repository / ".git/index.lock").touch()
    checkout = GitActivity.for_folder(worktree / "pages")
    assert not checkout.is_busy()
    (repository / ".git/worktrees/worktree/index.lock").touch()
    assert checkout.is_busy()


def test_a_folder_outside_of_a_repository_has_no_git_activity(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("no link\n", encoding="utf-8")
    (tmp_path / "index.lock").touch()
    assert not GitActivity.for_folder(tmp_path).is_busy()
