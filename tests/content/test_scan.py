"""contentsync.content.scan: which files are content."""

import os
from pathlib import Path

import pytest

from contentsync.content import load
from contentsync.errors import Severity

from .conftest import CONFIG, Load, spots, write

TITLE = "---\ntitle: A\n---\nText\n"


def keys(root: Path) -> list[str]:
    return [entry.key for entry in load(root).entries]


def test_folders_are_read_at_any_depth(read: Load) -> None:
    content = read({f"pages/{'a/' * 150}deep.md": TITLE, "articles/2026/x/a.md": TITLE, "articles/b.HTML": TITLE})
    assert [entry.key for entry in content.entries] == ["deep", "a", "b"]
    assert content.files == 3


@pytest.mark.parametrize("name", [".#x.md", "x.md~", ".x.md.swp", ".git/x.md", "node_modules/x.md", ".hidden/a/x.md"])
def test_hidden_and_backup_files_are_no_content(read: Load, name: str) -> None:
    """FI-28"""
    content = read({f"pages/{name}": TITLE})
    assert (content.entries, content.problems) == ((), ())


def test_files_outside_the_collections_are_none_of_our_business(read: Load) -> None:
    content = read({"README.md": "x", "assets/a.png": b"\x00", ".contentsync/site.db": b"\x00"})
    assert (content.files, content.problems) == (0, ())


def test_a_file_of_another_kind_in_a_collection_is_a_warning(read: Load) -> None:
    content = read({"pages/photo.jpg": b"\xff", "listings/a.html": "x"})
    assert spots(content) == [("listings/a.html", 1, 1, "ignored-file"), ("pages/photo.jpg", 1, 1, "ignored-file")]
    assert {problem.severity for problem in content.problems} == {Severity.WARNING}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("/etc/hostname", "out of"),
        ("../../elsewhere.md", "out of"),
        ("missing.md", "nowhere"),
        ("a.md", "nowhere"),
        ("../.git/a.md", "hidden"),
    ],
)
def test_a_link_that_leads_elsewhere_is_an_error(tmp_path: Path, target: str, reason: str) -> None:
    """FI-14"""
    root = write(tmp_path / "site", {"pages/b.md": TITLE, ".git/a.md": TITLE})
    (tmp_path / "elsewhere.md").write_text(TITLE)
    (root / "pages/a.md").symlink_to(target)
    content = load(root)
    assert spots(content) == [("pages/a.md", 1, 1, "bad-link")]
    assert reason in content.problems[0].message
    assert [entry.key for entry in content.entries] == ["b"]


@pytest.mark.parametrize("target", [".", "..", "../pages"])
def test_a_link_to_a_folder_above_never_hangs(tmp_path: Path, target: str) -> None:
    """FI-14"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    (root / "pages/loop").symlink_to(target)
    assert spots(load(root)) == [("pages/loop", 1, 1, "bad-link")]


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    root = write(tmp_path, {"shared/a.md": TITLE, "shared/more/b.md": TITLE})
    (root / "pages").mkdir()
    (root / "pages/linked.md").symlink_to("../shared/a.md")
    (root / "pages/more").symlink_to("../shared/more")
    assert keys(root) == ["b", "linked"]


def test_a_pipe_is_an_error_and_never_opened(tmp_path: Path) -> None:
    """FI-16"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    os.mkfifo(root / "pages/a.md")
    assert spots(load(root)) == [("pages/a.md", 1, 1, "special-file")]
    assert keys(root) == ["b"]


def test_a_folder_that_is_called_like_a_file_is_an_error(read: Load) -> None:
    """FI-16"""
    assert spots(read({"pages/x.md/a.md": TITLE})) == [("pages/x.md", 1, 1, "not-a-file")]


def test_a_file_name_that_is_not_utf8_is_told_escaped(tmp_path: Path) -> None:
    """FI-21"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    with open(os.fsencode(root) + b"/pages/caf\xe9.md", "wb") as file:  # noqa: PTH123  # a Path cannot name it
        file.write(TITLE.encode())
    assert spots(load(root)) == [("pages/caf\\udce9.md", 1, 1, "bad-file-name")]


def test_names_with_anything_in_them_are_read(read: Load) -> None:
    """FI-23"""
    content = read({"pages/$(x) 'y' -z\n%0a.md": TITLE})
    assert [entry.key for entry in content.entries] == ["x-y-z-0a"]


def test_a_configured_folder_that_is_not_there_is_an_error(read: Load) -> None:
    """FI-26"""
    content = read({"contentsync.toml": CONFIG + '[content.articles]\npath = "posts"\n'})
    assert spots(content) == [("posts", 1, 1, "no-folder")]


def test_a_collection_inside_another_is_read_once(read: Load) -> None:
    config = CONFIG + '[content.pages]\npath = "content"\n[content.articles]\npath = "content/posts"\n'
    content = read({"contentsync.toml": config, "content/a.md": TITLE, "content/posts/b.md": TITLE})
    assert [(entry.kind.value, entry.key) for entry in content.entries] == [("page", "a"), ("article", "b")]


def test_the_reference_files_may_end_in_yml(read: Load) -> None:
    content = read({"tags.yml": "- title: A\n", "categories.yml": "- title: B\n"})
    assert [entry.key for entry in content.entries] == ["b", "a"]
