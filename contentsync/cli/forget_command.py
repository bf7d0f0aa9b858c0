"""`contentsync forget`."""

import asyncio

from ..errors import Refused, UsageError
from ..model import EntryKey, did_you_mean
from ..model.entry import parse_entry_name
from ..report.formatting import printable
from ..sync.state.lock import TargetLock
from ..sync.state.recovery import UnfinishedRuns
from ..sync.state.state_file import read_state, write_state
from .output import print_json
from .session import Session
from .terminal import stdout


def forget(session: Session, name: str, *, as_json: bool) -> int:
    """Stop managing an entry: remove it from the state, and leave it on the server."""
    kind, key = identity = parse_entry_name(name)
    asyncio.run(_forget(session, identity, name))
    if as_json:
        print_json({"version": 1, "target": session.target.name, "forgotten": {"kind": kind.value, "key": key}})
    else:
        stdout().print(f"{kind} {printable(key)} is no longer managed on {session.target.name}", markup=False)
    return 0


async def _forget(session: Session, identity: EntryKey, name: str) -> None:
    state_dir, target = session.state_dir, session.target
    async with TargetLock(state_dir, "forget", on_wait=session.console.print):
        if UnfinishedRuns.read(state_dir, target):
            raise UsageError("the last run was interrupted", "run contentsync sync first, which finishes it")
        base = read_state(state_dir.state, target)
        if identity not in base:
            kind, key = identity
            keys = [managed_key for managed_kind, managed_key in base if managed_kind is kind]
            raise UsageError(f"{kind} '{key}' is not managed on {target.name}", did_you_mean(key, keys))
        if any((entry.kind, entry.key) == identity and not entry.notes.skip for entry in session.content.entries):
            raise Refused(
                f"the folder has {name}: the next sync would manage it again",
                "remove it there first, or keep it with sync: {skip: true}",
            )
        write_state(state_dir.state, base.with_updates(removals=[identity]).values(), target)
