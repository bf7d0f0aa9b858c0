"""Reads that may look at everything in a directory: in threads of their own, so that nothing else waits for them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

THREADS = 2  # of one server process, so that a directory is not kept waiting by another one

T = TypeVar("T")


class LongReads:
    """The long reads of a server process; those of one directory take turns.

    While SQLite or PostgreSQL looks for rows, Python runs other requests. What Python itself does with the rows holds
    up the others by about as much as it takes, so the number of rows that come back must be bounded.
    """

    def __init__(self, threads: ThreadPoolExecutor | None = None) -> None:
        self._threads = threads or ThreadPoolExecutor(THREADS, "long-reads")
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by directory

    async def run(self, directory_id: int, read: Callable[[], T]) -> T:
        """Return what the function returns, run in a thread when it is the directory's turn."""
        async with self._turns.setdefault(directory_id, asyncio.Lock()):
            return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    def close(self) -> None:
        """Wait for the reads that run; others may follow."""
        self._threads.shutdown()
        self._threads = ThreadPoolExecutor(THREADS, "long-reads")
