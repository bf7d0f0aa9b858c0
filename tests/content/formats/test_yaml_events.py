"""contentsync.content.formats.yaml_events: text as written, a place for everything, no YAML surprises."""

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.yaml_events import fill_draft, parse_entries
from contentsync.content.formats.yaml_reader import read_mapping
from contentsync.errors import Problem
from contentsync.model import Kind, PlainScalar


def mapping(text: str) -> Draft:
    """Return the draft that YAML's events make of a mapping."""
    draft = Draft(Kind.PAGE, "a.md")
    fill_draft(draft, text, 1)
    return draft


def refusal(text: str) -> Problem:
    with pytest.raises(UnreadableFile) as raised:
        mapping(text)
    (problem,) = raised.value.problems
    return problem


def place(problem: Problem) -> tuple[int, int, str]:
    """Return the line, the column and the code of a problem."""
    return problem.where.line, problem.where.column, problem.code


@pytest.mark.parametrize(
    "written", ["NO", "yes", "off", "12:30", "1:30:15", "01234", "+4412", "1_000", "0x1F", "1.10", "2024-01-02", "1e3"]
)
def test_a_plain_scalar_stays_as_written(written: str) -> None:
    """YA-08, YA-09, YA-10, YA-11"""
    assert mapping(f"a: {written}").values == {"a": written}


@pytest.mark.parametrize("written", ["1", "-2", "+3", ".5", "true", "False", "2024-01-02"])
def test_a_plain_number_or_boolean_is_marked_as_plain(written: str) -> None:
    assert type(mapping(f"a: {written}").values["a"]) is PlainScalar


@pytest.mark.parametrize("written", ["'1'", '"true"', "!!str 1", '! "1"', "! '1'", "word", "|\n  1"])
def test_a_quoted_scalar_or_a_word_is_text(written: str) -> None:
    assert type(mapping(f"a: {written}").values["a"]) is str


@pytest.mark.parametrize("written", ["", "~", "null", "Null", "NULL"])
def test_an_empty_plain_value_is_null(written: str) -> None:
    """YA-18"""
    assert mapping(f"a: {written}\nb: ''").values == {"a": None, "b": ""}


def test_keys_are_read_as_text() -> None:
    """YA-07"""
    assert mapping("1: a\ntrue: b\non: c\n2024-01-02: d").values == {
        "1": "a",
        "true": "b",
        "on": "c",
        "2024-01-02": "d",
    }


def test_every_yaml_key_and_value_is_located_by_characters() -> None:
    draft = mapping('title: "🎉 é"\nseo:\n  é: x\ntags: [a, "b"]\nlast:\n')
    assert {name: mark for name, (_, mark) in draft.value_locations.items()} == {
        "title": (1, 8),
        "seo": (3, 3),
        "seo.é": (3, 6),
        "tags": (4, 7),
        "tags.0": (4, 8),
        "tags.1": (4, 11),
        "last": (5, 6),
    }
    assert {name: mark for name, (_, mark) in draft.key_locations.items()} == {
        "title": (1, 1),
        "seo": (2, 1),
        "seo.é": (3, 3),
        "tags": (4, 1),
        "last": (5, 1),
    }


def test_a_duplicate_yaml_key_is_reported_with_both_lines() -> None:
    """YA-06"""
    draft = mapping("a: 1\nb: {c: 1, c: [x]}\na: 2\n")
    assert [place(problem) for problem in draft.problems] == [(2, 11, "duplicate-key"), (3, 1, "duplicate-key")]
    assert "line 1" in draft.problems[1].message
    assert draft.values == {"a": "1", "b": {"c": "1"}}
    assert draft.value_locations["a"][1] == (1, 4)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a: &x 1\nb: 2", 1, 4), ("a: 1\nb: *x", 2, 4), ("a: 1\nb: &a [*a]", 2, 4), ("b:\n  c: *x", 2, 6)],
)
def test_an_anchor_or_alias_is_an_error_and_other_values_are_read(text: str, line: int, column: int) -> None:
    """YA-03"""
    draft = mapping(text + "\nz: kept")
    assert [place(problem) for problem in draft.problems] == [(line, column, "yaml-alias")]
    assert draft.values["z"] == "kept"
    assert len(draft.failed_fields) == 1


def test_each_anchor_of_a_billion_laughs_is_an_error() -> None:
    """YA-01"""
    lines = ["a: &a [x, x]", *(f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)), "z: 1"]
    draft = mapping("\n".join(lines))
    assert [place(problem) for problem in draft.problems] == [(line, 4, "yaml-alias") for line in range(1, 10)]
    assert {name: value for name, value in draft.values.items() if value} == {"z": "1"}


def test_a_merge_key_is_an_error() -> None:
    """YA-02"""
    draft = mapping("<<: {a: 1}\nb: 2")
    assert [place(problem) for problem in draft.problems] == [(1, 1, "yaml-alias")]
    assert draft.values == {"b": "2"}


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system [x]",
        "!foo x",
        "!!binary aGk=",
        "!!set {a}",
        "!!omap [a: b]",
        "!!int 1",
        "! x",
        "! [x]",
    ],
)
def test_tags_are_errors(tag: str) -> None:
    """YA-05"""
    draft = mapping(f"a: {tag}\nb: 2")
    assert [place(problem) for problem in draft.problems] == [(1, 4, "yaml-tag")]
    assert draft.failed_fields == {"a"}


@pytest.mark.parametrize(("tag", "hint"), [("!!int 1", "delete the tag"), ("!important x", "in quotes")])
def test_a_text_that_starts_with_an_exclamation_mark_needs_quotes(tag: str, hint: str) -> None:
    """YA-05"""
    (problem,) = mapping(f"a: {tag}").problems
    assert problem.hint.endswith(hint)


@pytest.mark.parametrize(("text", "column"), [("a: {{ page.title }}\nb: 2", 4), ("a: [x, {{ y }}]\nb: 2", 8)])
def test_template_braces_in_a_value_are_reported_once(text: str, column: int) -> None:
    """YA-16"""
    draft = mapping(text)
    (problem,) = draft.problems
    assert place(problem) == (1, column, "bad-key")
    assert problem.hint == "put the value in quotes"
    assert (draft.failed_fields, draft.values["b"]) == ({"a"}, "2")


def test_a_key_that_is_not_text_is_an_error() -> None:
    draft = mapping("? [a, b]\n: c\nd: e\n'': f")
    assert [place(problem) for problem in draft.problems] == [(1, 3, "bad-key"), (4, 1, "bad-key")]
    assert draft.values == {"d": "e"}


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "{a: " * 1_000, "\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 300))]
)
def test_deep_nesting_is_an_error_before_the_value_is_built(text: str) -> None:
    """YA-04"""
    assert refusal(f"a: {text}").code == "too-deep"
    assert mapping("a: " + "[" * 30 + "]" * 30).problems == []


@pytest.mark.parametrize("text", ["{" * 100_000, "&a " + "[" * 100_000, "&a [*a, " * 50_000])
def test_deep_nesting_in_a_skipped_value_is_an_error_too(text: str) -> None:
    """YA-04: `{{` is a key that is not a text; libyaml would take minutes."""
    assert refusal(f"a: {text}").code == "too-deep"


def test_a_lone_equals_sign_is_an_error() -> None:
    """YA-20"""
    draft = mapping("a: =\nb: '='\nc: x=y")
    assert [place(problem) for problem in draft.problems] == [(1, 4, "yaml-extras")]
    assert "quotes" in draft.problems[0].hint
    assert draft.failed_fields == {"a"}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("title: foo #bar", 1, 12),
        ("a: 1\ncolor:   #ff0000\nb: 2", 2, 10),
        ("a: '🎉'\nb: 🎉 é\t#1", 2, 8),
        ("a:\n- b\n- #c", 3, 3),
        ("a:\n  b: c #d\n", 2, 8),
        ("a: b\n  c #d\n", 2, 5),
        ("a: [b, c #d\n ]", 1, 10),
    ],
)
def test_a_word_directly_after_a_hash_is_a_warning(text: str, line: int, column: int) -> None:
    """YA-17"""
    (problem,) = mapping(text).problems
    assert (place(problem), problem.severity) == ((line, column, "comment-in-value"), "warning")
    assert "quotes" in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        "a: b # c",
        "a: b ## c",
        "# a\na: b",
        "#a\na: b",
        "a: b\n  #c\nd: e",
        "a: 'b' #c",
        'a: "b #c"',
        "a: b#c",
        "a: |\n  b #c",
    ],
)
def test_an_obvious_comment_or_text_with_a_hash_is_accepted(text: str) -> None:
    """YA-17"""
    assert mapping(text).problems == []


def test_a_second_document_is_an_error() -> None:
    """YA-19"""
    assert place(refusal("a: 1\n---\nb: 2")) == (2, 1, "several-documents")
    assert place(refusal("a: 1\n...\n---\nb: 2")) == (3, 1, "several-documents")
    assert place(refusal("a: 1\n...\nb: 2")) == (3, 1, "yaml-syntax")


@pytest.mark.parametrize("text", ["- a\n- b", "word", "12"])
def test_front_matter_that_is_not_a_mapping_is_an_error(text: str) -> None:
    """FI-10"""
    assert place(refusal(text)) == (1, 1, "not-a-mapping")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("word", "such as title"),
        ("https://a.example", "such as title"),
        ("title:A\n", "put a space after the colon"),
        ("title:A\nb: c", "a space"),
    ],
)
def test_a_text_in_place_of_a_mapping_shows_how_to_write_keys(text: str, hint: str) -> None:
    """FI-10"""
    assert hint in refusal(text).hint


@pytest.mark.parametrize("text", ["", "# only a comment", "~", "---\n"])
def test_an_empty_text_contains_no_keys(text: str) -> None:
    assert mapping(text).values == {}


@pytest.mark.parametrize("letter", ["\x85", "\u2028", "\u2029"])
def test_an_invisible_line_end_is_an_error(letter: str) -> None:
    """YA-24"""
    problem = refusal(f"a: 1\nb: x{letter}y")
    assert place(problem) == (2, 5, "control-character")
    assert f"U+{ord(letter):04X}" in problem.message


def test_each_list_item_becomes_a_draft_with_locations() -> None:
    first, second = parse_entries("- a: 1\n- b: 2\n  c: {d: 3}\n", Kind.TAG, "tags.yaml")
    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert (first.line, first.values) == (1, {"a": "1"})
    assert (second.line, second.values) == (2, {"b": "2", "c": {"d": "3"}})
    assert second.value_locations["c.d"] == ("tags.yaml", (3, 10))


def test_an_item_that_is_not_a_mapping_is_an_error_and_others_are_read() -> None:
    found = list(parse_entries("- a: 1\n- word\n- [b]\n- c: 2\n", Kind.TAG, "tags.yaml"))
    assert [it.values for it in found if isinstance(it, Draft)] == [{"a": "1"}, {"c": "2"}]
    assert [place(it) for it in found if isinstance(it, Problem)] == [
        (2, 3, "not-a-mapping"),
        (3, 3, "not-a-mapping"),
    ]


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        (Kind.TAG, "write keys with values, such as title: My title"),
        (Kind.LISTING, "write keys with values, such as name: My name"),
        (Kind.CUSTOM_FIELD, "write keys with values, such as label: My label"),
    ],
)
def test_the_hint_for_an_item_shows_a_key_of_its_kind(kind: Kind, hint: str) -> None:
    (problem,) = parse_entries("- word\n", kind, "a.yaml")
    assert isinstance(problem, Problem)
    assert problem.hint == hint


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
        ("a: - x", 1, 4, "in quotes, or start the list in the line below its key"),
        ("a: \u201cb: c\u201d", 1, 6, "straight quotes"),
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
def test_a_yaml_syntax_error_has_a_location_and_a_hint(text: str, line: int, column: int, hint: str) -> None:
    """YA-16, YA-15"""
    with pytest.raises(UnreadableFile) as raised:
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
def test_a_yaml_quote_closed_in_another_line_is_reported_at_its_start(text: str, line: int, column: int) -> None:
    """YA-16"""
    with pytest.raises(UnreadableFile) as raised:
        read_mapping(text, Draft(Kind.PAGE, "a.md"), 1)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.hint) == (line, column, "close the quote")


def test_a_document_separator_inside_quotes_is_reported_at_the_opening_quote() -> None:
    """FI-09"""
    with pytest.raises(UnreadableFile) as raised:
        read_mapping('a: 1\nb: "x\n---\ny"', Draft(Kind.PAGE, "a.md"), 1)
    (problem,) = raised.value.problems
    assert (problem.where.line, problem.where.column, problem.hint) == (2, 4, "close the quote")


@pytest.mark.parametrize(("text", "mark"), [("a: &and", "&"), ("a: &and more", "&"), ("a: *bold", "*")])
def test_text_that_yaml_reads_as_an_anchor_or_alias_needs_quotes(text: str, mark: str) -> None:
    """YA-16"""
    (problem,) = mapping(text).problems
    assert (place(problem), problem.hint.endswith(f"text that starts with {mark} in quotes")) == (
        (1, 4, "yaml-alias"),
        True,
    )
