"""Write the server's changes into a checked out folder, and leave out entries that would not be valid there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..content.edit.file_edits import FileEdit, RemoteChanges
from ..content.edit.pull_edits import apply_edits, plan_edits
from ..content.load import Content
from ..errors import ContentError, Refused, join_first
from ..model import Entry, EntryKey


class LeftOut(NamedTuple):
    """An entry that is not written, and why."""

    entry: Entry
    reason: str


class Written(NamedTuple):
    """A folder after some changes, with the edits, and with the entries that were left out."""

    content: Content
    edits: tuple[FileEdit, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def write_entries(content: Content, changes: RemoteChanges) -> Written:
    """Write changes into the files of a folder without errors; a part that cannot be written is left out.

    Entries are tried together, and then in halves, so that one faulty entry does not stop the others.
    """
    return _write(Written(content), changes, [*changes.changes, *changes.new])


def _write(written: Written, changes: RemoteChanges, items: Sequence[EntryKey | Entry]) -> Written:
    """Write the changes of `items`, which are keys of entries and new entries, on top of what was `written` before.

    If they cannot be written together, write them in halves; leave out a single one that cannot be written.
    """
    if not items:
        return written
    content = written.content
    chosen = {item for item in items if not isinstance(item, Entry)}
    new = [item for item in items if isinstance(item, Entry)]
    part = replace(changes, changes={key: changes.changes[key] for key in changes.changes if key in chosen}, new=new)
    try:
        edits = plan_edits(content, part)
        _require_no_formulas(edits)
        content = apply_edits(content.folder, edits)
    except (Refused, ContentError) as error:
        if len(items) > 1:
            middle = len(items) // 2
            return _write(_write(written, changes, items[:middle]), changes, items[middle:])
        entry = items[0] if isinstance(items[0], Entry) else changes.matching[items[0]]
        return written._replace(left_out=(*written.left_out, LeftOut(entry, _reason(error))))
    return written._replace(content=content, edits=(*written.edits, *edits))


def _reason(error: Refused | ContentError) -> str:
    if isinstance(error, ContentError):
        errors = [f"{problem.code}: {problem.message}" for problem in error.problems if problem.is_error]
        return join_first(errors, limit=3, separator="; ")
    return error.message


def _require_no_formulas(edits: Sequence[FileEdit]) -> None:
    """Raise Refused for a text that a spreadsheet program would run as a formula in the cell of a table."""
    for warning in (warning for edit in edits for warning in edit.warnings):
        raise Refused(f"{warning.where.path}: {warning.message}", warning.hint)
