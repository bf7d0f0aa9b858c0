"""Entries of one kind with the fields that a user chose: as a table of text, as CSV and as JSON."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from ..exchange.spreadsheet.converted_cells import guarded
from ..model import Entry, Kind
from ..model.named_fields import NamedField
from ..value_text import printable, shortened
from .document_parts import entry_document

MAX_WIDTH = 40  # characters of a cell in a text without --full
_GAP = "  "  # between columns


@dataclass(frozen=True, slots=True)
class EntryList:
    """The entries that a list shows, and its columns."""

    kind: Kind
    entries: Sequence[Entry]
    columns: Sequence[NamedField]
    total: int  # of entries, also those that do not meet the conditions


def entry_list_document(shown: EntryList) -> dict[str, Any]:
    """Return the JSON document of `list`: each entry with its location, and with the values of the columns."""
    return {
        "version": 1,
        "kind": shown.kind.value,
        "total": shown.total,
        "columns": [column.name for column in shown.columns],
        "entries": [
            {**entry_document(entry), "fields": {column.name: column.value(entry) for column in shown.columns}}
            for entry in shown.entries
        ],
    }


def entry_list_csv(shown: EntryList) -> str:
    """Return a table with a header, whose texts a spreadsheet program neither runs nor converts, as `export` does."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in shown.columns])
    columns = shown.columns
    writer.writerows([guarded(_csv_cell(column, column.value(entry))) for column in columns] for entry in shown.entries)
    return text.getvalue()


def _csv_cell(column: NamedField, value: Any) -> str:
    """Return the text of a cell, as the file of `export` has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"  # spreadsheets translate `true` into the language of their user
    return _joined(column, value, "|")


def _joined(column: NamedField, value: Any, separator: str) -> str:
    """Return a value as text, and a list of texts with a separator between them."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return separator.join(value)
    return column.text(value)


def entry_list_lines(shown: EntryList, *, full: bool) -> Iterator[str]:
    """Yield the lines of a table with aligned columns, and the number of entries; long values are cut, unless `full`.

    Without entries, yield only their number.
    """
    if shown.entries:
        header = [column.name for column in shown.columns]
        cells = (
            [_text_cell(column, column.value(entry), full=full) for column in shown.columns] for entry in shown.entries
        )
        yield from aligned_lines([header, *cells])
        yield ""
    total = shown.kind.counted(shown.total)
    yield total if len(shown.entries) == shown.total else f"{len(shown.entries):,} of {total}"


def _text_cell(column: NamedField, value: Any, *, full: bool) -> str:
    text = _joined(column, value, ", ")
    return printable(text if full else shortened(text, MAX_WIDTH))


def aligned_lines(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Yield a line for each row, with the cells of a column below each other; `right` are columns of numbers."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{' ' * (width - _width(cell))}{cell}" if index in right else f"{cell}{' ' * (width - _width(cell))}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield _GAP.join(cells).rstrip()


def _width(text: str) -> int:
    """Return the columns of a terminal that a text takes: two for a Chinese character."""
    return len(text) if text.isascii() else cell_len(text)
