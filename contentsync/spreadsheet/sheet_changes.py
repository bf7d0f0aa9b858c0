"""Compare a sheet with the folder, and find what its user changed since the export."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import Problem
from ..model import RECORDS, Kind, did_you_mean
from .sheet import IN_FILE, KEY, Sheet, SheetRow, bad_spreadsheet, digest

_IDENTITY = ("url", "slug")  # fields from which the key of an entry is made


class CellConflict(NamedTuple):
    """A cell that was changed in the sheet, and in the folder since the export, to different texts."""

    key: str
    name: str
    here: str
    sheet: str


class SheetChanges(NamedTuple):
    """What a sheet changes, by key; `problems` are the reasons why it cannot be imported."""

    changed: Mapping[str, tuple[SheetRow, Mapping[str, str]]]  # the row, and the new texts by column
    new: Sequence[SheetRow]
    conflicts: Sequence[CellConflict]
    missing: Sequence[str]  # keys of exported entries of the folder without a row in the sheet
    problems: Sequence[Problem]


def compare_sheet(sheet: Sheet, present: Sheet, path: str) -> SheetChanges:
    """Return what a sheet changes in the folder, whose listings are `present` now. `path` is the file of the sheet.

    A cell counts as changed if its text differs from the exported one. An empty cell clears its field.
    """
    problems = [*_column_problems(sheet, present, path)]
    present_rows = {row.key: row for row in present.rows}
    changed: dict[str, tuple[SheetRow, Mapping[str, str]]] = {}
    conflicts: list[CellConflict] = []
    row_numbers: dict[str, int] = {}  # by key
    for row in sheet.rows:
        if not row.key:
            continue
        if row.key in row_numbers:
            message = f"rows {row_numbers[row.key]} and {row.number} have the same key {row.key}"
            problems.append(bad_spreadsheet(message, path, f"delete one of them, or its {KEY}", row.number))
            continue
        row_numbers[row.key] = row.number
        present_row = present_rows.get(row.key)
        if present_row is None or not row.base:
            reason = "the folder has no entry" if present_row is None else "the export made no row"
            hint = f"delete the row, or clear its {KEY} to add it as a new entry"
            problems.append(bad_spreadsheet(f"{reason} with the key {row.key}", path, hint, row.number))
            continue
        texts: dict[str, str] = {}
        for name, text in _changed_cells(row, present_row):
            in_folder = present_row.cells.get(name, "")
            if digest(in_folder) != _exported_digest(row, name):
                conflicts.append(CellConflict(row.key, name, in_folder, text))
            elif name in _IDENTITY:
                message = f"row {row.number} changes the {name} of {row.key}, by which the sync finds the entry"
                problems.append(bad_spreadsheet(message, path, "change it in the file of the entry", row.number))
            else:
                texts[name] = text
        if texts:
            changed[row.key] = row, texts
    # If the exported keys are not known, all entries of the folder count as exported.
    exported_keys = {*present_rows} if sheet.keys is None else {*sheet.keys}
    missing = [row.key for row in present.rows if row.key in exported_keys and row.key not in row_numbers]
    new = [row for row in sheet.rows if not row.key and any(row.cells.values())]
    return SheetChanges(changed, new, conflicts, missing, problems)


def _changed_cells(row: SheetRow, present: SheetRow) -> Iterator[tuple[str, str]]:
    """Yield the column and text of each cell that differs from the export and from the folder's `present` row."""
    for name, text in row.cells.items():
        is_as_exported = digest(text) == _exported_digest(row, name)
        if not is_as_exported and text not in (present.cells.get(name, ""), IN_FILE):
            yield name, text


def _exported_digest(row: SheetRow, name: str) -> str:
    """Return the digest of a cell's exported text; a column that was not exported counts as empty."""
    return row.base.get(name, digest(""))


def _column_problems(sheet: Sheet, present: Sheet, path: str) -> Iterator[Problem]:
    """Yield a problem for a sheet without rows, for each repeated column, and for each filled column of no field."""
    if not sheet.columns:
        yield bad_spreadsheet(f"{path} has no rows", path, "export the listings again")
    known = {*present.columns, *RECORDS[Kind.LISTING].rules()}
    for name, count in Counter(sheet.columns).items():
        if count > 1:
            yield bad_spreadsheet(f"{path} has {count} columns {name}", path, "delete all of them but one")
        if name not in known and any(row.cells.get(name) for row in sheet.rows):
            hint = did_you_mean(name, sorted(known)) or "declare a custom field of this name, or delete the column"
            yield bad_spreadsheet(f"{path} has a column {name}, which is no field", path, hint)
