"""The rows of CSV and TSV text as RFC 4180 has them, a piece at a time, and where their cells start.

The standard library's reader gives no places, and takes all that follows an open quote for one cell.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple, NoReturn

from ...errors import Problem, Where
from ...model import Mark
from ..draft import Place, TextPlace, Unreadable, mark_at

MAX_ROW = 1_000_000  # characters; no more is ever held of a table, even where a quote stays open

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}

# How a spreadsheet is told the delimiter; saving again may put more delimiters behind it.
_DECLARATION = re.compile(r'"?sep=(.)"?[,;\t| ]*', re.IGNORECASE)
_QUOTED = r'[^"]*+(?:""[^"]*+)*+'


class Row(NamedTuple):
    """The cells of a row without the spaces around them; None for empty ones."""

    number: int  # from 1; the header and empty rows count, as in a spreadsheet
    line: int  # where it starts
    text: str  # as written, without the last line end
    cells: list[str | None]


class Rows:
    """The rows of one table, to be iterated once.

    Raises Unreadable where it is unclear how a row ends, and when the first line declares a delimiter that nobody uses.
    """

    def __init__(self, blocks: Iterable[str], delimiter: str, path: str) -> None:
        self._lines = _lines(blocks)
        self._path = path
        self._number = self._line = 0
        self.delimiter = self._declared() or delimiter
        edge = re.escape(self.delimiter)
        space = rf"[^\S\n{edge}]*+"
        # A cell with the delimiter before it: quoted, bare, or with a quote of which this line does not show the end.
        self._cell = re.compile(
            rf'{edge}(?:{space}"({_QUOTED})"{space}(?={edge}|\Z)|(?!{space}")([^{edge}]*+)|{space}(").*)'
        )
        self._closing = re.compile(rf'{_QUOTED}"{space}')

    def __iter__(self) -> Iterator[Row]:
        delimiter, find_cells = self.delimiter, self._cell.findall
        for text in self._lines:
            self._number += 1
            self._line = line = self._line + 1
            if len(text) > MAX_ROW:
                last = self._last(delimiter + text[:MAX_ROW])
                self._too_long((line, last.start() + 1 if last else 1))
            if '"' in text:
                found = find_cells(delimiter + text)
                if found[-1][2]:
                    text = self._continued(text)
                    found = find_cells(delimiter + text)
                cells = [(quoted.replace('""', '"') or bare).strip() or None for quoted, bare, _ in found]
            else:
                cells = [cell.strip() or None for cell in text.split(delimiter)]
            yield Row(self._number, line, text, cells)

    def marks(self, row: Row) -> list[Mark]:
        """Where each cell of a row starts."""
        marks: list[Mark] = []
        line, start = row.line, 0
        for match in self._cell.finditer(self.delimiter + row.text):
            marks.append((line, match.start() - start + 1))
            breaks = match[0].count("\n")
            if breaks:
                line += breaks
                start = match.start() + match[0].rindex("\n")
        return marks

    def places(self, row: Row) -> list[Place]:
        """Where each cell stands; of a cell of several lines, where they do."""
        cells = self._cell.finditer(self.delimiter + row.text)
        return [self._place(cell, mark) for cell, mark in zip(cells, self.marks(row), strict=True)]

    def _place(self, cell: re.Match[str], mark: Mark) -> Place:
        quoted = cell[1] or ""
        if "\n" not in quoted:
            return self._path, mark
        blank = len(quoted) - len(quoted.lstrip())
        line, column = mark_at(cell[0], cell.start(1) + blank - cell.start())
        before = column - 1 + (mark[1] - 2 if line == 1 else 0)
        return TextPlace.of((self._path, mark), mark[0] + line - 1, None if '""' in quoted else (before, 0))

    def _declared(self) -> str | None:
        """The delimiter that a first line such as `sep=;` names; the line is no row of the table then."""
        first = [*islice(self._lines, 1)]
        declaration = _DECLARATION.fullmatch(first[0]) if first else None
        if declaration is None:
            self._lines = chain(first, self._lines)
            return None
        self._number = self._line = 1
        if declaration[1] not in DELIMITERS:
            message = f"'{declaration[1]}' in the first line is not a supported delimiter"
            self._stop("wrong-delimiter", message, (1, 1), f"use one of: {', '.join(DELIMITERS.values())}")
        return declaration[1]

    def _continued(self, text: str) -> str:
        """The whole text of a row whose first line leaves a quote open, as far as it can be seen in that line."""
        lines, size = [text], len(text)
        rest = self.delimiter + text  # what of the last line is not yet read
        while opened := self._opened(rest, text):
            for text in self._lines:
                self._line += 1
                lines.append(text)
                size += len(text) + 1
                if size > MAX_ROW:
                    self._too_long(opened)
                closing = self._closing.match(text)
                if closing:
                    rest = text[closing.end() :]
                    break
            else:
                self._stop("unclosed-quote", "the quote that opens here is never closed", opened, "close the quote")
            if rest and rest[0] != self.delimiter:
                message = f"there is text after the quote that closes this cell in line {self._line}"
                self._stop("text-after-quote", message, opened, "close the quote that opens here")
        return "\n".join(lines)

    def _opened(self, rest: str, text: str) -> Mark | None:
        """Where in the rest of a line a quote opens that does not end in it."""
        last = self._last(rest)
        if last is None or last[3] is None:
            return None
        before = len(text) - len(rest)
        closing = self._closing.match(rest, last.end(3))
        if closing:
            mark = self._line, before + closing.end() + 1
            hint = "put the whole cell in quotes, and double each quote inside it"
            self._stop("text-after-quote", "there is text after the closing quote", mark, hint)
        return self._line, before + last.start(3) + 1

    def _last(self, text: str) -> re.Match[str] | None:
        """The last cell of a text in which each has the delimiter before it."""
        return next(iter(deque(self._cell.finditer(text), maxlen=1)), None)

    def _too_long(self, mark: Mark) -> NoReturn:
        message = f"the row has more than {MAX_ROW:,} characters: this cell exceeds the limit"
        self._stop("too-long", message, mark, "check for a quote that is never closed, or for missing line breaks")

    def _stop(self, code: str, message: str, mark: Mark, hint: str) -> NoReturn:
        raise Unreadable(Problem(code, f"row {self._number}: {message}", Where(self._path, *mark), hint))


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    """The lines of a text that comes in pieces, without their ends; none after one that is longer than a row may be."""
    rest = ""
    for block in blocks:
        lines = (rest + block).split("\n")
        rest = lines.pop()
        yield from lines
        if len(rest) > MAX_ROW:
            break
    if rest:
        yield rest
