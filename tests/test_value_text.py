"""contentsync.value_text: values and texts on one line, without control characters."""

from typing import Any

import pytest

from contentsync.value_text import printable, value_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Café 日本", "Café 日本"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb", "a\\nb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u00a0b", "a\\xa0b"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    """FI-06, XS-21"""
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        ("", "nothing"),
        ([], "nothing"),
        ("About us", '"About us"'),
        (True, "true"),
        (3, "3"),
        (["a", "b"], "a, b"),
        (["Paris, France", "Rome"], '["Paris, France", "Rome"]'),
        ({"a": 1}, '{"a": 1}'),
        ("x" * 80, '"' + "x" * 58 + "…"),
    ],
)
def test_a_value_is_printed_on_one_line(value: Any, text: str) -> None:
    assert value_text(value) == text
