"""Write and read a sheet as CSV or TSV.

The last column has the digests of the row, and its header names their columns.
"""

import csv
import io
from collections.abc import Sequence

from ..content.edit.file_edits import SourceText
from ..content.formats.table_rows import TABLE_DELIMITERS, TableFormat, TableRow, TableRows
from .cell_text import guarded, unguarded
from .sheet import BASE, KEY, Sheet, SheetRow, pack_digests, unpack_digests

_BOM = "\ufeff"  # without it, some spreadsheets read the file as Windows-1252


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
