"""contentsync.content.formats.table_reader: the names of a table's columns."""

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.table_reader import read_table
from contentsync.content.formats.table_rows import TableFormat
from contentsync.errors import Problem
from contentsync.model import Kind

from ..conftest import Load, spots

CSV = "listings/a.csv"


def reported(text: str, delimiter: str = ",") -> list[Problem]:
    """Return the problems of a table that gives no drafts."""
    found = list(read_table([text], Kind.LISTING, CSV, TableFormat(delimiter=delimiter)))
    assert not any(isinstance(item, Draft) for item in found)
    return [item for item in found if isinstance(item, Problem)]


def places(problems: list[Problem]) -> list[tuple[int, int, str]]:
    """Return the line, the column and the code of each problem."""
    return [(problem.where.line, problem.where.column, problem.code) for problem in problems]


@pytest.mark.parametrize("header", ["name;slug", "name\tslug", "name|slug"])
def test_another_delimiter_is_reported(header: str) -> None:
    """CS-03, CS-04"""
    with pytest.raises(UnreadableFile) as raised:
        list(read_table([f"{header}\na;b\n"], Kind.LISTING, CSV, TableFormat(delimiter=",")))
    (problem,) = raised.value.problems
    assert places([problem]) == [(1, 1, "wrong-delimiter")]
    assert header in problem.message


def test_commas_in_a_tsv_are_reported() -> None:
    """CS-03"""
    with pytest.raises(UnreadableFile, match="comma"):
        list(read_table(["name,slug\na,b\n"], Kind.LISTING, CSV, TableFormat(delimiter="\t")))


@pytest.mark.parametrize("line", ["sep=;", "sep=\t", "sep=|"])
def test_a_delimiter_declared_in_the_first_line_is_used(read: Load, line: str) -> None:
    """CS-03, CS-15"""
    delimiter = line[-1]
    content = read({CSV: f"{line}\nname{delimiter}description\nA{delimiter}x, y\n"})
    assert content.problems == ()
    assert [entry.fields["description"] for entry in content.entries] == ["x, y"]


def test_a_declaration_of_the_usual_delimiter_is_not_a_row(read: Load) -> None:
    """CS-15"""
    content = read({CSV: "sep=,\nname,slug,url\nA,a,nowhere\n"})
    assert spots(content) == [(CSV, 3, 5, "bad-url")]


def test_a_duplicate_column_is_an_error() -> None:
    """CS-06"""
    (problem,) = reported("a,b,a\n1,2,3\n")
    assert places([problem]) == [(1, 5, "duplicate-column")]
    assert "column 1" in problem.message


def test_an_object_column_beside_one_of_its_parts_is_an_error() -> None:
    assert places(reported("schema,schema.name\n1,2\n")) == [(1, 8, "duplicate-column")]


@pytest.mark.parametrize("letter", ["\u200b", "\u00a0", "\u202e"])
def test_invisible_characters_in_a_column_name_are_an_error(letter: str) -> None:
    """CS-07"""
    (problem,) = reported(f"a,na{letter}me\n1,2\n")
    assert places([problem]) == [(1, 3, "invisible-character")]
    assert f"U+{ord(letter):04X}" in problem.message


@pytest.mark.parametrize("name", [".a", "seo.", "seo..title"])
def test_a_dotted_column_needs_a_name_on_both_sides(name: str) -> None:
    assert places(reported(f"name,{name}\n1,2\n")) == [(1, 6, "bad-key")]


def test_a_dotted_column_has_a_limited_depth() -> None:
    assert places(reported("name," + "a." * 100_000 + "b\n1,2\n")) == [(1, 6, "too-deep")]


def test_a_table_has_a_limited_number_of_columns() -> None:
    assert places(reported(",".join(f"c{number}" for number in range(1001)) + "\n")) == [(1, 4891, "too-many")]


def test_rows_are_still_checked_under_a_header_with_mistakes() -> None:
    assert places(reported("a,a\n1,2\n3\n")) == [(1, 3, "duplicate-column"), (3, 1, "ragged-row")]


def test_a_nameless_column_must_be_empty() -> None:
    """CS-07"""
    found = list(read_table(["a,\n1,\n2,x\n3,y\n"], Kind.LISTING, CSV, TableFormat(delimiter=",")))
    assert [item.values for item in found if isinstance(item, Draft)] == [{"a": "1"}, {"a": "2"}, {"a": "3"}]
    (problem,) = [item for item in found if isinstance(item, Problem)]
    assert places([problem]) == [(1, 3, "nameless-column")]
    assert "line 3" in problem.message
