"""The changes of `contentsync set`, as text and as JSON."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from ..authoring.edit.set_plan import SetChange, SetPlan
from ..content.formats.draft import ABSENT
from ..errors import pluralize
from ..value_text import WIDTH, printable, value_pair, value_text
from .document_parts import entry_document
from .formatting import groups_text

MAX_LINES = 20  # of changes without --full
MAX_EXAMPLES = 3  # entries on the line of a change that several of them share


def set_document(plan: SetPlan, uncommitted: Collection[str]) -> dict[str, Any]:
    """Return the JSON document of `set`. `uncommitted` are the files, by location, that git could not restore."""
    return {
        "version": 1,
        "kind": plan.kind.value,
        "found": plan.found,
        "changes": [
            {
                **entry_document(change.entry),
                "field": change.name,
                "action": "unset" if change.after is ABSENT else "set",
                "from": _value(change.before),
                "to": _value(change.after),
            }
            for change in plan.changes
        ],
        "files": [
            {"path": edit.path, "action": edit.action, "committed": edit.location not in uncommitted}
            for edit in plan.edits
        ],
    }


def set_text(plan: SetPlan, uncommitted: Collection[str], *, full: bool) -> str:
    """Return a line for each change, which several entries may share, and a summary; with `full`, name all entries."""
    if not plan.found:
        return f"no {plan.kind.replace('_', ' ')} meets the conditions: nothing to write\n"
    if not plan.changes:
        return f"nothing to write: {plan.kind.counted(plan.found)} with these values already\n"
    by_change: dict[str, list[SetChange]] = defaultdict(list)
    for change in plan.changes:
        by_change[_change_text(change, width=None)].append(change)
    groups = sorted(by_change.values(), key=lambda changes: -len(changes))  # the most frequent first
    if full:
        lines = [f"{_line(changes[0], full=True)}  {_place(change)}" for changes in groups for change in changes]
    else:
        lines = [f"{_line(changes[0], full=False)}  {_places(plan, changes)}" for changes in groups]
    text = groups_text([lines], MAX_LINES, "lines", full=full)
    new = [f"  + {printable(edit.path)}  is a new file" for edit in plan.edits if edit.before is None]
    paths = [printable(edit.path) for edit in plan.edits if edit.location in uncommitted]
    notes = [f"  ! {path}  is not committed, so git cannot undo the change" for path in paths]
    text += groups_text([new, notes], MAX_LINES, "files", full=full)
    changed = len({change.entry.key for change in plan.changes})
    files = pluralize(len(plan.edits), "file")
    text += f"{pluralize(len(plan.changes), 'change')} in {plan.kind.counted(changed)} and {files}"
    unchanged = plan.found - changed
    text += f", {unchanged:,} unchanged\n" if unchanged else "\n"
    return text if paths else f"{text}git diff shows them, and git restore undoes them\n"


def _value(value: Any) -> Any:
    return None if value is ABSENT else value


def _line(change: SetChange, *, full: bool) -> str:
    return f"  ~ {_change_text(change, None if full else WIDTH)}"


def _change_text(change: SetChange, width: int | None) -> str:
    """Return the field with the items that its list gets and loses, else with both values."""
    before, after = change.before, change.after
    if isinstance(after, list) and (isinstance(before, list) or before in (None, ABSENT)):
        old: Sequence[Any] = before if isinstance(before, list) else []
        added, removed = [each for each in after if each not in old], [each for each in old if each not in after]
        if texts := [f"{sign} {value_text(items, width)}" for sign, items in (("+", added), ("-", removed)) if items]:
            return f"{printable(change.name)}: {', '.join(texts)}"
    old_text, new_text = value_pair((_value(before), _value(after)), width)
    return f"{printable(change.name)}: {old_text} → {'unset' if after is ABSENT else new_text}"


def _places(plan: SetPlan, changes: Sequence[SetChange]) -> str:
    if len(changes) == 1:
        return _place(changes[0])
    names = [printable(change.entry.key) for change in changes[:MAX_EXAMPLES]]
    such_as = ": " if len(changes) <= MAX_EXAMPLES else ", such as "
    return f"in {plan.kind.counted(len(changes))}{such_as}{', '.join(names)}"


def _place(change: SetChange) -> str:
    source = change.entry.source
    location = f"  {printable(source.path)}:{source.line}" if source else ""
    return f"{printable(change.entry.key)}{location}"
