"""Find what the user of a sheet changed since the export, and plan the file edits that write it into the folder."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...authoring.edit.field_edits import plan_field_edits
from ...authoring.edit.file_edits import FileEdit
from ...authoring.edit.row_values import entry_reader_of, read_rows
from ...content.folder.load import Content
from ...errors import ContentError, Problem
from ...model import RECORDS, Entry, EntryKey, Kind, did_you_mean
from .converted_cells import is_same_number
from .sheet import IN_FILE, KEY, ColumnTypes, Sheet, SheetRow, bad_spreadsheet, digest

_IDENTITY = ("url", "slug")  # fields from which the key of an entry is made
_MAX_SHOWN = 60  # characters of a text in a message


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


class CellChange(NamedTuple):
    """A cell of a sheet that an import writes into a file."""

    key: str
    name: str
    before: str
    after: str


class ImportPlan(NamedTuple):
    """The edits of an import; `changes` and `new` (entries) are what they write."""

    edits: Sequence[FileEdit]
    changes: Sequence[CellChange]
    new: Sequence[Entry]


def compare_sheet(sheet: Sheet, present: Sheet, types: ColumnTypes, path: str) -> SheetChanges:
    """Return what a sheet changes in the folder, whose listings are `present` now. `path` is the file of the sheet.

    A cell counts as changed if its text differs from the exported one, except if it is the same number. An empty cell
    clears its field. A number, date or error where a text is expected is a problem.
    """
    if sheet.problems:  # the cells may have lost their values
        return SheetChanges({}, [], [], [], sheet.problems)
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
        for name, text in _changed_cells(row, present_row, types):
            in_folder = present_row.cells.get(name, "")
            if name in types.texts and name in row.converted:
                problems.append(_conversion_problem(row, name, in_folder, path))
            elif digest(in_folder) != _exported_digest(row, name):
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
    for row in new:
        problems += [_conversion_problem(row, name, "", path) for name in row.converted if name in types.texts]
    return SheetChanges(changed, new, conflicts, missing, problems)


def _changed_cells(row: SheetRow, present: SheetRow, types: ColumnTypes) -> Iterator[tuple[str, str]]:
    """Yield the column and text of each cell that differs from the export and from the folder's `present` row."""
    for name, text in row.cells.items():
        in_folder = present.cells.get(name, "")
        if digest(text) == _exported_digest(row, name) or text in (in_folder, IN_FILE):
            continue
        converted = row.converted.get(name)
        is_same_value = converted is not None and converted.is_of(in_folder)
        if not is_same_value and not (name in types.numbers and is_same_number(in_folder, text)):
            yield name, text


def _conversion_problem(row: SheetRow, name: str, in_folder: str, path: str) -> Problem:
    """Return the problem of a number, date or error in a column of texts; `in_folder` is the text that it replaces."""
    cell = row.converted[name]
    present = f"; the folder has '{in_folder.splitlines()[0][:_MAX_SHOWN]}'" if in_folder else ""
    message = f"{cell.place} has {cell.value}, but the {name} is a text{present}"
    return bad_spreadsheet(message, path, cell.fix, row.number)


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


def without_equal_values(content: Content, changes: SheetChanges, present: Sheet, path: str) -> SheetChanges:
    """Return the changes of a sheet without the conflicts whose two texts are forms of one value.

    After an import, the folder has its own form of a date or a list, and the same sheet may be imported again.
    """
    cells = {row.key: row.cells for row in present.rows}
    conflicts = changes.conflicts
    here, there = (
        read_rows(
            entry_reader_of(content),
            Kind.LISTING,
            path,
            [(0, {**cells[each.key], each.name: text}) for each, text in zip(conflicts, texts, strict=True)],
        )
        for texts in ([each.here for each in conflicts], [each.sheet for each in conflicts])
    )
    different = [
        conflict
        for conflict, ours, theirs in zip(conflicts, here, there, strict=True)
        if conflict.name in theirs.failed_fields or ours.values.get(conflict.name) != theirs.values.get(conflict.name)
    ]
    return changes._replace(conflicts=different)


def plan_import(content: Content, changes: SheetChanges, present: Sheet, path: str) -> ImportPlan:
    """Return the edits that write changed cells and new rows into the folder, and change nothing else.

    The texts are read like those of a table. `path` is the file of the sheet. Raise ContentError, with the rows, for
    values that the rules refuse, and Refused for values that would differ when the edited files are read.
    """
    rows = {row.key: row for row in present.rows}
    changed_rows = [(row.number, {**rows[key].cells, **cells}) for key, (row, cells) in changes.changed.items()]
    new_rows = [(row.number, dict(row.cells)) for row in changes.new]
    rows_of_texts = [*changed_rows, *new_rows]
    drafts = [*read_rows(entry_reader_of(content), Kind.LISTING, path, rows_of_texts)]  # one for each row
    problems = [problem for draft in drafts for problem in draft.attributed_problems()]
    if any(problem.is_error for problem in problems):
        raise ContentError(problems, content.folder)
    changed_drafts, new_drafts = drafts[: len(changed_rows)], drafts[len(changed_rows) :]
    entries = {(entry.kind, entry.key) for entry in content.entries}
    written: dict[EntryKey, Mapping[str, Any]] = {
        (Kind.LISTING, key): {name: draft.values.get(name) for name in cells}
        for (key, (_row, cells)), draft in zip(changes.changed.items(), changed_drafts, strict=True)
    }
    new = [Entry(draft.kind, draft.key, draft.values) for draft in new_drafts]
    _refuse_duplicates([row.number for row in changes.new], new, entries, content, path)
    edits = plan_field_edits(content, written, new)
    cell_changes = [
        CellChange(key, name, rows[key].cells.get(name, ""), text)
        for key, (_row, cells) in changes.changed.items()
        for name, text in cells.items()
    ]
    return ImportPlan(edits, cell_changes, new)


def _refuse_duplicates(
    rows: Sequence[int], new: Sequence[Entry], entries: Collection[EntryKey], content: Content, path: str
) -> None:
    """Raise ContentError for a new entry with the key of an entry of the folder or of another row.

    `rows` are the numbers of the rows of the `new` entries, and `entries` the keys of those in the folder.
    """
    seen = {*entries}
    for row, entry in zip(rows, new, strict=True):
        if (entry.kind, entry.key) in seen:
            message = f"{path} adds {entry}, which the folder or another row has already"
            hint = "delete the row, or copy the key of the entry into it"
            raise ContentError([bad_spreadsheet(message, path, hint, row)], content.folder)
        seen.add((entry.kind, entry.key))
