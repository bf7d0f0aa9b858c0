"""The paths that addresses in the asset store stand for."""

import hashlib
from pathlib import Path

import pytest

from contentsync.content.pictures.published_names import PublishedFile, published_name
from contentsync.content.pictures.published_paths import PublishedPaths

from .picture_bytes import png

BASE = "https://cdn.example.org/p/"


def name_of(path: str, data: bytes) -> str:
    return published_name(path, hashlib.sha256(data).hexdigest())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, size in (("static/img/bench.png", 3), ("posts/shelf.png", 4)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(png(size, size))
    return tmp_path


@pytest.fixture
def paths(folder: Path) -> PublishedPaths:
    """No entry names the files yet, so they are found by their names and bytes."""
    return PublishedPaths(folder, BASE, "static", {})


def test_a_file_of_the_asset_folder_begins_with_a_slash(paths: PublishedPaths) -> None:
    address = f"{BASE}{name_of('bench.png', png(3, 3))}?v=1"
    assert paths.as_written(address, None, "posts/hello.md") == "/img/bench.png?v=1"
    assert paths.target(address, "posts/hello.md", rooted=False) == "../static/img/bench.png?v=1"


def test_another_file_is_relative_to_the_file_that_names_it(paths: PublishedPaths) -> None:
    assert paths.as_written(f"{BASE}{name_of('shelf.png', png(4, 4))}", None, "posts/hello.md") == "shelf.png"


def test_an_old_path_is_written_in_its_form(paths: PublishedPaths) -> None:
    address = f"{BASE}{name_of('bench.png', png(3, 3))}"
    assert paths.as_written(address, "../static/img/bench.png", "posts/hello.md") == "../static/img/bench.png"
    assert paths.as_written([address, "x"], ["img/bench.png"], "posts/hello.md") == ["img/bench.png", "x"]


def test_an_address_whose_file_the_folder_lacks_stays(paths: PublishedPaths) -> None:
    other_bytes, elsewhere = f"{BASE}{name_of('bench.png', png(9, 9))}", "https://elsewhere.example.org/a.png"
    for value in (other_bytes, elsewhere, f"{BASE}bench.png", None, 3):
        assert paths.as_written(value, None, "posts/hello.md") == value


def test_the_files_that_entries_name_are_known_without_being_read(folder: Path) -> None:
    name = f"bench-{'a' * 32}.png"
    file = PublishedFile(name, "static/img/bench.png", "static/img/bench.png", 1)
    assert (
        PublishedPaths(folder, BASE, "static", {name: file}).as_written(f"{BASE}{name}", None, "a.md")
        == "/img/bench.png"
    )
