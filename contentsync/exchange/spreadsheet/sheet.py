"""The listings of a folder as rows of texts, with digests that show later which cells were changed; as CSV or TSV too.

In a CSV or TSV file, the last column has the digests of the row, and its header names their columns.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

from ...authoring.edit.table_file import TableFile, UnrepresentableValue
from ...authoring.edit.text_editor import SourceText
from ...content.folder.load import Content
from ...content.formats.table_rows import TABLE_DELIMITERS, TableFormat, TableRow, TableRows
from ...errors import Problem, Where
from ...model import INSTANTS, RECORDS, Entry, Kind
from ...model.custom_field import WITH_OPTIONS, definitions_of
from ...model.scalar import parse_number
from .converted_cells import ConvertedCell, converted_text, guarded, is_guarded, unguarded

KEY, BASE = "_key", "_base"  # the columns that are not fields
# In place of a value that no cell can show, such as a text that begins with code; an import leaves the value unchanged.
IN_FILE = "(only in the file)"

_DIGEST_BYTES = 4
_ALWAYS = ("name", "url", "description", "categories", "tags")  # columns also if no listing has a value
_NOT_CELLS = ("translations", "category_id")  # texts of other languages are not in the sheet
_NUMBER_TYPES = ("number", "rating")  # of custom fields
_OTHER_TYPES = ("checkbox", "date", *WITH_OPTIONS)
_BOM = "\ufeff"  # without it, some spreadsheets read the file as Windows-1252


class SheetRow(NamedTuple):
    """A row of a sheet."""

    number: int  # as the spreadsheet counts
    key: str  # of the entry; "" for a new one
    cells: Mapping[str, str]  # texts by column; "" for an empty cell
    base: Mapping[str, str]  # digests of the exported texts by column
    converted: Mapping[str, ConvertedCell] = MappingProxyType({})  # by column: cells that are no texts


class Sheet(NamedTuple):
    """The rows of a sheet, and the columns that are fields."""

    columns: Sequence[str]
    rows: Sequence[SheetRow]
    keys: Sequence[str] | None = None  # of all exported entries, also of rows that were deleted; None if not known
    problems: Sequence[Problem] = ()  # the reasons why a sheet that was read cannot be imported


class ColumnTypes(NamedTuple):
    """The columns of fields that are numbers, and those that are texts; the others are booleans, times and choices."""

    numbers: frozenset[str]
    texts: frozenset[str]


def make_sheet(content: Content) -> Sheet:
    """Return the sheet of a folder's listings, in the order of their files. The folder must have no errors."""
    entries = [entry for entry in content.entries if entry.kind is Kind.LISTING]
    entries.sort(key=_source_order)
    columns = _columns(entries, definitions_of(content.entries)[Kind.LISTING])
    table = TableFile(",".join(columns).encode(), Kind.LISTING, "listings.csv", TableFormat())
    rows: list[SheetRow] = []
    for number, entry in enumerate(entries, start=2):  # row 1 is the header
        cells = {name: _cell(table, name, entry.fields.get(name)) for name in columns}
        rows.append(SheetRow(number, entry.key, cells, {name: digest(text) for name, text in cells.items()}))
    return Sheet(columns, rows, [entry.key for entry in entries])


def _source_order(entry: Entry) -> tuple[str, int]:
    return (entry.source.path, entry.source.line) if entry.source else ("", 0)


def _columns(entries: Sequence[Entry], custom_fields: Iterable[str]) -> list[str]:
    """Return the fields that a sheet shows: those in use and `_ALWAYS`, then all custom fields by their bare names.

    Objects, such as social links, and the fields in `_NOT_CELLS` are left out.
    """
    used = {name for entry in entries for name in entry.fields}
    objects = {name for entry in entries for name, value in entry.fields.items() if isinstance(value, Mapping)}
    fields = [name for name in RECORDS[Kind.LISTING].rules() if name in used or name in _ALWAYS]
    return [name for name in [*fields, *custom_fields] if name not in objects and name not in _NOT_CELLS]


def column_types(content: Content) -> ColumnTypes:
    """Return the types of the columns that a sheet of the folder's listings may have."""
    rules = RECORDS[Kind.LISTING].rules()
    numbers = {name for name, rule in rules.items() if rule.plain is not None and rule.plain.value is parse_number}
    texts = {name for name, rule in rules.items() if not isinstance(rule.default, bool)} - INSTANTS - numbers
    for name, definition in definitions_of(content.entries)[Kind.LISTING].items():
        type_ = definition.get("type")
        if type_ in _NUMBER_TYPES:
            numbers.add(name)
        elif type_ not in _OTHER_TYPES:
            texts.add(name)
    return ColumnTypes(frozenset(numbers), frozenset(texts))


def _cell(table: TableFile, name: str, value: Any) -> str:
    """Return the text of a cell for the value of the field `name`."""
    if isinstance(value, bool):
        return "yes" if value else "no"  # spreadsheets translate `true` into the language of their user
    is_custom = name not in RECORDS[Kind.LISTING].rules()
    try:
        texts = table.cell_texts((name,), value, custom=is_custom)
    except UnrepresentableValue:
        return IN_FILE
    return texts[name]  # the only one, as no column shows a part of an object


def write_delimited(sheet: Sheet, suffix: str) -> bytes:
    """Return the bytes of a sheet for a file with the suffix `.csv` or `.tsv`."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=TABLE_DELIMITERS[suffix], quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    heading_of_digests = " ".join([BASE, *sheet.columns])  # one cell
    writer.writerow([KEY, *sheet.columns, heading_of_digests])
    for row in sheet.rows:
        cells = [guarded(row.cells[name]) for name in sheet.columns]
        writer.writerow([guarded(row.key), *cells, guarded(pack_digests(sheet.columns, row.base))])
    return (_BOM + text.getvalue()).encode()


def read_delimited(data: bytes, path: str) -> Sheet:
    """Return the sheet in the bytes of the file `path`, in any encoding and with any delimiter that a table may have.

    Raise UnreadableFile.
    """
    rows = [*TableRows([SourceText(data, encoding=None).text], TableFormat(), path)]
    filled = [row for row in rows if any(row.cells)]
    if not filled:
        return Sheet(columns=(), rows=())
    names = [cell or "" for cell in filled[0].cells]
    # The heading of the column of digests lists the columns of the export: "_base name url".
    base_column = next((name for name in names if name.split()[:1] == [BASE]), "")
    columns = [name for name in names if name not in ("", KEY, base_column)]
    return Sheet(columns, [_read_row(row, names, base_column) for row in filled[1:]])


def _read_row(row: TableRow, names: Sequence[str], base_column: str) -> SheetRow:
    """Return a row, with texts for its columns with `names`. `base_column` is the one with the digests ("": none)."""
    raw = {name: cell or "" for name, cell in zip(names, row.cells, strict=False) if name}
    cells = {name: unguarded(cell) for name, cell in raw.items()}
    key, digests = cells.pop(KEY, ""), cells.pop(base_column, "")
    converted = {
        name: cell
        for name in cells
        if not is_guarded(raw[name]) and (cell := converted_text(raw[name], f"row {row.number}, column {name}"))
    }
    return SheetRow(row.number, key, cells, unpack_digests(base_column.split()[1:], digests), converted)


def pack_digests(columns: Iterable[str], base: Mapping[str, str]) -> str:
    """Return the digests of a row as one text."""
    return "".join(base[name] for name in columns)


def unpack_digests(columns: Sequence[str], text: str) -> dict[str, str]:
    """Return the digests of a row by column; nothing if the text is not one of `pack_digests` for these columns."""
    width = 2 * _DIGEST_BYTES  # hexadecimal digits
    if len(text) != width * len(columns):
        return {}
    return {name: text[index * width : (index + 1) * width] for index, name in enumerate(columns)}


def digest(text: str) -> str:
    """Return a digest of the text of a cell, of always the same length."""
    return blake2b(text.encode(), digest_size=_DIGEST_BYTES).hexdigest()


def bad_spreadsheet(message: str, path: str, hint: str, row: int = 1) -> Problem:
    """Return the problem of a spreadsheet that cannot be imported or exported; row 1 is its header."""
    return Problem("bad-spreadsheet", message, Where(path, row), hint)
