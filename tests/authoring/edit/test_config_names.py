"""contentsync.authoring.edit.config_names: a custom field gets its new name in the config, and nothing else changes."""

from pathlib import Path

import pytest

from contentsync.authoring.edit.config_names import rename_in_config
from contentsync.authoring.edit.folder_index import FolderIndex
from contentsync.content.config.config import read_config
from contentsync.content.files.content_folder import CONFIG
from contentsync.errors import ContentError
from contentsync.model import Kind

from ...content.conftest import write
from .test_new_names import pulled

NEW_NAMES = {(Kind.LISTING, "level"): "grade"}


def renamed(folder: Path, config: str) -> str | None:
    """Return the config after the rename of a custom field of listings; None if it does not name the field."""
    write(folder, {CONFIG: config})
    index = FolderIndex(folder, read_config(folder)[0])
    return index.read_bytes(CONFIG).decode() if rename_in_config(index, NEW_NAMES) else None


@pytest.mark.parametrize(
    "config",
    [
        '[content.listings]\nrename = { "Skill level" = "FIELD", b = "name" } # why\nignore = ["level"]\n',
        "[content.listings.rename]\n# why\n'Skill level' = 'FIELD'\nb = '!FIELD'\n",
        '[content]\nlistings.rename.x = "FIELD"\n\n[site]\nname = "level"\n',
        '[content.listings]\nitems = "groups[].items[]"\ninherit = { FIELD = "groups[].level" }\n',
        '[propose.submissions]\nFIELD = "level"\n',
    ],
)
def test_a_new_name_replaces_the_field_and_nothing_else(tmp_path: Path, config: str) -> None:
    after = renamed(tmp_path, config.replace("FIELD", "level"))
    assert after is not None
    assert after.replace("'", '"') == config.replace("FIELD", "grade").replace("'", '"')


@pytest.mark.parametrize(
    "config",
    ["", '[content.listings]\nrename = { level = "name" }\n', '[content.articles]\nrename = { a = "level" }\n'],
)
def test_a_config_that_does_not_name_the_field_stays_unchanged(tmp_path: Path, config: str) -> None:
    assert renamed(tmp_path, config) is None


def test_the_folder_index_has_the_new_config_after_a_rename(tmp_path: Path) -> None:
    write(tmp_path, {CONFIG: '[content.listings]\nrename = { x = "level" }\n'})
    index = FolderIndex(tmp_path, read_config(tmp_path)[0])
    assert rename_in_config(index, NEW_NAMES)
    assert index.config.content[Kind.LISTING].rename == {"x": "grade"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "- name: A\n  Skill level: '3'\n- {name: B, level: x}\n"),
        ("a.csv", "name,Skill level,level\nA,3,\n"),
        ("a.md", "---\nname: A\nSkill level: '3'\n---\n"),
    ],
)
def test_a_key_that_the_config_maps_to_the_field_keeps_its_name(tmp_path: Path, path: str, text: str) -> None:
    config = '[content.listings]\nrename = { "Skill level" = "level" }\n'
    if path.endswith(".csv"):
        text = text.replace(",level", "").replace("3,", "3")
    after = pulled(tmp_path, {CONFIG: config, f"listings/{path}": text})
    assert after[CONFIG] == config.replace('"level"', '"grade"')
    assert after.get(f"listings/{path}", text) == text.replace("level: x", "grade: x")


def test_a_config_behind_a_symbolic_link_is_not_replaced(tmp_path: Path) -> None:
    write(tmp_path, {"real.toml": '[content.listings]\nrename = { x = "level" }\n'})
    (tmp_path / CONFIG).unlink()
    (tmp_path / CONFIG).symlink_to("real.toml")
    index = FolderIndex(tmp_path, read_config(tmp_path)[0])
    with pytest.raises(ContentError):
        rename_in_config(index, NEW_NAMES)
