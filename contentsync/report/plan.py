"""A plan, as a good reviewer would tell it: the sum first, then each entry with what changes and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import groupby
from typing import Any

from rich.table import Table
from rich.text import Text

from ..model import RECORDS, Kind
from ..sync import Action, Change, FieldChange, Plan
from .words import counted, printable, value_text

# What a screen bears; --full shows all.
MOST_NEW = 5  # new entries of a kind
MOST_DIFF_LINES = 12  # lines of a long text's diff


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a plan leads: the target's name, its address for people, and its pace."""

    name: str
    address: str
    requests_per_minute: int | None  # None: unlimited

    def seconds(self, requests: int) -> float:
        """How long that many requests take at the target's pace."""
        return round(requests * 60 / self.requests_per_minute, 1) if self.requests_per_minute else 0.0


def plan_table(plan: Plan) -> Table:
    """Counts by kind."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind")
    for heading in ("create", "update", "unchanged", "unmanaged"):
        table.add_column(heading, justify="right")
    for kind in Kind:
        unmanaged = sum(entry.kind is kind for entry in plan.unmanaged)
        counts = [
            plan.count(Action.CREATE, kind),
            plan.count(Action.UPDATE, kind),
            plan.unchanged.get(kind, 0),
            unmanaged,
        ]
        if any(counts):
            table.add_row(kind.plural, *(str(count) if count else "·" for count in counts))
    return table


def plan_summary(plan: Plan, destination: Destination) -> Text:
    """One line that says it all."""
    text = Text()
    if not plan:
        text.append("nothing to do", "bold green")
        text.append(f": {destination.name} is what the folder says")
        return text
    parts = [f"{plan.count(action)} to {action}" for action in Action if plan.count(action)]
    text.append(", ".join(parts), "bold")
    text.append(f" on {printable(destination.name)} ({printable(destination.address)})")
    text.append(f": {counted(plan.requests, 'request')}")
    if destination.requests_per_minute:
        text.append(f", about {destination.seconds(plan.requests):g} s at {destination.requests_per_minute} a minute")
    return text


def plan_changes(plan: Plan, *, full: bool) -> Text:
    """Every change: new entries one line each, changed ones with each field's old and new value."""
    text = Text()
    for (action, kind), group in groupby(plan.changes, lambda change: (change.action, change.kind)):
        changes = list(group)
        if action is Action.CREATE:
            _append_new(text, changes, kind, full)
        else:
            for change in changes:
                _append_changed(text, change, full)
    return text


def plan_document(plan: Plan, destination: Destination) -> dict[str, Any]:
    """The JSON document of `plan` (cli.md)."""
    return {
        "version": 1,
        "target": destination.name,
        "changes": [change_document(change) for change in plan.changes],
        "summary": {
            "create": plan.count(Action.CREATE),
            "update": plan.count(Action.UPDATE),
            "delete": 0,
            "unchanged": sum(plan.unchanged.values()),
            "drift": 0,
            "unmanaged": len(plan.unmanaged),
        },
        "cost": {"requests": plan.requests, "seconds": destination.seconds(plan.requests)},
        "digest": plan.digest,
        "refused": [],
    }


def change_document(change: Change) -> dict[str, Any]:
    """One element of the document's `changes`."""
    source = change.entry.source
    return {
        "action": change.action,
        "kind": change.kind,
        "key": change.key,
        "path": source.path if source else None,
        "line": source.line if source else None,
        "reason": change.reason,
        "fields": {name: {"from": field.before, "to": field.after} for name, field in change.fields.items()},
        "drift": [],
        "previous_key": None,
    }


def _append_new(text: Text, changes: list[Change], kind: Kind, full: bool) -> None:
    shown = changes if full or len(changes) <= MOST_NEW else changes[: MOST_NEW - 1]
    for change in shown:
        text.append("  + ", "bold green")
        text.append(f"{kind} ")
        text.append(printable(change.key), "bold")
        title = change.entry.fields.get(RECORDS[kind].title_field)
        text.append(f"  {value_text(title)}")
        _append_place(text, change)
    if len(shown) < len(changes):
        text.append(f"  + … and {_counted(len(changes) - len(shown), kind)} more (--full shows all)\n", "dim")


def _append_changed(text: Text, change: Change, full: bool) -> None:
    text.append("  ~ ", "bold yellow")
    text.append(f"{change.kind} ")
    text.append(printable(change.key), "bold")
    text.append(f"  {change.reason}")
    _append_place(text, change)
    for name, field in change.fields.items():
        text.append(f"      {printable(name)}: ", "cyan")
        if _is_long(field):
            text.append("\n")
            _append_diff(text, field, full)
        else:
            width = None if full else 60
            text.append(value_text(field.before, width), "red")
            text.append(" → ")
            text.append(value_text(field.after, width) + "\n", "green")


def _append_place(text: Text, change: Change) -> None:
    if change.entry.source:
        first = next(iter(change.fields), "") if change.action is Action.UPDATE else ""
        where = change.entry.source.where(first)
        text.append(f"  {printable(where.path)}:{where.line}", "dim")
    text.append("\n")


def _is_long(field: FieldChange) -> bool:
    return all(isinstance(value, str) for value in field) and any("\n" in value.strip() for value in field)


def _append_diff(text: Text, field: FieldChange, full: bool) -> None:
    lines = list(_diff_lines(field))
    shown = lines if full or len(lines) <= MOST_DIFF_LINES else lines[: MOST_DIFF_LINES - 1]
    for line in shown:
        style = {"+": "green", "-": "red", "@": "dim"}.get(line[0], "")
        text.append(f"        {printable(line)}\n", style)
    if len(shown) < len(lines):
        text.append(f"        … {counted(len(lines) - len(shown), 'line')} more (--full shows all)\n", "dim")


def _diff_lines(field: FieldChange) -> Iterator[str]:
    before, after = (value.strip().splitlines() for value in field)
    diff = unified_diff(before, after, lineterm="", n=1)
    return (line for line in diff if not line.startswith(("---", "+++")))


def _counted(number: int, kind: Kind) -> str:
    """`1 custom field`, `2 custom fields`."""
    return counted(number, kind.replace("_", " "), kind.plural)
