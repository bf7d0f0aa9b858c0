"""Why the largest table or list of a repository is not read."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.excludes import largest_unread_list
from contentsync.authoring.adopt.repository_tree import list_files
from contentsync.content.config.config import read_config

from .repositories import Files, write


def unread(folder: Path, files: Files) -> str:
    write(folder, files)
    config, _problems = read_config(folder, b"")
    return largest_unread_list(folder, list_files(folder), config)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.json", '{"Lathe": {"year": 1}, "Saw": {"year": 2}}', "is an object of objects"),
        ("a.json", '{"type": "FeatureCollection", "features": []}', "is GeoJSON"),
        ("a.geojson", "{}", "is GeoJSON"),
        ("a.json", '[\n{"name": "A"},\n{"name" "B"}]', "has an error in line 3: "),
        ("a.csv", "Name\nA\nB\n", "has only one column"),
        ("a.csv", "Name,Site\n", "has no entries"),
        ("a.yaml", "[]", "has no entries"),
        ("a.json", '[{"year": 1, "city": "B"}]', "is not a list of three or more entries with a key such as name"),
    ],
)
def test_the_reason_why_a_file_is_not_read_is_reported(name: str, text: str, reason: str, tmp_path: Path) -> None:
    assert unread(tmp_path, {name: text}).startswith(f"{name} {reason}")


def test_the_largest_unread_file_is_reported(tmp_path: Path) -> None:
    files: Files = {"a.csv": "Name\nA\n", "data/b.csv": "Name\nA\nB\n", "package.json": "{}" + " " * 99}
    assert unread(tmp_path, files).startswith("data/b.csv has only one column")


def test_no_file_is_reported_without_tables_or_lists(tmp_path: Path) -> None:
    assert unread(tmp_path, {"main.py": "print()\n"}) == ""
