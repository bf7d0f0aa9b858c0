"""The edits of `mv`, `import`, `fetch` and `validate --fix`, and the files in the asset store, as text and as JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Where, pluralize
from ..model.scalar import instant_text
from ..printed_commands import PrintedCommands
from ..value_text import printable, shortened
from .formatting import files_summary, groups_text, location_text, new_columns_line, size_text
from .problem_documents import validation_document

if TYPE_CHECKING:  # each command needs the libraries of its own edits only
    from ..authoring.edit.fix_plan import FixPlan
    from ..authoring.rename.rename_plan import RenamePlan
    from ..authoring.rename.renaming import Merge
    from ..content.pictures.published_names import StoredFile
    from ..exchange.fetching import FetchedSource
    from ..exchange.spreadsheet.import_plan import ImportPlan, SheetChanges

MAX_LINES = 20  # of each group without --full
_MAX_TEXT = 60  # characters of a value


def rename_document(plan: "RenamePlan") -> dict[str, Any]:
    """Return the JSON document of `mv`, from which `rename_text` makes the text."""
    renaming = plan.renaming
    document = {
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
    return document | {"merge": _merge(plan, merge)} if (merge := renaming.merge) else document


def _merge(plan: "RenamePlan", merge: "Merge") -> dict[str, Any]:
    """Return what a merge writes into the entry that is left, and removes of the other one."""
    entry, survivor = plan.renaming.entry, merge.survivor
    return {
        "path": survivor.source.path if survivor.source else "",
        "fields": list(merge.fields),
        "merged": list(plan.renaming.merged),
        "removed_from": entry.source.path if entry.source else "",
        "deleted": [edit.path for edit in plan.edits if edit.after is None],
        "protected": entry.notes.protect,
    }


def rename_text(document: Mapping[str, Any], *, full: bool) -> str:
    """Return a line for each file that moves or changes and for each link to change by hand, and a summary."""
    old, new, files = document["from"], document["to"], document["changed"]
    merge = document.get("merge")
    groups = (
        [*_merge_lines(document, merge)] if merge else [],
        [f"  {printable(file['from'])} → {printable(file['to'])}" for file in document["moved"]],
        [f"  ~ {printable(file['path'])}  {_counts([file])}" for file in files],
        [
            f"  ! {location_text(Where(link['path'], link['line'], link['column']))}  the link to "
            f"'{printable(link['target'])}' must be changed by hand"
            for link in document["unchanged"]
        ],
    )
    result = "keeps its address" if new == old else f"→ {printable(new)}"
    text = f"{document['kind']} {printable(old)} {'is merged into ' + printable(new) if merge else result}"
    text += "\n" + groups_text(groups, MAX_LINES, "lines", full=full)
    moved = [f"{pluralize(len(document['moved']), 'file')} moved"] if document["moved"] else []
    changed = f"{_counts(files)} in {pluralize(len(files), 'file')}" if _counts(files) else "no links to it"
    return f"{text}{', '.join([*moved, changed])}\n"


def _merge_lines(document: Mapping[str, Any], merge: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for what the entry that is left gets, and one for each file that the other one is removed from."""
    values = ", ".join([*merge["fields"], f"sync.merged: {', '.join(merge['merged'])}"])
    yield f"  ~ {printable(merge['path'])}  {printable(document['to'])} gets {printable(values)}"
    if not merge["deleted"]:
        yield f"  - {printable(merge['removed_from'])}  {printable(document['from'])}"
    yield from (f"  - {printable(path)}" for path in merge["deleted"])


def after_merge_text(document: Mapping[str, Any], prunes: Mapping[str, bool], command: PrintedCommands) -> str:
    """Return a line that says what the next sync does with the record of the merged entry; `prunes` is by target."""
    name = f"{document['kind']} {printable(document['from'])}"
    if document["merge"]["protected"]:
        return f"no sync deletes {name} on the server: its note was sync.protect\n"
    if all(prunes.values()):
        return f"the next sync deletes {name} on the server\n"
    where = "" if not any(prunes.values()) else f" of {', '.join(name for name, prune in prunes.items() if not prune)}"
    return f"the next sync leaves {name} on the server{where}; {command('sync', '--prune')} deletes it there\n"


def _counts(files: Sequence[Mapping[str, int]]) -> str:
    counts = ((sum(file[f"{noun}s"] for file in files), noun) for noun in ("link", "reference"))
    return " and ".join(pluralize(count, noun) for count, noun in counts if count)


def fix_document(plan: "FixPlan") -> dict[str, Any]:
    """Return the JSON document of `validate --fix`: that of `validate` afterwards, with the edits."""
    edits = [
        {"code": code, "path": where.path, "line": where.line, "column": where.column, "from": old, "to": new}
        for code, (where, old, new) in plan.fixed
    ]
    return {**validation_document(plan.report), "fixed": edits, "written": [edit.path for edit in plan.edits]}


def fix_text(plan: "FixPlan", *, full: bool) -> str:
    """Return a line for each edit, and a summary."""
    lines = [
        f"  ~ {location_text(where)}  {_quoted(old)} → {_quoted(new)}  {code}" for code, (where, old, new) in plan.fixed
    ]
    if not lines:
        return "no problem has a certain fix\n"
    summary = f"{pluralize(len(lines), 'fix', 'fixes')} in {pluralize(len(plan.edits), 'file')}\n"
    return groups_text([lines], MAX_LINES, "lines", full=full) + summary


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
        [new_columns_line(edit.path, edit.added_columns) for edit in plan.edits if edit.added_columns],
    )
    text = groups_text(([line.rstrip() for line in group] for group in groups), MAX_LINES, "lines", full=full)
    if not plan.edits:
        rest = " apart from that" if changes.conflicts or changes.missing else ""
        return f"{text}nothing to write: the folder has what {printable(path)} has{rest}\n"
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


def fetch_document(fetched: "Sequence[FetchedSource]") -> dict[str, Any]:
    """Return the JSON document of `fetch` (docs/reference/json.md, fetch), from which `fetch_text` makes the text."""
    return {"version": 1, "sources": [_source(source) for source in fetched]}


def _source(source: "FetchedSource") -> dict[str, Any]:
    """Return a source. `rows` is None if nothing has changed, `rows_before` if there was no readable file before."""
    return {
        "name": source.name,
        "file": source.file,
        "action": source.edit.action if source.edit else "unchanged",
        "rows": None if source.edit is None else source.rows,
        "rows_before": source.rows_before,
    }


def fetch_text(document: Mapping[str, Any]) -> str:
    """Return a line for each source that was fetched."""
    return "".join(f"{printable(_line(source))}\n" for source in document["sources"])


def _line(source: Mapping[str, Any]) -> str:
    if source["action"] == "unchanged":
        return f"  · {source['file']}  unchanged"
    if source["rows_before"] is None:
        return f"  + {source['file']}  {pluralize(source['rows'], 'row')}"
    return f"  ~ {source['file']}  {pluralize(source['rows'], 'row')}, was {source['rows_before']:,}"


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
