"""Sheets of awkward texts that are written to real files and read again."""

from hypothesis import given
from hypothesis import strategies as st

from contentsync.exchange.spreadsheet.sheet import Sheet, SheetRow, digest, read_delimited, write_delimited
from contentsync.exchange.spreadsheet.workbook_file import read_workbook, write_workbook

from .folder import NASTY

WORDS = ["Studio 54", "Windows 11", "Mar 26", "_x0041_", "_x000D_", "&amp;", "<b>", "﻿", "a\tb", "''", "'=1", "\\", "Ā"]
AWKWARD = st.one_of(
    st.sampled_from([*NASTY, *WORDS]),
    st.text(st.sampled_from("'\"=+-@,;|\t\n _x0123456789aE.:/%€\N{NO-BREAK SPACE}Mar")),
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))),
).map(str.strip)  # as the texts of cells are
SHEETS = st.lists(AWKWARD, min_size=1, max_size=6)


def sheet_of(texts: list[str]) -> Sheet:
    """Return a sheet with a row for each text, also in the key."""
    rows = []
    for number, text in enumerate(texts, start=2):
        cells = {"name": text, "description": texts[-1]}
        base = {name: digest(each) for name, each in cells.items()}
        rows.append(SheetRow(number, f"key {number}", cells, base))
    return Sheet(["name", "description"], rows)


def texts_of(sheet: Sheet) -> list[tuple[str, dict[str, str], dict[str, str]]]:
    return [(row.key, dict(row.cells), dict(row.base)) for row in sheet.rows]


@given(SHEETS)
def test_every_text_survives_a_round_trip_through_csv_and_tsv(texts: list[str]) -> None:
    sheet = sheet_of(texts)
    for suffix in (".csv", ".tsv"):
        assert texts_of(read_delimited(write_delimited(sheet, suffix), "tools")) == texts_of(sheet)


@given(SHEETS)
def test_every_text_survives_a_round_trip_through_xlsx(texts: list[str]) -> None:
    sheet = sheet_of(texts)
    read = read_workbook(write_workbook(sheet, {}), "tools")
    assert texts_of(read) == texts_of(sheet)
    assert not any(row.converted for row in read.rows)
