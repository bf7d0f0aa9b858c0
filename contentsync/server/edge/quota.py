"""Request quotas, and the counter that keeps them in memory."""

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

QUOTA = "contentsync.quota"  # its key in the scope of a request that was counted


@dataclass(frozen=True, slots=True)
class Quota:
    """The result of counting one request: whether it is allowed, and how many more are."""

    limit: int
    allowed: bool
    remaining: int
    wait: float  # seconds until another request is allowed, if none remains

    @property
    def retry_after(self) -> int:
        """Whole seconds after which a request is allowed."""
        return max(1, math.floor(self.wait) + 1)

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return the headers of a response."""
        return [
            (b"x-ratelimit-limit", b"%d" % self.limit),
            (b"x-ratelimit-remaining", b"%d" % self.remaining),
        ]


class Unlimited:
    """The quota of a server without a rate limit, so that clients need not pace themselves by the usual one."""

    @staticmethod
    def headers() -> list[tuple[bytes, bytes]]:
        """Return the headers of a response."""
        return [(b"x-rate-limit", b"none")]


class SlidingWindow:
    """A sliding window counter in memory, with the algorithm that the `limits` package uses in Redis.

    The package's own counter in memory starts a thread every ten milliseconds and waits for it. A request of the
    previous window counts less the longer ago that window ended.
    """

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._window = 0.0
        self._counts: dict[Hashable, tuple[float, int, int]] = {}  # window, requests before it, requests in it

    def count(self, key: Hashable) -> Quota:
        """Count a request of the key; a refused one does not count."""
        window, elapsed = divmod(self._clock(), self._seconds)
        if window != self._window:
            self._drop_old(window)
        at, previous, current = self._counts.get(key, (window, 0, 0))
        if at != window:
            previous, current = current, 0
        weighted = previous * (1 - elapsed / self._seconds)
        allowed = math.floor(weighted + current) < self._limit
        if allowed:
            current += 1
            self._counts[key] = (window, previous, current)
        remaining = max(0, self._limit - math.floor(weighted + current))
        return Quota(self._limit, allowed, remaining, self._free_at(previous, current) - elapsed)

    def _free_at(self, previous: int, current: int) -> float:
        """Return the seconds into the window at which the count falls below the limit."""
        if current >= self._limit or not previous:
            return self._seconds
        return self._seconds * (1 - (self._limit - current) / previous)

    def _drop_old(self, window: float) -> None:
        self._window = window
        self._counts = {key: counts for key, counts in self._counts.items() if counts[0] == window - 1}
