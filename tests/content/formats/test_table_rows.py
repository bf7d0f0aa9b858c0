"""contentsync.content.formats.table_rows: cells and their positions, from text in blocks; digests of rows."""

import csv
import io
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.table_rows import MAX_ROW, SyncedRows, TableFormat, TableRow, TableRows, row_digest
from contentsync.errors import Problem

CSV = "listings/a.csv"
CELL = st.text('ab,;\t|" \n\u00a0é🎉=-', max_size=6)
TABLE = st.lists(st.lists(CELL, min_size=2, max_size=4), max_size=5)
DELIMITER = st.sampled_from(",;\t|")


def cells(blocks: Iterable[str], delimiter: str = ",") -> list[list[str | None]]:
    return [row.cells for row in TableRows(blocks, TableFormat(delimiter=delimiter), CSV)]


def refusal(blocks: Iterable[str], delimiter: str = ",") -> Problem:
    with pytest.raises(UnreadableFile) as raised:
        cells(blocks, delimiter)
    (problem,) = raised.value.problems
    return problem


def place(problem: Problem) -> tuple[int, int, str]:
    """Return the line, the column and the code of a problem."""
    return problem.where.line, problem.where.column, problem.code


def pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@given(TABLE, DELIMITER, st.integers(1, 30))
def test_written_csv_is_read_back_unchanged(table: list[list[str]], delimiter: str, size: int) -> None:
    """CS-10, CS-17, CS-21"""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(table)
    assert cells(pieces(file.getvalue(), size), delimiter) == [[cell.strip() or None for cell in row] for row in table]


@given(st.text('a," \n;é\u00a0', max_size=40), DELIMITER, st.integers(1, 9))
def test_the_size_of_the_pieces_does_not_matter(text: str, delimiter: str, size: int) -> None:
    def outcome(blocks: list[str]) -> object:
        found = []
        try:
            for row in TableRows(blocks, TableFormat(delimiter=delimiter), CSV):
                found.append(row)  # noqa: PERF402  # the rows before an error count
        except UnreadableFile as error:
            return found, error.problems
        return found

    assert outcome(pieces(text, size)) == outcome([text])


@given(st.text('a," \n;é\u00a0', max_size=40), DELIMITER)
def test_every_cell_is_located_at_its_first_character(text: str, delimiter: str) -> None:
    lines = text.split("\n")
    rows = TableRows([text], TableFormat(delimiter=delimiter), CSV)
    try:
        for row in rows:
            marks = rows.positions(row)
            assert len(marks) == len(row.cells)
            for (line, column), cell in zip(marks, row.cells, strict=True):
                before, here = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
                assert not before or before.endswith(delimiter)
                behind = "\n".join([here, *lines[line:]])
                assert behind.lstrip().removeprefix('"').lstrip().replace('""', '"').startswith((cell or "")[:1])
    except UnreadableFile as error:
        where = error.problems[0].where
        assert 1 <= where.column <= len(lines[where.line - 1]) + 1


def test_a_row_can_contain_several_multiline_cells() -> None:
    """CS-10"""
    rows = TableRows(['a\n"b\n\nc","d ""\n"" e" , f\ng\n'], TableFormat(delimiter=","), CSV)
    found = list(rows)
    assert [row.cells for row in found] == [["a"], ["b\n\nc", 'd "\n" e', "f"], ["g"]]
    assert [(row.number, row.line) for row in found] == [(1, 1), (2, 2), (3, 6)]
    assert rows.positions(found[1]) == [(2, 1), (4, 4), (5, 8)]


def test_any_kind_of_space_can_precede_a_quote() -> None:
    """CS-21"""
    assert cells(['\u00a0"a, b"\u2003,c']) == [["a, b", "c"]]


def test_a_quote_inside_an_unquoted_cell_is_text() -> None:
    assert cells(["5\" pipe,6' rope"]) == [['5" pipe', "6' rope"]]


def test_an_unclosed_quote_is_reported_at_its_start() -> None:
    """CS-08"""
    problem = refusal(['a,b\n"1\n",2\n3, "4\n5,6\n7,8\n'])
    assert place(problem) == (4, 4, "unclosed-quote")
    assert problem.message.startswith("row 3: ")


def test_an_unclosed_quote_after_a_multiline_cell_is_located_in_its_line() -> None:
    """CS-08"""
    assert place(refusal(['a,b\n"1\n2","3\n4\n'])) == (3, 4, "unclosed-quote")


@pytest.mark.parametrize(("text", "mark"), [('"a"x,b', (1, 4)), ('"a\nb","c"x', (2, 7))])
def test_text_after_a_closing_quote_is_reported_at_its_location(text: str, mark: tuple[int, int]) -> None:
    """CS-09"""
    problem = refusal([text])
    assert place(problem) == (*mark, "text-after-quote")
    assert "the whole cell in quotes" in problem.hint


@pytest.mark.parametrize(("text", "mark"), [('a,"b,c\nd,"e",f', (1, 3)), ('"a\n\nb" x', (1, 1))])
def test_a_quote_closed_in_another_line_is_reported_at_its_start(text: str, mark: tuple[int, int]) -> None:
    """CS-08"""
    problem = refusal([text])
    assert place(problem) == (*mark, "text-after-quote")
    assert f"in line {text.count(chr(10)) + 1}" in problem.message
    assert "close the quote" in problem.hint


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a,b\n1," + "x" * MAX_ROW, (2, 3)),
        ("a,b\n1," + "x" * MAX_ROW + "\n2,3\n", (2, 3)),
        ('a,b\n"1",' + "x" * MAX_ROW, (2, 5)),
        ('a,b\n1,"' + "x" * MAX_ROW + '"\n', (2, 3)),
        ('a,b\n1,"' + "x\n" * MAX_ROW, (2, 3)),
    ],
    ids=["last line", "line", "behind a quoted cell", "quoted", "open quote"],
)
def test_a_row_over_the_length_limit_is_an_error(text: str, mark: tuple[int, int]) -> None:
    """CS-12"""
    problem = refusal(pieces(text, 65536))
    assert place(problem) == (*mark, "too-long")
    assert problem.message.startswith("row 2: ")


def test_a_row_of_exactly_the_maximum_length_is_read() -> None:
    """CS-12"""
    inner = "x\n" * ((MAX_ROW - 2) // 2)
    assert cells([f'"{inner}"\n']) == [[inner.strip()]]
    assert cells(["x" * MAX_ROW]) == [["x" * MAX_ROW]]


@pytest.mark.parametrize("repeated", ["x\n", '""', "x", ",\n"], ids=["lines", "escaped quotes", "one line", "cells"])
def test_reading_stops_soon_after_an_unclosed_quote(repeated: str) -> None:
    """CS-12, CS-22: an endless text is read only until the row is too long, and the quote is named."""
    block_length = 65536
    blocks_of_longest_row = MAX_ROW // block_length + 1
    blocks_read = 0

    def endless_blocks() -> Iterator[str]:
        nonlocal blocks_read
        yield 'a,b\n1,"'
        while True:
            blocks_read += 1
            yield repeated * (block_length // len(repeated))

    assert place(refusal(endless_blocks())) == (2, 3, "too-long")
    assert blocks_read <= blocks_of_longest_row + 1


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;", "sep=;,,"])
def test_the_first_line_can_declare_the_delimiter(line: str) -> None:
    """CS-15"""
    rows = list(TableRows([f"{line}\na;b,c\n"], TableFormat(delimiter=","), CSV))
    assert [(row.number, row.line, row.cells) for row in rows] == [(2, 2, ["a", "b,c"])]


def test_an_unusual_declared_delimiter_is_an_error() -> None:
    """CS-15"""
    assert place(refusal(["sep=x\naxb\n"])) == (1, 1, "wrong-delimiter")


def test_a_delimiter_declaration_further_down_is_a_row() -> None:
    assert cells(["a\nsep=;\n"]) == [["a"], ["sep=;"]]


def digest(text: str, path: str = CSV, delimiter: str = ",", names: tuple[str, ...] = ("name", "url")) -> str:
    """Return the digest of the only row of a text."""
    (row,) = TableRows([text], TableFormat(delimiter=delimiter), path)
    return row_digest(path, delimiter, names)(row.text)


@pytest.mark.parametrize(
    "other",
    [
        digest("A,c"),
        digest("A;b"),
        digest('A,"b"'),
        digest("A,b", path="listings/b.csv"),
        digest("A,b", delimiter=";"),
        digest("A,b", names=("url", "name")),
        digest("A,b", names=("name,url",)),
    ],
)
def test_the_digest_of_a_row_depends_on_its_table_and_header(other: str) -> None:
    assert digest("A,b") == digest("A,b\n") != other


def test_the_digests_of_found_rows_and_of_others_are_collected() -> None:
    rows = SyncedRows({digest("A,b"), digest("B,c")})
    assert [rows.find(digest(text)) for text in ("A,b", "C,d", "A,b")] == [True, False, True]
    assert rows.found == [digest("A,b")] * 2
    for line, text in enumerate(("C,d", "[C](d),e", "C,<b>"), 3):
        rows.note_other(digest(text), "a.csv", TableRow(line - 1, line, text, []))  # a row above has two lines
    assert rows.others == {("a.csv", 3): digest("C,d")}  # a link may be broken by a change of another file


def test_a_row_that_is_not_unicode_has_a_digest() -> None:
    assert digest("\udc80,b") != digest("\udc81,b")
