"""contentsync.authoring.edit.toml_edit: values change in place in a TOML text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentsync.authoring.edit.text_editor import Leaf, SourceText, Tree, apply_tree, build_tree
from contentsync.authoring.edit.toml_edit import TomlEditor, inline_toml
from contentsync.content.formats.draft import ValuePath
from contentsync.content.formats.toml_reader import as_draft_values, read_toml

names = st.sampled_from(["title", "slug", "order", "active"])
texts = st.sampled_from(["a", 'a "b"', "two\nlines", "# no", "[x]", "a = 1", "", "é\\"])
scalars = texts | st.booleans() | st.integers(0, 99)
values = scalars | st.lists(texts, max_size=3)
objects = st.dictionaries(st.sampled_from(["a", "b", "c d"]), values, min_size=1, max_size=3)
fields = st.builds(
    dict.__or__,
    st.dictionaries(names, values, min_size=1),
    st.dictionaries(st.sampled_from(["seo", "links"]), objects),
)
comments = st.sampled_from(["", " # c", '  # it\'s [x] = "a"'])


def edited(text: str, tree: Tree, steps: ValuePath = ()) -> str:
    editor = TomlEditor(text, "a.md", title_field="title")
    editor.edit(steps, tree)
    return SourceText(text.encode()).spliced_bytes(editor.splices).decode()


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Return keys, then tables: in braces, with dots, or under a header."""
    top, tables = ["# first\n"], []
    for name, value in draw(fields).items():
        form = draw(st.sampled_from(["braces", "dots", "header"])) if isinstance(value, dict) else ""
        if isinstance(value, dict) and form != "braces":
            prefix = f"{name}." if form == "dots" else ""
            its = [f"{prefix}{inline_toml({key: it})[2:-2]}{draw(comments)}\n" for key, it in value.items()]
            tables += [f"\n[{name}]{draw(comments)}\n", *its] if form == "header" else []
            top += its if form == "dots" else []
        elif isinstance(value, list) and draw(st.booleans()):
            items = "".join(f"  {inline_toml(item)},{draw(comments)}\n" for item in value)
            top.append(f"{name} = [\n{items}]\n")
        else:
            top.append(f"{name} = {inline_toml(value)}{draw(comments)}\n")
    return "".join([*top, *tables])


@settings(max_examples=100, deadline=None)
@given(documents(), fields, st.sets(st.sampled_from(["title", "order", "seo", "links"])))
def test_the_edited_toml_has_exactly_the_changed_values(
    text: str, changes: dict[str, object], cleared: set[str]
) -> None:
    changes = changes | dict.fromkeys(cleared)
    tree = build_tree({(name,): value for name, value in changes.items()})
    before = as_draft_values(read_toml(text, "a.md").values)
    after = edited(text, tree)
    found = as_draft_values(read_toml(after, "a.md").values)
    wanted = apply_tree(before, TomlEditor("", "a.md").as_read(tree))
    assert {name: value for name, value in found.items() if value != {}} == wanted
    assert "# first\n" in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('title = "x" # c\n', 'title = "new" # c\n'),
        ('a = 1\ntitle = """\nx # y\n""" # c\n', 'a = 1\ntitle = "new" # c\n'),
        ("[seo] # s\na = 1\n", 'title = "new"\n[seo] # s\na = 1\n'),
    ],
)
def test_a_toml_edit_keeps_the_comments_around_a_value(before: str, after: str) -> None:
    assert edited(before, build_tree({("title",): "new"})) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[[places]]\nname = "A"', '[[places]]\nname = "A"\nslug = "b"\n'),
        ("[[places]]", '[[places]]\nslug = "b"\n'),
        ('[[places]]\nname = "A" # c', '[[places]]\nname = "A" # c\nslug = "b"\n'),
    ],
)
def test_a_key_is_added_to_a_text_without_a_line_end(before: str, after: str) -> None:
    assert edited(before, build_tree({("slug",): "b"}), ("places", 0)) == after


def test_an_object_is_added_inside_an_entry_of_a_toml_array() -> None:
    text = '[[x]]\ntitle = "A"\n[[x]]\ntitle = "B"\n'
    after = edited(text, {"seo": {"title": Leaf("T")}}, ("x", 0))
    assert after == text.replace('"A"\n', '"A"\nseo = { title = "T" }\n')
