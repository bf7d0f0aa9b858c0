"""The order of the batches of a chain: each is prepared while the batch before it is sent and answered."""

import asyncio
from types import TracebackType

SEND_SECONDS = 0.001  # in which a prepared request is usually sent


class Turn:
    """The turn of one batch to be sent, for `async with`: it begins when the turn of the previous batch has ended."""

    def __init__(self, previous: "Turn | None" = None) -> None:
        self._previous = previous
        self._begin = asyncio.Event()
        self._end = asyncio.Event()
        self._is_awaited = False  # whether the next batch is ready to be sent

    async def __aenter__(self) -> None:
        if self._previous is not None:
            self._previous._is_awaited = True
            await self._previous._end.wait()
            self._previous = None
        self._begin.set()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    async def wait_for_begin(self) -> None:
        """Return when the batch is being sent, or is not sent at all."""
        await self._begin.wait()

    async def pass_on(self) -> None:
        """End the turn when the answer has arrived and is not yet read, so that the server gets the next batch."""
        self.end()
        if self._is_awaited:
            await asyncio.sleep(SEND_SECONDS)

    def end(self) -> None:
        """End the turn, also of a batch that is not sent because the run stops."""
        self._begin.set()
        self._end.set()
