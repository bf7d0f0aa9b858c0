"""contentsync.authoring.adopt.repository_tree: which files of a repository are listed."""

import os
from pathlib import Path

from contentsync.authoring.adopt.repository_tree import list_files

from .repositories import write


def test_visible_files_are_listed_without_symbolic_links(tmp_path: Path) -> None:
    names = ["a/b/c.md", "a/d.md", "ab/e.md", "f.csv", ".git/x.md", "node_modules/y.md", "_site/z.md", "a/.h.md"]
    write(tmp_path, dict.fromkeys(names, ""))
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "a/link.md").symlink_to("d.md")
    os.mkfifo(tmp_path / "pipe.md")
    tree = list_files(tmp_path)
    assert tree.files == ("a/b/c.md", "a/d.md", "ab/e.md", "f.csv")
    assert ".git" in tree.top_names


def test_a_folder_does_not_contain_files_of_folders_with_similar_names(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["a/b/c/d.md", "a/e.md", "a-b/f.md", "a0/g.md", "ab/h.md"], ""))
    tree = list_files(tmp_path)
    assert [*tree.files_in("a")] == ["a/b/c/d.md", "a/e.md"]
    assert tree.folders_in("a") == ["b"]
    assert tree.folders_in("") == ["a", "a-b", "a0", "ab"]
    assert (tree.has_folder("a/b/c"), tree.has_folder("a/e"), tree.has_folder("b")) == (True, False, False)


def test_a_missing_folder_has_no_files(tmp_path: Path) -> None:
    assert list_files(tmp_path / "none").files == ()
