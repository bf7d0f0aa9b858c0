"""What an import writes, as text and as JSON."""

import json
from typing import Any

from ..errors import pluralize
from ..spreadsheet.import_plan import ImportPlan, SheetChanges
from .formatting import first_items, others_line, printable, shortened

MAX_LINES = 20  # of each group without --full
_MAX_TEXT = 60  # characters of a value


def import_text(plan: ImportPlan, changes: SheetChanges, path: str, *, full: bool) -> str:
    """Return a line for each cell and row that is written, for each conflict and each missing row, and a summary."""
    paths = {entry.key: edit.path for edit in plan.edits for entry in edit.written}
    groups = (
        [
            f"  ~ {printable(cell.key)}  {cell.name}: {_quoted(cell.before)} → {_quoted(cell.after)}"
            f"  {paths.get(cell.key, '')}"
            for cell in plan.changes
        ],
        [f"  + {entry}  {paths.get(entry.key, '')}" for entry in plan.new],
        [
            f"  ! {printable(cell.key)}  {cell.name}: {_quoted(cell.here)} here, {_quoted(cell.sheet)} in {path}: "
            "left alone"
            for cell in changes.conflicts
        ],
        [f"  · {printable(key)}  has no row in {path}: not deleted" for key in changes.missing],
    )
    text = ""
    for group in groups:
        shown = first_items(group, MAX_LINES, full=full)
        text += "".join(f"{line.rstrip()}\n" for line in shown)
        if len(shown) < len(group):
            text += others_line(len(group) - len(shown), "lines")
    if not plan.edits:
        return f"{text}nothing to write: the folder has what {printable(path)} has\n"
    cells, rows = pluralize(len(plan.changes), "changed cell"), pluralize(len(plan.new), "new row")
    return f"{text}{cells} and {rows} in {pluralize(len(plan.edits), 'file')}\n"


def import_document(plan: ImportPlan, changes: SheetChanges, path: str) -> dict[str, Any]:
    """Return the JSON document of `import`."""
    return {
        "version": 1,
        "file": path,
        "changes": [
            {"key": cell.key, "field": cell.name, "from": cell.before, "to": cell.after} for cell in plan.changes
        ],
        "new": [{"kind": entry.kind, "key": entry.key} for entry in plan.new],
        "conflicts": [
            {"key": cell.key, "field": cell.name, "here": cell.here, "there": cell.sheet} for cell in changes.conflicts
        ],
        "missing": list(changes.missing),
        "files": [edit.path for edit in plan.edits],
    }


def _quoted(text: str) -> str:
    return json.dumps(shortened(text, _MAX_TEXT), ensure_ascii=False)
