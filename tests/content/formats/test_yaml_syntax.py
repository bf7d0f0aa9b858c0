"""contentsync.content.formats.yaml_syntax: where YAML stops, and what to do about it."""

import pytest

from contentsync.content.draft import Draft, Unreadable
from contentsync.content.formats.yaml_text import read_mapping
from contentsync.model import Kind


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("title: A: B", 1, 9, "quotes"),
        ("a: 1\n\tb: 2", 2, 1, "not with tabs"),
        ("a:\n\tb: 2", 2, 1, "not with tabs"),
        ("a:\n  b: 1\n \tc: 2", 3, 2, "not with tabs"),
        ("a: @x", 1, 4, "quotes"),
        ("a: `x`", 1, 4, "quotes"),
        ("a: %x", 1, 4, "quotes"),
        ("a: **x**", 1, 4, "quotes"),
        ("a: *x* y", 1, 4, "quotes"),
        ("a: & x", 1, 4, "quotes"),
        ("a: > x", 1, 6, "quotes"),
        ("a: ? x", 1, 4, "quotes"),
        ("a: - x", 1, 4, "in the line below its key"),
        ("a: 1\nb: 'x\nc: 3", 2, 4, "close the quote"),
        ("a: 1\nb: 'it's'", 2, 8, "double each single quote"),
        ('a: "x" y', 1, 8, "the whole value in quotes"),
        ('a: "C:\\path"', 1, 7, "backslash twice"),
        ('a: "\\ud800"', 1, 7, "backslash twice"),
        ("a: [1,\nb: 2\n", 1, 4, "brackets"),
        ("a: 1\nb: [1,\n", 2, 7, "brackets"),
        ("  a: 1\nb: 2", 2, 1, "in the same column"),
        ("a: 1\nword\n", 2, 1, "a colon and a space"),
        ("a: 1\nb c\nd: 2\n", 2, 1, "a colon and a space"),
        ("a: 1\nb; c\nd: 2\n", 2, 1, "a colon and a space"),
        ("a: 1\nb:c\nd: 2\n", 2, 1, "a space after the colon"),
        ("a:\n  b: 1\n  c:d\ne: 2\n", 3, 3, "a space after the colon"),
        ("a: [b] c", 1, 8, "the whole value in quotes"),
        ("a: {{ b }} c", 1, 12, "the whole value in quotes"),
    ],
)
def test_what_is_not_yaml_is_told_at_its_place_with_a_hint(text: str, line: int, column: int, hint: str) -> None:
    """YA-16, YA-15"""
    with pytest.raises(Unreadable) as raised:
        read_mapping(text, Draft(Kind.PAGE, "a.md", 11), 11)
    (problem,) = raised.value.problems
    assert (problem.where.line - 10, problem.where.column, problem.code) == (line, column, "yaml-syntax")
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('a: "b\nc: "d"\n', 1, 4),
        ("a: 1\nb: \"c'\nd: 'e'\nf: \"g\"\n", 2, 4),
        ('a: ["b\nc: "d"]\n', 1, 5),
        ('a: "b\nc": d\n', 1, 4),
        ('a:\n  - "é\n  - "c" # d\n', 2, 5),
    ],
)
def test_a_quote_that_another_line_closes_is_told_where_it_opens(text: str, line: int, column: int) -> None:
    """YA-16"""
    with pytest.raises(Unreadable) as raised:
        read_mapping(text, Draft(Kind.PAGE, "a.md"), 1)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.hint) == (line, column, "close the quote")


def test_a_rule_inside_a_quoted_scalar_is_told_where_the_quote_opens() -> None:
    """FI-09"""
    with pytest.raises(Unreadable) as raised:
        read_mapping('a: 1\nb: "x\n---\ny"', Draft(Kind.PAGE, "a.md"), 1)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.hint) == (2, 4, "close the quote")
