"""Read tables: a draft for each row, a check of the header, and warnings for cells that a spreadsheet has damaged."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from ...errors import Fix, Problem, Severity, Where
from ...lazy_pattern import lazy_pattern
from ...model import Kind, TextPosition
from ...model.field_types import MAX_DEPTH, MAX_ITEMS
from ...model.suggestion import STRAIGHT_QUOTES_HINT, TYPOGRAPHIC_QUOTES
from ..files.file_text import UnreadableFile, position_at
from .draft import Draft, Locations
from .table_rows import DELIMITER_NAMES, SyncedRows, TableFormat, TableRow, TableRows, fitted_cells, row_digest

_INVISIBLE = ("Cc", "Cf", "Zs", "Zl", "Zp")  # Unicode categories


class Header:
    """The column names of a table ("" for a missing name), with their positions."""

    def __init__(self, row: TableRow, positions: Sequence[TextPosition], path: str) -> None:
        self.names = [cell or "" for cell in row.cells]
        self.nameless = [index for index, name in enumerate(self.names) if not name]
        self._positions = positions
        self._path = path

    def locations(self) -> Locations:
        """Return the location of each column that has a name."""
        return {
            name: (self._path, position) for name, position in zip(self.names, self._positions, strict=True) if name
        }

    def refuse_delimiter(self, delimiter: str) -> None:
        """Raise UnreadableFile if there is only one column, and its name contains another delimiter."""
        if len(self.names) > 1:
            return
        for other, other_name in DELIMITER_NAMES.items():
            if other != delimiter and other in self.names[0]:
                message = f"the table has only one column, '{_short(self.names[0])}': is the delimiter a {other_name}?"
                fix = "give the file the ending .tsv" if other == "\t" else f"put a line sep={other} above the header"
                hint = f"separate the cells with a {DELIMITER_NAMES[delimiter]}, or {fix}"
                raise UnreadableFile(Problem("wrong-delimiter", message, self._where(0), hint))

    def problems(self) -> Iterator[Problem]:
        """Yield a problem for each mistake in the column names."""
        if len(self.names) > MAX_ITEMS:
            message = f"the table has {len(self.names):,} columns; the limit is {MAX_ITEMS:,}"
            yield Problem("too-many", message, self._where(MAX_ITEMS), "delete the columns that no entry needs")
            return
        first_columns: dict[str, int] = {}  # by name; counted from 0
        for index, name in enumerate(self.names):
            where = self._where(index)
            for character in name:
                if character != " " and unicodedata.category(character) in _INVISIBLE:
                    message = f"the column name contains the invisible character U+{ord(character):04X}"
                    visible = "".join(filter(str.isprintable, name)).strip()
                    fixes = (Fix(where, name, visible),) if visible and visible not in self.names else ()
                    yield Problem("invisible-character", message, where, "type the name again", fixes=fixes)
                    break
            first = first_columns.setdefault(name, index)
            if name and first != index:
                message = f"the column {_short(name)} occurs twice, here and in column {first + 1}"
                yield Problem("duplicate-column", message, where, "delete one of them")
            if name.count(".") >= MAX_DEPTH:
                message = f"the column name has more than {MAX_DEPTH} parts"
                yield Problem("too-deep", message, where, "use fewer dots")
                return  # the rest would take long
            if name and not all(name.split(".")):
                message = f"the column name {_short(name)} has an empty part"
                yield Problem("bad-key", message, where, "write a name before and after each dot")
        yield from self._nested_column_problems()

    def _nested_column_problems(self) -> Iterator[Problem]:
        """Yield a problem for each column such as `image.url` beside a column `image`."""
        names = set(self.names)
        for index, name in enumerate(self.names):
            parent = name.rpartition(".")[0]
            while parent:
                if parent in names:
                    message = (
                        f"the column {_short(name)} is part of the column {_short(parent)}:"
                        " a table can have only one of them"
                    )
                    yield Problem("duplicate-column", message, self._where(index), "delete one of them")
                parent = parent.rpartition(".")[0]

    def nameless_problem(self, index: int, row: TableRow) -> Problem:
        """Return the problem of a column (counted from 0) without a name that has a value in the row."""
        message = f"column {index + 1} has no name, but it has a value in row {row.number} (line {row.line})"
        return Problem("nameless-column", message, self._where(index), "give the column a name, or delete its values")

    def _where(self, column: int) -> Where:
        return Where(self._path, *self._positions[column])


def _short(name: str) -> str:
    return name if len(name) <= 64 else f"{name[:63]}…"


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FORMULAS = ("#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#N/A", "#CALC!", "#SPILL!")
_DATE = "a value that a spreadsheet turned into a date"
_CAUSES = {
    **{f"{day}-{month}": _DATE for month in _MONTHS for day in range(1, 32)},
    **{f"{day:02}-{month}": _DATE for month in _MONTHS for day in range(1, 10)},
    **{f"{month}-{year:02}": _DATE for month in _MONTHS for year in range(100)},
    **dict.fromkeys(_FORMULAS, "the error of a spreadsheet formula"),
    **{"#" * width: "a number that was too wide for its spreadsheet column" for width in range(3, 30)},
}
_DAMAGED_TEXTS = frozenset(_CAUSES)
_SHORTENED = lazy_pattern(r"[-+]?[0-9](?:[.,][0-9]{1,5})?E\+[0-9]{2,3}")  # 1.23E+12
_SHORTENED_CAUSE = "a code or a long number in a spreadsheet's scientific notation"
_TEXT_FORMULA = lazy_pattern(r'="([^"]*)"')  # ="0123"
_TEXT_FORMULA_CAUSE = "a formula that only protects a text from a spreadsheet"


class DamagedCells:
    """Counts the cells of one table that a spreadsheet has probably damaged, by column and cause."""

    def __init__(self, kind: Kind, path: str) -> None:
        self._kind = kind
        self._path = path
        # By column and cause: the first damaged cell with its position, and the number of such cells.
        self._first: dict[tuple[int, str], tuple[str, TextPosition]] = {}
        self._counts: Counter[tuple[int, str]] = Counter()
        self._fixes: dict[tuple[int, str], list[Fix]] = {}

    def scan_row(self, row: TableRow, rows: TableRows) -> None:
        """Count the damaged cells of a row."""
        # A quick test: most rows have none.
        if _DAMAGED_TEXTS.isdisjoint(row.cells) and "E+" not in row.text and '="' not in row.text:
            return
        damaged = {column: cause for column, cell in enumerate(row.cells) if cell and (cause := damage_cause(cell))}
        positions = rows.positions(row) if damaged else []
        for column, cause in damaged.items():
            cell, position = row.cells[column] or "", positions[column]
            self._counts[column, cause] += 1
            self._first.setdefault((column, cause), (cell, position))
            text_formula = _TEXT_FORMULA.fullmatch(cell)
            if text_formula and text_formula[1].strip():
                fix = Fix(Where(self._path, *position), cell, text_formula[1])
                self._fixes.setdefault((column, cause), []).append(fix)

    def problems(self) -> Iterator[Problem]:
        """Yield a warning for each cause of damage in each column, at the first damaged cell."""
        for (column, cause), (cell, position) in self._first.items():
            count = self._counts[column, cause]
            message = f"'{cell}' looks like {cause}"
            if count > 1:
                message += f"; {count:,} rows of this column have such values"
            text_formula = _TEXT_FORMULA.fullmatch(cell)
            hint = "enter the value again, in a column that is formatted as text"
            if text_formula:
                hint = f"write {_short(text_formula[1])}, without the equals sign and the quotes"
            where = Where(self._path, *position)
            fixes = tuple(self._fixes.get((column, cause), ()))
            yield Problem("excel-damage", message, where, hint, Severity.WARNING, self._kind.value, fixes=fixes)


def damage_cause(cell: str) -> str | None:
    """Return the probable cause of damage in a cell, for a message; None if it looks undamaged."""
    if _SHORTENED.fullmatch(cell):
        return _SHORTENED_CAUSE
    if _TEXT_FORMULA.fullmatch(cell):
        return _TEXT_FORMULA_CAUSE
    return _CAUSES.get(cell)


class Table:
    """A table whose rows are checked, and become drafts only if they are asked for.

    `blocks` are consecutive pieces of the text with `\\n` line ends; a first line such as `sep=;` overrides the
    delimiter of `format_`. Rows in `synced` are left out: their listings were equal to their records at the last plan.
    """

    def __init__(
        self, blocks: Iterable[str], kind: Kind, path: str, format_: TableFormat, synced: SyncedRows | None = None
    ) -> None:
        self.names: Sequence[str] = ()  # of the columns, after the header was read; "" for a missing name
        self._rows = TableRows(blocks, format_, path)
        self._kind = kind
        self._path = path
        self._format = format_
        self._synced = synced
        self._header: Header  # set when it is read, before the first row

    def __iter__(self) -> Iterator[TableRow | Problem]:
        """Yield the rows below the header, and a problem for each mistake. Iterate over them only once.

        If the header has mistakes, yield problems only. Raises UnreadableFile, possibly after many rows, if it is
        unclear where a cell ends; the rows after it are not checked.
        """
        damaged = DamagedCells(self._kind, self._path)
        try:
            yield from self._checked_rows(damaged)
        except UnreadableFile:
            yield from damaged.problems()
            raise
        yield from damaged.problems()

    def draft(self, row: TableRow) -> Draft:
        """Return the draft of a row, with flat values (text or None) by column."""
        values = dict(zip(self.names, row.cells, strict=True))
        if self._header.nameless:
            del values[""]  # a value in a column without a name was reported
        locate = partial(_locate_cells, row, self._rows, self._header)
        draft = Draft(self._kind, self._path, row.line, values, locate)
        draft.is_ascii = row.text.isascii()
        if row.number != row.line:  # a cell above has several lines
            draft.row = row.number
        return draft

    def _checked_rows(self, damaged: DamagedCells) -> Iterator[TableRow | Problem]:
        """Yield the same as `__iter__` without the problems of damaged cells, which are counted in `damaged`."""
        rows, kind, path, synced = self._rows, self._kind, self._path, self._synced
        row_iterator = iter(rows)
        header_row = rows.find_header(row_iterator)
        if header_row is None:
            return
        warns_of_encoding = self._format.encoding == "windows-1252"  # once, at the first row that is not ASCII
        if warns_of_encoding and not header_row.text.isascii():
            yield _encoding_warning(header_row, rows, kind, path)
            warns_of_encoding = False
        self._header = header = Header(header_row, rows.positions(header_row), path)
        header.refuse_delimiter(rows.delimiter)
        header_problems = list(header.problems())
        yield from header_problems
        self.names = names = header.names
        unreported = set(header.nameless)  # columns without a name in which no value was found so far
        digest_of = row_digest(path, rows.delimiter, names, self._format)
        if synced and not header_problems:  # a synced row is known to have no problem
            rows.leaves_out = lambda text: synced.find(digest_of(text))
        for row in row_iterator:
            if not any(row.cells) or self._format.skips(row.cells):
                continue
            if len(row.cells) != len(names):
                may_be_short = self._format.short_rows == "empty" or not any(names[len(row.cells) :])
                fitted = fitted_cells(row.cells, len(names), may_be_short=may_be_short)
                if fitted is None:
                    yield _ragged_row_problem(row, len(names), rows, path)
                    continue
                row = row._replace(cells=fitted)  # as the header has it
            cells = row.cells
            if warns_of_encoding and not row.text.isascii():
                yield _encoding_warning(row, rows, kind, path)
                warns_of_encoding = False
            damaged.scan_row(row, rows)
            if unreported:
                for index in [index for index in unreported if cells[index]]:
                    unreported.remove(index)
                    yield header.nameless_problem(index, row)
            if not header_problems:
                if synced:
                    synced.note_other(digest_of(row.text), path, row)
                yield row


def read_table(
    blocks: Iterable[str], kind: Kind, path: str, format_: TableFormat, synced: SyncedRows | None = None
) -> Iterator[Draft | Problem]:
    """Yield the items of a `Table`, with a draft for each row except those in `synced`; None: for each row."""
    table = Table(blocks, kind, path, format_, synced)
    yield from (table.draft(item) if isinstance(item, TableRow) else item for item in table)


def _locate_cells(row: TableRow, rows: TableRows, header: Header) -> tuple[Locations, Locations]:
    """Return the locations of a row's values by column, and those of the columns' names.

    A missing cell, which a short row has at its end, is located at the end of the row.
    """
    locations = rows.locations(row)[: len(header.names)]  # without surplus cells, which are empty
    path, (first_line, _) = locations[0]
    line, column = position_at(row.text, len(row.text))
    end = (path, (first_line + line - 1, column))
    locations += [end] * (len(header.names) - len(locations))  # of missing cells, which are empty
    values = {name: location for name, location in zip(header.names, locations, strict=True) if name}
    return values, header.locations()


def _encoding_warning(row: TableRow, rows: TableRows, kind: Kind, path: str) -> Problem:
    """Return the warning that a row's text depends on the encoding; it shows a value that the author can check."""
    cells = ((index, cell) for index, cell in enumerate(row.cells) if cell and not cell.isascii())
    # Cells are stripped: if an unusual space is the row's only character outside ASCII, no cell has it.
    index, cell = next(cells, (0, row.text.strip()))
    message = f"the table is read as Windows-1252, as in '{_short(cell)}'"
    hint = "check this value; a table that is saved as UTF-8 needs no encoding in the config"
    where = Where(path, *rows.positions(row)[index])
    return Problem("legacy-encoding", message, where, hint, Severity.WARNING, kind.value)


def _ragged_row_problem(row: TableRow, width: int, rows: TableRows, path: str) -> Problem:
    """Return the problem of a row with more or fewer cells than the header, which has `width`."""
    count = len(row.cells)
    message = f"row {row.number} has {count} {'cell' if count == 1 else 'cells'}, but the header has {width}"
    first_surplus_or_last = next(index for index in range(width, count) if row.cells[index]) if count > width else -1
    where = Where(path, *rows.positions(row)[first_surplus_or_last])
    delimiter = DELIMITER_NAMES[rows.delimiter]
    if any(cell and cell[0] in TYPOGRAPHIC_QUOTES for cell in row.cells):
        hint = STRAIGHT_QUOTES_HINT
    elif count < width:
        hint = f"add the missing cells, including the empty ones, each after a {delimiter}"
        hint += ', or set short_rows = "empty" for this table in the config (content.listings.tables)'
    else:
        hint = f"put a value that contains a {delimiter} in double quotes"
    return Problem("ragged-row", message, where, hint)
