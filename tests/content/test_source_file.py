"""contentsync.content.source_file: bytes that are not the text of a content file."""

import os
from pathlib import Path

import pytest

from contentsync.content import load
from contentsync.content.draft import Unreadable
from contentsync.content.source_file import read_text

from .conftest import Load, only, spots, write

PAGE = "pages/a.md"


def test_bytes_that_are_not_utf8_are_told_by_line_and_column(read: Load) -> None:
    """FI-01"""
    content = read({PAGE: "---\r\ntitle: é ".encode() + b"caf\xe9\r\n---\r\n"})
    assert spots(content) == [(PAGE, 2, 13, "not-utf8")]
    assert "UTF-8" in content.problems[0].hint


@pytest.mark.parametrize("path", [PAGE, "listings/a.csv", "tags.yaml", "contentsync.toml"])
def test_utf16_is_an_error_whatever_the_format(read: Load, path: str) -> None:
    """FI-02, CS-02"""
    assert spots(read({path: "title: A".encode("utf-16")})) == [(path, 1, 1, "not-utf8")]


@pytest.mark.parametrize("path", [PAGE, "listings/a.csv", "tags.yaml", "contentsync.toml"])
def test_control_characters_are_an_error_whatever_the_format(read: Load, path: str) -> None:
    """FI-05, FI-06, CS-11"""
    content = read({path: "a\nbc\x00d"})
    assert spots(content) == [(path, 2, 3, "control-character")]
    assert "U+0000" in content.problems[0].message


def test_a_file_over_10_mib_is_not_read(tmp_path: Path) -> None:
    """FI-12"""
    root = write(tmp_path, {PAGE: ""})
    os.truncate(root / PAGE, 10 * 1024 * 1024 + 1)
    assert spots(load(root)) == [(PAGE, 1, 1, "too-large")]


POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"
FILES = pytest.mark.parametrize("path", [PAGE, "articles/a.html", "listings/a.csv", "tags.yaml", "contentsync.toml"])


@FILES
def test_a_pointer_of_git_lfs_is_no_content(read: Load, path: str) -> None:
    """FI-26"""
    content = read({path: POINTER})
    assert spots(content) == [(path, 1, 1, "lfs-pointer")]
    assert (content.problems[0].hint, content.entries) == ("run git lfs pull", ())


@FILES
@pytest.mark.parametrize("before", ["", "a\n\n", "a\r\nb\r\n"])
def test_the_marker_of_a_merge_conflict_is_an_error_at_its_line(read: Load, path: str, before: str) -> None:
    """FI-27"""
    content = read({path: f"{before}<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n"})
    assert spots(content) == [(path, before.count("\n") + 1, 1, "merge-marker")]
    assert content.entries == ()


@pytest.mark.parametrize("line", [" <<<<<<< HEAD", "<<<<<<<<", "a <<<<<<< b", POINTER])
def test_text_about_merging_or_pointers_is_content(read: Load, line: str) -> None:
    assert only(read({PAGE: f"---\ntitle: A\n---\n\nText\n{line}\n"})).fields["markdown"].startswith("Text")


def test_a_file_that_vanished_or_became_a_link_since_the_scan_is_an_error(tmp_path: Path) -> None:
    """FI-15, FI-17, FI-18"""
    link = tmp_path / "link.md"
    link.symlink_to("/etc/hostname")
    for file in (tmp_path / "gone.md", link):
        with pytest.raises(Unreadable) as raised:
            read_text(str(file), PAGE)
        assert [problem.code for problem in raised.value.problems] == ["unreadable"]
