"""contentsync.authoring.scaffold: the content of new files."""

import re
import tomllib
from pathlib import Path

import pytest

from contentsync.authoring.scaffold import document_text, entry_lines, list_item_text, starter_files
from contentsync.content.config.collection_settings import CollectionSettings
from contentsync.content.config.config import read_config
from contentsync.content.folder.load import load_content
from contentsync.model import Kind

from ..content.conftest import Load, only, spots, write

PLACES = {
    Kind.CATEGORY: "categories.yaml",
    Kind.TAG: "tags.yaml",
    Kind.CUSTOM_FIELD: "custom_fields.yaml",
    Kind.ORGANIZER: "organizers/my-first-one.md",
    Kind.LISTING: "listings/my-first-one.md",
    Kind.PAGE: "pages/my-first-one.md",
    Kind.ARTICLE: "articles/my-first-one.md",
}
COMMENTED = re.compile(r"^( *)# (?=[a-z_]+: )", re.MULTILINE)


def text(kind: Kind, slug: str = "my-first-one", folder: CollectionSettings | None = None) -> str:
    lines = entry_lines(
        kind, slug.replace("-", "_") if kind is Kind.CUSTOM_FIELD else slug, folder or CollectionSettings(), ()
    )
    return list_item_text(lines) if PLACES[kind].endswith(".yaml") else document_text(kind, lines)


@pytest.mark.parametrize("kind", Kind)
def test_a_new_entry_is_valid_and_has_a_title_made_from_its_slug(read: Load, kind: Kind) -> None:
    entry = only(read({PLACES[kind]: text(kind)}))
    assert entry.key in ("my-first-one", "my_first_one")
    assert "My first one" in entry.fields.values()


@pytest.mark.parametrize("kind", Kind)
def test_every_commented_key_of_a_new_entry_is_valid(read: Load, kind: Kind) -> None:
    whole, taken = COMMENTED.subn(r"\1", text(kind))
    assert taken > 2
    # The entries that it names are not there.
    assert {spot.code for spot in spots(read({PLACES[kind]: whole}))} <= {"unchecked-reference", "unknown-reference"}


@pytest.mark.parametrize("kind", [Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER, Kind.LISTING])
def test_a_new_entry_is_hidden_from_visitors(read: Load, kind: Kind) -> None:
    """PL-19"""
    shown = {"active", "is_active", "is_published"}
    assert [value for name, value in only(read({PLACES[kind]: text(kind)})).fields.items() if name in shown] == [False]


@pytest.mark.parametrize("slug", ["null", "no", "2026", "1e3", "0-1", "-a-", "true"])
def test_a_slug_that_yaml_reads_as_another_type_still_makes_a_title(read: Load, slug: str) -> None:
    entry = only(read({"listings/a.md": text(Kind.LISTING, slug)}))
    assert entry.key == slug
    assert entry.fields["name"] == slug.strip("-").replace("-", " ").capitalize()


def test_a_new_entry_uses_the_keys_of_the_folder(read: Load) -> None:
    config = '[content.articles]\nrename = { date = "published_at", draft = "!active", Title = "title" }\n'
    rename = tomllib.loads(config)["content"]["articles"]["rename"]
    new = text(Kind.ARTICLE, folder=CollectionSettings(rename=rename))
    assert "Title: My first one\n" in new
    assert "draft: true\n" in new
    assert "# date: 2026-03-01 09:00\n" in new
    entry = only(read({"contentsync.toml": config, "articles/my-first-one.md": new}))
    assert (entry.fields["title"], entry.fields["active"]) == ("My first one", False)


@pytest.mark.parametrize(
    ("type_", "options"),
    [(type_, "") for type_ in ("text", "number", "rating", "checkbox", "date", "url", "email", "list", "file_upload")]
    + [(type_, "[One, Two]") for type_ in ("select", "multi_select", "list")],
)
def test_a_required_custom_field_gets_a_placeholder_value(read: Load, type_: str, options: str) -> None:
    declared = f"- {{label: Since, type: {type_}, is_required: true, options: {options or '[]'}}}\n"
    definition = only(read({"custom_fields.yaml": declared})).fields
    new = document_text(Kind.LISTING, entry_lines(Kind.LISTING, "a", CollectionSettings(), [definition]))
    content = read({"custom_fields.yaml": declared, "listings/a.md": new})
    assert content.problems == ()
    assert "since" in content.entries[-1].fields


def test_the_example_folder_has_one_entry_of_each_kind_and_no_problems(tmp_path: Path) -> None:
    content = load_content(write(tmp_path, dict(starter_files())))
    assert content.problems == ()
    assert sorted(entry.kind for entry in content.entries) == sorted(Kind)


def test_every_commented_line_of_the_example_config_is_valid(tmp_path: Path) -> None:
    config = starter_files()["contentsync.toml"].decode()
    whole, taken = re.subn(r"^# (?=\[|[a-z_]+ = )", "", config, flags=re.MULTILINE)
    assert taken >= 5
    tomllib.loads(whole)
    assert read_config(write(tmp_path, {"contentsync.toml": whole}))[1] == []


def test_the_state_folder_is_ignored_by_git() -> None:
    assert starter_files()[".gitignore"] == b".contentsync/\n"
