"""Edit cells of a table, and keep its delimiter and the quotes and line ends of all other cells."""

import json
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from ...content.files.file_text import line_starts, normalize_newlines
from ...content.formats.draft import BODY_FIELDS, FieldPath
from ...content.formats.table_rows import TableFormat, TableRow, TableRows
from ...errors import Problem, Refused, Severity, Where
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from ...model.custom_field import parse_list
from .field_values import trim_body
from .text_editor import SourceText, Splice, as_read, edited_bytes

_BY_HAND = "keep the entry in a file of its own"
# A number or a telephone number may begin with a sign.
_FORMULA = lazy_pattern(r"[=@\t\r]|[+-](?![\d\s().,/+-]*\Z)")


class UnrepresentableValue(Exception):
    """A table cell cannot represent the value."""


class TableFile:
    """A CSV or TSV file. A row is identified by the number of its first line. Raises UnreadableFile."""

    def __init__(self, data: bytes, kind: Kind, path: str, table: TableFormat) -> None:
        """Read the rows of a table, in the format that the config sets for it. Raise UnreadableFile."""
        self._original = SourceText(data, table.encoding)
        self._kind = kind
        self._path = path
        self._format = table
        self._table = TableRows([self._original.text], table, path)
        self._rows = [row for row in self._table if any(row.cells)]  # the header first
        self._line_starts = line_starts(self._original.text)
        self.columns = [cell or "" for cell in self._rows[0].cells] if self._rows else []

    def cell(self, line: int, name: str) -> str:
        """Return the text of the cell in a column, in the row that begins on a line; "" without row, column or text."""
        row = self._rows_by_line.get(line)
        if row is None:
            return ""
        texts = dict(zip(self.columns, row.cells, strict=False))
        return texts.get(name) or ""

    def cell_at(self, line: int, column: int) -> tuple[int | None, str]:
        """Return the row, by its first line (None: the header), and the column of the cell at a position of the file.

        Raises Refused if there is no row, or if the column has no name.
        """
        row = self._rows[bisect_right(self._rows, line, key=lambda row: row.line) - 1]
        number = bisect_right(self._table.positions(row), (line, column)) - 1
        name = self.columns[number] if 0 <= number < len(self.columns) else ""
        if not name:
            raise Refused(f"{self._path} has no cell with a column at line {line}, column {column}", _BY_HAND)
        return None if row is self._rows[0] else row.line, name

    @cached_property
    def _rows_by_line(self) -> dict[int, TableRow]:
        return {row.line: row for row in self._rows}

    def has(self, name: str) -> bool:
        """Return whether the table has a column of this name, or for a key of this object (`name.key`)."""
        return any(column == name or column.startswith(f"{name}.") for column in self.columns)

    def cell_texts(self, path: FieldPath, value: Any, *, custom: bool = False, is_json: bool = False) -> dict[str, str]:
        """Return the texts of the cells for the value at a path of keys, by column; `custom` for a custom field.

        An object has a column for each key, with `is_json` only if the table has such columns: otherwise it is JSON in
        one cell. A column may be new. Raises UnrepresentableValue.
        """
        name = ".".join(path)
        key_columns = [column for column in self.columns if column.startswith(f"{name}.")]
        if isinstance(value, Mapping) and (key_columns or not is_json):
            if name in self.columns or not all(self._fits_column(key, inner) for key, inner in value.items()):
                raise UnrepresentableValue
            empty_cells = dict.fromkeys(key_columns, "")
            return empty_cells | {f"{name}.{key}": inner or "" for key, inner in value.items()}
        if value is None and key_columns:
            return dict.fromkeys(key_columns, "")
        return {name: self._cell_text(value, body=path[-1] in BODY_FIELDS, custom=custom)}

    def _fits_column(self, key: str, value: Any) -> bool:
        """Return whether a key of an object can be a part of a column's name, and a cell is read as its value."""
        is_name = "." not in key and bool(key.strip()) and key == key.strip()
        return is_name and (value is None or (isinstance(value, str) and value == self._cell_text(value) != ""))

    def edited_bytes(
        self,
        cells: Mapping[int, Mapping[str, str]],
        new: Sequence[Mapping[str, str]] = (),
        columns: Mapping[str, str] = MappingProxyType({}),
        removed: Collection[int] = (),
    ) -> bytes:
        """Return the bytes of the table after changes of `cells`, by first line and column, and with `new` rows.

        Columns that the table lacks are added; their cells are empty unless set. `columns` are the new names of
        columns. `removed` are the first lines of the rows to remove. Raises Refused if the encoding lacks a character,
        a row would be skipped, or the table would be read back with other cells.
        """
        names = (name for row in (*cells.values(), *new) for name in row)
        added = [name for name in dict.fromkeys(names) if name not in self.columns]
        all_columns = [*self.columns, *added]
        splices: list[Splice] = []
        expected: list[list[str | None]] = []
        for row in self._rows:  # without empty rows, as in the comparison below
            is_header = row is self._rows[0]
            if row.line in removed and not is_header:
                start = self._line_starts[row.line - 1]
                splices.append(Splice(start, min(start + len(row.text) + 1, len(self._original.text)), ""))
                continue
            texts = {**columns, **{name: name for name in added}} if is_header else cells.get(row.line, {})
            splices += self._row_splices(row, texts, added)
            # The row has no cells for added columns yet, and may have surplus empty cells or lack some.
            old_cells = row.cells[: len(self.columns)]
            expected.append([texts.get(name, cell) or None for name, cell in zip_longest(all_columns, old_cells)])
            if texts and not is_header:
                self._check_is_read(expected[-1])
        new_rows = [[texts.get(name, "") for name in all_columns] for texts in new]
        for new_row in new_rows:
            self._check_is_read([cell or None for cell in new_row])
        if new_rows and not self._rows:
            new_rows.insert(0, all_columns)
        if new_rows:
            expected += [[cell or None for cell in row] for row in new_rows]
            end = len(self._original.text)
            is_last_removed = bool(self._rows) and self._rows[-1].line in removed
            has_line_end = not self._original.text or self._original.text.endswith("\n") or is_last_removed
            newline = "" if has_line_end else "\n"
            lines = (self._table.delimiter.join(map(self._quoted, row)) + "\n" for row in new_rows)
            splices.append(Splice(end, end, newline + "".join(lines)))
        for texts in (columns, {name: name for name in added}, *cells.values(), *new):
            self.require_encoding(texts)
        refusal = Refused(f"{self._path} cannot hold the new values", _BY_HAND)
        filled = [_without_empty_end(cells) for cells in expected]
        return edited_bytes(self._original, self._path, splices, self._read_cells, filled, refusal)

    def _check_is_read(self, cells: Sequence[str | None]) -> None:
        """Raise Refused for a row that `skip_rows` would leave out."""
        if self._format.skips(cells):
            first = next(filter(None, cells))
            raise Refused(f"{self._path}: a row that begins with '{first}' is skipped (skip_rows)", _BY_HAND)

    def require_encoding(self, cells: Mapping[str, str]) -> None:
        """Raise Refused for a cell, by column, that the encoding of the table cannot represent."""
        try:
            self._original.encode("".join(cells.values()))
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            message = f"{self._path} cannot hold the new values: {self._format.encoding} has no '{character}'"
            raise Refused(message, f"save the table as UTF-8, or {_BY_HAND}") from error

    def _read_cells(self, text: str) -> list[list[str | None]]:
        """Return the cells of the rows of a text that are not empty, each without the empty cells at its end."""
        rows = TableRows([text], self._format, self._path)
        return [_without_empty_end(row.cells) for row in rows if any(row.cells)]

    def formula_warnings(
        self, data: bytes, keys_by_line: Mapping[int, str], new_keys: Sequence[str], removed: Collection[int] = ()
    ) -> Iterator[Problem]:
        """Yield a warning for each cell that a spreadsheet program would run and that this table does not have.

        `data` is the result of `edited_bytes`: this table with changed cells, without the rows that begin at the lines
        `removed`, and with new rows at its end. A warning has the key of the entry: that of `keys_by_line` at the first
        line of a row, and `new_keys` are of the new rows.
        """
        edited = TableFile(data, self._kind, self._path, self._format)
        kept = [row for row in self._rows if row.line not in removed]
        rows = kept or edited._rows[:1]  # a new table has a new header, which has no key
        keys = [*(keys_by_line.get(row.line) for row in rows), *new_keys]
        for before, row, key in zip_longest(kept, edited._rows, keys):  # `before` is None for a new row
            for number, cell in enumerate(row.cells):
                is_old = before is not None and number < len(before.cells) and before.cells[number] == cell
                if cell and not is_old and is_formula(cell):
                    where = Where(self._path, *edited._table.positions(row)[number])
                    yield _formula_warning(edited.columns[number], where, self._kind, key)

    def _row_splices(self, row: TableRow, texts: Mapping[str, str], added: Sequence[str]) -> list[Splice]:
        """Return the splices that set cells of a row to `texts`, by column, and add a cell for each added column."""
        if not added and not any(name in texts for name in self.columns):
            return []
        splices = []
        row_end = self._line_starts[row.line - 1] + len(row.text)
        starts = [self._line_starts[line - 1] + column - 1 for line, column in self._table.positions(row)]
        ends = [*(next_start - 1 for next_start in starts[1:]), row_end]
        last_end = row_end  # of the cells with a column
        for name, start, last_end in zip(self.columns, starts, ends, strict=False):
            if name and name in texts:
                had_quotes = self._original.text[start:last_end].lstrip().startswith('"')
                quoted = self._quoted(texts[name], always=had_quotes and bool(texts[name]))
                splices.append(Splice(start, last_end, quoted))
        missing = self.columns[len(starts) :]  # of a row that may be short
        if added or any(name in texts for name in missing):
            new_cells = (self._table.delimiter + self._quoted(texts.get(name, "")) for name in (*missing, *added))
            splices.append(Splice(last_end, row_end, "".join(new_cells)))  # in place of surplus empty cells
        return splices

    def _quoted(self, text: str, *, always: bool = False) -> str:
        """Return a cell as the table contains it: in quotes if it needs them, or with `always`."""
        special = (self._table.delimiter, '"', "\n")
        if not always and text == text.strip() and not any(character in text for character in special):
            return text
        doubled = text.replace('"', '""')
        return f'"{doubled}"'

    def _cell_text(self, value: Any, *, body: bool = False, custom: bool = False) -> str:
        """Return the text of a cell, without quotes; `body` for the value of a body field, `custom` for a custom field.

        Raises UnrepresentableValue if it would be read as another value.
        """
        separator = self._format.list_separator
        if isinstance(value, list):
            items = [as_read(item) for item in value]
            for item in items:
                if not isinstance(item, str) or not item or item != item.strip() or separator in item:
                    raise UnrepresentableValue
            if custom and len(items) == 1 and parse_list(items[0]) != items:
                return f"{items[0]}{separator}"  # a single item with commas would be read as several
            return separator.join(items)
        if isinstance(value, Mapping):
            return json.dumps(value, ensure_ascii=False)
        written = as_read(value)  # also "false" and "0"; None for null
        if self._format.numbers == "1.234,56" and type(value) is float and "e" not in written:
            written = written.replace(".", ",")
        text = "" if written is None else normalize_newlines(str(written))
        if body and trim_body(text) != text.strip():  # indentation at the start means code, and a cell loses it
            raise UnrepresentableValue
        return text.strip()


def _without_empty_end(cells: Sequence[str | None]) -> list[str | None]:
    """Return cells without the empty ones at their end, which a row may have or lack."""
    count = len(cells)
    while count and not cells[count - 1]:
        count -= 1
    return [*cells[:count]]


def fits_list_cell(text: str, separator: str) -> bool:
    """Return whether a cell can contain a text as an item of a list, and no spreadsheet program would run it."""
    return bool(text) and text == text.strip() and separator not in text and not is_formula(text)


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet program would run the text of a cell; it must not begin with spaces."""
    return _FORMULA.match(text) is not None


def _formula_warning(column: str, where: Where, kind: Kind, key: str | None) -> Problem:
    """Return the warning of a formula that an edit writes into a cell of this column, in the row of an entry.

    `key` is that of the entry; None if it is not known.
    """
    message = f"a spreadsheet program would run the {column} as a formula"
    hint = "read the cell before you open the table there; in a YAML list, the value is only text"
    return Problem("formula-cell", message, where, hint, Severity.WARNING, kind.value, key)
