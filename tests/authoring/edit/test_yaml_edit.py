"""contentsync.authoring.edit.yaml_edit: values change in place in a YAML text."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from contentsync.authoring.edit.text_editor import SourceText, apply_tree, build_tree
from contentsync.authoring.edit.yaml_edit import YamlEditor
from contentsync.authoring.edit.yaml_writing import block_lines, inline_yaml, key_text
from contentsync.content.formats.draft import ABSENT, Draft
from contentsync.content.formats.yaml_reader import read_mapping
from contentsync.model import Kind

names = st.sampled_from(["title", "seo", "links", "tags", "body", "no"])
texts = st.sampled_from(
    ["a", "no", "a: b", "two\nlines", "two\nlines\n", " x\ny", "", "12:30", "it's", '"', "#", "a #b"]
)
scalars = texts | st.none() | st.booleans() | st.integers(0, 99)
objects = st.dictionaries(st.sampled_from(["a", "b", "c", "on"]), scalars, max_size=3)
values = scalars | st.lists(texts | st.integers(0, 9), max_size=3) | objects
comments = st.sampled_from(["", " # c", "   # it's: a"])


def read(text: str) -> dict[str, Any]:
    draft = Draft(Kind.PAGE, "a.yaml")
    read_mapping(text, draft, 1)
    assert draft.is_sound, draft.problems
    return draft.values


def edited(text: str, changes: dict[tuple[str, ...], Any]) -> str:
    original = SourceText(text.encode())
    editor = YamlEditor(original.text)
    editor.edit((), build_tree(changes))
    return original.spliced_bytes(editor.splices).decode()


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Return mappings in block and in flow style, with comments wherever YAML allows one."""
    parts = ["# first\n"]
    for name, value in draw(st.dictionaries(names, values, min_size=1)).items():
        if draw(st.booleans()):
            parts.append(f"{key_text(name)}:  {inline_yaml(value)}{draw(comments)}\n")
        else:
            text = block_lines(name, value, 0)
            parts += [text, draw(st.sampled_from(["", "# between\n", "\n", "  # deeper\n"]))]
    text = "".join(parts)
    is_block = text.rpartition("\n ")[2].count("\n") == 1  # the last line is a part of a value
    return text if is_block else text.removesuffix(draw(st.sampled_from(["\n", ""])))


@settings(max_examples=150, deadline=None)
@given(documents(), st.dictionaries(names, values | st.just(ABSENT), min_size=1), st.booleans())
@example("# first\nseo: a\nno:\n  # deeper\n", {"seo": "two\nlines", "no": ABSENT}, False)
@example(
    "# first\ntags: |-\n  two\n  lines\ntitle:\nno:\n\n  # deeper\nbody:\n", {"title": ABSENT, "no": ABSENT}, False
)
def test_the_edited_yaml_has_exactly_the_changed_values(text: str, changes: dict[str, Any], windows: bool) -> None:
    before = read(text)
    if before.keys() <= {name for name, value in changes.items() if value is ABSENT}:
        return
    tree: dict[tuple[str, ...], Any] = {(name,): value for name, value in changes.items()}
    wanted = apply_tree(before, build_tree(tree))
    after = edited(text.replace("\n", "\r\n") if windows else text, tree)
    assert read(after.replace("\r\n", "\n")) == wanted
    assert after.replace("\r\n", "\n").startswith("# first\n")
    assert edited(after, tree).replace("\r\n", "\n") == after.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{a: 1, b: 2, c: 3}", "{c: 3}"),
        ("{c: 3, a: 1, b: 2} # c", "{c: 3} # c"),
        ("{a: 1, c: 3, b: 2}", "{c: 3}"),
        ("{a: 1, b: 2}", "{}"),
        ("- a: 1\n  b: 2\n  c: 3\n  d: 4\n", "- c: 3\n  d: 4\n"),
        ("- a: 1\n  b: 2\n", "- {}\n"),
    ],
)
def test_several_keys_are_removed(before: str, after: str) -> None:
    editor = YamlEditor(before)
    editor.edit((0,) if before.startswith("-") else (), build_tree({("a",): ABSENT, ("b",): ABSENT}))
    assert SourceText(before.encode()).spliced_bytes(editor.splices).decode() == after


@pytest.mark.parametrize(
    ("before", "after"), [("{a: 1} # c\n", "{b: 2} # c\n"), ("x:\n  a: 1 # c\ny: 3\n", "x:\n  {b: 2} # c\ny: 3\n")]
)
def test_all_keys_are_replaced(before: str, after: str) -> None:
    path = ("x",) if before.startswith("x") else ()
    assert edited(before, {(*path, "a"): ABSENT, (*path, "b"): 2}) == after


def test_a_list_in_brackets_loses_items_and_keeps_the_text_of_others() -> None:
    before = "a: [ 'x', \"w\", z, 'x' ] # c\nb: 1\n"
    assert edited(before, {("a",): ["x", "z"]}) == "a: [ 'x', z ] # c\nb: 1\n"
    assert edited(before, {("a",): ["z", "x"]}) == "a: [ z, 'x' ] # c\nb: 1\n"
    assert edited(before, {("a",): ["z", "w"]}) == "a: [z, w] # c\nb: 1\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:   'x'  # c\n", "a:   'new'  # c\n"),
        ('a: "x" # c\n', 'a: "new" # c\n'),
        ("? a\n: x\n", "? a\n: new\n"),
        ("a: |\n  x\n# c\nb: 1\n", "a: new\n# c\nb: 1\n"),
        ("a: >-\n  x\n  z\n\n# c\n", "a: new\n\n# c\n"),
        ("a:\nb: 1\n", "a: new\nb: 1\n"),
        ("a:  # c\nb: 1\n", "a: new  # c\nb: 1\n"),
        ("{a: x, b: [1]} # c", "{a: new, b: [1]} # c"),
        ("a: long\n  text # c\n", "a: new # c\n"),
    ],
)
def test_a_yaml_edit_keeps_the_text_around_a_value(before: str, after: str) -> None:
    assert edited(before, {("a",): "new"}) == after
