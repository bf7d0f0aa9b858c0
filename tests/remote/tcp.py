"""A server that writes bytes as it is reported, for answers that no web server would give."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from contentsync.remote.http_client import Service

from .script import at_once

Answering = Callable[[asyncio.StreamWriter], Awaitable[None]]
Result = TypeVar("Result")


def whole(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return an answer in its form on the wire."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def say(*chunks: bytes) -> Answering:
    """Write the bytes, and close the connection."""

    async def answering(writer: asyncio.StreamWriter) -> None:
        for chunk in chunks:
            writer.write(chunk)
            await writer.drain()

    return answering


def ask_tcp(
    answering: Answering,
    question: Callable[[Service], Coroutine[Any, Any, Result]],
    *,
    tls: ssl.SSLContext | None = None,
    **options: Any,
) -> Result:
    """Return the client's result; it waits only for answers."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answering(writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client has had enough
        finally:
            writer.close()

    async def asked() -> Result:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        async with server, Service(url, "secret", sleep=at_once, **options) as service:
            return await question(service)

    return asyncio.run(asked())
