"""A server's connections on a port of this machine, and bytes sent to them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from contentsync.server.edge.http_connection import HttpConnection

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class PatientConnection(HttpConnection):
    """Its timeouts are longer than any test."""

    head_seconds = read_seconds = 30.0
    discard_seconds = 0.1


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once, without looking at the body."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


async def large(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with more bytes than the buffers of the system can take."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(64):
        await send({"type": "http.response.body", "body": b"x" * 1_000_000, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def until(condition: Callable[[], bool]) -> None:
    """Wait until the condition is true."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - uvicorn's own state
            await asyncio.sleep(0.005)


class TcpServer:
    """A server on a port of this machine."""

    def __init__(self, port: int, state: ServerState) -> None:
        self.port = port
        self.state = state

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, *parts: bytes, pause: float = 0) -> bytes:
        """Send bytes, and return the response up to its end, or until the server closes the connection."""
        reader, writer = await self.connect()
        received = b""
        try:
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
            while not received.endswith(b"hello"):
                chunk = await asyncio.wait_for(reader.read(65536), 10)
                if not chunk:
                    break
                received += chunk
        except ConnectionError:
            pass
        writer.close()
        return received


@asynccontextmanager
async def tcp_server(
    app: Any = hello,
    protocol: type[HttpConnection] = PatientConnection,
    keep_alive: int = 75,
    state: dict[str, Any] | None = None,
) -> AsyncIterator[TcpServer]:
    config = uvicorn.Config(app, http=protocol, ws="none", log_config=None, timeout_keep_alive=keep_alive)
    config.load()
    served = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: protocol(config, served, state or {}), "127.0.0.1", 0)
    try:
        yield TcpServer(server.sockets[0].getsockname()[1], served)
    finally:
        server.close()
        for connection in list(served.connections):
            connection.transport.abort()
        await until(lambda: not served.connections)


def run(test: Callable[[TcpServer], Awaitable[Any]], *arguments: Any, **options: Any) -> Any:
    """Run the test with a server and return its result."""

    async def tested() -> Any:
        async with tcp_server(*arguments, **options) as server:
            return await test(server)

    with asyncio.Runner(loop_factory=uvicorn.Config(hello).get_loop_factory()) as runner:  # the one of `serve`
        return runner.run(tested())


def ask(*parts: bytes, pause: float = 0, **options: Any) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the one answer to the bytes."""
    received: bytes = run(lambda server: server.ask(*parts, pause=pause), **options)
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    return int(status.split()[1]), dict(line.split(": ", 1) for line in lines), body
