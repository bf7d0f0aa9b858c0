"""Quotes of a word processor around the values of YAML."""

import pytest

from contentsync.content.formats.draft import Draft
from contentsync.content.formats.yaml_reader import read_mapping, read_mappings
from contentsync.errors import Problem
from contentsync.model import Kind


def place(problem: Problem) -> tuple[int, int, str]:
    return problem.where.line, problem.where.column, problem.code


@pytest.mark.parametrize("text", ["a: “b c”", "a: „b c“", "a: ‘b’", "a: ”b”"])
def test_typographic_quotes_around_a_value_are_a_warning(text: str) -> None:
    draft = Draft(Kind.PAGE, "a.md")
    read_mapping(text, draft, 1)
    assert [(place(problem), problem.severity) for problem in draft.problems] == [
        ((1, 4, "typographic-quotes"), "warning")
    ]
    assert draft.values == {"a": text[3:]}


def test_typographic_quotes_in_items_of_lists_are_reported() -> None:
    drafts = [*read_mappings("- a: b\n  c: [“d”, e]\n" * 100, Kind.LISTING, "a.yaml")]
    problems = [problem for draft in drafts if isinstance(draft, Draft) for problem in draft.problems]
    assert [place(problem) for problem in problems] == [(line, 7, "typographic-quotes") for line in range(2, 201, 2)]


@pytest.mark.parametrize(
    "text", ["a: '“b”'", 'a: "“b”"', "a: “b” and “c”", "a: “b” c", "a: ’tis", "a: b’s", "a: |\n  “b”"]
)
def test_typographic_quotes_inside_a_text_are_accepted(text: str) -> None:
    draft = Draft(Kind.PAGE, "a.md")
    read_mapping(text, draft, 1)
    assert draft.problems == []
