"""Plan the file edits that write the changes of a sheet into the folder."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..content.edit.file_edits import FileEdit, RemoteChanges
from ..content.edit.pull_edits import plan_edits
from ..content.folder_reader import FolderReader
from ..content.load import Content
from ..errors import ContentError
from ..model import Entry, EntryKey, Kind
from .sheet import Sheet, bad_spreadsheet
from .sheet_changes import SheetChanges


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


def plan_import(
    content: Content, folder_reader: FolderReader, changes: SheetChanges, present: Sheet, path: str
) -> ImportPlan:
    """Return the edits that write changed cells and new rows into the folder, and change nothing else.

    The texts are read like those of a table, by the reader of `folder_reader`, which has read the folder. `path` is the
    file of the sheet. Raise ContentError, with the rows, for values that the rules refuse, and Refused for values that
    would differ when the edited files are read.
    """
    rows = {row.key: row for row in present.rows}
    # The changed rows first: the drafts below are in the same order.
    texts = [(row.number, {**rows[key].cells, **cells}) for key, (row, cells) in changes.changed.items()]
    texts += [(row.number, dict(row.cells)) for row in changes.new]
    drafts = [*folder_reader.reader.read_rows(Kind.LISTING, path, texts)]
    problems = [problem for draft in drafts for problem in draft.attributed_problems()]
    if any(problem.is_error for problem in problems):
        raise ContentError(problems, content.folder)
    changed_drafts, new_drafts = drafts[: len(changes.changed)], drafts[len(changes.changed) :]
    entries = {(entry.kind, entry.key): entry for entry in content.entries}
    written: dict[EntryKey, Mapping[str, Any]] = {
        (Kind.LISTING, key): {name: draft.values.get(name) for name in cells}
        for (key, (_row, cells)), draft in zip(changes.changed.items(), changed_drafts, strict=True)
    }
    new = [Entry(draft.kind, draft.key, draft.values) for draft in new_drafts]
    _refuse_duplicates([row.number for row in changes.new], new, entries, content, path)
    edited = {key: replace(entries[key], fields={**entries[key].fields, **values}) for key, values in written.items()}
    edits = plan_edits(content, RemoteChanges(written, new, matching=edited, actual=[*edited.values(), *new]))
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
