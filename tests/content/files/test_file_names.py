"""contentsync.content.files.file_names: names that are not content, and names that some systems do not support."""

import pytest

from contentsync.content.files.file_names import (
    is_below,
    is_hidden,
    is_ordinary,
    name_fault,
    normalized_name,
    parse_file_name,
    path_in,
    shown_path,
)

GOOD = ["hello-world.md", "hello.fr.md", "a.md", "console.md", "com10.yaml", "x con.md", "café.md", "-rf.md", "a b.md"]
HIDDEN = [".git", ".#x.md", "x.md~", ".x.md.swp", "4913", "node_modules"]
BAD = {
    "con.md": "device",
    "AUX.md": "device",
    "nul": "device",
    "Prn.fr.md": "device",
    "com1.yaml": "device",
    "LPT¹.md": "device",
    "con .md": "device",
    "x.md ": "dot or a space",
    "x.": "dot or a space",
    "文" * 86 + ".md": "261 bytes",
    "a" * 253 + ".md": "256 bytes",
}


@pytest.mark.parametrize("name", GOOD)
def test_ordinary_file_names_are_accepted(name: str) -> None:
    assert name_fault(f"pages/{name}") is None
    assert not is_hidden(name)


@pytest.mark.parametrize("name", BAD)
def test_a_file_name_that_some_system_cannot_store_is_a_fault(name: str) -> None:
    """FI-22"""
    assert BAD[name] in (name_fault(f"pages/{name}") or "")


def test_a_path_of_over_4096_bytes_is_a_fault() -> None:
    """FI-22"""
    folder = "é" * 100 + "/"
    assert name_fault(folder * 20 + "a" * 76) is None
    assert "4097 bytes" in (name_fault(folder * 20 + "a" * 77) or "")


@pytest.mark.parametrize("name", HIDDEN)
def test_files_of_editors_and_tools_are_hidden(name: str) -> None:
    """FI-28"""
    assert is_hidden(name)


@pytest.mark.parametrize("name", [*HIDDEN, *BAD])
def test_a_hidden_or_faulty_name_is_not_ordinary(name: str) -> None:
    assert not is_ordinary(name)


def test_common_file_names_are_ordinary() -> None:
    assert all(map(is_ordinary, ["2026-01-01-hello_world.md", "hello.fr.md", "tools.csv", "PAGES.HTML"]))


def test_a_file_name_is_composed_utf8() -> None:
    """FI-20, FI-21"""
    assert normalized_name("cafe\u0301.md") == "caf\u00e9.md"
    with pytest.raises(UnicodeError):
        normalized_name("caf\udce9.md")


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("posts", "posts", True),
        ("posts/a.md", "posts", True),
        ("posts/x/a.md", "posts/x", True),
        ("postscript/a.md", "posts", False),
        ("posts", "posts/a.md", False),
        ("a.md", "", True),
        ("posts/a.md", "", True),
        ("", "", True),
        ("", "posts", False),
    ],
)
def test_a_path_is_below_a_folder_that_contains_it(path: str, folder: str, expected: bool) -> None:
    """The content folder itself contains everything."""
    assert is_below(path, folder) == expected


def test_a_path_in_the_content_folder_begins_with_the_name() -> None:
    assert (path_in("", "a.md"), path_in("posts", "a.md"), path_in("", "")) == ("a.md", "posts/a.md", "")
    assert (shown_path(""), shown_path("posts")) == (".", "posts")


@pytest.mark.parametrize(
    ("path", "base", "stem"),
    [("about.fr.md", "about", "about"), ("index.md", "index", "index"), ("a/index.md", "a/index", "a")],
)
def test_an_index_at_the_top_has_its_own_name(path: str, base: str, stem: str) -> None:
    name = parse_file_name(path, ("en", "fr"), path)
    assert (name.base, name.stem, name.undated) == (base, stem, base)
