"""How long a server lets requests wait without answering any of them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SILENCE = 110.0  # seconds that a run waits in all; with the pauses between tries less than two minutes
OVERDUE = 10.0  # seconds after which the wait is reported
INSTANT = 0.05  # seconds in which there is no use in sending anything
_REPORTS = (OVERDUE, 30.0, 60.0, 90.0)

Waiting = Callable[[float], None]  # called with the seconds of a wait


class Silence:
    """The seconds since the last whole answer in which at least one request was waiting for one.

    Only a whole answer ends a silence: of one that comes byte by byte nobody knows whether it ever ends. `overdue` is
    called after 10 seconds, and some times more, with the seconds so far. Time is that of the event loop.
    """

    def __init__(self, limit: float = SILENCE, overdue: Waiting = lambda seconds: None) -> None:
        self._limit = limit
        self._overdue = overdue
        self._before = 0.0  # seconds, until the present requests
        self._since = 0.0  # when the first of the present requests began, or the last answer came
        self._waiting = 0
        self._reported = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.requests = 0  # that were sent since the last answer

    @property
    def seconds(self) -> float:
        """How long it has been silent."""
        return self._before + (_now() - self._since if self._waiting else 0.0)

    @property
    def left(self) -> float:
        """The seconds that it may still last; 0 where that is over."""
        left = self._limit - self.seconds
        return left if left > INSTANT else 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for an answer."""
        if not self._waiting:
            self._since = _now()
        self._waiting += 1
        self.requests += 1
        self._arm()
        try:
            yield
        finally:
            self._before = self.seconds if self._waiting == 1 else self._before
            self._waiting -= 1

    def answered(self) -> None:
        """Begin again: one of the waiting requests was answered."""
        self._before, self._since, self._reported = 0.0, _now(), 0.0
        self.requests = self._waiting - 1

    def close(self) -> None:
        """Report nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        """See to it that there is a timer, which stays when answers come: most of them come at once."""
        due = next((after for after in _REPORTS if after > self._reported), None)
        if self._timer is None and due is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.seconds), self._look, due)

    def _look(self, due: float) -> None:
        self._timer = None
        if not self._waiting:
            return
        if self.seconds >= max(due, self._reported):
            self._reported = due
            self._overdue(self.seconds)
        self._arm()


def _now() -> float:
    return asyncio.get_running_loop().time()
