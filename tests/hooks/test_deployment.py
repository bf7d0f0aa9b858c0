"""The copy that a hook syncs from, and the ref beside it."""

import shutil
import threading
from pathlib import Path

import pytest

from contentsync.errors import Refused, UsageError
from contentsync.git import git_read
from contentsync.hooks.deployment import Deployment

from .repositories import SOUND, Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a clone with one committed page."""
    made = Tree.new(tmp_path / "clone")
    made.write("contentsync.toml", "")
    made.write("pages/about.md", SOUND)
    made.git("add", ".")
    assert made.commit().returncode == 0
    return made


@pytest.fixture
def deployment(tree: Tree) -> Deployment:
    """Return the deployment of the branch main to the target production."""
    return Deployment(tree.path / ".git", "main", "production")


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != ".git"}


def check_out(deployment: Deployment) -> Path:
    commit = deployment.branch_commit()
    assert commit is not None
    return deployment.check_out(commit, None)


def test_a_checkout_has_the_files_of_the_commit_and_keeps_sync_state(tree: Tree, deployment: Deployment) -> None:
    folder = check_out(deployment)
    assert files(folder) == {"contentsync.toml", "pages/about.md"}
    (folder / ".contentsync").mkdir()
    (folder / ".contentsync/journal").touch()
    (folder / "pages/about.md").write_text("somebody was here", encoding="utf-8")
    tree.git("mv", "pages/about.md", "pages/us.md")
    assert tree.commit().returncode == 0
    assert files(check_out(deployment)) == {"contentsync.toml", "pages/us.md", ".contentsync/journal"}
    assert tree.git("status", "--porcelain") == ""


def test_a_deleted_checkout_is_created_again(tree: Tree, deployment: Deployment) -> None:
    shutil.rmtree(check_out(deployment))
    assert files(check_out(deployment)) == {"contentsync.toml", "pages/about.md"}


def test_leftovers_of_an_interrupted_checkout_are_removed(tree: Tree, deployment: Deployment) -> None:
    """Pages that are in no commit, and a lock that stops every later one."""
    folder = check_out(deployment)
    (folder / "pages/ghost.md").write_text(SOUND, encoding="utf-8")
    (folder / ".gitignore").write_text("ghost.md\n", encoding="utf-8")
    (tree.path / ".git/worktrees/production/index.lock").touch()
    assert files(check_out(deployment)) == {"contentsync.toml", "pages/about.md"}


@pytest.mark.parametrize("target", ["a/b", "@", "a..b", "a.lock", ""])
def test_a_target_that_cannot_be_part_of_a_ref_is_wrong_use(tree: Tree, target: str) -> None:
    with pytest.raises(UsageError, match="cannot be the last part of a ref"):
        Deployment(tree.path / ".git", "main", target)


def test_an_error_of_git_is_reported_completely(tree: Tree) -> None:
    (tree.path / ".git/index.lock").touch()
    with pytest.raises(Refused, match=r"Unable to create '.*index\.lock': File exists.* remove the file"):
        git_read("add", ".", folder=tree.path)


def test_a_checkout_moves_with_its_repository(tree: Tree, deployment: Deployment, tmp_path: Path) -> None:
    check_out(deployment)
    tree.path.rename(tmp_path / "moved")
    assert files(check_out(Deployment(tmp_path / "moved/.git", "main", "production"))) == {
        "contentsync.toml",
        "pages/about.md",
    }


def test_a_second_sync_reports_that_it_waits_for_the_first(deployment: Deployment) -> None:
    reported, got = threading.Event(), threading.Event()

    def second() -> None:
        with deployment.lock(reported.set):
            got.set()

    with deployment.lock(lambda: pytest.fail("no one else is there")):
        other = threading.Thread(target=second)
        other.start()
        assert reported.wait(20)
        assert not got.is_set()
    other.join(20)
    assert got.is_set()


def test_the_ref_moves_only_from_its_expected_commit(tree: Tree, deployment: Deployment) -> None:
    first = tree.git("rev-parse", "HEAD")
    deployment.record_synced(first, None)
    assert deployment.synced_commit() == first
    tree.write("pages/about.md", SOUND + "\nMore.\n")
    assert tree.commit("--all").returncode == 0
    second = tree.git("rev-parse", "HEAD")
    with pytest.raises(Refused):
        deployment.record_synced(second, None)
    deployment.record_synced(second, first)
    assert deployment.synced_commit() == second
