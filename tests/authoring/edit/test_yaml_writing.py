"""contentsync.authoring.edit.yaml_edit: values as YAML are read back the same, by us and by others."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from contentsync.authoring.edit.text_editor import as_read
from contentsync.authoring.edit.yaml_writing import block_lines
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.yaml_reader import read_mapping
from contentsync.model import Kind

from ...yaml12 import read as read_12

controls = "".join(chr(code) for code in range(32) if chr(code) not in "\t\n\r") + "\x7f"
letters = st.characters(exclude_categories=["Cs"], exclude_characters=controls)
surprises = [
    "no",
    "12:30",
    "01234",
    "1e3",
    "~",
    "null",
    "=",
    "- a",
    "# a",
    "a: b",
    "a #b",
    "a:",
    "'a'",
    '"',
    "[a]",
    "N",
]
shapes = [
    "a\nb",
    "a\nb\n",
    "a\n\n\nb\n\n",
    " a\nb",
    "a \nb",
    "\n",
    "\ta\n\tb",
    "a\x85b",
    "\u2028",
    "\ufeff",
    "🦊",
    "---\na",
]
texts = st.text(letters, max_size=30) | st.sampled_from([*surprises, *shapes])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
keys = st.sampled_from(["a", "on", "y", "1", "a b", "é", "#", "null", ":", "-"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)


def read(text: str) -> Any:
    draft = Draft(Kind.PAGE, "a.yaml")
    read_mapping(text, draft, 1)
    assert draft.is_sound, draft.problems
    return draft.values


@settings(max_examples=150, deadline=None)
@given(values)
def test_written_yaml_is_read_back_as_the_same_value(value: Any) -> None:
    text = block_lines("key", value, 0)
    assert read(text) == {"key": as_read(value)}
    if not isinstance(value, float):
        assert read_12(text) == {"key": value}


@pytest.mark.parametrize(
    "text", ["no", "Yes", "12:30", "01234", "1_000", "0x1F", "2026-01-01", "~", "null", "1e3", "y"]
)
def test_texts_that_other_parsers_would_misread_are_quoted(text: str) -> None:
    """YA-08, YA-09, YA-10, YA-11"""
    assert block_lines("key", text, 0) == f'key: "{text}"\n'
    assert yaml.safe_load(block_lines("key", text, 0)) == {"key": text}


def test_a_text_of_several_lines_is_written_as_a_block() -> None:
    assert block_lines("key", "a: b\n\n  - c\n", 2) == "  key: |\n    a: b\n\n      - c\n"


def test_a_long_list_is_written_with_one_item_per_line() -> None:
    assert block_lines("key", ["a", "b"], 0) == "key: [a, b]\n"
    assert block_lines("key", ["a" * 60, "b" * 60], 0) == f"key:\n  - {'a' * 60}\n  - {'b' * 60}\n"
