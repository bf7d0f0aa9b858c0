"""contentsync.content.formats.table_reader: cells that a spreadsheet changed."""

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.table_reader import read_table
from contentsync.content.formats.table_rows import TableFormat
from contentsync.errors import Problem, Severity
from contentsync.model import Kind

from ..conftest import Load, spots

CSV = "listings/a.csv"


def test_a_formula_around_a_text_is_reported_with_the_text(read: Load) -> None:
    """CS-18"""
    content = read({CSV: 'name,description\nA,"=""0123"""\nB,="0456"\nC,<a href="x">=1</a>\n'})
    assert spots(content) == [(CSV, 2, 3, "excel-damage")]
    (problem,) = content.problems
    assert problem.hint == "write 0123, without the equals sign and the quotes"
    assert "2 rows of this column" in problem.message


@pytest.mark.parametrize(
    ("cell", "cause"),
    [
        ("1E+05", "number"),
        ("1.00E+05", "number"),
        ("4.4E+11", "number"),
        ("1.23457E+11", "number"),
        ('"1,23457E+11"', "number"),
        ("1-Jan", "date"),
        ("01-Dec", "date"),
        ("Jan-20", "date"),
        ("#NAME?", "formula"),
        ("#REF!", "formula"),
        ("#VALUE!", "formula"),
        ("#N/A", "formula"),
        ("########", "too wide"),
    ],
)
def test_a_cell_damaged_by_a_spreadsheet_program_is_a_warning(read: Load, cell: str, cause: str) -> None:
    """CS-18"""
    content = read({CSV: f"name,phone_number\nA,1\nB,{cell}\n"})
    assert spots(content) == [(CSV, 3, 3, "excel-damage")]
    assert content.errors == []
    assert cause in content.problems[0].message


@pytest.mark.parametrize(
    "cell",
    [
        "1e5",
        "E+05",
        "12E+05",
        "1-January",
        "32-Jan",
        "Jan-2020",
        "Jan",
        "may-20",
        "#1",
        "#NAME",
        "#0a7",
        "##",
        "C#",
        "A+",
    ],
)
def test_a_cell_that_only_resembles_damage_is_accepted(read: Load, cell: str) -> None:
    """CS-18"""
    assert read({CSV: f"name,phone_number\nA,{cell}\n"}).problems == ()


def test_damage_is_reported_once_per_column_and_cause(read: Load) -> None:
    """CS-18"""
    content = read({CSV: "name,phone_number,address\nA,1E+05,x\nB,2E+05,Jan-20\nC,3,y\nD,#N/A,z\n"})
    assert spots(content) == [(CSV, line, column, "excel-damage") for line, column in ((2, 3), (3, 9), (5, 3))]
    assert ["2 rows" in problem.message for problem in content.problems] == [True, False, False]


def test_a_damaged_word_inside_a_longer_text_is_accepted(read: Load) -> None:
    """CS-18"""
    assert read({CSV: "name,description\nA,from 1-Jan on 1E+05 #N/A\n"}).problems == ()


def test_damage_is_reported_before_an_error_ends_the_table() -> None:
    """CS-18"""
    found: list[Draft | Problem] = []
    with pytest.raises(UnreadableFile):
        found.extend(read_table(['a,b\n1E+05,2\n"3\n'], Kind.LISTING, CSV, TableFormat(delimiter=",")))
    assert [(it.code, it.severity) for it in found if isinstance(it, Problem)] == [("excel-damage", Severity.WARNING)]
