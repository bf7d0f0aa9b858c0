"""The order of the batches of a chain: each is prepared while the batch before it is sent and answered."""

import asyncio
from types import TracebackType


class Turn:
    """The turn of one batch to be sent, for `async with`: it begins when that of the batch before it has ended."""

    def __init__(self, previous: "Turn | None" = None) -> None:
        self._begin = asyncio.Event()
        self._end = asyncio.Event()
        self._previous_end = None if previous is None else previous._end  # a Turn would keep all turns before it

    async def __aenter__(self) -> None:
        if self._previous_end is not None:
            await self._previous_end.wait()
        self._begin.set()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    async def wait_for_begin(self) -> None:
        """Return when the batch is being sent, or is not sent at all."""
        await self._begin.wait()

    def end(self) -> None:
        """End the turn, also of a batch that is not sent because the run stops."""
        self._begin.set()
        self._end.set()
