"""The rows of CSV and TSV text by RFC 4180: the format, the position of every cell, and the digests of rows.

The text is read in blocks. The standard library's reader reports no positions, and reads everything after an unclosed
quote as one cell.
"""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, islice
from typing import Annotated, Literal, NamedTuple, NoReturn

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import Part, TextPosition
from ...model.directory_settings import as_tuple
from ...model.field_types import Integer, Text, fault
from ..files.file_names import suffix_of
from ..files.file_text import UnreadableFile, position_at
from .draft import Location, TextLocation

TABLE_DELIMITERS = {".csv": ",", ".tsv": "\t"}  # by suffix
TABLE_SUFFIXES = (*TABLE_DELIMITERS,)
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
LIST_SEPARATOR = "|"
MAX_ROW = 1_000_000  # characters; this bounds the memory, even if a quote is never closed

_SAMPLE_LINES, _SAMPLE_ROWS = 100, 20  # from the header on; a delimiter must fit them to be recognised
_SIMPLE_QUOTED = lazy_pattern(r'"[^"]*+"')
# A line that declares the delimiter to a spreadsheet, which may add delimiters after it on saving.
_DECLARATION = lazy_pattern(r'"?sep=(.)"?[,;\t| ]*', re.IGNORECASE)
_TEXT_IN_QUOTES = r'[^"]*+(?:""[^"]*+)*+'  # the text between the quotes of a cell; a quote in it is doubled

NumberStyle = Literal["1234.56", "1,234.56", "1.234,56"]
USUAL_NUMBERS: NumberStyle = "1234.56"
Encoding = Literal["utf-8", "utf-16", "windows-1252"]


def _check_delimiter(value: str) -> str:
    if value not in DELIMITER_NAMES:
        raise fault("not-a-choice", 'must be one of "," ";" "|" and "\\t"')
    return value


def _check_separator(value: str) -> str:
    if len(value) != 1 or value.isalnum() or value.isspace() or value in "\"'":
        raise fault("not-a-choice", "must be one character that is not a letter, digit, space or quote")
    return value


def _check_encoding(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


class TableFormat(Part):
    """The format of a table. Without a delimiter, the ending of the file determines it, or the header shows another.

    Without an encoding, a table is UTF-8, or UTF-16 if it starts with a byte order mark. Without a header row, the
    first row that is not empty is the header. With `short_rows = "empty"`, a row may lack cells at its end.
    """

    model_config = ConfigDict(frozen=True)

    delimiter: Annotated[Text, AfterValidator(_check_delimiter)] | None = None
    encoding: Annotated[Encoding, BeforeValidator(_check_encoding)] | None = None
    header_row: Annotated[Integer, Field(ge=1, le=1000)] | None = None  # from 1, as in a spreadsheet
    list_separator: Annotated[Text, AfterValidator(_check_separator)] = LIST_SEPARATOR
    short_rows: Literal["error", "empty"] = "error"  # "empty": the cells that a row lacks at its end are empty
    numbers: NumberStyle = USUAL_NUMBERS  # the style of the numbers in cells of number fields
    skip_rows: Annotated[tuple[Text, ...], BeforeValidator(as_tuple)] = ()  # the first texts of rows that are not read

    def skips(self, cells: Iterable[str | None]) -> bool:
        """Return whether a row with these cells is not read, such as one with sums."""
        return bool(self.skip_rows) and next(filter(None, cells), None) in self.skip_rows


USUAL_FORMAT = TableFormat.model_construct()


class TableRow(NamedTuple):
    """A row of a table."""

    number: int  # from 1; the header and empty rows count, as in a spreadsheet
    line: int  # the number of its first line, from 1
    text: str  # as written, without the last line end
    cells: list[str | None]  # stripped; None for an empty cell


class TableRows:
    """The rows of one table; iterate over them only once.

    Rows above the header are left out if the format has the number of the header. Raises UnreadableFile if it is
    unclear where a row ends, and if the first line declares an unusual delimiter.
    """

    def __init__(self, blocks: Iterable[str], table: TableFormat, path: str) -> None:
        self._lines = _lines(blocks)
        self._path = path
        self._format = table
        self._first = table.header_row or 1  # the number of the first row that is read
        self._number = self._line = 0  # of the last row that was read, and of its last line
        self.leaves_out: Callable[[str], bool] | None = None  # whether a row with this text is left out, from now on
        declared_delimiter = self._skip_declaration()
        # `_recognised_delimiter` puts the lines that it reads back into `_lines`.
        self.delimiter = declared_delimiter or table.delimiter or self._recognised_delimiter()
        edge = re.escape(self.delimiter)
        space = rf"[^\S\n{edge}]*+"  # white space, but no line end and no delimiter
        quoted_cell = rf'{space}"(?P<quoted>{_TEXT_IN_QUOTES})"{space}(?={edge}|\Z)'
        bare_cell = rf'(?!{space}")(?P<bare>[^{edge}]*+)'  # does not begin with a quote
        open_cell = rf'{space}(?P<open>").*'  # any other: `"a`, which a later line may close, or `"a" b`
        self._cell = re.compile(rf"{edge}(?:{quoted_cell}|{bare_cell}|{open_cell})")  # with the delimiter before it
        self._rest_of_quoted = re.compile(rf'{_TEXT_IN_QUOTES}"{space}')  # of a cell, after its opening quote

    def __iter__(self) -> Iterator[TableRow]:
        """Yield each row, also empty ones. Raises UnreadableFile."""
        delimiter = self.delimiter
        find_cells = self._cell.findall
        found: list[tuple[str, str, str]] = []
        for text in self._lines:
            self._number += 1
            line = self._line + 1
            self._line = line  # `_complete_row` adds the further lines of the row to it
            if len(text) > MAX_ROW:
                last = self._last_cell(delimiter + text[:MAX_ROW])
                self._refuse_long_row((line, last.start() + 1 if last else 1))
            has_quotes = '"' in text
            if has_quotes:
                found = find_cells(delimiter + text)
                _quoted, _bare, open_quote = found[-1]
                if open_quote:
                    text = self._complete_row(text)
                    found = find_cells(delimiter + text)
            if self.leaves_out and self.leaves_out(text):
                continue
            if has_quotes:
                cells = [(quoted.replace('""', '"') or bare).strip() or None for quoted, bare, _ in found]
            else:
                cells = [cell.strip() or None for cell in text.split(delimiter)]
            if self._number >= self._first:
                yield TableRow(self._number, line, text, cells)

    def find_header(self, rows: Iterator[TableRow]) -> TableRow | None:
        """Return the header from an iterator over these rows; None if the table is empty.

        Raises UnreadableFile if the row that the format names is missing or empty.
        """
        if self._format.header_row is None:
            return next((row for row in rows if any(row.cells)), None)
        header = next(rows, None)
        if header is None or not any(header.cells):
            message = f"row {self._first} must be the header, but it is {'missing' if header is None else 'empty'}"
            where = Where(self._path, header.line if header else max(self._line, 1))
            raise UnreadableFile(Problem("no-header", message, where, "correct header_row of this table in the config"))
        return header

    def positions(self, row: TableRow) -> list[TextPosition]:
        """Return the line and column in the file at which each cell of a row starts."""
        positions: list[TextPosition] = []
        line = row.line
        line_start = 0
        # A match starts with the delimiter before its cell, so its offset in this text is that of the cell in the row.
        for match in self._cell.finditer(self.delimiter + row.text):
            positions.append((line, match.start() - line_start + 1))
            breaks = match[0].count("\n")
            if breaks:
                line += breaks
                line_start = match.start() + match[0].rindex("\n")
        return positions

    def locations(self, row: TableRow) -> list[Location]:
        """Return the location of each cell of a row; a `TextLocation` for a cell with several lines."""
        cells = self._cell.finditer(self.delimiter + row.text)
        return [self._location(cell, position) for cell, position in zip(cells, self.positions(row), strict=True)]

    def _location(self, cell: re.Match[str], start: TextPosition) -> Location:
        """Return the location of a cell that starts at this position of the file."""
        quoted = cell["quoted"] or ""
        if "\n" not in quoted:
            return self._path, start
        file_line, file_column = start
        blank = len(quoted) - len(quoted.lstrip())
        line, column = position_at(cell[0], cell.start("quoted") + blank - cell.start())  # of the text, in the cell
        columns_before = column - 1
        if line == 1:  # the first line of the text is behind other cells
            columns_before += (file_column - 1) - len(self.delimiter)  # `cell` starts with the delimiter before it
        # Before the first and before each later line; unknown with a doubled quote, which is one character of the text.
        before = None if '""' in quoted else (columns_before, 0)
        return TextLocation.from_location((self._path, start), file_line + line - 1, before)

    def _skip_declaration(self) -> str | None:
        """Return the delimiter that the first line declares (`sep=;`), and skip this line; None if it is a row."""
        first = [*islice(self._lines, 1)]  # empty for an empty table
        declaration = _DECLARATION.fullmatch(first[0]) if first else None
        if declaration is None:
            self._lines = chain(first, self._lines)
            return None
        self._number = self._line = 1
        if declaration[1] not in DELIMITER_NAMES:
            message = f"'{declaration[1]}' in the first line is not a supported delimiter"
            self._refuse("wrong-delimiter", message, (1, 1), f"use one of: {', '.join(DELIMITER_NAMES.values())}")
        return declaration[1]

    def _recognised_delimiter(self) -> str:
        """Return the delimiter of the file's ending, unless exactly one other delimiter fits the header and first rows.

        If the header contains the delimiter of the ending, no other one is tried.
        """
        usual = TABLE_DELIMITERS.get(suffix_of(self._path), ",")
        sample: list[str] = []
        header = ""
        size = 0
        for line in islice(self._lines, self._first + _SAMPLE_LINES):
            sample.append(line)
            size += len(line)
            if not header and len(sample) >= self._first and line.strip():
                header = _SIMPLE_QUOTED.sub("", line)
                if usual in header:
                    break
            if size > MAX_ROW:
                break
        self._lines = chain(sample, self._lines)
        if usual in header:
            return usual
        fitting = [other for other in DELIMITER_NAMES if other in header and self._fits(other, sample)]
        return fitting[0] if len(fitting) == 1 else usual

    def _fits(self, delimiter: str, sample: Iterable[str]) -> bool:
        """Return whether a delimiter splits header and first rows into the same number of cells, two or more."""
        table = self._format.model_copy(update={"delimiter": delimiter})
        try:
            rows = islice(TableRows(["\n".join(sample)], table, self._path), _SAMPLE_ROWS)
            filled = [row.cells for row in rows if any(row.cells)]
        except UnreadableFile:
            return False
        width = len(filled[0]) if filled else 0
        return len(filled) > 1 and width > 1 and all(fitted_cells(cells, width) is not None for cells in filled)

    def _complete_row(self, first_line: str) -> str:
        """Return the text of a row with several lines, which begins with `first_line`; read its other lines."""
        lines, size = [first_line], len(first_line)
        last_line = first_line
        rest = self.delimiter + first_line  # the part of the last line that may contain another open quote
        while quote := self._open_quote(rest, last_line):
            for last_line in self._lines:
                self._line += 1
                lines.append(last_line)
                size += len(last_line) + 1
                if size > MAX_ROW:
                    self._refuse_long_row(quote)
                closed = self._rest_of_quoted.match(last_line)
                if closed:
                    rest = last_line[closed.end() :]
                    break
            else:
                self._refuse("unclosed-quote", "the quote that opens here is never closed", quote, "close the quote")
            if rest and rest[0] != self.delimiter:
                message = f"there is text after the quote that closes this cell in line {self._line}"
                self._refuse("text-after-quote", message, quote, "close the quote that opens here")
        return "\n".join(lines)

    def _open_quote(self, rest: str, line: str) -> TextPosition | None:
        """Return the position of a quote that is not closed in a line; None without one.

        Only `rest` is searched: the end of the line, from a delimiter on, or the line with a delimiter added before it.
        Raise UnreadableFile for text after a closing quote.
        """
        last = self._last_cell(rest)
        if last is None or last["open"] is None:
            return None
        offset = len(line) - len(rest)  # of `rest` in the line; -1 with an added delimiter
        closed = self._rest_of_quoted.match(rest, last.end("open"))
        if closed:  # the quote is closed, but other text follows in the cell
            position = self._line, offset + closed.end() + 1
            hint = "put the whole cell in quotes, and double each quote inside it"
            self._refuse("text-after-quote", "there is text after the closing quote", position, hint)
        return self._line, offset + last.start("open") + 1

    def _last_cell(self, text: str) -> re.Match[str] | None:
        """Return the match of the last cell in a text that has a delimiter before each cell; None without cells."""
        return next(iter(deque(self._cell.finditer(text), maxlen=1)), None)

    def _refuse_long_row(self, position: TextPosition) -> NoReturn:
        message = f"the row has more than {MAX_ROW:,} characters: this cell exceeds the limit"
        self._refuse(
            "too-long", message, position, "check for a quote that is never closed, or for missing line breaks"
        )

    def _refuse(self, code: str, message: str, position: TextPosition, hint: str) -> NoReturn:
        raise UnreadableFile(Problem(code, f"row {self._number}: {message}", Where(self._path, *position), hint))


def fitted_cells(cells: list[str | None], width: int, *, may_be_short: bool = False) -> list[str | None] | None:
    """Return the cells of a row for a header of `width` cells, without surplus empty cells; None if it does not fit.

    With `may_be_short`, cells that the row lacks at its end are empty.
    """
    missing = width - len(cells)
    if missing <= 0:
        return None if any(cells[width:]) else cells[:width]
    return [*cells, *[None] * missing] if may_be_short else None


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text without line ends; stop when the line at the end of a block exceeds MAX_ROW."""
    rest = ""
    for block in blocks:
        lines = (rest + block).split("\n")
        rest = lines.pop()
        yield from lines
        if len(rest) > MAX_ROW:
            break
    if rest:
        yield rest


class SyncedRows:
    """The digests of synced rows: those whose listings were equal to their records at the last plan.

    A plan need not look at a synced row again while its text, what it refers to, the base and the record are unchanged.
    While tables are read, `found` collects the digests of the rows that are left out, and `others` those of the rows
    that are read, by path and line. It lacks rows that may contain a link: whether it is broken depends on other files.
    """

    def __init__(self, digests: Collection[str] = ()) -> None:
        self._digests = digests
        self.found: list[str] = []
        self.others: dict[tuple[str, int], str] = {}

    def without_notes(self) -> "SyncedRows":
        """Return the same synced rows, as if no table had been read."""
        return SyncedRows(self._digests)

    def find(self, digest: str) -> bool:
        """Return whether a row with this digest is synced, and note it."""
        if digest not in self._digests:
            return False
        self.found.append(digest)
        return True

    def note_other(self, digest: str, path: str, row: TableRow) -> None:
        """Note that a row of the table at `path` is read."""
        if "[" not in row.text and "<" not in row.text:
            self.others[path, row.line] = digest


def row_digest(
    path: str,
    delimiter: str,
    names: Sequence[str],
    table: TableFormat = USUAL_FORMAT,
) -> Callable[[str], str]:
    """Return the function that makes the digest of a row from its text; `names` are the table's columns.

    Rows with equal digests are in files of the same path, and have the same values.
    """
    settings = path, delimiter, [*names], table.list_separator, table.numbers
    table_hash = blake2b(repr(settings).encode("utf-8", "surrogatepass"), digest_size=12)

    def digest(text: str) -> str:
        row_hash = table_hash.copy()
        row_hash.update(text.encode("utf-8", "surrogatepass"))
        return row_hash.hexdigest()

    return digest
