"""`contentsync undo`."""

import asyncio

from .session import Session
from .sync import Manner, Telling, carry_out


def undo(session: Session, run: str | None, manner: Manner, telling: Telling) -> int:
    """Plans the way back from a run, asks, and applies it."""
    return asyncio.run(carry_out(session, session.undoing(run), manner, telling))
