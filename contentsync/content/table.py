"""CSV and TSV as RFC 4180 has it, with the place of each cell, which the stdlib's reader does not give."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from ..errors import Problem, Where
from ..model import Kind, Mark
from .draft import Draft, Unreadable

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value without the spaces around it, and where it starts."""

    text: str
    mark: Mark


def read_table(text: str, kind: Kind, path: str, delimiter: str) -> tuple[list[Draft], list[Problem]]:
    """A draft for each row, its values flat: the text of each cell, or None, by column.

    Raises Unreadable where the cells themselves, or the header, are unclear; a row of another length than the
    header becomes a problem and no draft.
    """
    rows = enumerate(_rows(text, path, delimiter), 1)
    header = next((row for _, row in rows if _is_filled(row)), None)
    if header is None:
        return [], []
    wrong = _header_problems(header, path, delimiter)
    drafts: list[Draft] = []
    problems: list[Problem] = []
    nameless: dict[int, Cell] = {}
    keys = {cell.text: (path, cell.mark) for cell in header if cell.text}
    for number, row in rows:
        if not _is_filled(row):
            continue
        if len(row) != len(header):
            problems.append(_ragged(row, len(header), number, path))
            continue
        draft = Draft(kind, path, row[0].mark[0])
        draft.keys.update(keys)
        for index, (column, cell) in enumerate(zip(header, row, strict=True)):
            if column.text:
                draft.values[column.text] = cell.text or None
                draft.marks[column.text] = (path, cell.mark)
            elif cell.text:
                nameless.setdefault(index, cell)
        drafts.append(draft)
    for index, cell in nameless.items():
        message = f"column {index + 1} has no name, but a value in line {cell.mark[0]}"
        wrong.append(Problem("nameless-column", message, Where(path, *header[index].mark), "name the column"))
    if wrong:
        raise Unreadable(*wrong, *problems)
    return drafts, problems


def _rows(text: str, path: str, delimiter: str) -> Iterator[list[Cell]]:
    cells = _cells(text, path, delimiter)
    for first in cells:
        row = [first[0]]
        ends = first[1]
        while not ends:
            cell, ends = next(cells)
            row.append(cell)
        yield row


def _is_filled(row: list[Cell]) -> bool:
    return any(cell.text for cell in row)


def _cells(text: str, path: str, delimiter: str) -> Iterator[tuple[Cell, bool]]:
    """Every cell, and whether its row ends with it."""
    edge = re.escape(delimiter)
    space = "[ ]*" if delimiter == "\t" else "[ \t]*"
    bare = re.compile(rf"[^{edge}\n]*")
    opening = re.compile(rf'{space}"')
    quoted = re.compile(rf'([^"]*(?:""[^"]*)*)(")?{space}')
    position, line, line_start = 0, 1, 0
    while position < len(text):
        mark = (line, position - line_start + 1)
        start = opening.match(text, position)
        if start:
            match = quoted.match(text, start.end())
            if match is None or match[2] is None:
                _stop(
                    "unclosed-quote",
                    "the quote that opens here is never closed",
                    path,
                    mark,
                    "write a quote twice inside one",
                )
            value, end = match[1].replace('""', '"'), match.end()
            if "\n" in value:
                line += value.count("\n")
                line_start = text.rindex("\n", 0, match.end(1)) + 1
            if end < len(text) and text[end] != delimiter and text[end] != "\n":
                behind = (line, end - line_start + 1)
                _stop(
                    "text-after-quote", "text behind a closing quote", path, behind, "write a quote twice inside quotes"
                )
        else:
            end = bare.match(text, position).end()  # type: ignore[union-attr]  # it matches the empty text too
            value = text[position:end]
        ends = end == len(text) or text[end] == "\n"
        yield Cell(value.strip(), mark), ends
        position = end + 1
        if ends:
            line, line_start = line + 1, position
        elif position == len(text):
            yield Cell("", (line, position - line_start + 1)), True


def _header_problems(header: list[Cell], path: str, delimiter: str) -> list[Problem]:
    if len(header) == 1:
        for other, name in _DELIMITERS.items():
            if other != delimiter and other in header[0].text:
                message = f"there is one column, '{header[0].text}': is the delimiter a {name}?"
                hint = f"separate the cells by a {_DELIMITERS[delimiter]}"
                return [Problem("wrong-delimiter", message, Where(path, *header[0].mark), hint)]
    problems: list[Problem] = []
    seen: dict[str, Cell] = {}
    for cell in header:
        where = Where(path, *cell.mark)
        invisible = next((letter for letter in cell.text if _is_invisible(letter)), None)
        if invisible:
            message = f"the column name holds the invisible character U+{ord(invisible):04X}"
            problems.append(Problem("invisible-character", message, where, "type the name anew"))
        first = seen.setdefault(cell.text, cell)
        if cell.text and first is not cell:
            message = f"the column {cell.text} stands twice, here and in column {header.index(first) + 1}"
            problems.append(Problem("duplicate-column", message, where, "delete one of them"))
    columns = {cell.text for cell in header}
    for cell in header:
        around = cell.text.rpartition(".")[0]
        while around:
            if around in columns:
                message = f"the column {cell.text} is a part of the column {around}: only one of them can hold it"
                problems.append(Problem("duplicate-column", message, Where(path, *cell.mark), "delete one of them"))
            around = around.rpartition(".")[0]
    return problems


def _is_invisible(letter: str) -> bool:
    return letter != " " and unicodedata.category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp")


def _ragged(row: list[Cell], width: int, number: int, path: str) -> Problem:
    message = f"row {number} has {len(row)} {'cell' if len(row) == 1 else 'cells'}, the header has {width}"
    where = Where(path, *row[min(width, len(row) - 1)].mark)
    return Problem("ragged-row", message, where, "a value that holds the delimiter stands in double quotes")


def _stop(code: str, message: str, path: str, mark: Mark, hint: str) -> NoReturn:
    raise Unreadable(Problem(code, message, Where(path, *mark), hint))
