"""Content files that git does not have, with a real git."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.folder.tracked_files import UntrackedFiles, find_untracked
from contentsync.model import Kind

from ...hooks.repositories import SOUND, Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Return a clone with a committed content folder, and with drafts and old pages that git ignores."""
    tree = Tree.new(tmp_path / "clone")
    tree.write(".gitignore", "*.draft.md\n/site/pages/old/\n")
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    return tree


def found(tree: Tree, kinds: Sequence[Kind] = tuple(Kind), others: Sequence[str] = ()) -> UntrackedFiles:
    folder = tree.path / "site"
    return find_untracked(folder, read_config(folder)[0], kinds, others)


def test_changed_files_that_git_tracks_are_not_reported(tree: Tree) -> None:
    tree.write("site/pages/about.md", f"{SOUND}More.\n")
    tree.write("site/pages/staged.md", SOUND)
    tree.git("add", "site")
    assert found(tree) == UntrackedFiles()


def test_ignored_and_untracked_files_are_reported_separately(tree: Tree) -> None:
    for path in ("a.draft.md", "old/é.md", "new.md", "no-content.txt"):
        tree.write(f"site/pages/{path}", SOUND)
    tree.write("site/photo.draft.md", "")
    tree.write("site/listings/all.csv", "name,url\n")
    expected = UntrackedFiles(
        ignored=("pages/a.draft.md", "pages/old/é.md", "photo.draft.md"), untracked=("pages/new.md",)
    )
    assert found(tree, [Kind.PAGE], ["photo.draft.md"]) == expected


def test_an_untracked_file_behind_a_tracked_link_is_reported(tree: Tree) -> None:
    tree.write("site/shared/real.draft.md", SOUND)
    (tree.path / "site/pages/linked.md").symlink_to("../shared/real.draft.md")
    tree.git("add", "site/pages/linked.md")
    assert found(tree) == UntrackedFiles(ignored=("shared/real.draft.md",))


def test_submodule_files_are_tracked_but_nested_repositories_are_not(tree: Tree) -> None:
    for name in ("module", "nested"):
        Tree.new(tree.path / "site/pages" / name).write("page.md", SOUND)
    commit = tree.git("rev-parse", "HEAD")
    tree.git("update-index", "--add", "--cacheinfo", f"160000,{commit},site/pages/module")
    assert found(tree) == UntrackedFiles(untracked=("pages/nested/page.md",))


def test_files_omitted_by_a_sparse_checkout_are_reported(tree: Tree) -> None:
    tree.write("site/pages/other/us.md", SOUND)
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    tree.git("sparse-checkout", "set", "--no-cone", "/*", "!/site/pages/other/")
    assert found(tree) == UntrackedFiles(left_out=("pages/other/us.md",))


def test_a_folder_without_a_repository_has_no_untracked_files(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("site/contentsync.toml", "")
    tree.write("site/pages/about.md", SOUND)
    assert found(tree) == UntrackedFiles()
