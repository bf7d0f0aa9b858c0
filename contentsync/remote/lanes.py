"""Connections to the service, as many as requests are in flight."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx

MOST = 32

# One connection, given up before servers do, so that none is found closed when a write is sent on it.
ONE = httpx.Limits(max_connections=1, keepalive_expiry=4.0)


class Lanes:
    """Clients with one connection each, made when they are needed.

    The pool of a single client looks through all its connections for each request: at 32 in flight that takes three
    times as long as the request itself.
    """

    def __init__(self, make: Callable[[], httpx.AsyncClient]) -> None:
        self._make = make
        self._all = [make()]
        self._free = list(self._all)
        self._room = asyncio.Semaphore(MOST)

    @property
    def base_url(self) -> httpx.URL:
        """What the paths of requests are added to."""
        return self._all[0].base_url

    @asynccontextmanager
    async def lane(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client that nobody else uses meanwhile; the one that was used last, if it is free."""
        async with self._room:
            client = self._free.pop() if self._free else self._another()
            try:
                yield client
            finally:
                self._free.append(client)

    def _another(self) -> httpx.AsyncClient:
        self._all.append(self._make())
        return self._all[-1]

    async def close(self) -> None:
        """Closes all connections."""
        for client in self._all:
            await client.aclose()
