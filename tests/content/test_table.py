"""contentsync.content.table: CSV and TSV with the place of each cell."""

import pytest

from contentsync.content.draft import Draft, Unreadable
from contentsync.content.table import read_table
from contentsync.errors import Problem
from contentsync.model import Kind

from .conftest import Load, only, spots

CSV = "listings/a.csv"


def rows(text: str, delimiter: str = ",") -> list[Draft]:
    drafts, problems = read_table(text, Kind.LISTING, CSV, delimiter)
    assert problems == []
    return drafts


def refusals(text: str, delimiter: str = ",") -> list[Problem]:
    with pytest.raises(Unreadable) as raised:
        read_table(text, Kind.LISTING, CSV, delimiter)
    return list(raised.value.problems)


def places(problems: list[Problem]) -> list[tuple[int, int, str]]:
    return [(problem.where.line, problem.where.column, problem.code) for problem in problems]


def test_cells_may_hold_delimiters_quotes_and_line_ends() -> None:
    """CS-10"""
    first, second = rows('name,note\n"a, b","say ""x""\nand\n\nmore"\nc,d\n')
    assert first.values == {"name": "a, b", "note": 'say "x"\nand\n\nmore'}
    assert second.line == 6
    assert second.marks == {"name": (CSV, (6, 1)), "note": (CSV, (6, 3))}


def test_the_place_of_a_cell_is_where_it_starts_in_characters() -> None:
    (draft,) = rows('name,note,more\n🎉é, "x" ,y\n')
    assert {name: mark for name, (_, mark) in draft.marks.items()} == {"name": (2, 1), "note": (2, 4), "more": (2, 10)}
    assert draft.keys["note"] == (CSV, (1, 6))


def test_a_cell_behind_a_quoted_line_end_has_its_column_in_the_last_line() -> None:
    (draft,) = rows('a,b\n"x\nyz",q\n')
    assert draft.marks["b"] == (CSV, (3, 5))


def test_spaces_around_cells_are_dropped_quoted_or_not() -> None:
    """CS-21"""
    (draft,) = rows('  name , note \n a\u00a0, "b, c" \n')
    assert draft.values == {"name": "a", "note": "b, c"}


def test_an_empty_cell_is_none() -> None:
    (draft,) = rows('a,b,c\nx,,""\n')
    assert draft.values == {"a": "x", "b": None, "c": None}


def test_the_last_line_needs_no_end() -> None:
    assert [draft.values for draft in rows("a,b\n1,2\n3,")] == [{"a": "1", "b": "2"}, {"a": "3", "b": None}]


def test_empty_rows_are_passed_over() -> None:
    assert [draft.line for draft in rows("a,b\n\n1,2\n,\n  \n3,4\n\n")] == [3, 6]


def test_rows_of_another_length_are_told_and_the_others_are_read() -> None:
    """CS-05"""
    drafts, problems = read_table("a,b\n1\n1,2,3\n4,5\n", Kind.LISTING, CSV, ",")
    assert places(problems) == [(2, 1, "ragged-row"), (3, 5, "ragged-row")]
    assert "row 2 has 1 cell, the header has 2" in problems[0].message
    assert [draft.values for draft in drafts] == [{"a": "4", "b": "5"}]


def test_an_open_quote_is_told_where_it_opens() -> None:
    """CS-08"""
    assert places(refusals('a,b\n1,2\n3,"4\n5,6\n7,8\n')) == [(3, 3, "unclosed-quote")]


def test_text_behind_a_closing_quote_is_an_error() -> None:
    """CS-09"""
    assert places(refusals('a,b\n"1\n2"x,3\n')) == [(3, 3, "text-after-quote")]


@pytest.mark.parametrize("header", ["name;slug", "name\tslug", "name|slug", "sep=;"])
def test_another_delimiter_is_told(header: str) -> None:
    """CS-03, CS-04, CS-15"""
    (problem,) = refusals(f"{header}\na;b\n")
    assert (problem.code, problem.where.line) == ("wrong-delimiter", 1)
    assert header in problem.message


def test_commas_in_a_tsv_are_told() -> None:
    (problem,) = refusals("name,slug\na,b\n", "\t")
    assert "comma" in problem.message


def test_tabs_separate_a_tsv() -> None:
    (draft,) = rows('name\tnote\n"a\tb"\tc, d\n', "\t")
    assert draft.values == {"name": "a\tb", "note": "c, d"}


def test_a_column_that_stands_twice_is_an_error() -> None:
    """CS-06"""
    (problem,) = refusals("a,b,a\n1,2,3\n")
    assert places([problem]) == [(1, 5, "duplicate-column")]
    assert "column 1" in problem.message


def test_an_object_and_a_part_of_it_cannot_both_be_columns() -> None:
    assert places(refusals("schema,schema.name\n1,2\n")) == [(1, 8, "duplicate-column")]


@pytest.mark.parametrize("letter", ["\u200b", "\u00a0", "\u202e"])
def test_invisible_characters_in_a_column_name_are_an_error(letter: str) -> None:
    """CS-07"""
    (problem,) = refusals(f"a,na{letter}me\n1,2\n")
    assert places([problem]) == [(1, 3, "invisible-character")]
    assert f"U+{ord(letter):04X}" in problem.message


def test_a_column_without_a_name_may_only_be_empty() -> None:
    """CS-07"""
    assert rows("a,\n1,\n2,\n")[1].values == {"a": "2"}
    (problem,) = refusals("a,\n1,\n2,x\n")
    assert places([problem]) == [(1, 3, "nameless-column")]
    assert "line 3" in problem.message


@pytest.mark.parametrize("text", ["", "\n\n", "name,url\n"])
def test_a_table_without_rows_is_a_warning(read: Load, text: str) -> None:
    """CS-16"""
    content = read({CSV: text})
    assert spots(content) == [(CSV, 1, 1, "empty-file")]
    assert content.errors == []


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x"])
def test_formulas_are_text(read: Load, cell: str) -> None:
    """CS-17"""
    assert only(read({CSV: f"name,description\na,{cell}\n"})).fields["description"] == cell


def test_an_unknown_column_is_told_once_with_the_nearest_name(read: Load) -> None:
    """YA-21"""
    content = read({CSV: "name,descripton\na,x\nb,y\n"})
    assert spots(content) == [(CSV, 1, 6, "unknown-key")]
    assert "description" in content.problems[0].hint


def test_a_wrong_cell_is_told_at_its_line_and_column(read: Load) -> None:
    """CS-24"""
    content = read({CSV: 'name,latitude,url\na,"40,7128",https://a.example\nb,400,nowhere\n'})
    assert spots(content) == [
        (CSV, 2, 3, "not-a-number"),
        (CSV, 3, 3, "out-of-range"),
        (CSV, 3, 7, "bad-url"),
    ]


@pytest.mark.parametrize(("cell", "flag"), [("TRUE", True), ("Yes", True), ("1", True), ("off", False), ("0", False)])
def test_booleans_come_from_a_closed_list(read: Load, cell: str, flag: bool) -> None:
    """CS-23"""
    assert only(read({CSV: f"name,is_featured\na,{cell}\n"})).fields["is_featured"] is flag
    assert spots(read({CSV: "name,is_featured\na,ja\n"})) == [(CSV, 2, 3, "not-a-boolean")]
