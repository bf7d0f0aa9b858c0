"""Long reads that take all places of a directory, so that others wait or are refused."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from contentsync.server.store import Connection, Database
from contentsync.server.store.read_pool import QueuedRead


@asynccontextmanager
async def blocked(database: Database, place: QueuedRead, waiting: int = 0) -> AsyncIterator[None]:
    """Occupy all places of a directory in a queue until the end of the block, with `waiting` reads behind them."""
    loop, begun, enough = asyncio.get_running_loop(), asyncio.Queue[None](), threading.Event()

    def slow(connection: Connection) -> None:
        loop.call_soon_threadsafe(begun.put_nowait, None)
        assert enough.wait(3600)

    count, patient = database.long_reads_at_once, place._replace(is_refusable=False)
    reads = [asyncio.create_task(database.read_queued(patient, slow)) for _ in range(count + waiting)]
    for _ in range(count):
        await begun.get()
    try:
        yield
    finally:
        enough.set()
        await asyncio.gather(*reads)
