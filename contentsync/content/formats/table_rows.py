"""The rows of CSV and TSV text by RFC 4180, read in blocks, with the position of every cell.

The standard library's reader reports no positions, and reads everything after an unclosed quote as one cell.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, NoReturn

from ...errors import Problem, Where
from ...model import TextPosition
from ..draft import Location, TextLocation, UnreadableFile, position_at

MAX_ROW = 1_000_000  # characters; this bounds the memory, even if a quote is never closed

TABLE_DELIMITERS = {".csv": ",", ".tsv": "\t"}  # by suffix
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}

# A line that declares the delimiter to a spreadsheet, which may add delimiters after it on saving.
_DECLARATION = re.compile(r'"?sep=(.)"?[,;\t| ]*', re.IGNORECASE)
_QUOTED = r'[^"]*+(?:""[^"]*+)*+'


class TableRow(NamedTuple):
    """A row of a table."""

    number: int  # from 1; the header and empty rows count, as in a spreadsheet
    line: int  # the number of its first line, from 1
    text: str  # as written, without the last line end
    cells: list[str | None]  # stripped; None for an empty cell


class TableRows:
    """The rows of one table; iterate over them only once.

    Raises UnreadableFile if it is unclear where a row ends, and if the first line declares an unusual delimiter.
    """

    def __init__(self, blocks: Iterable[str], delimiter: str, path: str) -> None:
        self._lines = _lines(blocks)
        self._path = path
        self._number = self._line = 0
        self.delimiter = self._read_declaration() or delimiter
        edge = re.escape(self.delimiter)
        space = rf"[^\S\n{edge}]*+"
        # A cell with the delimiter before it: quoted, bare, or with a quote that is not closed on this line.
        self._cell = re.compile(
            rf'{edge}(?:{space}"({_QUOTED})"{space}(?={edge}|\Z)|(?!{space}")([^{edge}]*+)|{space}(").*)'
        )
        self._closing = re.compile(rf'{_QUOTED}"{space}')

    def __iter__(self) -> Iterator[TableRow]:
        delimiter, find_cells = self.delimiter, self._cell.findall
        for text in self._lines:
            self._number += 1
            self._line = line = self._line + 1
            if len(text) > MAX_ROW:
                last = self._last_cell(delimiter + text[:MAX_ROW])
                self._refuse_long_row((line, last.start() + 1 if last else 1))
            if '"' in text:
                found = find_cells(delimiter + text)
                if found[-1][2]:
                    text = self._complete_row(text)
                    found = find_cells(delimiter + text)
                cells = [(quoted.replace('""', '"') or bare).strip() or None for quoted, bare, _ in found]
            else:
                cells = [cell.strip() or None for cell in text.split(delimiter)]
            yield TableRow(self._number, line, text, cells)

    def positions(self, row: TableRow) -> list[TextPosition]:
        """Return the line and column at which each cell of a row starts."""
        positions: list[TextPosition] = []
        line, start = row.line, 0
        for match in self._cell.finditer(self.delimiter + row.text):
            positions.append((line, match.start() - start + 1))
            breaks = match[0].count("\n")
            if breaks:
                line += breaks
                start = match.start() + match[0].rindex("\n")
        return positions

    def locations(self, row: TableRow) -> list[Location]:
        """Return the location of each cell of a row; a `TextLocation` for a cell with several lines."""
        cells = self._cell.finditer(self.delimiter + row.text)
        return [self._location(cell, position) for cell, position in zip(cells, self.positions(row), strict=True)]

    def _location(self, cell: re.Match[str], position: TextPosition) -> Location:
        quoted = cell[1] or ""
        if "\n" not in quoted:
            return self._path, position
        blank = len(quoted) - len(quoted.lstrip())
        line, column = position_at(cell[0], cell.start(1) + blank - cell.start())
        before = column - 1 + (position[1] - 2 if line == 1 else 0)
        return TextLocation.from_location(
            (self._path, position), position[0] + line - 1, None if '""' in quoted else (before, 0)
        )

    def _read_declaration(self) -> str | None:
        """Return the delimiter that the first line declares (`sep=;`), and skip this line; None if it is a row."""
        first = [*islice(self._lines, 1)]
        declaration = _DECLARATION.fullmatch(first[0]) if first else None
        if declaration is None:
            self._lines = chain(first, self._lines)
            return None
        self._number = self._line = 1
        if declaration[1] not in DELIMITER_NAMES:
            message = f"'{declaration[1]}' in the first line is not a supported delimiter"
            self._refuse("wrong-delimiter", message, (1, 1), f"use one of: {', '.join(DELIMITER_NAMES.values())}")
        return declaration[1]

    def _complete_row(self, text: str) -> str:
        """Return the text of a row with several lines, whose first line is `text`."""
        lines, size = [text], len(text)
        rest = self.delimiter + text  # the part of the last line that was not read
        while quote := self._open_quote(rest, text):
            for text in self._lines:
                self._line += 1
                lines.append(text)
                size += len(text) + 1
                if size > MAX_ROW:
                    self._refuse_long_row(quote)
                closing = self._closing.match(text)
                if closing:
                    rest = text[closing.end() :]
                    break
            else:
                self._refuse("unclosed-quote", "the quote that opens here is never closed", quote, "close the quote")
            if rest and rest[0] != self.delimiter:
                message = f"there is text after the quote that closes this cell in line {self._line}"
                self._refuse("text-after-quote", message, quote, "close the quote that opens here")
        return "\n".join(lines)

    def _open_quote(self, rest: str, text: str) -> TextPosition | None:
        """Return the position of a quote in the `rest` of the line `text` that is not closed there, or None."""
        last = self._last_cell(rest)
        if last is None or last[3] is None:
            return None
        offset = len(text) - len(rest)
        closing = self._closing.match(rest, last.end(3))
        if closing:
            position = self._line, offset + closing.end() + 1
            hint = "put the whole cell in quotes, and double each quote inside it"
            self._refuse("text-after-quote", "there is text after the closing quote", position, hint)
        return self._line, offset + last.start(3) + 1

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


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text without line ends. Stop after a line with more than MAX_ROW characters."""
    rest = ""
    for block in blocks:
        lines = (rest + block).split("\n")
        rest = lines.pop()
        yield from lines
        if len(rest) > MAX_ROW:
            break
    if rest:
        yield rest
