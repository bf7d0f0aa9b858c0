"""Requests counted in memory."""

import math
import time
from collections.abc import Callable, Hashable

from .quota import Quota


class SlidingWindow:
    """The sliding window counter that `limits` keeps in Redis, for one process.

    Its own in memory starts a thread every ten milliseconds, and waits for it. A request of the last window counts
    less the longer ago that window ended.
    """

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._window = 0.0
        self._counts: dict[Hashable, tuple[float, int, int]] = {}  # window, requests in the one before, and in it

    def count(self, key: Hashable) -> Quota:
        """Count a request of the key; one that is refused uses nothing up."""
        window, into = divmod(self._clock(), self._seconds)
        if window != self._window:
            self._forget(window)
        at, before, here = self._counts.get(key, (window, 0, 0))
        if at != window:
            before, here = here, 0
        earlier = before * (1 - into / self._seconds)
        allowed = math.floor(earlier + here) < self._limit
        if allowed:
            here += 1
            self._counts[key] = (window, before, here)
        remaining = max(0, self._limit - math.floor(earlier + here))
        return Quota(self._limit, allowed, remaining, self._free_at(before, here) - into)

    def _free_at(self, before: int, here: int) -> float:
        """Seconds into the window at which less than the limit will be counted."""
        if here >= self._limit or not before:
            return self._seconds
        return self._seconds * (1 - (self._limit - here) / before)

    def _forget(self, window: float) -> None:
        self._window = window
        self._counts = {key: counts for key, counts in self._counts.items() if counts[0] == window - 1}
