"""contentsync.authoring.edit.new_names: a pulled key replaces the old one in every form, and nothing else."""

from pathlib import Path

import pytest

from contentsync.authoring.edit.file_edits import RemoteChanges
from contentsync.authoring.edit.new_names import find_new_names
from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.file_writes import swap_files
from contentsync.model import Entry, Kind

from ...content.conftest import Files, write

NAMES: Files = {
    "categories.yaml": "- {title: Old one, slug: old}\n- {title: Other, slug: other, parent_id: old}\n",
    "tags.yaml": "[{title: r, slug: old}]\n",
    "custom_fields.yaml": "- {label: L, name: level, type: text}\n",
}
OLD = (Kind.CATEGORY, "old")
CHANGES = {OLD: {"slug": "new", "title": "New: one"}, (Kind.CUSTOM_FIELD, "level"): {"name": "grade"}}


def pulled(folder: Path, files: Files) -> dict[str, str]:
    """Return the texts of the files after a pull of a category and a custom field with new keys."""
    content = load_content(write(folder, {**NAMES, **files}))
    assert not content.errors, content.errors
    records = {}
    for entry in content.entries:
        fields = CHANGES.get((entry.kind, entry.key), {})
        key = str(fields.get("slug") or fields.get("name") or entry.key)
        records[entry.kind, entry.key] = Entry(entry.kind, key, {**entry.fields, **fields}, id=1)
    edits = plan_edits(content, RemoteChanges(CHANGES, [], records, [*records.values()]))
    swap_files(folder, {edit.location: (edit.before, edit.after) for edit in edits})
    assert not load_content(folder).errors
    return {edit.path: edit.after.decode() for edit in edits if edit.after is not None}


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("a.yaml", "- name: A\n  categories: [KEY ,other]\n", ""),
        ("a.yaml", "- name: A\n  categories:\n  - other\n  # why\n  - 'KEY' # old\n  tags: [old]\n", ""),
        ("a.yaml", "- {name: old, slug: old, categories: [other, TITLE], FIELD: old}\n", '"New: one"'),
        ("a.yaml", "- name: A\n  categories: ['TITLE'] # x\n  \"FIELD\": old\n", "New: one"),
        ("a.yaml", "- name: A\n  categories:\n  - |-  # why\n    KEY\n  # after\n  - other\n", ""),
        ("a.yaml", "name: A\ncategory_id: >-\n  KEY\n\ntags: [old]", ""),
        ("a.yaml", '- name: A\n  categories: [!!str KEY, "other"]\n', ""),
        ("a.json", '[{"name": "A", "FIELD": "old" , "categories":["TITLE","other"]}]\n', "New: one"),
        ("a.json", '{"name": "A", "tags": ["old"], "categories": ["other", "KEY"]}', ""),
        ("a.toml", "[[listings]]\nname = 'A'\nFIELD = 1 # level\ncategories = [\n  'other',\n  'KEY', # old\n]\n", ""),
        ("a.toml", "name = 'A'\ncategories = [ # not 'old'\n  'KEY',\n]\n", ""),
        ("a.csv", 'name,"FIELD",categories,tags\nA,"old, x",other | KEY,old\nB,,"TITLE",\n', "New: one"),
        ("a.md", "+++\nname = 'A'\nFIELD = 'old'\ncategory_id = 'KEY'\n+++\nold level\n", ""),
    ],
)
def test_new_names_replace_only_the_references_to_the_entry(tmp_path: Path, path: str, text: str, title: str) -> None:
    """`title` is how the new title is written."""
    before = text.replace("KEY", "old").replace("TITLE", "Old one").replace("FIELD", "level")
    after = text.replace("KEY", "new").replace("TITLE", title).replace("FIELD", "grade")
    assert pulled(tmp_path, {f"listings/{path}": before})[f"listings/{path}"] == after


def test_a_parent_and_an_inherited_category_are_references(tmp_path: Path) -> None:
    files = {
        "contentsync.toml": '[content.listings]\nitems = "groups[].items[]"\n'
        'inherit = { categories = "groups[].cat" }\n',
        "listings/a.yaml": "groups:\n- cat: old # of all\n  items: [{name: A}, {name: B}]\n",
    }
    after = pulled(tmp_path, files)
    assert after["categories.yaml"] == (
        '- {title: "New: one", slug: new}\n- {title: Other, slug: other, parent_id: new}\n'
    )
    assert after["listings/a.yaml"] == files["listings/a.yaml"].replace("old", "new")


def test_a_reference_without_a_known_location_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"listings/a\.toml is written in a way that cannot be changed in place"):
        pulled(tmp_path, {"listings/a.toml": "listings = [{ name = 'old', categories = ['old'] }]\n"})


@pytest.mark.parametrize("title", ["=1+1", "a|b", " a"])
def test_a_cell_gets_the_key_if_it_cannot_contain_the_new_title(tmp_path: Path, title: str) -> None:
    content = load_content(write(tmp_path, {**NAMES, "listings/a.csv": "name,categories\nA,Old one|other\n"}))
    records = {(entry.kind, entry.key): entry for entry in content.entries}
    edits = plan_edits(content, RemoteChanges({OLD: {"title": title}}, [], records, []))
    (table,) = (edit.after for edit in edits if edit.path == "listings/a.csv")
    assert table == b"name,categories\nA,old|other\n"


def test_a_title_that_becomes_the_key_of_another_entry_is_replaced_by_a_key(tmp_path: Path) -> None:
    """The name would mean the other entry from then on, without any error."""
    content = load_content(write(tmp_path, {"tags.yaml": "[{title: b, slug: a}, {title: x, slug: c}]\n"}))
    records = {(entry.kind, entry.key): entry for entry in content.entries}
    changes = {(Kind.TAG, "c"): {"slug": "b"}}
    records[Kind.TAG, "c"] = Entry(Kind.TAG, "b", {"slug": "b", "title": "x"}, id=1)
    names = find_new_names(content.entries, RemoteChanges(changes, [], records, []))
    assert names.entries == {(Kind.TAG, "b"): "a", (Kind.TAG, "c"): "b"}
