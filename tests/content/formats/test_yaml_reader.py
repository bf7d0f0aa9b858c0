"""contentsync.content.formats.yaml_reader: ordinary YAML is read with the same result as by libyaml."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from yaml.reader import ReaderError

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.yaml_events import fill_draft, parse_entries
from contentsync.content.formats.yaml_reader import (
    PlainItem,
    read_items,
    read_mapping,
    read_mappings,
    read_simple_item,
    read_simple_mapping,
    split_items,
)
from contentsync.errors import Problem
from contentsync.model import Kind, PlainScalar

from ...sampling import sampled
from .yaml_lines import exact, items_alike, texts

REPEATED = pytest.mark.parametrize("repetition", sampled(range(3), every=3))  # each draws other texts


def by_events(text: str) -> dict[str, Any] | None:
    """Return the value of a text according to the events; None if they refuse it or report a problem."""
    draft = Draft(Kind.PAGE, "a.md")
    try:
        fill_draft(draft, text, 1)
    except (UnreadableFile, ReaderError):  # the latter of letters that are refused before, in any file
        return None
    return None if draft.problems else draft.values


def item_by_events(text: str) -> dict[str, Any] | None:
    try:
        entries = list(parse_entries(text, Kind.PAGE, "a.yaml"))
    except (UnreadableFile, ReaderError):
        return None
    only = entries[0] if len(entries) == 1 else None
    return only.values if isinstance(only, Draft) and not only.problems else None


@REPEATED
@given(texts)
@example("a:\n" + "".join(f"{' ' * width}a:\n" for width in range(1, 13)))
@example("a:\n" + "".join(f"{' ' * width}- a:\n" for width in range(0, 13, 2)))
@example("a: " + "b " * 600 + "\n")
@settings(max_examples=50, deadline=None)
def test_the_fast_reader_returns_the_same_value_as_libyaml(repetition: int, text: str) -> None:
    values = read_simple_mapping(text)
    assert values is None or exact(values) == exact(by_events(text))
    item = read_simple_item(text)
    assert item is None or exact(item) == exact(item_by_events(text))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a: b", {"a": "b"}),
        ("\na: b c  \n\n# d: e\nf: g\n", {"a": "b c", "f": "g"}),
        ("a: http://example.org/?b=c#d", {"a": "http://example.org/?b=c#d"}),
        ("a: \"b: c\"\nd: 'e #f'\ng: \"\"", {"a": "b: c", "d": "e #f", "g": ""}),
        ("a:\nb: ~\nc: null", {"a": None, "b": None, "c": None}),
        ("a: 12\nb: -3.5\nc: true", {"a": "12", "b": "-3.5", "c": "true"}),
        ("a: 2026-01-02 09:30\nb: 12:30", {"a": "2026-01-02 09:30", "b": "12:30"}),
        ("a: [b, c d, \"e\", 'f']\ng: []", {"a": ["b", "c d", "e", "f"], "g": []}),
        ("a: [ 1 ,https://x/]", {"a": ["1", "https://x/"]}),
        ("a:\n  b: c\n  d:\n    e: f\ng: h", {"a": {"b": "c", "d": {"e": "f"}}, "g": "h"}),
        ("a:\n  - b\n  - c d\ne:\n- f\ng: h", {"a": ["b", "c d"], "e": ["f"], "g": "h"}),
        ("a:\n- b: c\n  d:\n  - e\n-   b: f\n    d: g", {"a": [{"b": "c", "d": ["e"]}, {"b": "f", "d": "g"}]}),
        ("titre: Été à 日本 🎉", {"titre": "Été à 日本 🎉"}),
    ],
)  # fmt: skip
def test_the_fast_reader_reads_the_usual_shapes(text: str, values: dict[str, Any]) -> None:
    assert read_simple_mapping(text) == values == by_events(text)


@pytest.mark.parametrize(
    ("written", "kind"), [("12", PlainScalar), ("true", PlainScalar), ("x", str), ("'12'", str), ("[7]", PlainScalar)]
)
def test_the_fast_reader_marks_a_number_without_quotes_as_plain(written: str, kind: type[str]) -> None:
    values = read_simple_mapping(f"a: {written}")
    assert values
    assert type(values["a"][0] if "[" in written else values["a"]) is kind


@pytest.mark.parametrize(
    "text",
    [
        *("", "# a", "word", "- a", "a", "a:b", "a : b", "'a': b", "1: a", "é: a", f"{'k' * 101}: a"),
        *("a: b: c", "a: b:", "a: b #c", "a: b # c", "a: # b", 'a: "b" # c', "a: {b: c}", "a: |\n  b", "a: >\n  b"),
        *("a: b\n  c", "a: b\n  c: d", "a:\n  b", 'a: "b\n  c"', "a: [b,\n  c]", "a: [b, [c]]", "a: [b: c]", "a: [,]"),
        *("a: &b c", "a: *b", "a: !c d", "a: @b", "a: `b`", "a: %b", "a: =", "a: - b", "a: ? b", "a: 'it''s'"),
        *('a: "b\\n"', "a: 'b' c", "a: b\na: c", "a:\n  b: c\n d: e", " a: b\nc: d", "a:\n - b\n  - c", "a: b\n- c"),
        *("a:\tb", "\ta: b", "a: b\tc", "a: b\n---\nc: d", "---\na: b", "a: b\n...", "%YAML 1.1\na: b", "a: b\rc: d"),
        *("a: \x00", "a: \x85", "a: \u2028", "a: \ufeffb", "\ufeffa: b", f"a: {'b' * 300_000}", "a:\n- - b"),
        *("a:\n-\n- b", "a:\n-", "a: \ud800"),
    ],
)  # fmt: skip
def test_the_fast_reader_leaves_unusual_yaml_to_libyaml(text: str) -> None:
    assert read_simple_mapping(text) is None


def test_the_items_of_a_list_have_their_lines() -> None:
    text = "# tags\n\n---\n- a: b\n\n  c: d\n# e\n- f\n-  g: h"
    assert list(split_items(text)) == [(4, "- a: b\n\n  c: d\n# e\n"), (8, "- f\n"), (9, "-  g: h")]
    assert [read_simple_item(item) for _, item in split_items(text)] == [{"a": "b", "c": "d"}, None, {"g": "h"}]


@pytest.mark.parametrize("text", ["", "a: b", " - a", "-\n  a: b", "[a]", "a:\n- b", "x\n- a", "--- # c\n- a"])
def test_a_text_that_does_not_start_with_a_list_has_no_items(text: str) -> None:
    assert list(split_items(text)) == []


def test_a_long_run_of_spaces_is_read_quickly() -> None:
    assert read_simple_mapping(f"a: b \nc: d{' ' * 200_000}e") == {"a": "b", "c": f"d{' ' * 200_000}e"}


Read = Callable[[str, Kind, str], Iterator[Draft | Problem]]


def reported(read: Read, text: str) -> tuple[list[Any], tuple[Problem, ...]]:
    """Return all items of a list and the problem that ended it."""
    found: list[Any] = []
    try:
        found.extend(it if isinstance(it, Problem) else written(it) for it in read(text, Kind.TAG, "tags.yaml"))
    except UnreadableFile as unreadable:
        return found, unreadable.problems
    return found, ()


def written(draft: Draft) -> Any:
    return (
        draft.line,
        exact(draft.values),
        draft.value_locations,
        draft.key_locations,
        draft.problems,
        draft.failed_fields,
    )


@REPEATED
@given(texts.filter(lambda text: not {"\r", "\0", "\x07", "\x7f"}.intersection(text)))  # no file is read with them
@example('- a: "b\n- c: d"\n- e: f\n')
@example("- a: b\n- |\n  c\n\n- d: *e\n...\n- f\n")
@settings(max_examples=50, deadline=None)
def test_a_list_read_by_items_equals_the_list_read_as_a_whole(repetition: int, text: str) -> None:
    assert_is_read_as_a_whole(text)


@REPEATED
@given(items_alike.filter(lambda text: not {"\r", "\0", "\x07", "\x7f"}.intersection(text)))
@example('- a: "b"\n  c:\n- a: "\n  c: b"\n- a: "d"\n  c: ""\n' * 2)
@example("- a: 1\n  c: [b, 2]\n- a: b \n  c: |\n- a: ~\n  c: \"e\\n\"\n- a: 'f'\n  c: g # h\n" * 2)
@example('- a: "b"\n  c: "d"\n' * 9 + '- a: "b\n  c: "d"')
@example('- a: "\t"\n  c: "\u2028"\n' * 9)
@example("- a: b\n  c: d\n" * 9 + "  e")
@settings(max_examples=50, deadline=None)
def test_items_with_equal_keys_equal_those_of_the_list_read_as_a_whole(repetition: int, text: str) -> None:
    assert_is_read_as_a_whole("- a: b\n  c: d\n" * 33 + text)


def assert_is_read_as_a_whole(text: str) -> None:
    entries, end = reported(parse_entries, text)
    found, found_end = reported(read_mappings, text)
    assert found[: len(entries)] == entries
    assert found_end == end
    assert end or len(found) == len(entries)


def test_the_locations_of_a_plain_mapping_are_computed_on_request() -> None:
    text = 'title: "🎉 é"\nseo:\n  title: x\ntags: [a, b]\nlast:\n'
    quick, whole = Draft(Kind.PAGE, "a.md", 7), Draft(Kind.PAGE, "a.md", 7)
    read_mapping(text, quick, 7)
    fill_draft(whole, text, 7)
    assert quick.locate is not None
    assert (quick.values, quick.value_locations, quick.key_locations) == (
        whole.values,
        whole.value_locations,
        whole.key_locations,
    )
    assert quick.value_locations["seo.title"] == ("a.md", (9, 10))


def test_a_list_file_can_contain_a_single_mapping() -> None:
    (draft,) = read_mappings("# one\n\nname: A\nurl: https://x.example/\n", Kind.TAG, "tags.yaml")
    assert isinstance(draft, Draft)
    assert (draft.line, draft.problems) == (3, [])


def test_an_unusual_item_does_not_slow_down_the_others() -> None:
    drafts = read_mappings("- a: b\n- a: |\n    c\n    - d\n- a: e\n", Kind.TAG, "t.yaml")
    assert [isinstance(draft, Draft) and draft.locate is not None for draft in drafts] == [True, False, True]


def test_many_items_with_equal_keys_are_read_without_drafts() -> None:
    others = '- a: b # c\n  c: d\n- c: d\n  a: b\n- a: "x\\n"\n  c: d\n'
    items = [*read_items("- a: b\n  c: [d, e]\n" * 50 + others + "- a: ''\n  c: 1\n" * 5, Kind.TAG, "t.yaml")]
    assert [type(item) for item in items] == [Draft] * 32 + [PlainItem] * 18 + [Draft] * 3 + [PlainItem] * 5
    plain = items[40], items[-1]
    drafts = [item.draft() for item in plain if isinstance(item, PlainItem)]
    assert [draft.line for draft in drafts] == [81, 115]
    assert [exact(draft.values) for draft in drafts] == [
        {"a": (str, "b"), "c": [(str, "d"), (str, "e")]},
        {"a": (str, ""), "c": (PlainScalar, "1")},
    ]
    assert drafts[1].value_locations["c"] == ("t.yaml", (116, 6))


def test_entries_are_yielded_before_the_rest_is_read() -> None:
    entries = read_mappings("- a: b\n- c: d\n- e: 'f\n", Kind.TAG, "t.yaml")
    assert [getattr(next(entries), "values", None) for _ in range(2)] == [{"a": "b"}, {"c": "d"}]
    with pytest.raises(UnreadableFile) as raised:
        next(entries)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.code) == (3, 6, "yaml-syntax")


@pytest.mark.parametrize("text", ["", "# none\n", "[]", "~"])
def test_a_list_file_can_be_empty(text: str) -> None:
    assert list(read_mappings(text, Kind.TAG, "t.yaml")) == []
