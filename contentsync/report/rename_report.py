"""What a rename changes, as text and as JSON."""

from typing import Any

from ..content.rename.rename_plan import RenamePlan
from ..errors import pluralize
from .formatting import first_items, location_text, others_line, printable

MAX_LINES = 20  # of each group without --full


def rename_text(plan: RenamePlan, *, full: bool) -> str:
    """Return a line for each file that moves or changes and for each link to change by hand, and a summary."""
    renaming = plan.renaming
    groups = (
        [f"  {printable(old)} → {printable(new)}" for old, new in renaming.moves.items()],
        [f"  ~ {printable(file.path)}  {_counts(file.links, file.references)}" for file in plan.changed],
        [
            f"  ! {location_text(where)}  the link to '{printable(target)}' must be changed by hand"
            for where, target in plan.unchanged
        ],
    )
    text = f"{_heading(plan)}\n"
    for group in groups:
        shown = first_items(group, MAX_LINES, full=full)
        text += "".join(f"{line}\n" for line in shown)
        if len(shown) < len(group):
            text += others_line(len(group) - len(shown), "lines")
    counts = _counts(sum(file.links for file in plan.changed), sum(file.references for file in plan.changed))
    moved = [f"{pluralize(len(renaming.moves), 'file')} moved"] if renaming.moves else []
    changed = [f"{counts} in {pluralize(len(plan.changed), 'file')}"] if counts else ["no links to it"]
    return f"{text}{', '.join([*moved, *changed])}\n"


def rename_document(plan: RenamePlan) -> dict[str, Any]:
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
            {"path": where.path, "line": where.line, "column": where.column, "target": target}
            for where, target in plan.unchanged
        ],
        "files": [renaming.moves.get(edit.path, edit.path) for edit in plan.edits],
    }


def _heading(plan: RenamePlan) -> str:
    entry, key = plan.renaming.entry, plan.renaming.key
    if key == entry.key:
        return f"{printable(str(entry))} keeps its address"
    return f"{printable(str(entry))} → {printable(key)}"


def _counts(links: int, references: int) -> str:
    counts = [pluralize(links, "link")] if links else []
    counts += [pluralize(references, "reference")] if references else []
    return " and ".join(counts)
