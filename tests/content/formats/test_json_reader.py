"""contentsync.content.formats.json_reader: the values of JSON with their positions, and its mistakes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.json_reader import read_json
from contentsync.errors import Problem
from contentsync.model import Kind, PlainScalar
from contentsync.model.field_types import MAX_DEPTH

from ..conftest import Load, spots

PATH = "listings/a.json"
SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUE = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1), inner, max_size=4)
)


def refusal(text: str) -> Problem:
    with pytest.raises(UnreadableFile) as raised:
        read_json(text, Kind.LISTING, PATH)
    (problem,) = raised.value.problems
    return problem


@given(VALUE, st.sampled_from([None, 0, 2]), st.booleans())
def test_json_values_equal_those_of_the_standard_library(value: object, indent: int | None, ascii_: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    expected = json.loads(text, parse_float=PlainScalar, parse_int=PlainScalar)
    assert read_json(text, Kind.LISTING, PATH).root == with_booleans_as_text(expected)


def with_booleans_as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: with_booleans_as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_booleans_as_text(inner) for inner in value]
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def test_json_keys_and_values_have_locations() -> None:
    tree = read_json('{\n  "a": [1, {"b" : "x"}],\r\n\t"c":null}', Kind.LISTING, PATH)
    values = {name: position for name, (_, position) in tree.value_locations.items() if name}
    keys = {name: position for name, (_, position) in tree.key_locations.items()}
    assert values == {"a": (2, 8), "a.0": (2, 9), "a.1": (2, 12), "a.1.b": (2, 19), "c": (3, 6)}
    assert keys == {"a": (2, 3), "a.1.b": (2, 13), "c": (3, 2)}


def test_json_numbers_and_booleans_stay_as_written(read: Load) -> None:
    fields = "[" + ", ".join(f'{{"name": "{it}", "label": "L", "type": "{it}"}}' for it in ("number", "text")) + "]"
    files = {
        "custom_fields.json": fields,
        PATH: '[{"name": "A", "number": 1.50, "text": "01", "is_featured": true, "description": null}]',
        "contentsync.toml": '[content.custom_fields]\npath = "custom_fields.json"\n',
    }
    content = read(files)
    assert content.problems == ()
    values = content.entries[-1].fields
    assert (values["number"], values["text"], values["is_featured"], values["description"]) == (1.5, "01", True, None)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ('"latitude": "north"', "not-a-number"),
        ('"latitude": 1e400', "not-a-number"),
        ('"is_featured": 2', "not-a-boolean"),
    ],
)
def test_a_wrong_json_value_is_reported_at_its_location(read: Load, value: str, code: str) -> None:
    content = read({PATH: f'[\n  {{"name": "A"}},\n  {{"name": "B",\n   {value}}}\n]\n'})
    line, column = 4, 4 + value.index(":") + 2
    assert spots(content) == [(PATH, line, column, code)]


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ('[{"a": 1},\n]', 2, 1, "delete the comma"),
        ('{"a": 1,}', 1, 9, "delete the comma"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ("{a: 1}", 1, 2, "double quotes"),
        ('{"a": “b”}', 1, 7, "straight quotes"),
        ("{“a”: 1}", 1, 2, "straight quotes"),
        ('{"a": True}', 1, 7, "double quotes"),
        ('{"a": NaN}', 1, 7, "double quotes"),
        ('{"a": 01}', 1, 8, "commas"),
        ('{"a": .5}', 1, 7, "a number such as"),
        ('{"a": 1 "b": 2}', 1, 9, "commas"),
        ('{"a" 1}', 1, 6, "colon"),
        ("[\n  // x\n]", 2, 3, "no comments"),
        ('["a\nb"]', 1, 4, "line end"),
        ('["\\q"]', 1, 3, "backslash"),
        ('["\\ud800"]', 1, 2, "delete it"),
        ('"a]', 1, 1, "close the quote"),
        ("[\n [1,\n", 2, 2, "close it"),
        ("[1] [2]", 1, 5, "several values"),
    ],
)
def test_a_json_syntax_error_has_a_location_and_a_hint(text: str, line: int, column: int, hint: str) -> None:
    problem = refusal(text)
    assert (problem.where.line, problem.where.column, problem.code) == (line, column, "json-syntax")
    assert hint in problem.hint


def test_a_duplicate_or_empty_json_key_is_an_error_of_one_entry(read: Load) -> None:
    content = read(
        {PATH: '[{"name": "A", "phone_number": 1,\n "phone_number": {"a": 2}}, {"name": "B", "": [1]}, {"name": "C"}]'}
    )
    assert spots(content) == [(PATH, 2, 2, "duplicate-key"), (PATH, 2, 43, "bad-key")]


def test_deep_nesting_is_an_error() -> None:
    assert refusal("[" * 100_000).code == "too-deep"
    nested = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert read_json(nested, Kind.LISTING, PATH).problems == []


@pytest.mark.parametrize("text", ["", " \n", "[]", "null"])
def test_a_file_without_entries_is_a_warning(read: Load, text: str) -> None:
    assert spots(read({PATH: text})) == [(PATH, 1, 1, "empty-file")]
