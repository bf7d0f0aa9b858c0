"""contentsync.authoring.edit.json_edit: objects change in place, and everything around the changes stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.authoring.edit.json_edit import JsonEditor
from contentsync.authoring.edit.text_editor import Leaf, SourceText, Tree
from contentsync.content.formats.draft import ABSENT

KEYS = st.sampled_from(["a", "b", "c", "d", "é"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=5)
OBJECTS = st.dictionaries(KEYS, SCALARS | st.lists(SCALARS, max_size=3), max_size=4)


def edited(text: str, tree: dict[str, object]) -> str:
    source = SourceText(text.encode())
    editor = JsonEditor(source.text)
    changes: Tree = {key: Leaf(value) for key, value in tree.items()}
    editor.edit((0,) if text.startswith("[") else (), changes)
    return source.spliced_bytes(editor.splices).decode()


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ('[{"a": 1, "b": 2}]', {"a": 3}, '[{"a": 3, "b": 2}]'),
        ('{"a":1,"b":2}', {"c": [1, 2]}, '{"a":1,"b":2,"c":[1, 2]}'),
        ('{"a": 1}', {"b": "x"}, '{"a": 1, "b": "x"}'),
        ("{}", {"b": "x", "c": None}, '{"b": "x", "c": null}'),
        ('{\r\n\t"a" : 1\r\n}\r\n', {"b": {"x": True}}, '{\r\n\t"a" : 1,\r\n\t"b" : {"x": true}\r\n}\r\n'),
        ('{\n  "a": [\n    1\n  ]\n}', {"a": ["é"]}, '{\n  "a": [\n    "é"\n  ]\n}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', {"b": ABSENT}, '{\n  "a": 1,\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', {"b": ABSENT, "c": ABSENT}, '{\n  "a": 1\n}'),
        ('{"a": 1, "b": 2}', {"a": ABSENT, "b": ABSENT, "c": 3}, '{"c": 3}'),
        ('{"a": 1.50, "b": "\\u00e9"}', {"a": 1.5, "b": "é", "c": ABSENT}, '{"a": 1.50, "b": "\\u00e9"}'),
    ],
)
def test_an_edit_changes_only_the_differing_json_values(before: str, changes: dict[str, object], after: str) -> None:
    assert edited(before, changes) == after


def test_a_part_of_an_object_is_changed_in_place() -> None:
    text = '{"seo": {"title": "A", "x": 1}}'
    editor = JsonEditor(text)
    editor.edit((), {"seo": {"title": Leaf("B")}})
    (splice,) = editor.splices
    assert text[: splice.start] + splice.text + text[splice.end :] == '{"seo": {"title": "B", "x": 1}}'


@given(OBJECTS, st.dictionaries(KEYS, SCALARS | st.just(ABSENT), max_size=4), st.sampled_from([None, 0, 3]))
def test_the_edited_json_has_the_new_values(
    before: dict[str, object], changes: dict[str, object], indent: int | None
) -> None:
    expected = {key: value for key, value in {**before, **changes}.items() if value is not ABSENT}
    assert json.loads(edited(json.dumps(before, indent=indent), changes)) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[\n  {\n    "a": 1\n  }\n]\n'),
        ("[ ]\n", '[\n  {\n    "a": 1\n  }\n]\n'),
        ('[{"b": 2}]', '[{"b": 2}, {"a": 1}]'),
        ('[\n {"b": 2}\n]\n', '[\n {"b": 2},\n {"a": 1}\n]\n'),
        ('[\n  {\n    "b": 2\n  }\n]\n', '[\n  {\n    "b": 2\n  },\n  {\n    "a": 1\n  }\n]\n'),
    ],
)
def test_objects_are_added_in_the_style_of_the_list(before: str, after: str) -> None:
    editor = JsonEditor(before)
    editor.append((), [{"a": 1}])
    (splice,) = editor.splices
    assert before[: splice.start] + splice.text + before[splice.end :] == after
