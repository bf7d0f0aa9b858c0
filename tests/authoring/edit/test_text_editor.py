"""authoring.edit.text_editor: every format is edited through one interface, and a wrong result is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from contentsync.authoring.edit.json_edit import JsonEditor
from contentsync.authoring.edit.text_editor import (
    SourceText,
    Splice,
    TextEditor,
    apply_tree,
    build_tree,
    edited_bytes,
    without_emptied,
)
from contentsync.authoring.edit.toml_edit import TomlEditor
from contentsync.authoring.edit.yaml_edit import YamlEditor
from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import ABSENT, FieldPath, ValuePath
from contentsync.content.formats.item_reader import ListItem, read_list
from contentsync.errors import Problem, Refused, Where
from contentsync.model import Kind

YAML = "- title: A # first\n  slug: a\n- title: B # second\n  slug: b\n  seo: {title: S}\n"
INDENTED = "  - title: A\n    slug: a\n  - title: B\n    slug: b\n    seo: {title: S}\n"
JSON = '[\n {"title": "A", "slug": "a"},\n {"title": "B", "slug": "b", "seo": {"title": "S"}}\n]\n'
ONE_LINE = '[{"title": "A", "slug": "a"}, {"title": "B", "slug": "b", "seo": {"title": "S"}}]'
TOML = '[[tags]]\ntitle = "A" # first\nslug = "a"\n\n[[tags]]\ntitle = "B"\nslug = "b"\nseo = { title = "S" }\n'
HEADERS = '[[tags]]\ntitle = "A"\nslug = "a"\n\n[[tags]]\ntitle = "B"\nslug = "b"\n[tags.seo]\ntitle = "S"\n'
BRACES = 'tags = [\n  { title = "A", slug = "a" },\n  { title = "B", slug = "b", seo = { title = "S" } },\n]\n'

Make = Callable[[str], TextEditor]
FORMATS: dict[str, tuple[str, str, Make, ValuePath]] = {  # path, text, editor, and the steps to the list
    "yaml": ("a.yaml", YAML, lambda text: YamlEditor(text, items=2), ()),
    "yaml as a whole": ("a.yaml", YAML, YamlEditor, ()),
    "indented yaml": ("a.yaml", INDENTED, lambda text: YamlEditor(text, items=2), ()),
    "json": ("a.json", JSON, JsonEditor, ()),
    "json on one line": ("a.json", ONE_LINE, JsonEditor, ()),
    "toml": ("a.toml", TOML, lambda text: TomlEditor(text, "a.toml"), ("tags",)),
    "toml with headers": ("a.toml", HEADERS, lambda text: TomlEditor(text, "a.toml"), ("tags",)),
    "toml in braces": ("a.toml", BRACES, lambda text: TomlEditor(text, "a.toml"), ("tags",)),
}
CHANGES: list[dict[tuple[str, ...], Any]] = [
    {("title",): "New"},
    {("slug",): ABSENT},
    {("description",): "Two\nlines", ("title",): "It's"},
    {("seo", "title"): "T", ("seo", "description"): "D"},
    {("seo",): {"description": "D"}},
    {("seo",): ABSENT, ("slug",): ABSENT},
    {("labels",): ["x", "y z"]},
]
form = pytest.mark.parametrize(("path", "text", "make", "steps"), FORMATS.values(), ids=FORMATS)


def read(path: str, text: str) -> list[dict[str, Any]]:
    return [entry.draft.values for entry in read_list(text, Kind.TAG, path) if isinstance(entry, ListItem)]


def result(path: str, text: str, editor: TextEditor, expected: list[dict[str, Any]]) -> str:
    """Apply the edits, compare what is read afterwards, and return the new text."""
    data = edited_bytes(SourceText(text.encode()), path, editor.splices, lambda new: read(path, new), expected)
    return data.decode()


@form
@pytest.mark.parametrize("changes", CHANGES, ids=range(len(CHANGES)))
def test_one_entry_changes_and_the_others_keep_their_text(
    path: str, text: str, make: Make, steps: ValuePath, changes: dict[tuple[str, ...], Any]
) -> None:
    editor, tree, values = make(text), build_tree(changes), read(path, text)
    editor.edit((*steps, 1), tree)
    after = result(path, text, editor, [values[0], apply_tree(values[1], editor.as_read(tree))])
    first_entry_end = text.index("a", text.index("slug")) + 1
    assert after.startswith(text[:first_entry_end])


@form
def test_every_entry_changes_in_one_edit(path: str, text: str, make: Make, steps: ValuePath) -> None:
    editor, values = make(text), read(path, text)
    for number in (0, 1):
        editor.edit((*steps, number), build_tree({("title",): f"New {number}"}))
    result(path, text, editor, [{**it, "title": f"New {number}"} for number, it in enumerate(values)])


@pytest.mark.parametrize(
    ("path", "text", "make", "steps"), [FORMATS[name] for name in FORMATS if name != "toml in braces"]
)
def test_new_entries_follow_the_last_one(path: str, text: str, make: Make, steps: ValuePath) -> None:
    editor, values = make(text), read(path, text)
    editor.append(steps, [{"title": "C", "slug": "c"}, {"title": "D"}])
    after = result(path, text, editor, [*values, {"title": "C", "slug": "c"}, {"title": "D"}])
    assert after.startswith(text.rstrip(" \n]"))


@form
def test_an_editor_without_edits_has_no_splices(path: str, text: str, make: Make, steps: ValuePath) -> None:
    assert make(text).splices == make(text.rstrip("\n")).splices == []


def test_an_edit_that_would_be_read_as_other_values_is_refused() -> None:
    source, splices = SourceText(b"- title: A\n"), [Splice(9, 10, "B: C")]
    with pytest.raises(Refused, match=r"a\.yaml is written in a way that cannot be changed in place"):
        edited_bytes(source, "a.yaml", splices, str.upper, "- TITLE: B\n")


def test_an_edit_that_would_be_unreadable_is_refused_with_the_reason() -> None:
    def fail(text: str) -> str:
        raise UnreadableFile(Problem("yaml-syntax", "there is a tab here", Where("a.yaml", 1)))

    with pytest.raises(Refused, match=r"a\.yaml: there is a tab here, with the new values"):
        edited_bytes(SourceText(b"a"), "a.yaml", [], fail, "a")


def test_an_object_is_removed_with_its_last_key() -> None:
    values = {"seo": {"title": "T", "card": {"image": "I"}}, "other": {"a": 1, "b": 2}}
    changes: dict[FieldPath, Any] = {
        ("seo", "title"): ABSENT,
        ("seo", "card", "image"): ABSENT,
        ("other", "a"): ABSENT,
    }
    tree = without_emptied(build_tree(changes), values)
    assert apply_tree(values, tree) == {"other": {"b": 2}}


def test_an_object_stays_if_it_gets_another_key() -> None:
    changes: dict[FieldPath, Any] = {("seo", "title"): ABSENT, ("seo", "description"): "D"}
    tree = without_emptied(build_tree(changes), {"seo": {"title": "T"}})
    assert apply_tree({"seo": {"title": "T"}}, tree) == {"seo": {"description": "D"}}
