"""The files that `mv`, `import` and `fetch` edit, and those in the asset store, as text and as JSON."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import pluralize
from ..model.scalar import instant_text
from ..value_text import printable, shortened
from .formatting import files_summary, first_items, location_text, others_line, size_text

if TYPE_CHECKING:  # each command needs the libraries of its own edits only
    from ..authoring.edit.file_edits import FileEdit
    from ..authoring.rename.rename_plan import RenamePlan
    from ..content.pictures.published_names import StoredFile
    from ..exchange.fetching import FetchedSource
    from ..exchange.spreadsheet.import_plan import ImportPlan, SheetChanges

MAX_LINES = 20  # of each group without --full
_MAX_TEXT = 60  # characters of a value


def rename_text(plan: "RenamePlan", *, full: bool) -> str:
    """Return a line for each file that moves or changes and for each link to change by hand, and a summary."""
    renaming = plan.renaming
    groups = (
        [f"  {printable(old)} → {printable(new)}" for old, new in renaming.moves.items()],
        [f"  ~ {printable(file.path)}  {_counts(file.links, file.references)}" for file in plan.changed],
        [
            f"  ! {location_text(link.where)}  the link to '{printable(link.target)}' must be changed by hand"
            for link in plan.unchanged
        ],
    )
    counts = _counts(sum(file.links for file in plan.changed), sum(file.references for file in plan.changed))
    moved = [f"{pluralize(len(renaming.moves), 'file')} moved"] if renaming.moves else []
    changed = [f"{counts} in {pluralize(len(plan.changed), 'file')}"] if counts else ["no links to it"]
    return f"{_heading(plan)}\n{_groups_text(groups, full=full)}{', '.join([*moved, *changed])}\n"


def _heading(plan: "RenamePlan") -> str:
    entry, key = plan.renaming.entry, plan.renaming.key
    if key == entry.key:
        return f"{printable(str(entry))} keeps its address"
    return f"{printable(str(entry))} → {printable(key)}"


def _counts(links: int, references: int) -> str:
    counts = [pluralize(links, "link")] if links else []
    counts += [pluralize(references, "reference")] if references else []
    return " and ".join(counts)


def rename_document(plan: "RenamePlan") -> dict[str, Any]:
    """Return the JSON document of `mv`."""
    renaming = plan.renaming
    return {
        "version": 1,
        "kind": renaming.entry.kind.value,
        "from": renaming.entry.key,
        "to": renaming.key,
        "previous": list(renaming.previous),
        "moved": [{"from": old, "to": new} for old, new in renaming.moves.items()],
        "changed": [{"path": file.path, "links": file.links, "references": file.references} for file in plan.changed],
        "unchanged": [
            {"path": link.path, "line": link.line, "column": link.column, "target": link.target}
            for link in plan.unchanged
        ],
        "files": [renaming.moves.get(edit.path, edit.path) for edit in plan.edits],
    }


def import_text(plan: "ImportPlan", changes: "SheetChanges", path: str, *, full: bool) -> str:
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
    text = _groups_text(([line.rstrip() for line in group] for group in groups), full=full)
    if not plan.edits:
        return f"{text}nothing to write: the folder has what {printable(path)} has\n"
    cells, rows = pluralize(len(plan.changes), "changed cell"), pluralize(len(plan.new), "new row")
    return f"{text}{cells} and {rows} in {pluralize(len(plan.edits), 'file')}\n"


def _quoted(text: str) -> str:
    return json.dumps(shortened(text, _MAX_TEXT), ensure_ascii=False)


def import_document(plan: "ImportPlan", changes: "SheetChanges", path: str) -> dict[str, Any]:
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


def fetch_text(fetched: "Sequence[FetchedSource]") -> str:
    """Return a line for each source that was fetched."""
    return "".join(f"{printable(_line(source))}\n" for source in fetched)


def _line(source: "FetchedSource") -> str:
    if source.edit is None:
        return f"  · {source.file}  unchanged"
    if source.rows_before is None:
        return f"  + {source.file}  {pluralize(source.rows, 'row')}"
    return f"  ~ {source.file}  {pluralize(source.rows, 'row')}, was {source.rows_before:,}"


def fetch_document(fetched: "Sequence[FetchedSource]") -> dict[str, Any]:
    """Return the JSON document of `fetch` (docs/reference/json.md, fetch)."""
    return {"version": 1, "sources": [_source(source) for source in fetched]}


def _source(source: "FetchedSource") -> dict[str, Any]:
    """Return a source. `rows` is None if nothing has changed, `rows_before` if there was no readable file before."""
    return {
        "name": source.name,
        "file": source.file,
        "action": _action(source.edit),
        "rows": None if source.edit is None else source.rows,
        "rows_before": source.rows_before,
    }


def _action(edit: "FileEdit | None") -> str:
    if edit is None:
        return "unchanged"
    return "create" if edit.before is None else "update"


def _groups_text(groups: Iterable[Sequence[str]], *, full: bool) -> str:
    """Return the lines of each group; without `full`, the first MAX_LINES of each, and how many more there are."""
    text = ""
    for group in groups:
        shown = first_items(group, MAX_LINES, full=full)
        text += "".join(f"{line}\n" for line in shown)
        if len(shown) < len(group):
            text += others_line(len(group) - len(shown), "lines")
    return text


def unused_text(files: "Sequence[StoredFile]", missing: Sequence[str], address: str) -> str:
    """Return a line for each missing and each unused file, and a line that says how many are unused."""
    lines = [f"  missing: {name}, which an entry names; a sync publishes it if the folder has it" for name in missing]
    if not files:
        return "\n".join([*lines, f"entries name every file in {printable(address)} that is older than a day\n"])
    lines += [f"  {file.name} ({size_text(file.size)}), {instant_text(file.modified)[:10]}" for file in files]
    return "\n".join([*lines, f"{files_summary(files)} in {printable(address)} that no entry names\n"])


def unused_document(
    files: "Sequence[StoredFile]", missing: Sequence[str], address: str, *, deleted: bool
) -> dict[str, Any]:
    """Return the missing and the unused files as a JSON document."""
    rows = [{"name": file.name, "bytes": file.size, "modified": instant_text(file.modified)} for file in files]
    return {"version": 1, "store": address, "unused": rows, "missing": [*missing], "deleted": deleted}
