"""Write and read a sheet as an .xlsx file.

All cells are texts, so no spreadsheet rewrites them. A hidden sheet has the digests of the exported rows.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from datetime import date, datetime, time
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, MergedCell
from openpyxl.styles import Alignment, Font, PatternFill, Protection
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from ...content.files.file_text import UnreadableFile
from ...content.folder.load import Content
from ...errors import Problem
from ...model import RECORDS, Kind
from ...model.custom_field import definitions_of
from .converted_cells import ConvertedCell, converted_value
from .sheet import BASE, IN_FILE, KEY, Sheet, SheetRow, bad_spreadsheet, pack_digests, unpack_digests

SPARE_ROWS = 500  # below the exported ones, for new entries

_SHEET, _CHOICES = "listings", "_choices"
_FLAG = ("yes", "no")
_TEXT = "@"  # the number format of texts
_WIDE = {"description": 50, "content": 50, "name": 30, "url": 40}
_MAX_CELL = 32_767  # characters, a limit of the format


def column_choices(content: Content) -> Mapping[str, Sequence[str]]:
    """Return the choices by column: yes and no, the options of custom fields, and the keys of categories and tags.

    A cell may also have another text, such as several tags.
    """
    rules = RECORDS[Kind.LISTING].rules()
    choices: dict[str, Sequence[str]] = {name: _FLAG for name, rule in rules.items() if isinstance(rule.default, bool)}
    for name, kind in RECORDS[Kind.LISTING].references.items():
        choices[name] = [entry.key for entry in content.entries if entry.kind is kind]
    for name, definition in definitions_of(content.entries)[Kind.LISTING].items():
        choices[name] = _FLAG if definition.get("type") == "checkbox" else definition.get("options") or ()
    return choices


def write_workbook(sheet: Sheet, choices: Mapping[str, Sequence[str]]) -> bytes:
    """Return the bytes of the file. `choices` are the values to choose from, by column."""
    book = Workbook()
    shown: Any = book.active
    shown.title = _SHEET
    _write_header(shown, [KEY, *sheet.columns])
    styled: dict[tuple[bool, bool], Any] = {}
    for number, row in enumerate(sheet.rows, start=2):  # row 1 is the header
        _write_row(shown, number, [row.key, *(row.cells[name] for name in sheet.columns)], styled)
    first_spare_row = len(sheet.rows) + 2
    for number in range(first_spare_row, first_spare_row + SPARE_ROWS):
        _write_row(shown, number, [""] * (len(sheet.columns) + 1), styled)
    shown.freeze_panes = "C2"  # keep the header, the keys and the first field in view
    _protect(shown)
    _offer_choices(book, shown, sheet, choices)
    base = book.create_sheet(BASE)
    heading_of_digests = " ".join(sheet.columns)  # one cell
    base.append([KEY, heading_of_digests])
    for number, row in enumerate(sheet.rows, start=2):
        _write_row(base, number, [row.key, pack_digests(sheet.columns, row.base)], styled)
    base.sheet_state = "hidden"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def read_workbook(data: bytes, path: str) -> Sheet:
    """Return the sheet in the bytes of the file `path`. Raise UnreadableFile if it lacks what an export writes."""
    book = _load(data, path)
    if BASE not in book.sheetnames or _SHEET not in book.sheetnames:
        hint = "export the listings again; save an ordinary list as CSV in the folder of the listings instead"
        raise _unreadable(path, f"has no sheets {_SHEET} and {BASE}, which an export makes", hint)
    formulas = [cell.coordinate for cells in book[_SHEET].iter_rows() for cell in cells if cell.data_type == "f"]
    if formulas:
        book = _load(data, path, data_only=True)
        _require_results(book[_SHEET], formulas, path)
    base_rows = [[_text(value) for value in row] for row in book[BASE].iter_rows(values_only=True)]
    # The base sheet has two columns, the keys and the digests. The heading of the digests lists the exported columns.
    exported = base_rows[0][1].split() if base_rows and len(base_rows[0]) > 1 else []
    base = {row[0]: unpack_digests(exported, row[1]) for row in base_rows[1:] if len(row) > 1 and row[0]}
    rows = [*book[_SHEET].iter_rows()]
    names = [_text(cell.value) for cell in rows[0]] if rows else []
    columns = [name for name in names if name and name != KEY]
    return Sheet(columns, [*_rows(rows, names, base)], [*base], [*_merged_problems(book[_SHEET], path)])


def _load(data: bytes, path: str, *, data_only: bool = False) -> Workbook:
    """Return the workbook. With `data_only`, a cell with a formula has the result that the file has for it, or None."""
    try:
        return load_workbook(io.BytesIO(data), data_only=data_only)
    except Exception as error:  # the errors of zip, zlib, XML and openpyxl have no other class in common
        raise _unreadable(path, "is not an .xlsx file") from error


def _require_results(shown: Worksheet, formulas: Sequence[str], path: str) -> None:
    """Raise UnreadableFile if the file has no result for a formula, because some programs write only the formula.

    Its cell would be read as empty, and the sync would clear the field.
    """
    for coordinate in formulas:
        cell = shown[coordinate]
        if cell.value is None:
            message = f"{path} has no result of the formula in cell {coordinate}"
            hint = "save the file with a spreadsheet program, or replace the formula by its value"
            raise UnreadableFile(bad_spreadsheet(message, path, hint, cell.row))


def _merged_problems(shown: Worksheet, path: str) -> Iterator[Problem]:
    """Yield a problem for each merged range below the header: only its first cell has a value, the others lost theirs.

    The range may also mean that all its cells have this value.
    """
    for merged in shown.merged_cells.ranges:
        first = next(
            (row for row in range(max(merged.min_row, 2), merged.max_row + 1) if _has_values(shown, row)), None
        )
        if first is not None:
            message = (
                f"the cells {merged.coord} of the sheet {shown.title} are merged, so only the first one has a value"
            )
            hint = "unmerge them, and write the value of each cell again"
            yield bad_spreadsheet(f"{message} in {path}", path, hint, first)


def _has_values(shown: Worksheet, row: int) -> bool:
    return any(cell.value not in (None, "") for cell in shown[row])


def _rows(
    rows: Sequence[Sequence[Any]], names: Sequence[str], base: Mapping[str, Mapping[str, str]]
) -> Iterator[SheetRow]:
    """Yield the rows of cells below the header that are not empty; `base` has the digests of exported rows, by key."""
    for number, row in enumerate(rows[1:], start=2):
        named = {name: cell for name, cell in zip(names, row, strict=False) if name}
        cells = {name: _text(cell.value) for name, cell in named.items()}
        if not any(_text(cell.value) for cell in row):
            continue
        key = cells.pop(KEY, "")
        converted = {name: found for name in cells if (found := _converted(named[name]))}
        yield SheetRow(number, key, cells, base.get(key, {}), converted)


def _converted(cell: Any) -> ConvertedCell | None:
    """Return a cell that is not a text; None for a text, an empty cell and the covered cells of a merged range."""
    if isinstance(cell, MergedCell):
        return None
    place = f"cell {cell.coordinate} of the sheet {_SHEET}"
    return converted_value(cell.value, place, is_error=cell.data_type == "e")


def _text(value: Any) -> str:
    """Return the text that a cell means: users may have typed numbers, dates and booleans into it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        is_exact_integer = value.is_integer() and abs(value) < 1e15
        return str(int(value)) if is_exact_integer else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value).replace("\r\n", "\n").strip()


def _write_header(shown: Worksheet, names: Sequence[str]) -> None:
    """Write the names of the columns into the first row, in bold on grey, and set the widths of the columns."""
    for column, name in enumerate(names, 1):
        cell: Any = shown.cell(1, column, name)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", start_color="DDDDDD")
        shown.column_dimensions[get_column_letter(column)].width = _WIDE.get(name, 18)


def _write_row(shown: Worksheet, number: int, texts: Sequence[str], styled: dict[tuple[bool, bool], Any]) -> None:
    """Write the texts of a row, the first of which is the key, in cells that no spreadsheet program converts.

    `styled` has the first cell of each style in the workbook: a copied style is quick, and each set one is searched.
    """
    for column, text in enumerate(texts, 1):
        cell: Any = shown.cell(number, column)
        if text:
            cell.value = IN_FILE if len(text) > _MAX_CELL or ILLEGAL_CHARACTERS_RE.search(text) else text
            cell.data_type = "s"  # also if it begins like a formula
        is_key, has_lines = style = column == 1, "\n" in text
        if style in styled:
            cell._style = copy(styled[style]._style)
        else:
            cell.number_format = _TEXT
            cell.alignment = Alignment(vertical="top", wrap_text=has_lines)
            cell.protection = Protection(locked=is_key)
            styled[style] = cell


def _protect(shown: Worksheet) -> None:
    """Lock the keys, by which an import finds the entries; users may sort, filter and delete rows."""
    protection: Any = shown.protection
    protection.sheet = True
    for allowed in ("formatCells", "formatColumns", "formatRows", "insertRows", "deleteRows", "sort", "autoFilter"):
        setattr(protection, allowed, False)  # True would forbid it


def _offer_choices(book: Workbook, shown: Worksheet, sheet: Sheet, choices: Mapping[str, Sequence[str]]) -> None:
    """Offer the choices of columns as lists, which are in a hidden sheet: the rule of a cell has no room for many."""
    hidden: Any = book.create_sheet(_CHOICES)
    hidden.sheet_state = "hidden"
    last = len(sheet.rows) + 1 + SPARE_ROWS
    names = [name for name in sheet.columns if choices.get(name)]
    for number, name in enumerate(names, start=1):
        letter = get_column_letter(number)
        for line, choice in enumerate(choices[name], start=1):
            cell = hidden.cell(line, number, choice)
            cell.data_type = "s"
        source = f"{_CHOICES}!${letter}$1:${letter}${len(choices[name])}"
        offered = DataValidation(type="list", formula1=source, allow_blank=True, showErrorMessage=False)
        column = get_column_letter(sheet.columns.index(name) + 2)  # after the keys; the letters of columns start at 1
        offered.add(f"{column}2:{column}{last}")
        shown.add_data_validation(offered)


def _unreadable(path: str, reason: str, hint: str = "export the listings again") -> UnreadableFile:
    return UnreadableFile(bad_spreadsheet(f"{path} {reason}", path, hint))
