"""contentsync.authoring.edit.config_names: a custom field gets its new name in the config, and nothing else changes."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from contentsync.authoring.edit.config_names import rename_in_config
from contentsync.authoring.edit.folder_index import FolderIndex
from contentsync.content.config.config import read_config
from contentsync.content.files.content_folder import CONFIG
from contentsync.errors import ContentError
from contentsync.model import EntryKey, Kind

from ...content.conftest import write
from .test_new_names import pulled

NEW_NAMES = {(Kind.LISTING, "level"): "grade"}


def renamed(folder: Path, config: str, entries: Mapping[EntryKey, str] = MappingProxyType({})) -> str | None:
    """Return the config after the rename of entries, or of a custom field of listings; None if it names none."""
    write(folder, {CONFIG: config})
    index = FolderIndex(folder, read_config(folder)[0])
    return index.read_bytes(CONFIG).decode() if rename_in_config(index, {} if entries else NEW_NAMES, entries) else None


@pytest.mark.parametrize(
    "config",
    [
        '[content.listings]\nrename = { "Skill level" = "FIELD", b = "name" } # why\nignore = ["level"]\n',
        "[content.listings.rename]\n# why\n'Skill level' = 'FIELD'\nb = '!FIELD'\n",
        '[content]\nlistings.rename.x = "FIELD"\n\n[site]\nname = "level"\n',
        '[content.listings]\nitems = "groups[].items[]"\ninherit = { FIELD = "groups[].level" }\n',
        '[propose.submissions]\nFIELD = "level"\n',
        '[rules.listing]\nrequire = "FIELD"\nmin = { FIELD = 5 } # why\nwhen = ["name = level", "FIELD > 2"]\n',
        '[[rules.listing]]\nunique = ["name"]\n[[rules.listing]]\nrequire = [\n  "FIELD", # why\n]\n',
        "[rules.listing]\n[rules.listing.max]\nFIELD = 2026-03-01\n[rules.page]\nrequire = ['level']\n",
        '[rules]\nlisting = [{ unique = ["FIELD"], when = { FIELD = "level" } }]\n',
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


@pytest.mark.parametrize(
    "config",
    [
        '[[rules.listing]]\nrequire = ["tags"]\nwhen = { tag = "NAME", name = "bike" }\n',
        "[rules.listing]\nunique = ['email']\nwhen = ['tags = NAME', 'tags ~ bike', 'name = bike']\n",
        "[rules.listing]\nunique = ['email']\nwhen = 'tags != NAME'\n",
        '[rules.listing.allowed]\ntags = [\n  "NAME", # why\n  "old",\n]\n',
        '[rules.listing.allowed]\ncategories = ["bike"]\ntags = ["NAME"]\n',
        '[propose]\nsubmissions = { tags = "NAME", description = "bike" }\n',
    ],
)
def test_settings_and_rules_name_an_entry_by_its_new_name(tmp_path: Path, config: str) -> None:
    after = renamed(tmp_path, config.replace("NAME", "bike"), {(Kind.TAG, "bike"): "bicycle"})
    assert after is not None
    assert after.replace("'", '"') == config.replace("NAME", "bicycle").replace("'", '"')


def test_two_names_of_one_entry_become_one_in_a_rule(tmp_path: Path) -> None:
    config = '[rules.listing]\nallowed = { tags = ["bike", "old", "bicycle"] }\n'
    after = renamed(tmp_path, config, {(Kind.TAG, "bike"): "bicycle"})
    assert after == '[rules.listing]\nallowed = { tags = ["bicycle", "old"] }\n'


def test_the_folder_index_has_the_new_config_after_a_rename(tmp_path: Path) -> None:
    write(tmp_path, {CONFIG: '[content.listings]\nrename = { x = "level" }\n'})
    index = FolderIndex(tmp_path, read_config(tmp_path)[0])
    assert rename_in_config(index, NEW_NAMES, {})
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
        rename_in_config(index, NEW_NAMES, {})
