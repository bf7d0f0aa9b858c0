"""contentsync.content.pictures.asset_files: files of the folder by their exact paths or their published addresses."""

import hashlib
import os
from pathlib import Path

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.pictures.asset_files import AssetFiles, PublishedPaths
from contentsync.content.pictures.published_names import PublishedFile, published_name

from ..conftest import write
from .picture_bytes import png


@pytest.fixture
def files(tmp_path: Path) -> AssetFiles:
    root = write(tmp_path / "site", {"img/logo.png": "", "img/deep/photo.jpg": "", "root.gif": "", ".hidden/a.png": ""})
    return AssetFiles(root, set())


def test_a_file_is_found_by_its_path(files: AssetFiles) -> None:
    assert [files.find(path) for path in ("img/logo.png", "root.gif")] == ["img/logo.png", "root.gif"]


@pytest.mark.parametrize("path", ["img/Logo.png", "img/deep", "img", "no/logo.png", ".hidden/a.png", "img/logo.png/x"])
def test_a_folder_a_hidden_file_or_another_case_is_not_found(files: AssetFiles, path: str) -> None:
    assert files.find(path) is None


def test_a_name_is_found_in_any_unicode_form(tmp_path: Path) -> None:
    files = AssetFiles(write(tmp_path, {"img/cafe\u0301.png": ""}), set())
    assert files.find("img/caf\u00e9.png") == "img/cafe\u0301.png"


@pytest.mark.parametrize(
    ("path", "suggested"),
    [
        ("img/lgo.png", "img/logo.png"),
        ("imgs/logo.png", "img/logo.png"),
        ("img/dep/foto.jpg", "img/deep/photo.jpg"),
        ("IMG/LOGO.PNG", "img/logo.png"),
        ("elsewhere/logo.png", None),
    ],
)
def test_the_most_similar_path_is_suggested(files: AssetFiles, path: str, suggested: str | None) -> None:
    assert files.suggest(path) == suggested


def test_suggestions_end_after_a_number_of_comparisons(tmp_path: Path) -> None:
    files = AssetFiles(write(tmp_path, {f"img/{number}.png": "" for number in range(10)}), set(), max_comparisons=25)
    assert [files.suggest("img/1.pgn") is not None for _ in range(3)] == [True, True, False]


def test_a_lookup_records_the_paths_that_its_result_depends_on(tmp_path: Path) -> None:
    looked_into: set[str] = set()
    files = AssetFiles(write(tmp_path, {"img/logo.png": "", "root.gif": ""}), looked_into)
    files.find("img/logo.png"), files.find("root.gif"), files.find("none/deep/a.png")
    assert looked_into == {"img", "root.gif"}, "a new folder would change the names in the content folder"


def test_only_links_to_files_of_the_folder_are_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "site", {"img/a.png": ""})
    (tmp_path / "secret.png").touch()
    (root / "same.png").symlink_to("img/a.png")
    (root / "out.png").symlink_to(tmp_path / "secret.png")
    (root / "other").symlink_to("img")
    files = AssetFiles(root, set())
    assert files.find("same.png") == "img/a.png"
    for path in ("out.png", "other/a.png"):
        with pytest.raises(UnreadableFile) as error:
            files.find(path)
        assert error.value.problems[0].code == "bad-link"


def test_a_pipe_does_not_block_the_lookup(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnreadableFile) as error:
        AssetFiles(tmp_path, set()).find("pipe.png")
    assert error.value.problems[0].code == "special-file"


def test_a_walk_yields_all_files_of_a_folder(files: AssetFiles) -> None:
    assert [path for path, _ in files.walk("img")] == ["img/logo.png", "img/deep/photo.jpg"]
    assert [path for path, _ in files.walk("none")] == []


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
    """Return the paths of files that no entry refers to yet, so they are found by their names and bytes."""
    return PublishedPaths(folder, BASE, "static", {})


def test_a_path_in_the_asset_folder_starts_with_a_slash(paths: PublishedPaths) -> None:
    address = f"{BASE}{name_of('bench.png', png(3, 3))}?v=1"
    assert paths.as_written(address, None, "posts/hello.md") == "/img/bench.png?v=1"
    assert paths.target(address, "posts/hello.md", from_asset_folder=False) == "../static/img/bench.png?v=1"


def test_a_path_elsewhere_is_relative_to_the_linking_file(paths: PublishedPaths) -> None:
    assert paths.as_written(f"{BASE}{name_of('shelf.png', png(4, 4))}", None, "posts/hello.md") == "shelf.png"


def test_a_path_keeps_the_form_of_the_previous_one(paths: PublishedPaths) -> None:
    address = f"{BASE}{name_of('bench.png', png(3, 3))}"
    assert paths.as_written(address, "../static/img/bench.png", "posts/hello.md") == "../static/img/bench.png"
    assert paths.as_written([address, "x"], ["img/bench.png"], "posts/hello.md") == ["img/bench.png", "x"]


def test_an_address_of_an_unknown_file_stays(paths: PublishedPaths) -> None:
    other_bytes, elsewhere = f"{BASE}{name_of('bench.png', png(9, 9))}", "https://elsewhere.example.org/a.png"
    for value in (other_bytes, elsewhere, f"{BASE}bench.png", None, 3):
        assert paths.as_written(value, None, "posts/hello.md") == value


def test_the_published_name_of_a_known_file_needs_no_reading(folder: Path) -> None:
    name = f"bench-{'a' * 32}.png"
    file = PublishedFile(name, "static/img/bench.png", "static/img/bench.png", 1)
    assert (
        PublishedPaths(folder, BASE, "static", {name: file}).as_written(f"{BASE}{name}", None, "a.md")
        == "/img/bench.png"
    )
