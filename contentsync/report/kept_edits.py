"""The edits on the server that a plan keeps, and the commands that take them over or revert them."""

from collections.abc import Callable, Sequence

from ..errors import pluralize
from ..model import Entry
from ..printed_commands import entry_word
from ..sync import Plan


def revert_command(command: Callable[..., str], entries: Sequence[Entry] = ()) -> str:
    """Return the command that gives an entry on the server the folder's values, or creates it again.

    It names the entry if there is only one.
    """
    name = entry_word([f"{entry.kind}/{entry.key}" for entry in entries])
    return command("sync", "--only", name, "--on-drift", "overwrite")


def kept_notes(plan: Plan, command: Callable[..., str], render: Callable[[str], str] = str) -> list[str]:
    """Return a line for the kept edits and one for the deleted entries.

    `command` is that of a Destination, and `render` formats a command.
    """
    edits = [drift.entry for drift in plan.drift if not drift.deleted]
    deleted = [drift.entry for drift in plan.drift if drift.deleted]
    notes = []
    if edits:
        it = _pronoun(edits)
        notes.append(
            f"{pluralize(len(edits), 'edit on the server is', 'edits on the server are')} kept: "
            f"{render(command('pull'))} takes {it} over, {render(revert_command(command, edits))} reverts {it}"
        )
    if deleted:
        it = _pronoun(deleted)
        notes.append(
            f"{pluralize(len(deleted), 'entry', 'entries')} deleted on the server: "
            f"{render(command('pull', '--deletes'))} removes {it} here, "
            f"{render(revert_command(command, deleted))} creates {it} again"
        )
    return notes


def _pronoun(kept: Sequence[Entry]) -> str:
    return "it" if len(kept) == 1 else "them"
