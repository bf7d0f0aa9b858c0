"""A TCP server between the client and the service, which passes everything on until a test corrupts an exchange."""

import asyncio
import re
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_ABORT = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends RST


class Answer(NamedTuple):
    """An answer of the service."""

    status: int
    head: bytes  # with the empty line at its end
    body: bytes

    def raw(self) -> bytes:
        return self.head + self.body


@dataclass
class Exchange:
    """One request on its way, in the hands of a fault."""

    number: int  # from 1, since the proxy was armed
    method: str
    path: str
    request: bytes  # head and body
    _upstream: int
    _writer: asyncio.StreamWriter
    kept: bool = False  # whether the connection goes on afterwards

    async def answer(self, request: bytes | None = None) -> Answer:
        """Pass the request on, or another one; the service has done it when this returns."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        try:
            writer.write(request or self.request)
            head, body = await _message(reader)
        finally:
            writer.close()
        return Answer(int(head.split(b" ", 2)[1]), head, body)

    async def send(self, data: bytes) -> None:
        """Give bytes to the client, who may have gone."""
        self._writer.write(data)
        await self._writer.drain()

    def reset(self) -> None:
        """End the connection with RST."""
        found: socket.socket = self._writer.get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
        self._writer.transport.abort()


Fault = Callable[[Exchange], Awaitable[None]]


async def passed_on(exchange: Exchange) -> None:
    """No fault."""
    answer = await exchange.answer()
    await exchange.send(answer.raw())
    exchange.kept = True


async def refused(exchange: Exchange) -> None:
    """Stand for a closed port: the proxy itself closes it before the request can arrive."""
    raise AssertionError("the port is closed")


@dataclass
class Proxy:
    """A proxy on its own port, which stays reserved while it is closed."""

    upstream: int
    port: int = 0
    fault: Fault = passed_on
    first: int = 0  # the number of the request that meets the fault
    forever: bool = False  # whether all after it meet it too
    requests: list[tuple[str, str]] = field(default_factory=list)  # since it was armed: method and path
    _server: asyncio.Server | None = None
    _bound: socket.socket | None = None
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, sock=self._bound or self._bind(), limit=2**20)
            self._bound = None

    async def arm(self, fault: Fault, first: int, *, forever: bool) -> None:
        """Count from one again; the fault meets the request of that number, and with `forever` all that follow."""
        self.fault, self.first, self.forever = fault, first, forever
        self.requests = []
        await self.start()
        self._refuse_if_due(0)

    async def disarm(self) -> None:
        """Listen and pass everything on, once everything has ended that was on its way."""
        self.fault = passed_on
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self.start()

    async def stop(self) -> None:
        """Give the port back."""
        await self.disarm()
        self._close()
        if self._bound:
            self._bound.close()

    def _bind(self) -> socket.socket:
        bound = bind(self.port)
        self.port = bound.getsockname()[1]
        return bound

    def _close(self) -> None:
        """No one listens any more, and the port is still ours."""
        if self._server:
            self._server.close()
            self._server = None
            self._bound = self._bind()
        for writer in self._open:
            writer.close()

    def _refuse_if_due(self, answered: int) -> None:
        if self.fault is refused and (answered + 1 == self.first or (self.forever and answered + 1 >= self.first)):
            self._close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while True:
                head, body = await _message(reader)
                task = asyncio.ensure_future(self._exchange(head, body, writer))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                await asyncio.shield(task)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _exchange(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        method, path, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        self.requests.append((method, path))
        number = len(self.requests)
        hit = number >= self.first if self.forever else number == self.first
        exchange = Exchange(number, method, path, head + body, self.upstream, writer)
        await (self.fault if hit and self.fault is not refused else passed_on)(exchange)
        if not exchange.kept:
            raise ConnectionError
        self._refuse_if_due(number)


def bind(port: int = 0) -> socket.socket:
    """Reserve a port of this machine, on which no process listens yet."""
    # asyncio sends without delay only where the protocol is named.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", port))
    return bound


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Head and body of a request or an answer, which always says its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head, await reader.readexactly(int(length[1])) if length else b""
