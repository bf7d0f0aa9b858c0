"""Rate limits of different services, and clients that send as many requests as they allow."""

import asyncio
import random
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import httpx

from contentsync.remote.http_client import Service
from contentsync.remote.pacing import Pacer
from contentsync.server.quota import SlidingWindow

LIMIT = 120


class Counting(Protocol):
    def __call__(self, now: float) -> tuple[bool, int | None]:
        """Count a request; return whether it is accepted, and the number left if the service reports it."""


@dataclass
class LastMinute:
    """A limit for any 60 seconds; `reports` is whether answers contain the number left."""

    reports: bool = True
    times: list[float] = field(default_factory=list)

    def __call__(self, now: float) -> tuple[bool, int | None]:
        in_window = len(self.times) - bisect_right(self.times, now - 60)
        accepted = in_window < LIMIT
        if accepted:
            self.times.append(now)
        return accepted, max(0, LIMIT - in_window - accepted) if self.reports else None


@dataclass
class EachMinute:
    """A limit for each minute of the clock, or for the minute from the first request after the last one ended."""

    by_the_clock: bool
    ends: float = 0.0
    in_window: int = 0

    def __call__(self, now: float) -> tuple[bool, int | None]:
        if now >= self.ends:
            self.ends, self.here = (now // 60 * 60 if self.by_the_clock else now) + 60, 0
        self.here += self.here < LIMIT + 1
        return self.here <= LIMIT, max(0, LIMIT - self.here)


class Estimated:
    """The counter of two windows, as the built-in server has it, which begins its windows at any moment."""

    def __init__(self, seconds: float, begins: float) -> None:
        self._now = 0.0
        self._window = SlidingWindow(LIMIT, seconds, lambda: self._now + begins)

    def __call__(self, now: float) -> tuple[bool, int | None]:
        self._now = now
        quota = self._window.count("token")
        return quota.allowed, quota.remaining


@dataclass
class Limited(httpx.AsyncBaseTransport):
    """A service that counts a request at some moment between its sending and its answer."""

    counting: Counting
    latency: Callable[[], float]
    chance: random.Random
    accepted: list[float] = field(default_factory=list)  # when
    refused: list[float] = field(default_factory=list)

    async def count(self) -> httpx.Response:
        """Answer a request, after a while."""
        taken = self.latency()
        until = taken * self.chance.random()
        await asyncio.sleep(until)
        now = asyncio.get_running_loop().time()
        accepted, remaining = self.counting(now)
        (self.accepted if accepted else self.refused).append(now)
        await asyncio.sleep(taken - until)
        headers = (
            {} if remaining is None else {"X-RateLimit-Limit": str(LIMIT), "X-RateLimit-Remaining": str(remaining)}
        )
        return httpx.Response(200 if accepted else 429, headers=headers, content=b"{}")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self.count()


Sending = Callable[[], Awaitable[object]]


@asynccontextmanager
async def client(service: Limited, pacer: Pacer) -> AsyncIterator[Sending]:
    """Yield the client that commands use."""
    async with Service("http://127.0.0.1:1", "t", transport=service, pacer=pacer) as one:
        yield lambda: one.get("/api/user")


@asynccontextmanager
async def bare(service: Limited, pacer: Pacer) -> AsyncIterator[Sending]:
    """Yield a client that does nothing but wait for its pacer, for simulations of many requests."""
    queue = asyncio.Lock()

    async def send() -> None:
        async with queue:
            while (slot := pacer.try_acquire()).wait_seconds:  # noqa: ASYNC110  # it asks again when it was asked to
                await asyncio.sleep(slot.wait_seconds)
        response = await service.count()
        pacer.record_answer(slot.at, response.headers)

    yield send


async def saturate(
    service: Limited,
    requests: int,
    *,
    path: Path | None = None,
    processes: int = 1,
    tasks: int = 4,
    connect: Callable[[Limited, Pacer], AbstractAsyncContextManager[Sending]] = bare,
    limit: int | None = LIMIT,
) -> float:
    """Send requests as fast as the pacers of some processes allow; return the seconds until the last was counted."""
    loop = asyncio.get_running_loop()
    began, left = loop.time(), iter(range(requests))

    async def process() -> None:
        async with connect(service, Pacer(limit, path, clock=loop.time)) as send:

            async def work() -> None:
                for _ in left:
                    await send()

            await asyncio.gather(*(work() for _ in range(tasks)))

    await asyncio.gather(*(process() for _ in range(processes)))
    return max(service.accepted) - began
