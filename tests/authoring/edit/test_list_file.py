"""contentsync.authoring.edit.list_file: entries of nested lists, JSON and TOML change where they are, or not at all."""

from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.content.folder.load import load_content
from contentsync.errors import Refused
from contentsync.model import Kind

from ...content.conftest import Files, write
from .pulls import Changes, entry, incoming, pulled

SETTINGS = """\
[content.listings]
items = "groups[].entries[]"
inherit = { categories = "groups[].title" }
rename = { about = "description" }
"""
COMMON: Files = {"contentsync.toml": SETTINGS, "categories.yaml": "- title: Wood\n- title: Metal\n"}
CHANGES: Changes = {
    (Kind.LISTING, "b"): {"name": "B2", "description": "New", "categories": ["metal"]},
    (Kind.LISTING, "c"): {"description": None, "is_featured": True},
}
YAML = """\
groups:
  - title: Wood  # the first
    entries:
      - {name: A, slug: a}
      - name: B # two

        slug: b
  - entries:
      - {about: Old, name: C, slug: c}
    title: Metal
"""
YAML_AFTER = """\
groups:
  - title: Wood  # the first
    entries:
      - {name: A, slug: a}
      - name: B2 # two

        slug: b
        about: New
        categories: [metal]
  - entries:
      - {about: null, name: C, slug: c, is_featured: true}
    title: Metal
"""
JSON = """\
{"groups": [
  {"title": "Wood", "entries": [{"name": "A", "slug": "a"}, {"name": "B", "slug": "b"}]},
  {"entries": [
    {
      "about": "Old",
      "name": "C", "slug": "c"
    }], "title": "Metal"}
]}"""
JSON_AFTER = """\
{"groups": [
  {"title": "Wood", "entries": [{"name": "A", "slug": "a"}, {"name": "B2", "slug": "b", "about": "New",\
 "categories": ["metal"]}]},
  {"entries": [
    {
      "about": null,
      "name": "C", "slug": "c", "is_featured": true
    }], "title": "Metal"}
]}"""
TOML = """\
# Tools
[[groups]]
title = "Wood"
[[groups.entries]]
name = "A"
slug = "a"
[[groups.entries]]
name = "B" # two
slug = "b"

[[groups]]
title = "Metal"
[[groups.entries]]
about = "Old"
name = "C"
slug = "c"
"""
TOML_AFTER = """\
# Tools
[[groups]]
title = "Wood"
[[groups.entries]]
name = "A"
slug = "a"
[[groups.entries]]
name = "B2" # two
categories = ["metal"]
about = "New"
slug = "b"

[[groups]]
title = "Metal"
[[groups.entries]]
name = "C"
is_featured = true
slug = "c"
"""


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("listings/a.yaml", YAML, YAML_AFTER),
        ("listings/a.json", JSON, JSON_AFTER),
        ("listings/a.json", JSON.replace("\n", "").replace(" ", ""), None),
        ("listings/a.toml", TOML, TOML_AFTER),
    ],
)
def test_entries_of_nested_lists_are_changed_in_place(
    tmp_path: Path, path: str, before: str, after: str | None
) -> None:
    result = pulled(tmp_path, {**COMMON, path: before}, CHANGES)
    if after is not None:
        assert result == {path: after}
    fields = {it.key: it.fields for it in load_content(tmp_path).entries}
    assert [fields[key]["name"] for key in "abc"] == ["A", "B2", "C"]
    assert [fields[key]["categories"] for key in "abc"] == [["wood"], ["metal"], ["metal"]]
    assert fields["b"]["description"] == "New"
    assert (fields["c"].get("description"), fields["c"]["is_featured"]) == (None, True)


def test_new_entries_go_into_a_plain_list_instead_of_nested_ones(tmp_path: Path) -> None:
    after = pulled(tmp_path, {**COMMON, "listings/a.yaml": YAML}, new=[entry(Kind.LISTING, "new")])
    assert after == {"listings/pulled.yaml": "- name: Title\n  slug: new\n"}
    more = plan_edits(content := load_content(tmp_path), incoming(content, {}, [entry(Kind.LISTING, "more")], ()))
    assert [(edit.path, edit.after) for edit in more] == [
        ("listings/pulled.yaml", b"- name: Title\n  slug: new\n- name: Title\n  slug: more\n")
    ]


def refusal(folder: Path, files: Files, changes: Changes, new: bool = False) -> str:
    content = load_content(write(folder, files))
    assert not content.errors
    added = [entry(Kind.LISTING, "new")] if new else []
    with pytest.raises(Refused) as raised:
        plan_edits(content, incoming(content, changes, added, ()))
    return str(raised.value)


def test_a_new_entry_in_the_only_nested_file_is_refused(tmp_path: Path) -> None:
    files = {**COMMON, "contentsync.toml": SETTINGS + 'path = "data/a.yaml"\n', "data/a.yaml": YAML}
    assert "has nested lists" in refusal(tmp_path, files, {}, new=True)


def test_an_entry_of_an_inline_toml_table_is_changed_in_place(tmp_path: Path) -> None:
    text = 'groups = [{ title = "Wood", entries = [{ name = "B", slug = "b" }] }]\n'
    after = pulled(tmp_path, {**COMMON, "listings/a.toml": text}, {(Kind.LISTING, "b"): {"name": "X"}})
    assert after == {"listings/a.toml": text.replace('"B"', '"X"')}


def test_several_entries_of_toml_in_one_line_are_refused(tmp_path: Path) -> None:
    text = 'listings = [{ name = "A", slug = "a" }, { name = "B", slug = "b" }]\n'
    message = refusal(tmp_path, {"listings/a.toml": text}, {(Kind.LISTING, "b"): {"name": "X"}})
    assert "cannot be changed in place" in message


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "tags.json",
            '[{"title": "A", "slug": "a"}]\n',
            '[{"title": "X", "slug": "a"}, {"title": "Title", "slug": "new"}]\n',
        ),
        ("tags.json", "", '[\n  {\n    "title": "Title",\n    "slug": "new"\n  }\n]\n'),
        (
            "tags.toml",
            '[[tag]]\ntitle = "A"\nslug = "a"',
            '[[tag]]\ntitle = "X"\nslug = "a"\n\n[[tag]]\ntitle = "Title"\nslug = "new"\n',
        ),
        ("tags.toml", "", '[[tags]]\ntitle = "Title"\nslug = "new"\n'),
    ],
)
def test_new_entries_are_added_to_json_and_toml(tmp_path: Path, path: str, before: str, after: str) -> None:
    files = {path: before, "contentsync.toml": f'[content.tags]\npath = "{path}"\n'}
    changes: Changes = {(Kind.TAG, "a"): {"title": "X"}} if before else {}
    assert pulled(tmp_path, files, changes, [entry(Kind.TAG, "new")]) == {path: after}


@pytest.mark.parametrize(("path", "text"), [("tags.json", '{"title": "A"}'), ("tags.toml", 'title = "A"\n')])
def test_adding_an_entry_to_a_single_entry_json_or_toml_file_is_refused(tmp_path: Path, path: str, text: str) -> None:
    content = load_content(write(tmp_path, {path: text, "contentsync.toml": f'[content.tags]\npath = "{path}"\n'}))
    with pytest.raises(Refused, match="single entry"):
        plan_edits(content, incoming(content, {}, [entry(Kind.TAG, "new")], ()))


def test_a_toml_table_inside_an_entry_stays_in_this_entry(tmp_path: Path) -> None:
    text = '[[x]]\nname = "A"\nslug = "a"\n[[x]]\nname = "B"\nslug = "b"\n'
    changes: Changes = {(Kind.LISTING, "a"): {"schema": {"@type": "Thing"}}}
    after = pulled(tmp_path, {"listings/a.toml": text}, changes)["listings/a.toml"]
    assert after == text.replace('"A"\n', '"A"\nschema = { "@type" = "Thing" }\n')
