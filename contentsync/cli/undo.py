"""`contentsync undo`."""

import asyncio

from ..sync.memory.runs import run_named
from .session import Session
from .sync import Manner, Telling, carry_out


def undo(session: Session, run: str | None, manner: Manner, telling: Telling) -> int:
    """Plans the way back from a run, asks, and applies it."""
    name = run_named(session.place, session.target, run).name  # the next last run is this one
    then = f"undo --run {name} goes on from here"
    return asyncio.run(carry_out(session, session.undoing(name), manner, telling, then))
