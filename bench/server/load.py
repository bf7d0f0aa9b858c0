"""Requests over kept connections, sent from a process of their own, so that sending them slows no server down."""

import asyncio
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Self, cast

import httptools
import uvloop

HOST = "127.0.0.1"
CLIENTS = 16  # that send at a time
BULK_CLIENTS = 4
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Answers:
    """How a run of requests went."""

    seconds: float  # of the whole run
    times: tuple[float, ...]  # of each request, in seconds, in the order of the answers
    busy: float  # the part of the time in which the sender was at work itself: near 1 it measures itself
    size: int  # bytes of the largest body
    statuses: Counter[int]  # the number of answers by status

    @property
    def each(self) -> float:
        """Seconds a request, with all clients at work."""
        return self.seconds / len(self.times)


class Sender:
    """A process that sends; a context manager."""

    def __enter__(self) -> Self:
        self._process = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.shutdown()

    def send(self, port: int, requests: Sequence[bytes], clients: int = 1, status: int = 200) -> Answers:
        """Send each request once, `clients` at a time; raises RuntimeError for an answer with another status."""
        return self._process.submit(send, port, requests, clients, status).result()


def request(method: str, path: str, token: str = "", body: bytes = b"", *headers: str) -> bytes:
    """The bytes of a request; `token` is the whole Authorization header."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", "Accept: application/json", *headers]
    if token:
        lines.append(f"Authorization: {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + _HEAD_END + body


def send(port: int, requests: Iterable[bytes], clients: int, *statuses: int) -> Answers:
    """Send each request once, `clients` at a time, from this process; raise RuntimeError for any other status."""
    return uvloop.run(_send(port, requests, clients, statuses))


async def _send(port: int, requests: Iterable[bytes], clients: int, statuses: Sequence[int]) -> Answers:
    loop = asyncio.get_running_loop()
    run = _Run(iter(requests), statuses, [], [], Counter())
    connected = [await loop.create_connection(lambda: _Client(run), HOST, port) for _ in range(clients)]
    began, worked = time.perf_counter(), time.process_time()
    for _, client in connected:
        client.go_on()
    await asyncio.gather(*(client.done for _, client in connected))
    seconds = time.perf_counter() - began
    busy = (time.process_time() - worked) / seconds
    return Answers(seconds, tuple(run.times), busy, max(run.sizes), run.answered)


@dataclass(frozen=True)
class _Run:
    requests: Iterator[bytes]  # which the clients share
    statuses: Sequence[int]
    times: list[float]
    sizes: list[int]
    answered: Counter[int]


class _Client(asyncio.Protocol):
    def __init__(self, run: _Run) -> None:
        self._run = run
        self._failure: Exception | None = None
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def go_on(self) -> None:
        request = next(self._run.requests, None)
        if request is None:
            self.done.set_result(None)
            self._transport.close()
            return
        self._parser = httptools.HttpResponseParser(self)
        self._size = 0
        self._began = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)
        if self._failure is not None:
            self._transport.abort()

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        self._run.answered[status] += 1
        if status not in self._run.statuses:
            expected = " or ".join(map(str, self._run.statuses))
            self._failure = RuntimeError(f"the server answers {status}, not {expected}")

    def on_body(self, data: bytes) -> None:
        self._size += len(data)

    def on_message_complete(self) -> None:
        self._run.times.append(time.perf_counter() - self._began)
        self._run.sizes.append(self._size)
        if self._failure is None:
            self.go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(self._failure or exc or RuntimeError("the server has closed the connection"))
