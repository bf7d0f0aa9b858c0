"""`contentsync forget`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING

from . import print_json
from .option_groups import with_options
from .options import EntryWords, Format, FormatOption, content_folder, current_folder, split_entry
from .plan_options import PlanOptions

if TYPE_CHECKING:
    from ..model import Kind
    from .session import Session


@with_options("target", "format_", "state_dir")
def forget(words: EntryWords, *, options: PlanOptions, format_: FormatOption = Format.TEXT) -> int:
    """Stop managing an entry without deleting it."""
    import asyncio

    from ..content.folder.entry_names import find_entry_key
    from ..value_text import printable
    from .session import Session
    from .terminal import stderr, stdout

    name, _, path = split_entry(words, "forget KIND/KEY")
    session = Session.open(content_folder(path), options, stderr(), may_break_rules=True)
    kind, key = find_entry_key(session.content.folder, session.content.entries, name, current_folder())
    asyncio.run(_forget(session, kind, key))
    if format_ is Format.JSON:
        print_json({"version": 1, "target": session.target.name, "forgotten": {"kind": kind.value, "key": key}})
    else:
        stdout().print(f"{kind} {printable(key)} is no longer managed on {session.target.name}", markup=False)
    return 0


async def _forget(session: "Session", kind: "Kind", key: str) -> None:
    """Remove an entry from the state, and leave it on the server."""
    from ..content.folder.entry_names import unknown_key_hint
    from ..errors import Refused, UsageError
    from ..sync.state.recovery import UnfinishedRuns
    from ..sync.state.state_dir import TargetLock
    from ..sync.state.state_file import read_state, write_state

    state_dir, target = session.state_dir, session.target
    async with TargetLock(state_dir, "forget", on_wait=session.console.print):
        if UnfinishedRuns.read(state_dir, target):
            hint = f"run {session.commands('sync')} first, which finishes it"
            raise UsageError("the last run was interrupted", hint)
        base = read_state(state_dir.state, target)
        if (kind, key) not in base:
            keys = [managed_key for managed_kind, managed_key in base if managed_kind is kind]
            hint = unknown_key_hint(kind, key, session.content.entries, keys)
            raise UsageError(f"{kind} '{key}' is not managed on {target.name}", hint)
        if any((entry.kind, entry.key) == (kind, key) and not entry.notes.skip for entry in session.content.entries):
            raise Refused(
                f"the folder has {kind}/{key}: the next sync would manage it again",
                "remove it there first, or keep it with sync: {skip: true}",
            )
        write_state(state_dir.state, base.with_updates(removals=[(kind, key)]).values(), target)
