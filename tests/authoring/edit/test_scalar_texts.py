"""contentsync.authoring.edit.scalar_texts: one scalar is replaced in the form that it has, and nothing around it."""

import pytest

from contentsync.authoring.edit.scalar_texts import ScalarTexts
from contentsync.errors import Refused


def replaced(path: str, text: str, old: str, new: str) -> str:
    """Return the text after the scalar at `^` (which is not part of the text) got a new value."""
    offset = text.index("^")
    text = text.replace("^", "")
    splice = ScalarTexts(text, path).replacement(offset, old, new)
    return text if splice is None else text[: splice.start] + splice.text + text[splice.end :]


@pytest.mark.parametrize(
    ("path", "text", "after"),
    [
        ("a.yaml", "a: [^Old one, other]\n", 'a: ["New: one", other]\n'),
        ("a.yaml", "a: [^Old\n   one, other]\n", 'a: ["New: one", other]\n'),
        ("a.yaml", "a:\n- ^'Old\n  one' # x\nb: c", "a:\n- 'New: one' # x\nb: c"),
        ("a.yaml", 'a: ^"Old\n\n  \\x6fne"\n'.replace("\n\n", " \\\n"), 'a: "New: one"\n'),
        ("a.yaml", "a: ^!!str Old one # x\n", 'a: !!str "New: one" # x\n'),
        ("a.yaml", "a:\n- ^>- # why\n  Old\n  one\n\n# after\nb: c", "a:\n- >- # why\n  New: one\n\n# after\nb: c"),
        ("a.md", "---\nb: c\na: ^|-\n  Old one\n---\n'", "---\nb: c\na: |-\n  New: one\n---\n'"),
        ("a.json", r'{"a": ^"\u004fld one"}', '{"a": "New: one"}'),
        ("a.toml", 'a = [^"""\nOld one""", "b"]', 'a = ["New: one", "b"]'),
        ("a.md", "+++\na = ^'Old one' # x\n+++\n", "+++\na = 'New: one' # x\n+++\n"),
    ],
)
def test_a_scalar_in_any_spelling_gets_the_new_value(path: str, text: str, after: str) -> None:
    assert replaced(path, text, "Old one", "New: one") == after


@pytest.mark.parametrize(
    ("text", "old", "new", "after"),
    [
        ("a:\n- ^|-  # text\n  Old\n- b\n", "Old", "N\xadw", 'a:\n- "N\xadw"  # text\n- b\n'),
        ("a: ^!!str >2-\n   Old\n\nb: c", " Old", " New", 'a: !!str " New"\n\nb: c'),
        ("a: ^|\n  Old\n", "Old\n", "", 'a: ""\n'),
    ],
)
def test_a_yaml_block_that_cannot_contain_the_value_becomes_a_quoted_text(
    text: str, old: str, new: str, after: str
) -> None:
    assert replaced("a.yaml", text, old, new) == after


@pytest.mark.parametrize(("path", "text"), [("a.yaml", "^'a': b"), ("a.json", '{^"a": 1}'), ("a.toml", "^a = 1")])
def test_a_scalar_with_another_value_stays(path: str, text: str) -> None:
    assert replaced(path, text, "b", "c") == text.replace("^", "")


@pytest.mark.parametrize(
    ("path", "text", "new"),
    [
        ("a.yaml", "a: ^[b]", "c"),
        ("a.json", '{"a": ^["b"]}', "c"),
    ],
)
def test_a_scalar_that_cannot_be_replaced_is_refused(path: str, text: str, new: str) -> None:
    with pytest.raises(Refused, match="cannot be changed in place"):
        replaced(path, text, "b", new)
