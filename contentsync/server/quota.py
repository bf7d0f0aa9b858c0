"""Request quotas, a counter of requests in memory, and the key of a client in it."""

import ipaddress
import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

QUOTA = "contentsync.quota"  # the key of the quota in the scope of a counted request
MAX_BODY = 10 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Quota:
    """The result of counting one request against a rate limit."""

    limit: int  # requests per window
    allowed: bool
    remaining: int  # further requests that are allowed now
    wait: float  # seconds until another request is allowed, if none remains

    @property
    def retry_after(self) -> int:
        """Return the whole seconds, at least 1, after which a request is allowed."""
        return max(1, math.floor(self.wait) + 1)

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return the response headers with the limit and the remaining requests."""
        return [
            (b"x-ratelimit-limit", b"%d" % self.limit),
            (b"x-ratelimit-remaining", b"%d" % self.remaining),
        ]


class Unlimited:
    """The quota of a server without a rate limit, so that clients do not apply the usual limit themselves."""

    @staticmethod
    def headers() -> list[tuple[bytes, bytes]]:
        """Return the response header that reports that there is no rate limit."""
        return [(b"x-rate-limit", b"none")]


class RequestCounter(Protocol):
    """Counts the requests to the API, in this process or in several."""

    async def count(self, *key: str | int | None) -> Quota:
        """Count a request under the key if the limit allows it, and return the quota.

        A request over the limit is not counted and raises nothing: its quota is not `allowed`.
        """


class SlidingWindow:
    """Counts requests in a sliding window in memory, with the algorithm that the `limits` package uses in Redis.

    The package's own counter in memory starts a thread every ten milliseconds and waits for it. The weight of a
    request in the previous window falls from 1 to 0 during the current window.
    """

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._window = 0.0  # the number of the current window
        self._counts: dict[Hashable, tuple[float, int, int]] = {}  # window, requests in the previous, in this one

    def count(self, key: Hashable) -> Quota:
        """Count a request under the key if the limit allows it, and return the quota.

        A request over the limit is not counted and raises nothing: its quota is not `allowed`.
        """
        window, elapsed = divmod(self._clock(), self._seconds)
        if window != self._window:
            self._window = window
            # Keys without a request in the previous window count as new ones.
            self._counts = {each: counts for each, counts in self._counts.items() if counts[0] == window - 1}
        counted_window, previous, current = self._counts.get(key, (window, 0, 0))
        if counted_window != window:  # the last request was in the previous window
            previous, current = current, 0
        weighted = previous * (1 - elapsed / self._seconds)
        allowed = math.floor(weighted + current) < self._limit
        if allowed:
            current += 1
            self._counts[key] = (window, previous, current)
        remaining = max(0, self._limit - math.floor(weighted + current))
        return Quota(self._limit, allowed, remaining, wait=self._free_at(previous, current) - elapsed)

    def _free_at(self, previous: int, current: int) -> float:
        """Return the time at which the count is below the limit, in seconds since the start of the window."""
        if current >= self._limit or not previous:  # the requests of this window lose weight in the next one
            return self._seconds
        # The solution of `previous * (1 - elapsed / seconds) + current = limit` for `elapsed`.
        return self._seconds * (1 - (self._limit - current) / previous)


def client_key(address: str) -> str:
    """Return the key of a client in limits: its IPv4 address, or its IPv6 /64 network, which one customer has.

    A text that is not an address is returned as it is.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The limits for the requests of all clients; None means no limit."""

    max_body: int = MAX_BODY  # bytes
    api: RequestCounter | None = None  # counts requests by token and directory
    pages: SlidingWindow | None = None  # counts requests to the sites by client address


DEFAULT_LIMITS = RequestLimits()
