import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from contentsync.content.files.source_file import MAX_BYTES
from contentsync.report.excerpt import excerpt, read_lines


def marked(line: str, column: int, width: int = 60) -> str:
    """Return the line with its mark below, as a terminal shows them."""
    shown = excerpt(line, column, width)
    assert shown is not None
    return f"{shown.line}\n{' ' * shown.start}{'^' * shown.width}"


@pytest.mark.parametrize(
    ("line", "column", "shown"),
    [
        pytest.param("titel: About", 1, "titel: About\n^^^^^", id="a key without its colon"),
        pytest.param("date=2026-01-01", 1, "date=2026-01-01\n^^^^", id="a key right before its value"),
        pytest.param("date=2026-01-01", 6, "date=2026-01-01\n     ^^^^^^^^^^", id="a value right behind its key"),
        pytest.param("slug:b", 1, "slug:b\n^^^^^^", id="a key that is none"),
        pytest.param("lat: 40.7128° N # x", 6, "lat: 40.7128° N # x\n     ^^^^^^^^^^", id="a value before a comment"),
        pytest.param("  - Repair, cafe", 5, "  - Repair, cafe\n    ^^^^^^^^^^^^", id="an item"),
        pytest.param("- name: Big", 3, "- name: Big\n  ^^^^", id="the key of an item"),
        pytest.param("a,40° N; x,b", 3, "a,40° N; x,b\n  ^^^^^^^^", id="a cell with spaces"),
        pytest.param("a;b, c ;d", 3, "a;b, c ;d\n  ^^^^", id="a cell in a table with semicolons"),
        pytest.param('a,"b, c",d', 3, 'a,"b, c",d\n  ^^^^^^', id="a quoted cell"),
        pytest.param("See the map, or", 5, "See the map, or\n    ^^^", id="a word of a text"),
        pytest.param("tags: [a b, c]", 7, "tags: [a b, c]\n      ^", id="a list"),
        pytest.param("placement: navbr", 12, "placement: navbr\n           ^^^^^", id="a value"),
        pytest.param('tz = "Mars/Olympus" # x', 6, 'tz = "Mars/Olympus" # x\n     ^^^^^^^^^^^^^^', id="a quoted text"),
        pytest.param('"Open,https://x', 1, '"Open,https://x\n^', id="a quote that is not closed"),
        pytest.param("a,b,,d", 5, "a,b,,d\n    ^", id="an empty cell"),
        pytest.param("ends_at:", 9, "ends_at:\n        ^", id="behind the last character"),
        pytest.param("", 1, "\n^", id="an empty line"),
        pytest.param("\tb: \t1", 6, "    b:     1\n           ^", id="tabs"),
        pytest.param("名前: navbr", 5, "名前: navbr\n      ^^^^^", id="wide characters before it"),
        pytest.param("tag: 日本,x", 6, "tag: 日本,x\n     ^^^^^^", id="wide characters under it"),
        pytest.param("cafe\u0301: x", 8, "cafe\u0301: x\n      ^", id="a combining accent before it"),
        pytest.param("a: \x1b[31mx", 4, "a: \\x1b[31mx\n   ^^^^", id="an escape sequence"),
        pytest.param("a\u200bb: x", 2, "a\\u200bb: x\n ^^^^^^^", id="an invisible character"),
        pytest.param("It\udc92s", 3, "It\\x92s\n  ^^^^^", id="a byte that is not UTF-8"),
    ],
)
def test_the_mark_is_below_the_reported_column(line: str, column: int, shown: str) -> None:
    """FI-06, FI-01"""
    assert marked(line, column) == shown


def test_a_long_line_is_cut_around_the_reported_column() -> None:
    line = "x" * 500 + " here " + "y" * 500
    shown = excerpt(line, 502, 40)
    assert shown is not None
    assert len(shown.line) <= 40
    assert shown.line.startswith("...x")
    assert shown.line.endswith("y...")
    assert shown.line[shown.start : shown.start + shown.width] == "here"


def test_the_beginning_of_a_long_line_is_not_cut() -> None:
    assert marked("titel: " + "x" * 100, 1, 30) == "titel: xxxxxxxxxxxxxxxxx...\n^^^^^"


def test_the_end_of_a_long_line_is_not_cut() -> None:
    assert marked("x" * 100 + " end", 102, 30) == "...xxxxxxxxxxxxxxxxxxxx end\n                        ^^^"


def test_a_line_without_the_reported_column_is_not_shown() -> None:
    assert excerpt("short", 7, 60) is None


@given(st.text(max_size=200), st.integers(1, 201), st.integers(20, 100))
def test_every_line_fits_and_is_printable(line: str, column: int, width: int) -> None:
    shown = excerpt(line, column, width)
    assert (shown is None) == (column > len(line) + 1)
    if shown:
        assert shown.line.isprintable()
        assert cell_len(shown.line) <= width
        assert shown.width >= 1
        assert shown.start + shown.width <= width + 1


def write(folder: Path, data: bytes, name: str = "a.md") -> Path:
    (folder / name).write_bytes(data)
    return folder


def test_lines_are_counted_like_the_readers_count_them(tmp_path: Path) -> None:
    """FI-03, FI-04"""
    folder = write(tmp_path, b"\xef\xbb\xbfone\r\ntwo\rthree\nfo\x92r")
    assert read_lines(folder, "a.md", [1, 2, 3, 4, 5]) == {1: "one", 2: "two", 3: "three", 4: "fo\udc92r"}


@pytest.mark.parametrize("data", [b"\xff\xfea\0", b"\xfe\xff\0a"])
def test_utf_16_is_not_shown(tmp_path: Path, data: bytes) -> None:
    """FI-02"""
    assert read_lines(write(tmp_path, data), "a.md", [1]) == {}


def test_a_missing_file_is_not_shown(tmp_path: Path) -> None:
    """FI-18"""
    assert read_lines(tmp_path, "a.md", [1]) == {}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    """FI-14"""
    write(tmp_path, b"secret", "outside.md")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/in.md").write_bytes(b"shown")
    (tmp_path / "site/out.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "site/link.md").symlink_to("in.md")
    assert read_lines(tmp_path / "site", "out.md", [1]) == {}
    assert read_lines(tmp_path / "site", "../outside.md", [1]) == {}
    assert read_lines(tmp_path / "site", "link.md", [1]) == {1: "shown"}


def test_a_pipe_or_a_folder_never_blocks(tmp_path: Path) -> None:
    """FI-16"""
    os.mkfifo(tmp_path / "a.md")
    (tmp_path / "b.md").mkdir()
    assert read_lines(tmp_path, "a.md", [1]) == {}
    assert read_lines(tmp_path, "b.md", [1]) == {}


def test_only_the_beginning_of_a_large_file_is_read(tmp_path: Path) -> None:
    """FI-12"""
    folder = write(tmp_path, b"first\n" + b"x" * MAX_BYTES)
    assert read_lines(folder, "a.md", [1, 2]) == {1: "first"}
