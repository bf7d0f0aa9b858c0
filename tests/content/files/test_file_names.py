"""contentsync.content.files.file_names: names that are not content, and names that some systems do not support."""

import pytest

from contentsync.content.files.file_names import is_hidden, is_ordinary, name_fault, normalized_name

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
