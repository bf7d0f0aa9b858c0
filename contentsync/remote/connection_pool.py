"""Connections to the service, one for each request in flight; that to an application in this process is here."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol
from urllib.parse import urlencode

from .response import FailedTry, Response

MAX_CONNECTIONS = 32

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]  # ASGI


class SendingTurn(Protocol):
    """The turn of a request among several, of which one is sent after the other."""

    def note_sent(self) -> None:
        """Note that the request is sent over the network."""

    async def pass_on(self) -> None:
        """Let the next one be sent, as the service has answered."""


class Client(Protocol):
    """One connection to the service."""

    async def send(self, request: Mapping[str, Any]) -> Response | FailedTry:
        """Send a request once, and return the response with its whole body, or why there is none.

        A request has a `method`, an `url` (a path), `params`, `headers`, and the bytes `content` of its body, if any.
        A client for the network calls `on_sent`, if any, when it has sent the whole request.
        """

    async def aclose(self) -> None:
        """Close the connection."""


class InProcessClient:
    """Calls an ASGI application. httpx would take as long for a request as the service takes to write a record."""

    def __init__(self, application: Application, headers: Mapping[str, str]) -> None:
        self._application = application
        self._headers = _encode(headers)

    async def send(self, request: Mapping[str, Any]) -> Response:
        """Return the response; its status is 500 if the application raises an exception before it responds.

        The path must have no characters that need an escape.
        """
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request["method"],
            "scheme": "http",
            "server": None,
            "client": None,
            "root_path": "",
            "path": request["url"],
            "raw_path": request["url"].encode(),
            "query_string": urlencode(request["params"] or {}).encode(),
            "headers": self._headers + _encode(request["headers"]),
        }
        start: Message = {"status": 500}
        chunks: list[bytes] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": request.get("content", b"")}

        async def send(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
            else:
                chunks.append(message.get("body", b""))

        with suppress(Exception):  # the application raises an unexpected one after its response with status 500
            await self._application(scope, receive, send)
        fields = {name.decode("latin-1"): value.decode("latin-1") for name, value in start.get("headers", ())}
        return Response(start["status"], fields, b"".join(chunks))

    async def aclose(self) -> None:
        """Do nothing, because there is no connection."""


def _encode(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


class ConnectionPool:
    """Clients with one connection each, created on demand.

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
