"""What a spreadsheet does to cells that look like numbers, dates or formulas, seen in the table that it saved.

Zeros that a number has lost at its start cannot be seen.
"""

import re
from collections import Counter
from collections.abc import Iterator

from ...errors import Problem, Severity, Where
from ...model import Kind, Mark
from .rows import Row, Rows

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
_KNOWN = frozenset(_CAUSES)
_SHORTENED = re.compile(r"[-+]?[0-9](?:[.,][0-9]{1,5})?E\+[0-9]{2,3}")
_SHORTENED_CAUSE = "a code or a long number in a spreadsheet's scientific notation"


class Damage:
    """The damaged cells of one table, by column and cause."""

    def __init__(self, kind: Kind, path: str) -> None:
        self._kind = kind
        self._path = path
        self._first: dict[tuple[int, str], tuple[str, Mark]] = {}  # the damaged cell and its place
        self._rows: Counter[tuple[int, str]] = Counter()

    def look(self, row: Row, rows: Rows) -> None:
        """Remember what is damaged in a row."""
        if _KNOWN.isdisjoint(row.cells) and "E+" not in row.text:
            return
        for column, cell in enumerate(row.cells):
            if cell and (cause := _cause(cell)):
                self._rows[column, cause] += 1
                if (column, cause) not in self._first:
                    self._first[column, cause] = cell, rows.marks(row)[column]

    def problems(self) -> Iterator[Problem]:
        """A warning for each kind of damage in a column, at its first row."""
        for (column, cause), (cell, mark) in self._first.items():
            count = self._rows[column, cause]
            message = f"'{cell}' looks like {cause}"
            if count > 1:
                message += f"; {count:,} rows of this column have such values"
            hint = "enter the value again, in a column that is formatted as text"
            where = Where(self._path, *mark)
            yield Problem("excel-damage", message, where, hint, Severity.WARNING, self._kind.value)


def _cause(cell: str) -> str | None:
    return _CAUSES.get(cell) or (_SHORTENED_CAUSE if _SHORTENED.fullmatch(cell) else None)
