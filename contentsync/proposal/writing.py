"""Write the server's changes into a checked out folder, and leave out entries that would not be valid there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..content.edit.file_edits import FileEdit, RemoteChanges
from ..content.edit.pull_edits import apply_edits, plan_edits
from ..content.file_names import suffix_of
from ..content.formats.table_format import TABLE_DELIMITERS
from ..content.load import Content
from ..errors import ContentError, Refused, join_first
from ..model import Entry, EntryKey

# A cell with such a text is a formula for a spreadsheet program; a number or a telephone number is not.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d\s().,/+-]*\Z)")


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
        _check_cells(edits, part)
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


def _check_cells(edits: Sequence[FileEdit], changes: RemoteChanges) -> None:
    """Raise Refused for a text that a spreadsheet program would run as a formula in the cell of a table."""
    all_fields = {(entry.kind, entry.key): entry.fields for entry in (*changes.new, *changes.actual)}
    for edit in edits:
        if suffix_of(edit.path) not in TABLE_DELIMITERS:
            continue
        for written in edit.written:
            # A new row has no list of written fields: all its fields are written.
            fields_by_key = changes.changes if written.fields else all_fields
            for name, value in fields_by_key.get((written.kind, written.key), {}).items():
                if any(_FORMULA.match(text) for text in _texts(value)):
                    raise Refused(f"{edit.path}: a spreadsheet program would run the {name} as a formula")


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a value, without the blanks around them."""
    if isinstance(value, str):
        yield value.strip(" \n")
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
