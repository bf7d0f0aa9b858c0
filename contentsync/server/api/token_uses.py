"""Record the last use of each token, with few writes: a commit empties caches (decision 9).

A use is recorded at most once an hour. A request that writes records it in its own transaction. A request that only
reads needs a write of its own, which SQLite groups with other writes.
"""

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime

from ...errors import Unavailable, Unconfirmed
from ...model.scalar import instant_text
from ..access import Principal
from ..bounded_cache import BoundedCache
from ..store import Database
from ..store.tokens import USE_INTERVAL, record_use

_MAX_TOKENS = 1_024
_PATIENCE = 0.1  # seconds for which a request waits for a write


class TokenUses:
    """The tokens whose use this process has recorded, or has tried to record, within the last hour."""

    def __init__(self) -> None:
        self._recorded = BoundedCache[int, float](_MAX_TOKENS)  # by token: the time in monotonic seconds
        self._running: set[asyncio.Task[None]] = set()

    def due(self, principal: Principal) -> int | None:
        """Return the id of the principal's token if its use must be recorded; else None."""
        token_id = principal.token_id
        if token_id is None:
            return None
        recorded = self._recorded.get(token_id)
        if recorded is not None and time.monotonic() - recorded < USE_INTERVAL.total_seconds():
            return None
        is_old = principal.used_at is None or principal.used_at <= instant_text(datetime.now(UTC) - USE_INTERVAL)
        return token_id if is_old else None

    def mark(self, token_id: int | None) -> None:
        """Note that the use of a token, if there is one, has been recorded now."""
        if token_id is not None:
            self._recorded.put(token_id, time.monotonic())

    async def record(self, database: Database, principal: Principal, directory_id: int) -> None:
        """Record a use by a request that only reads.

        If the database is busy, the request goes on without waiting for the write. It does not fail with the write.
        """
        token_id = self.due(principal)
        if token_id is None:
            return
        self.mark(token_id)  # first, so that other requests do not record it too
        task = asyncio.create_task(_record(database, directory_id, token_id))
        self._running.add(task)  # the event loop itself does not keep tasks alive
        task.add_done_callback(self._running.discard)
        await asyncio.wait({task}, timeout=_PATIENCE)


async def _record(database: Database, directory_id: int, token_id: int) -> None:
    with suppress(Unavailable, Unconfirmed):
        await database.write_in_directory(directory_id, record_use, token_id)
