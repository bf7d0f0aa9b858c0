"""contentsync.content.pictures.asset_files: files of the folder by their exact paths."""

import os
from pathlib import Path

import pytest

from contentsync.content.draft import UnreadableFile
from contentsync.content.pictures.asset_files import AssetFiles

from ..conftest import write


@pytest.fixture
def files(tmp_path: Path) -> AssetFiles:
    root = write(tmp_path / "site", {"img/logo.png": "", "img/deep/photo.jpg": "", "root.gif": "", ".hidden/a.png": ""})
    return AssetFiles(root, set())


def test_a_file_is_found_by_its_path(files: AssetFiles) -> None:
    assert [files.find(path) for path in ("img/logo.png", "root.gif")] == ["img/logo.png", "root.gif"]


@pytest.mark.parametrize("path", ["img/Logo.png", "img/deep", "img", "no/logo.png", ".hidden/a.png", "img/logo.png/x"])
def test_another_case_a_folder_and_a_hidden_file_are_not_found(files: AssetFiles, path: str) -> None:
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
def test_the_most_similar_path_is_suggested_folder_by_folder(
    files: AssetFiles, path: str, suggested: str | None
) -> None:
    assert files.suggest(path) == suggested


def test_suggestions_end_when_the_comparisons_are_used_up(tmp_path: Path) -> None:
    files = AssetFiles(write(tmp_path, {f"img/{number}.png": "" for number in range(10)}), set(), max_comparisons=25)
    assert [files.suggest("img/1.pgn") is not None for _ in range(3)] == [True, True, False]


def test_what_an_answer_depends_on_is_recorded(tmp_path: Path) -> None:
    looked_into: set[str] = set()
    files = AssetFiles(write(tmp_path, {"img/logo.png": "", "root.gif": ""}), looked_into)
    files.find("img/logo.png"), files.find("root.gif"), files.find("none/deep/a.png")
    assert looked_into == {"img", "root.gif"}, "a new folder would change the names in the content folder"


def test_links_are_followed_to_files_of_the_folder_only(tmp_path: Path) -> None:
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


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnreadableFile) as error:
        AssetFiles(tmp_path, set()).find("pipe.png")
    assert error.value.problems[0].code == "special-file"


def test_a_walk_yields_all_files_below_a_folder(files: AssetFiles) -> None:
    assert [path for path, _ in files.walk("img")] == ["img/logo.png", "img/deep/photo.jpg"]
    assert [path for path, _ in files.walk("none")] == []
