"""contentsync.content.formats.yaml_text: whichever reader is taken, the entries, places and problems are the same."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings

from contentsync.content.draft import Draft, Unreadable
from contentsync.content.formats.yaml_events import parse_entries, parse_entry
from contentsync.content.formats.yaml_text import read_mapping, read_mappings
from contentsync.errors import Problem
from contentsync.model import Kind

from .yaml_lines import exact, texts

Read = Callable[[str, Kind, str], Iterator[Draft | Problem]]


def told(read: Read, text: str) -> tuple[list[Any], tuple[Problem, ...]]:
    """All that is read of a list, and what ended it."""
    found: list[Any] = []
    try:
        found.extend(it if isinstance(it, Problem) else written(it) for it in read(text, Kind.TAG, "tags.yaml"))
    except Unreadable as unreadable:
        return found, unreadable.problems
    return found, ()


def written(draft: Draft) -> Any:
    return draft.line, exact(draft.values), draft.marks, draft.keys, draft.problems, draft.failed


@given(texts.filter(lambda text: not {"\r", "\0", "\x07", "\x7f"}.intersection(text)))  # no file is read with them
@example('- a: "b\n- c: d"\n- e: f\n')
@example("- a: b\n- |\n  c\n\n- d: *e\n...\n- f\n")
@settings(max_examples=150, deadline=None)
def test_a_list_read_by_items_is_the_list_read_as_a_whole(text: str) -> None:
    entries, end = told(parse_entries, text)
    found, found_end = told(read_mappings, text)
    assert found[: len(entries)] == entries
    assert found_end == end
    assert end or len(found) == len(entries)


def test_the_places_of_a_plain_mapping_are_found_when_asked_for() -> None:
    text = 'title: "🎉 é"\nseo:\n  title: x\ntags: [a, b]\nlast:\n'
    quick, whole = Draft(Kind.PAGE, "a.md", 7), Draft(Kind.PAGE, "a.md", 7)
    read_mapping(text, quick, 7)
    parse_entry(text, whole, 7)
    assert quick.locate is not None
    assert (quick.values, quick.marks, quick.keys) == (whole.values, whole.marks, whole.keys)
    assert quick.marks["seo.title"] == ("a.md", (9, 10))


def test_a_text_may_hold_a_single_entry() -> None:
    ((line, *_, problems, _),) = told(read_mappings, "# one\n\nname: A\nurl: https://x.example/\n")[0]
    assert (line, problems) == (3, [])


def test_an_item_that_is_not_plain_costs_the_others_nothing() -> None:
    drafts = read_mappings("- a: b\n- a: |\n    c\n    - d\n- a: e\n", Kind.TAG, "t.yaml")
    assert [isinstance(draft, Draft) and draft.locate is not None for draft in drafts] == [True, False, True]


def test_entries_are_given_before_the_rest_is_read() -> None:
    entries = read_mappings("- a: b\n- c: d\n- e: 'f\n", Kind.TAG, "t.yaml")
    assert [getattr(next(entries), "values", None) for _ in range(2)] == [{"a": "b"}, {"c": "d"}]
    with pytest.raises(Unreadable) as raised:
        next(entries)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.code) == (3, 6, "yaml-syntax")


@pytest.mark.parametrize("text", ["", "# none\n", "[]", "~"])
def test_a_text_may_hold_no_entry(text: str) -> None:
    assert list(read_mappings(text, Kind.TAG, "t.yaml")) == []
