"""What a pull wrote, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from ..content.edit.file_edits import FileEdit
from ..model import Entry
from .plan import Destination
from .words import counted, printable

SHOWN = 3  # fields of an entry


def pull_text(edits: Sequence[FileEdit], here_only: Sequence[Entry], destination: Destination) -> str:
    """A line for each entry that was written, and the sum."""
    lines = [
        f"  {'~' if it.fields else '+'} {it.kind} {printable(it.key)}  {printable(edit.path)}{_fields(it.fields)}"
        for edit in edits
        for it in edit.written
    ]
    lines += [f"  · {entry.kind} {printable(entry.key)}  only here, left alone" for entry in here_only]
    new = sum(not it.fields for edit in edits for it in edit.written)
    changed = sum(bool(it.fields) for edit in edits for it in edit.written)
    files = counted(sum(edit.after is not None for edit in edits), "file")
    told = f"{counted(new, 'new entry', 'new entries')} and {counted(changed, 'changed one')} written into {files}"
    lines.append(f"{told if edits else 'nothing to write'}: as {destination.name} has them")
    return "\n".join(lines)


def pull_document(edits: Sequence[FileEdit], here_only: Sequence[Entry], destination: Destination) -> dict[str, Any]:
    """The JSON document of `pull`."""
    written = [
        {
            "action": "update" if it.fields else "create",
            "kind": it.kind,
            "key": it.key,
            "path": edit.path,
            "fields": list(it.fields),
        }
        for edit in edits
        for it in edit.written
    ]
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "written": written,
        "files": [{"path": edit.path, "action": _action(edit)} for edit in edits],
        "here_only": [{"kind": entry.kind, "key": entry.key} for entry in here_only],
        "summary": {
            "create": sum(it["action"] == "create" for it in written),
            "update": sum(it["action"] == "update" for it in written),
            "here_only": len(here_only),
        },
    }


def _action(edit: FileEdit) -> str:
    if edit.after is None:
        return "delete"
    return "create" if edit.before is None else "update"


def _fields(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHOWN])
    return f"  {printable(shown)}{f' and {len(names) - SHOWN} more' if len(names) > SHOWN else ''}" if names else ""
