"""The edits on the server that a plan keeps, and the commands that take them over or revert them."""

import shlex
from collections.abc import Callable, Sequence

from ..errors import pluralize
from ..sync import Plan
from ..sync.planning.plan import Drift
from ..value_text import printable

ANY_ENTRY = "KIND/KEY"


def revert_command(entry: str = ANY_ENTRY) -> str:
    """Return the command that gives an entry on the server the folder's values, or creates it again."""
    return f"contentsync sync --only {shlex.quote(printable(entry))} --on-drift overwrite"


def kept_notes(plan: Plan, render: Callable[[str], str] = str) -> list[str]:
    """Return a line for the kept edits and one for the deleted entries; `render` formats a command."""
    edits = [drift for drift in plan.drift if not drift.deleted]
    deleted = [drift for drift in plan.drift if drift.deleted]
    notes = []
    if edits:
        it = _pronoun(edits)
        notes.append(
            f"{pluralize(len(edits), 'edit on the server is', 'edits on the server are')} kept: "
            f"{render('contentsync pull')} takes {it} over, {render(_revert_command(edits))} reverts {it}"
        )
    if deleted:
        it = _pronoun(deleted)
        notes.append(
            f"{pluralize(len(deleted), 'entry', 'entries')} deleted on the server: "
            f"{render('contentsync pull --deletes')} removes {it} here, "
            f"{render(_revert_command(deleted))} creates {it} again"
        )
    return notes


def _revert_command(kept: Sequence[Drift]) -> str:
    """Return the command that reverts one of the edits; it names the entry if there is only one."""
    return revert_command(f"{kept[0].entry.kind}/{kept[0].entry.key}" if len(kept) == 1 else ANY_ENTRY)


def _pronoun(kept: Sequence[Drift]) -> str:
    return "it" if len(kept) == 1 else "them"
