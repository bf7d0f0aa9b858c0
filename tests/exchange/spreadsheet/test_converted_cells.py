"""Cells that a spreadsheet program has turned into other values, in real files: a problem or no change, no silent edit.

CS-25
"""

import json
from collections.abc import Callable
from datetime import datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from contentsync.cli import run
from contentsync.exchange.spreadsheet.converted_cells import guarded, is_same_number, unguarded

from ...exit_codes import CONTENT_ERRORS
from .folder import NASTY

FIELDS = """\
- {label: Code, name: code, type: text}
- {label: Price, name: price, type: number}
- {label: Size, name: size, type: select, options: ["7", "10"]}
- {label: Day, name: day, type: date}
"""
LONG = "12345678901234567890"
URL = "https://example.org/tool"
COLUMNS = {"name": "B", "description": "C", "url": "D", "code": "G", "day": "H", "price": "I", "size": "J"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder with one listing, whose fields a test sets with `with_listing`."""
    site = tmp_path / "site"
    (site / "listings").mkdir(parents=True)
    (site / "contentsync.toml").write_text("# all defaults\n", encoding="utf-8")
    (site / "custom_fields.yaml").write_text(FIELDS, encoding="utf-8")
    return site


def with_listing(site: Path, **fields: Any) -> Path:
    """Write the listing, and export it as .xlsx."""
    listing = {"name": "Tool", "url": URL, "price": 7, "size": "7", "day": "2026-03-01", "code": "x", **fields}
    (site / "listings/tool.json").write_text(json.dumps(listing, indent=2), encoding="utf-8")
    file = site.parent / "listings.xlsx"
    assert run(["export", "listings", str(file), str(site)]) == 0
    header = next(load_workbook(file, read_only=True)["listings"].iter_rows(max_row=1))
    assert {cell.value: cell.column_letter for cell in header}.items() >= COLUMNS.items()
    return file


def with_cell(file: Path, name: str, value: object) -> None:
    """Set a cell without the text format, as a program that converts texts does."""
    coordinate = f"{COLUMNS[name]}2"
    if isinstance(value, int | float):
        type_, number = (' t="b"', int(value)) if isinstance(value, bool) else ("", value)
        replace_in_sheet(file, _cell_xml(file, coordinate), f'<c r="{coordinate}"{type_}><v>{number!r}</v></c>')
        return
    book = load_workbook(file)
    cell: Any = book["listings"][coordinate]
    cell.value = value
    book.save(file)


def replace_in_sheet(file: Path, old: str, new: str) -> None:
    """Replace XML in the part of the sheet."""
    with ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    part = "xl/worksheets/sheet1.xml"
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode(), 1)
    with ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def _cell_xml(file: Path, coordinate: str) -> str:
    with ZipFile(file) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    start = xml.index(f'<c r="{coordinate}"')
    return xml[start : xml.index("</c>", start) + len("</c>")]


@pytest.fixture
def imported(site: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Return the changes of an import, by field, or its problems if the exit code is 1."""

    def import_file(file: Path, exit_code: int = 0) -> Any:
        capsys.readouterr()
        assert run(["import", str(file), str(site), "--yes", "--format=json"]) == exit_code
        document = json.loads(capsys.readouterr().out)
        if exit_code:
            return [(problem["message"], problem["hint"]) for problem in document["problems"]]
        return {change["field"]: change["to"] for change in document["changes"]}

    return import_file


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("code", "0815", 815),
        ("code", "0815", 815.0),
        ("code", "7.0", 7),
        ("code", "7", 7.0),
        ("code", "+49", 49),
        ("code", "1e5", 100000),
        ("code", "1,5", 1.5),
        ("code", LONG, 1.2345678901234567e19),
        ("code", LONG, 1.23456789012345e19),  # as Excel cuts it off
        ("code", LONG, 1.23456789012346e19),  # as LibreOffice rounds it
        ("code", "TRUE", True),
        ("price", 7, 7.0),
        ("price", 7.0, 7),
        ("price", 1200.5, 1200.5),
        ("size", "7", 7.0),
        ("day", "2026-03-01", datetime(2026, 3, 1)),
    ],
)
def test_a_converted_cell_with_the_same_value_changes_nothing(
    site: Path, imported: Callable[..., Any], name: str, text: object, value: object
) -> None:
    """CS-25"""
    file = with_listing(site, **{name: text})
    with_cell(file, name, value)
    assert imported(file) == {}


@pytest.mark.parametrize(
    ("text", "value", "shown"),
    [
        ("0815", 816, "the number 816"),
        (LONG, 1.23e19, "the number 1.23e+19"),
        ("123456789012", 1.23e11, "the number 123000000000"),
        ("1-2", datetime(2026, 2, 1), "the date or time 2026-02-01 00:00:00"),
        ("12:30", time(12, 30), "the date or time 12:30:00"),
        ("on", True, "the boolean TRUE"),
    ],
)
def test_a_converted_cell_with_another_value_is_a_problem(
    site: Path, imported: Callable[..., Any], text: str, value: object, shown: str
) -> None:
    """CS-25"""
    file = with_listing(site, code=text)
    with_cell(file, "code", value)
    message = f"cell G2 of the sheet listings has {shown}, but the code is a text; the folder has '{text}'"
    assert imported(file, exit_code=CONTENT_ERRORS) == [(message, "format the cell as text, and write the text again")]


def test_a_number_in_a_text_column_of_a_new_row_is_a_problem(site: Path, imported: Callable[..., Any]) -> None:
    """CS-25"""
    file = with_listing(site)
    book = load_workbook(file)
    sheet: Any = book["listings"]
    sheet["B3"], sheet["D3"], sheet["I3"] = 365, "https://example.org/new", 12
    book.save(file)
    [(message, _hint)] = imported(file, exit_code=CONTENT_ERRORS)
    assert message == "cell B3 of the sheet listings has the number 365, but the name is a text"


def test_a_number_in_a_number_field_is_imported_in_its_shortest_form(site: Path, imported: Callable[..., Any]) -> None:
    """CS-25"""
    file = with_listing(site, price=3)
    with_cell(file, "price", 12.0)
    assert imported(file) == {"price": "12"}


@pytest.mark.parametrize("cell", ['<c r="G2"><v>815.0</v></c>', '<c r="G2"><f>800+15</f><v>8.15E2</v></c>'])
def test_numbers_and_formula_results_are_compared_in_the_notation_of_excel(
    site: Path, imported: Callable[..., Any], cell: str
) -> None:
    """CS-25"""
    file = with_listing(site, code="0815")
    with_cell(file, "code", 815)
    replace_in_sheet(file, _cell_xml(file, "G2"), cell)
    assert imported(file) == {}


def test_an_error_value_of_a_formula_is_a_problem(site: Path, imported: Callable[..., Any]) -> None:
    """CS-25"""
    file = with_listing(site, code="0815")
    replace_in_sheet(file, _cell_xml(file, "G2"), '<c r="G2" t="e"><f>A99/0</f><v>#DIV/0!</v></c>')
    [(message, _hint)] = imported(file, exit_code=CONTENT_ERRORS)
    assert message.startswith("cell G2 of the sheet listings has the error #DIV/0!, but the code is a text")


@pytest.mark.parametrize("merged", ["C2:G2", "G2:H4"])
def test_merged_cells_are_a_problem_that_names_their_range(
    site: Path, imported: Callable[..., Any], merged: str
) -> None:
    """CS-25"""
    file = with_listing(site, description="text")
    book = load_workbook(file)
    book["listings"].merge_cells(merged)
    book.save(file)
    [(message, hint)] = imported(file, exit_code=CONTENT_ERRORS)
    assert f"the cells {merged} of the sheet listings are merged" in message
    assert hint == "unmerge them, and write the value of each cell again"


def test_merged_cells_in_empty_rows_are_not_a_problem(site: Path, imported: Callable[..., Any]) -> None:
    file = with_listing(site)
    book = load_workbook(file)
    book["listings"].merge_cells("B20:G22")
    book.save(file)
    assert imported(file) == {}


@pytest.mark.parametrize("damaged", ["1.23E+19", "1-Jan", "#REF!"])
def test_a_damaged_csv_value_is_a_problem_unless_an_apostrophe_precedes_it(
    site: Path, imported: Callable[..., Any], damaged: str
) -> None:
    """CS-25"""
    with_listing(site, code="0815")
    file = site.parent / "listings.csv"
    assert run(["export", "listings", str(file), str(site)]) == 0
    exported = file.read_text("utf-8-sig")
    assert "'0815" in exported
    file.write_text(exported.replace("'0815", damaged), "utf-8-sig")
    [(message, hint)] = imported(file, exit_code=CONTENT_ERRORS)
    assert message.startswith(f"row 2, column code has {damaged}, which looks like ")
    assert hint == "write the text again, with an apostrophe before it"
    file.write_text(exported.replace("'0815", f"'{damaged}"), "utf-8-sig")
    assert imported(file) == {"code": damaged}


@pytest.mark.parametrize(
    ("first", "second"), [("12345678901234567", "12345678901234700"), ("0815", "816"), ("a", "a"), ("1_0", "10")]
)
def test_different_numbers_and_words_are_not_the_same_number(first: str, second: str) -> None:
    assert not is_same_number(first, second)


@pytest.mark.parametrize("text", NASTY)
def test_every_guarded_text_is_restored_exactly(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "42", "plain text", "two\nlines", "a, b; c", "été", "E5", "eco", "a 1", "C#"),
        *("Studio 54", "Windows 11", "Boeing 747", "Area-51", "24 Hours", "3 Musketeers", "7-Eleven", "100 places"),
    ],
)
def test_a_text_that_no_spreadsheet_converts_is_not_guarded(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize("text", ["=1+1", "=cmd|'/c calc'!A0", "+49", "-5", "@x", "\tx", "'quoted"])
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    [
        *("007", "1-2", "1.5", "1,5", "12345678901234567890", "1e5", "1.2E+05", "50 %", "(5)", "$5", "3 pm", "true"),
        *("Mar 26", "1-Mar", "12:30", "5. März 2026", "Mai 68", "1 de enero de 2026", "Dez. 2026", "August 5, 2026"),
    ],
)
def test_a_text_that_a_spreadsheet_would_convert_gets_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


def test_a_long_text_is_checked_quickly() -> None:
    assert guarded("1" + 30_000 * " " + "x") == "1" + 30_000 * " " + "x"
