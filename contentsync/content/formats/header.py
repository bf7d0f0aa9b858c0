"""The row of a table that names its columns."""

import unicodedata
from collections.abc import Iterator, Sequence

from ...errors import Problem, Where
from ...model import Mark
from ...model.field_types import MAX_DEPTH, MAX_ITEMS
from ..draft import Places, Unreadable
from .rows import DELIMITERS, Row


class Header:
    """The names of the columns, empty where there is none, and where they stand."""

    def __init__(self, row: Row, marks: Sequence[Mark], path: str) -> None:
        self.names = [cell or "" for cell in row.cells]
        self.nameless = [index for index, name in enumerate(self.names) if not name]
        self._marks = marks
        self._path = path

    def places(self) -> Places:
        """Where each name stands."""
        return {name: (self._path, mark) for name, mark in zip(self.names, self._marks, strict=True) if name}

    def refuse_delimiter(self, delimiter: str) -> None:
        """Raise Unreadable if there is one column, whose name holds another delimiter. None is ever guessed."""
        for other, word in DELIMITERS.items() if len(self.names) == 1 else ():
            if other != delimiter and other in self.names[0]:
                message = f"the table has only one column, '{_short(self.names[0])}': is the delimiter a {word}?"
                mend = "give the file the ending .tsv" if other == "\t" else f"put a line sep={other} above the header"
                hint = f"separate the cells with a {DELIMITERS[delimiter]}, or {mend}"
                raise Unreadable(Problem("wrong-delimiter", message, self._where(0), hint))

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the names."""
        if len(self.names) > MAX_ITEMS:
            message = f"the table has {len(self.names):,} columns; the limit is {MAX_ITEMS:,}"
            yield Problem("too-many", message, self._where(MAX_ITEMS), "delete the columns that no entry needs")
            return
        columns: dict[str, int] = {}
        for index, name in enumerate(self.names):
            where = self._where(index)
            invisible = next((letter for letter in name if _is_invisible(letter)), None)
            if invisible:
                message = f"the column name contains the invisible character U+{ord(invisible):04X}"
                yield Problem("invisible-character", message, where, "type the name again")
            first = columns.setdefault(name, index)
            if name and first != index:
                message = f"the column {_short(name)} occurs twice, here and in column {first + 1}"
                yield Problem("duplicate-column", message, where, "delete one of them")
            if name.count(".") >= MAX_DEPTH:
                message = f"the column name has more than {MAX_DEPTH} parts"
                yield Problem("too-deep", message, where, "use fewer dots")
                return
            if name and not all(name.split(".")):
                message = f"the column name {_short(name)} has an empty part"
                yield Problem("bad-key", message, where, "write a name before and after each dot")
        for index, name in enumerate(self.names):
            around = name.rpartition(".")[0]
            while around:
                if around in columns:
                    message = (
                        f"the column {_short(name)} is part of the column {_short(around)}:"
                        " a table can have only one of them"
                    )
                    yield Problem("duplicate-column", message, self._where(index), "delete one of them")
                around = around.rpartition(".")[0]

    def nameless_problem(self, index: int, row: Row) -> Problem:
        """That a row has a value in a column without a name."""
        message = f"column {index + 1} has no name, but it has a value in row {row.number} (line {row.line})"
        return Problem("nameless-column", message, self._where(index), "give the column a name, or delete its values")

    def _where(self, index: int) -> Where:
        return Where(self._path, *self._marks[index])


def _is_invisible(letter: str) -> bool:
    return letter != " " and unicodedata.category(letter) in ("Cc", "Cf", "Zs", "Zl", "Zp")


def _short(name: str) -> str:
    return name if len(name) <= 64 else f"{name[:63]}…"
