"""`contentsync undo`."""

import asyncio

from .session import Session
from .sync import Manner, Telling, carry_out


def undo(session: Session, run: str | None, manner: Manner, telling: Telling) -> int:
    """Plan the undo of a run, or of the last one, ask, and apply it."""
    return asyncio.run(carry_out(session, session.undoing(run), manner, telling))
