"""Write and read a sheet as CSV or TSV.

The last column has the digests of the row, and its header names their columns. A spreadsheet program that opens such a
file turns 007 into 7, 1-2 into a date, and runs `=cmd|...`. It leaves a text alone that begins with an apostrophe.
"""

import csv
import io
import re
from collections.abc import Sequence

from ..content.edit.file_edits import SourceText
from ..content.edit.table_file import is_formula
from ..content.formats.table_rows import TABLE_DELIMITERS, TableFormat, TableRow, TableRows
from .sheet import BASE, KEY, Sheet, SheetRow, pack_digests, unpack_digests

_BOM = "\ufeff"  # without it, some spreadsheets read the file as Windows-1252
_GUARD = "'"
_SIGNS = ("+", "-")  # of a number, or of a formula
# Numbers that each spreadsheet program, in each language, writes as they are.
_INTEGER = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z")
_NUMBER_OR_DATE = re.compile(
    r"[\d\s.,:/%\u00a0'$€£¥()eE+-]*\d[\d\s.,:/%\u00a0'$€£¥()eE+-]*(?:[AaPp][Mm])?\Z"
    r"|\d{1,4}[ ./-][^\W\d_]{3,12}\.?(?:[ ./-]\d{1,4})?\Z"  # 1-Mar
    r"|[^\W\d_]{3,12}\.?[ ./-]\d{1,4}(?:,? \d{4})?\Z"  # Mar-26
    r"|\d{4}-\d\d-\d\dT.*\Z"
    r"|(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|waar|onwaar)\Z",
    re.IGNORECASE,
)


def write_delimited(sheet: Sheet, suffix: str) -> bytes:
    """Return the bytes of a sheet for a file with the suffix `.csv` or `.tsv`."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=TABLE_DELIMITERS[suffix], quoting=csv.QUOTE_MINIMAL, lineterminator="\r\n")
    writer.writerow([KEY, *sheet.columns, " ".join([BASE, *sheet.columns])])
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
    cells = {name: unguarded(cell or "") for name, cell in zip(names, row.cells, strict=False) if name}
    key, digests = cells.pop(KEY, ""), cells.pop(base_column, "")
    return SheetRow(row.number, key, cells, unpack_digests(base_column.split()[1:], digests))


def guarded(text: str) -> str:
    """Return the text for a cell of a CSV or TSV file: with an apostrophe if a spreadsheet program would change it."""
    if not text or _INTEGER.match(text):
        return text
    is_at_risk = text.startswith((_GUARD, *_SIGNS)) or is_formula(text) or _NUMBER_OR_DATE.match(text) is not None
    return f"{_GUARD}{text}" if is_at_risk else text


def unguarded(text: str) -> str:
    """Return the text of a cell without the apostrophe of `guarded`."""
    return text.removeprefix(_GUARD)
