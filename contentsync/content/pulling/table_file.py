"""A table of which only the cells concerned are changed: delimiter, quotes and line ends of the others stay."""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ...errors import Refused
from ...model import Kind
from ...model.custom_field import parse_list
from ..formats.rows import Row, Rows
from .bodies import BODIES, trimmed
from .changes import Path, as_read
from .splices import Original, Splice

_BY_HAND = "keep the entry in a file of its own, or leave it out with --only"


class Untellable(Exception):
    """A cell cannot hold the value."""


class TableFile:
    """One CSV or TSV file, its rows known by the lines where they start. Raises Unreadable."""

    def __init__(self, data: bytes, kind: Kind, path: str, delimiter: str) -> None:
        self._original = Original(data)
        self._path = path
        self._given = delimiter
        self._rows = _rows(self._original.text, delimiter, path)
        self._delimiter = self._rows[0].delimiter if self._rows else delimiter
        text = self._original.text
        self._lines = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
        self.columns = [cell or "" for cell in self._rows[0].row.cells] if self._rows else []

    @property
    def entry_lines(self) -> list[int]:
        """The lines where the rows of entries start."""
        return [read.row.line for read in self._rows[1:]]

    def has(self, name: str) -> bool:
        """Whether a column is called so, or is a part of the object of that name."""
        return any(column == name or column.startswith(f"{name}.") for column in self.columns)

    def cells(self, path: Path, value: Any, *, custom: bool = False) -> dict[str, str]:
        """The cells, by column, that say a value in this table, of a custom field or another. Raises Untellable."""
        name = ".".join(path)
        parts = [column for column in self.columns if column.startswith(f"{name}.")]
        if isinstance(value, Mapping) and (parts or name not in self.columns):
            if any("." in key or not key.strip() or key != key.strip() for key in value):
                raise Untellable
            found = dict.fromkeys(parts, "")
            return found | {f"{name}.{key}": _cell(inner) for key, inner in value.items()}
        if value is None and parts:
            return dict.fromkeys(parts, "")
        return {name: _cell(value, body=path[-1] in BODIES, custom=custom)}

    def edited(self, cells: Mapping[int, Mapping[str, str]], new: Sequence[Mapping[str, str]] = ()) -> bytes:
        """The table with other cells, by the line of their row and the column, and with new rows.

        Columns that it lacks are added; they are empty where nothing is given. Raises Refused.
        """
        added = list(dict.fromkeys(name for row in (*cells.values(), *new) for name in row if name not in self.columns))
        columns = [*self.columns, *added]
        splices: list[Splice] = []
        wanted: list[list[str | None]] = []
        for number, read in enumerate(self._rows):
            its = dict(zip(added, added, strict=True)) if number == 0 else cells.get(read.row.line, {})
            splices += self._changed(read, its, added)
            pairs = zip_longest(columns, read.row.cells)
            wanted.append([its[name] or None if name in its else cell for name, cell in pairs])
        if new:
            rows = [[row.get(name, "") for name in columns] for row in new]
            wanted += [[cell or None for cell in row] for row in rows]
            if not self._rows:
                rows.insert(0, columns)
                wanted.insert(0, [*columns])
            end = len(self._original.text)
            lead = "" if not self._original.text or self._original.text.endswith("\n") else "\n"
            written = (self._delimiter.join(map(self._quoted, row)) + "\n" for row in rows)
            splices.append(Splice(end, end, lead + "".join(written)))
        data = self._original.spliced(splices)
        if [read.row.cells for read in _rows(Original(data).text, self._given, self._path)] != wanted:
            raise Refused(f"{self._path} cannot hold what the server has", _BY_HAND)
        return data

    def _changed(self, read: "_Read", its: Mapping[str, str], added: Sequence[str]) -> list[Splice]:
        start = self._lines[read.row.line - 1]
        end = start + len(read.row.text)
        splices = []
        if any(name in its for name in self.columns):
            starts = [self._lines[line - 1] + column - 1 for line, column in read.marks]
            ends = [*(begin - 1 for begin in starts[1:]), end]
            for name, begin, finish in zip(self.columns, starts, ends, strict=True):
                if name in its and name:
                    old = self._original.text[begin:finish]
                    quoted = self._quoted(its[name], always=old.lstrip().startswith('"') and bool(its[name]))
                    splices.append(Splice(begin, finish, quoted))
        if added:
            behind = (self._delimiter + self._quoted(its.get(name, "")) for name in added)
            splices.append(Splice(end, end, "".join(behind)))
        return splices

    def _quoted(self, text: str, *, always: bool = False) -> str:
        if always or any(letter in text for letter in (self._delimiter, '"', "\n")) or text != text.strip():
            return f'"{text.replace(chr(34), chr(34) * 2)}"'
        return text


class _Read:
    def __init__(self, row: Row, rows: Rows) -> None:
        self.row = row
        self._rows = rows

    @property
    def delimiter(self) -> str:
        return self._rows.delimiter

    @property
    def marks(self) -> list[tuple[int, int]]:
        return self._rows.marks(self.row)


def _rows(text: str, delimiter: str, path: str) -> list[_Read]:
    """The rows that are not empty, the header first."""
    rows = Rows([text], delimiter, path)
    return [_Read(row, rows) for row in rows if any(row.cells)]


def _cell(value: Any, *, body: bool = False, custom: bool = False) -> str:
    """What stands in a cell, before any quotes. Raises Untellable where it would not be read as the value."""
    if isinstance(value, list):
        items = [as_read(item) for item in value]
        if not all(isinstance(item, str) and item and item.strip() == item and "|" not in item for item in items):
            raise Untellable
        if custom and len(items) == 1 and parse_list(items[0]) != items:
            return f"{items[0]}|"  # or it would be read as several
        return "|".join(items)
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    text = str(as_read(value) or "").replace("\r\n", "\n").replace("\r", "\n")
    if body and trimmed(text) != text.strip():  # it begins with an indentation, which means code
        raise Untellable
    return text.strip()
