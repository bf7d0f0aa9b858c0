"""The names of a folder's entries: written after a load without errors, and only if they have changed."""

from pathlib import Path

import pytest

from contentsync.content.files.completion_names import NAMES_FILE, read_names
from contentsync.content.folder.load import load_content, load_valid_content, validate_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a content folder with a page, two tags and a listing."""
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/about.md").write_text("---\ntitle: A\n---\n", encoding="utf-8")
    (tmp_path / "tags.yaml").write_text("- title: New\n- title: Old\n", encoding="utf-8")
    (tmp_path / "listings").mkdir()
    (tmp_path / "listings/a.csv").write_text("name,url\nA,https://example.com/a\n", encoding="utf-8")
    return tmp_path


NAMES = ["listing/https://example.com/a", "page/about", "tag/new", "tag/old"]


def test_validate_writes_the_names_of_all_entries(folder: Path) -> None:
    assert read_names(folder) == []
    validate_folder(folder)
    assert sorted(read_names(folder)) == NAMES


def test_a_load_without_errors_writes_the_same_names(folder: Path) -> None:
    load_content(folder)  # of a folder that may have errors
    assert read_names(folder) == []
    load_valid_content(folder)
    assert sorted(read_names(folder)) == NAMES
    before = (folder / NAMES_FILE).stat()
    validate_folder(folder)
    assert (folder / NAMES_FILE).stat() == before


def test_the_names_change_with_the_entries(folder: Path) -> None:
    validate_folder(folder)
    (folder / "pages/about.md").rename(folder / "pages/us.md")
    validate_folder(folder)
    assert "page/us" in read_names(folder)
    assert "page/about" not in read_names(folder)


def test_a_folder_with_errors_keeps_the_previous_names(folder: Path) -> None:
    validate_folder(folder)
    (folder / "pages/about.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
    assert validate_folder(folder).errors
    assert sorted(read_names(folder)) == NAMES


def test_names_are_not_written_through_a_link(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / ".contentsync").symlink_to(elsewhere)
    assert not validate_folder(folder).errors
    assert [*elsewhere.iterdir()] == []
