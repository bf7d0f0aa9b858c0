"""Connections to the service, one for each request in flight."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx

from .in_process_client import InProcessClient

Client = httpx.AsyncClient | InProcessClient

MAX_CONNECTIONS = 32

# Each client has one connection. It closes before servers close idle ones, so that no write is sent on a closed one.
ONE_CONNECTION = httpx.Limits(max_connections=1, keepalive_expiry=4.0)


class ConnectionPool:
    """HTTP clients with one connection each, created on demand.

    httpx's own pool searches all its connections for each request: with 32 requests in flight, the search takes three
    times as long as the request itself.
    """

    def __init__(self, make_client: Callable[[], Client]) -> None:
        self._make_client = make_client
        self._clients = [make_client()]
        self._idle = list(self._clients)
        self._slots = asyncio.Semaphore(MAX_CONNECTIONS)

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Client]:
        """Yield an idle client for one request; wait while MAX_CONNECTIONS requests are in flight."""
        async with self._slots:
            client = self._idle.pop() if self._idle else self._add_client()
            try:
                yield client
            finally:
                self._idle.append(client)

    def _add_client(self) -> Client:
        self._clients.append(self._make_client())
        return self._clients[-1]

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            await client.aclose()
