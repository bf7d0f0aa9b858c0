"""contentsync.content.formats.table_reader: CSV and TSV with the place of each cell."""

import tracemalloc
from itertools import chain, repeat

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.table_reader import read_table
from contentsync.content.formats.table_rows import TableFormat
from contentsync.errors import Problem, Where
from contentsync.model import Kind

from ..conftest import Load, only, spots

CSV = "listings/a.csv"
TSV = "listings/a.tsv"


def read_both(text: str, delimiter: str = ",") -> tuple[list[Draft], list[Problem]]:
    found = list(read_table([text], Kind.LISTING, CSV, TableFormat(delimiter=delimiter)))
    return [it for it in found if isinstance(it, Draft)], [it for it in found if isinstance(it, Problem)]


def rows(text: str, delimiter: str = ",") -> list[Draft]:
    """Return the drafts of a table without problems."""
    drafts, problems = read_both(text, delimiter)
    assert problems == []
    return drafts


def places(problems: list[Problem]) -> list[tuple[int, int, str]]:
    return [(problem.where.line, problem.where.column, problem.code) for problem in problems]


def test_a_quoted_cell_can_contain_delimiters_quotes_and_line_ends() -> None:
    """CS-10"""
    first, second = rows('name,note\n"a, b","say ""x""\nand\n\nmore"\nc,d\n')
    assert first.values == {"name": "a, b", "note": 'say "x"\nand\n\nmore'}
    assert second.line == 6
    assert second.value_locations == {"name": (CSV, (6, 1)), "note": (CSV, (6, 3))}


def test_a_cell_is_located_by_characters() -> None:
    (draft,) = rows('name,note,more\n🎉é, "x" ,y\n')
    assert {name: mark for name, (_, mark) in draft.value_locations.items()} == {
        "name": (2, 1),
        "note": (2, 4),
        "more": (2, 10),
    }
    assert draft.key_locations["note"] == (CSV, (1, 6))


def test_a_cell_after_a_quoted_line_end_is_located_in_the_last_line() -> None:
    (draft,) = rows('a,b\n"x\nyz",q\n')
    assert draft.value_locations["b"] == (CSV, (3, 5))


def test_spaces_around_cells_are_removed() -> None:
    """CS-21"""
    (draft,) = rows('  name , note \n a\u00a0, "b, c" \n')
    assert draft.values == {"name": "a", "note": "b, c"}


def test_an_empty_cell_is_null() -> None:
    (draft,) = rows('a,b,c\nx,,""\n')
    assert draft.values == {"a": "x", "b": None, "c": None}


def test_the_last_line_needs_no_line_end() -> None:
    assert [draft.values for draft in rows("a,b\n1,2\n3,")] == [{"a": "1", "b": "2"}, {"a": "3", "b": None}]


def test_empty_rows_are_skipped() -> None:
    assert [draft.line for draft in rows("a,b\n\n1,2\n,\n  \n3,4\n\n")] == [3, 6]


def test_a_row_of_another_length_is_reported_and_the_others_are_read() -> None:
    """CS-05"""
    drafts, problems = read_both("a,b\n1\n1,2,3\n4,5\n")
    assert places(problems) == [(2, 1, "ragged-row"), (3, 5, "ragged-row")]
    assert "row 2 has 1 cell, but the header has 2" in problems[0].message
    assert [draft.values for draft in drafts] == [{"a": "4", "b": "5"}]


def test_additional_empty_cells_are_accepted() -> None:
    """CS-05"""
    drafts, problems = read_both('a,b\n1,2,,\n"3\n4",5, ,""\n6,7,,8\n')
    assert [draft.values for draft in drafts] == [{"a": "1", "b": "2"}, {"a": "3\n4", "b": "5"}]
    assert places(problems) == [(5, 6, "ragged-row")]
    assert drafts[1].where("b") == Where(CSV, 4, 4)


def test_the_cells_of_nameless_columns_can_be_missing() -> None:
    drafts, problems = read_both("a,b,,\n1,2\n3\n")
    assert [draft.values for draft in drafts] == [{"a": "1", "b": "2"}]
    assert places(problems) == [(3, 1, "ragged-row")]


def test_missing_cells_are_empty_with_the_short_rows_setting() -> None:
    """CS-05"""
    table = TableFormat(delimiter=",", short_rows="empty")
    drafts = [
        item for item in read_table(['a,b,c\n1\n"2\n3",4\n'], Kind.LISTING, CSV, table) if isinstance(item, Draft)
    ]
    assert [draft.values for draft in drafts] == [{"a": "1", "b": None, "c": None}, {"a": "2\n3", "b": "4", "c": None}]
    assert [draft.where("c") for draft in drafts] == [Where(CSV, 2, 2), Where(CSV, 4, 5)]


def test_the_hint_for_a_short_row_names_the_setting(read: Load) -> None:
    files = {CSV: "name,url\nA\n"}
    (problem,) = read(files).problems
    assert 'short_rows = "empty"' in problem.hint
    setting = "[[content.listings.tables]]\nshort_rows = 'empty'\n"
    assert only(read({**files, "contentsync.toml": setting})).key == "a"


def test_typographic_quotes_around_a_cell_are_reported() -> None:
    _, (problem,) = read_both("a,b\n“1, 2”,3\n")
    assert (problem.code, "straight quotes" in problem.hint) == ("ragged-row", True)


def test_the_row_number_is_reported_if_it_differs_from_the_line() -> None:
    """CS-10"""
    _, problems = read_both('a,b\n"1\n2",3\n4\n')
    assert places(problems) == [(4, 1, "ragged-row")]
    assert problems[0].message.startswith("row 3 ")


def test_rows_before_an_unclosed_quote_are_read() -> None:
    """CS-08"""
    found = read_table(['a,b\n1,2\n3,"4\n5,6\n'], Kind.LISTING, CSV, TableFormat(delimiter=","))
    first = next(found)
    assert isinstance(first, Draft)
    assert first.values == {"a": "1", "b": "2"}
    with pytest.raises(UnreadableFile) as raised:
        next(found)
    assert places(list(raised.value.problems)) == [(3, 3, "unclosed-quote")]


def test_mistakes_before_an_unclosed_quote_are_reported_too(read: Load) -> None:
    """CS-08"""
    content = read({CSV: 'name,url\nA,nowhere\nB,"https://b.example\nC,\n'})
    assert spots(content) == [(CSV, 2, 3, "bad-url"), (CSV, 3, 3, "unclosed-quote")]


@pytest.mark.parametrize("cell", ["a;b", "a|b", "a\tb", "a;b;c;d"])
def test_a_table_with_one_column_is_not_searched_for_a_delimiter(cell: str) -> None:
    """CS-04"""
    assert [draft.values for draft in rows(f"name\n{cell}\n{cell}\n")] == [{"name": cell}, {"name": cell}]


def test_tabs_separate_a_tsv() -> None:
    (draft,) = rows('name\tnote\n"a\tb"\tc, d\n', "\t")
    assert draft.values == {"name": "a\tb", "note": "c, d"}


@pytest.mark.parametrize("text", ["", "\n\n", "name,url\n"])
def test_a_table_without_rows_is_a_warning(read: Load, text: str) -> None:
    """CS-16"""
    content = read({CSV: text})
    assert spots(content) == [(CSV, 1, 1, "empty-file")]
    assert content.errors == []


def test_a_byte_order_mark_is_not_part_of_the_first_column(read: Load) -> None:
    """CS-01"""
    assert only(read({CSV: b"\xef\xbb\xbfname,description\nA,x\n"})).fields["name"] == "A"


@pytest.mark.parametrize(
    "text",
    [b"name,url\rA,\rB,nowhere\r", b"name,url\r\nA,\r\nB,nowhere\r\n", b"name,url\rA,\nB,nowhere\r\n"],
    ids=["CR", "CRLF", "mixed"],
)
def test_a_table_can_have_any_line_ends(read: Load, text: bytes) -> None:
    """CS-13"""
    content = read({CSV: text})
    assert spots(content) == [(CSV, 3, 3, "bad-url")]
    assert [entry.key for entry in content.entries] == ["a"]


def test_quotes_in_an_old_encoding_are_reported_at_their_location(read: Load) -> None:
    """CS-14"""
    content = read({CSV: "name,description\nA,\nB,say “x”\n".encode("cp1252")})
    assert spots(content) == [(CSV, 3, 7, "not-utf8")]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "'=1", "=HYPERLINK(1)"])
def test_formulas_are_read_as_text(read: Load, cell: str) -> None:
    """CS-17"""
    assert only(read({CSV: f"name,description\na,{cell}\n"})).fields["description"] == cell


def test_an_unknown_column_is_reported_once_with_the_nearest_name(read: Load) -> None:
    """YA-21"""
    content = read({CSV: "name,descripton\na,x\nb,y\n"})
    assert spots(content) == [(CSV, 1, 6, "unknown-key")]
    assert "description" in content.problems[0].hint


def test_a_wrong_cell_is_reported_at_its_line_and_column(read: Load) -> None:
    """CS-24"""
    content = read({CSV: 'name,latitude,url\na,"40,7128",https://a.example\nb,400,nowhere\n'})
    assert spots(content) == [
        (CSV, 2, 3, "not-a-number"),
        (CSV, 3, 3, "out-of-range"),
        (CSV, 3, 7, "bad-url"),
    ]


@pytest.mark.parametrize(("cell", "flag"), [("TRUE", True), ("Yes", True), ("1", True), ("off", False), ("0", False)])
def test_a_boolean_cell_must_be_one_of_the_known_words(read: Load, cell: str, flag: bool) -> None:
    """CS-23"""
    assert only(read({CSV: f"name,is_featured\na,{cell}\n"})).fields["is_featured"] is flag
    assert spots(read({CSV: "name,is_featured\na,ja\n"})) == [(CSV, 2, 3, "not-a-boolean")]


@pytest.mark.parametrize("name", [CSV, TSV])
def test_duplicate_rows_are_reported_with_both_lines(read: Load, name: str) -> None:
    """CS-19"""
    tab = "\t" if name == TSV else ","
    content = read({name: f"name{tab}url\nA{tab}https://a.example\nB{tab}https://A.example/\n"})
    assert spots(content) == [(name, 3, 3, "duplicate-identity")]
    assert "line 2" in content.problems[0].message


def test_reading_many_rows_takes_no_more_memory_than_few() -> None:
    """CS-22"""
    block = "Tool,https://a.example\n" * 1000

    def peak(blocks: int) -> int:
        tracemalloc.start()
        try:
            found = read_table(
                chain(["name,url\n"], repeat(block, blocks)), Kind.LISTING, CSV, TableFormat(delimiter=",")
            )
            assert sum(isinstance(item, Draft) for item in found) == blocks * 1000
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(8) < peak(2) + 3_000  # half a byte a row


def test_a_mistake_below_a_multiline_cell_is_reported_with_its_row(read: Load) -> None:
    """CS-10: people count rows, editors count lines."""
    content = read({CSV: 'name,latitude\n"A\nB",1\nC,x\n'})
    assert spots(content) == [(CSV, 4, 3, "not-a-number")]
    assert content.problems[0].message.startswith("row 3: latitude ")
