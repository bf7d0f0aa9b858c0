"""Limits on the duration and the number of connections."""

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from contentsync.server.edge.http_connection import STOPPING
from contentsync.server.edge.middleware import BodyDeadline
from contentsync.server.service_errors import BodyTimeout

from .tcp_server import GET, PatientConnection, TcpServer, ask, hello, large, run, until


class Hasty(PatientConnection):
    """Waits for heads as long as a test can."""

    head_seconds = 0.2
    discard_seconds = 1.0


def test_slow_headers_are_a_408() -> None:
    parts = [bytes([byte]) for byte in GET]
    status, _, body = ask(*parts, pause=0.02, protocol=Hasty)
    assert (status, json.loads(body)) == (408, {"message": "The request was not complete in time"})


@pytest.mark.parametrize("sent", [b"", GET])
def test_a_connection_without_a_request_is_closed(sent: bytes) -> None:
    async def wait(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(sent)
        received = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return received

    received = run(wait, protocol=Hasty, keep_alive=0)
    assert received.endswith(b"hello" if sent else b"")


def test_a_slow_body_is_cut_off_after_its_response() -> None:
    async def drip(server: TcpServer) -> None:
        _, writer = await server.connect()
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        # uvloop says so itself of a transport that is closed
        with pytest.raises((ConnectionError, RuntimeError)):
            for _ in range(200):
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.02)
        writer.close()

    run(drip, protocol=Hasty)


def test_the_body_deadline_applies_to_each_request_separately() -> None:
    async def reported(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.2)  # longer than a body may take
        try:
            while (await receive())["more_body"]:
                pass
        except BodyTimeout:
            await send({"type": "http.response.start", "status": 408, "headers": [(b"connection", b"close")]})
            await send({"type": "http.response.body", "body": b"hello"})
        else:
            await hello(scope, receive, send)

    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"

    async def twice(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(head + b"whole" + head + b"ha")
        received = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return received

    received = run(twice, BodyDeadline(reported, 0.1))
    assert [line.split()[1] for line in received.split(b"\r\n") if b"HTTP/1.1 " in line] == [b"200", b"408"]


def test_requests_on_one_connection_are_answered_in_order() -> None:
    async def slow_at_first(scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the path; the answer to the first request takes longer."""
        if scope["path"] == "/first":
            await asyncio.sleep(0.05)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["path"].encode()})

    async def send_both(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(GET.replace(b"/", b"/first", 1) + GET.replace(b"/", b"/second", 1))
        received = await asyncio.wait_for(reader.readuntil(b"/second"), 10)
        writer.close()
        return received

    assert b"/first" in run(send_both, slow_at_first)


def test_a_connection_may_wait_longer_for_a_request_than_for_its_headers() -> None:
    async def pause(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(GET + GET)
        for _ in range(2):
            await asyncio.wait_for(reader.readuntil(b"hello"), 10)
        await asyncio.sleep(Hasty.head_seconds * 2)
        writer.write(GET)
        received = await asyncio.wait_for(reader.readuntil(b"hello"), 10)
        writer.close()
        return received

    assert run(pause, protocol=Hasty).startswith(b"HTTP/1.1 200 OK")


def test_a_client_that_does_not_read_is_disconnected() -> None:
    class Unread(PatientConnection):
        read_seconds = 0.2

    async def ignore(server: TcpServer) -> None:
        _, writer = await server.connect()
        writer.write(GET)
        await until(lambda: bool(server.state.tasks))
        await until(lambda: not server.state.connections)
        writer.close()

    run(ignore, large, Unread)


def test_a_client_that_reads_slowly_gets_the_whole_response() -> None:
    async def slowly(server: TcpServer) -> int:
        reader, writer = await server.connect()
        writer.write(GET)
        received = 0
        while chunk := await asyncio.wait_for(reader.read(8_000_000), 10):
            received += len(chunk)
            if received > 64_000_000:
                break
        writer.close()
        return received

    assert run(slowly, large) > 64_000_000


def test_connections_over_the_limit_are_refused_and_others_served() -> None:
    """AU-17"""

    class Few(PatientConnection):
        max_connections = 2

    async def crowd(server: TcpServer) -> tuple[bytes, bytes, bytes]:
        open_connections = [await server.connect() for _ in range(2)]
        await until(lambda: len(server.state.connections) == 2)
        refused = await server.ask(b"")
        open_connections[0][1].write(GET)
        served = await asyncio.wait_for(open_connections[0][0].read(65536), 10)
        for _, writer in open_connections:
            writer.close()
        await until(lambda: not server.state.connections)
        return refused, served, await server.ask(GET)

    refused, served, later = run(crowd, protocol=Few)
    assert refused.startswith(b"HTTP/1.1 503")
    assert served.endswith(b"hello")
    assert later.endswith(b"hello")


def stop(server: TcpServer) -> None:
    """Run the action of uvicorn on SIGTERM."""
    for connection in list(server.state.connections):
        connection.shutdown()


def test_requests_see_whether_the_server_is_stopping() -> None:
    states: list[Any] = []
    reported = asyncio.Event()

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        states.append(scope["state"].get(STOPPING))
        if len(states) == 1:
            await reported.wait()
        await hello(scope, receive, send)

    async def ask_and_stop(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(GET)
        await until(lambda: bool(states))
        stop(server)
        reported.set()
        received = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return received

    assert run(ask_and_stop, asked).endswith(b"hello")
    assert states == [None]


class Stopping(PatientConnection):
    """Stops as fast as a test can."""

    stop_seconds = 0.3


def test_an_idle_connection_gets_one_more_response_while_the_server_stops() -> None:
    async def ask_late(server: TcpServer) -> tuple[bytes, bytes]:
        reader, writer = await server.connect()
        writer.write(GET)
        first = await reader.readuntil(b"hello")
        stop(server)
        writer.write(GET)
        last = await reader.read()
        writer.close()
        return first, last

    first, last = run(ask_late, protocol=Stopping)
    assert b"connection: close" not in first
    assert b"connection: close" in last
    assert last.endswith(b"hello")


def test_an_active_connection_gets_one_more_response_while_the_server_stops() -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
        begun.set()
        await stopped.wait()
        await send({"type": "http.response.body", "body": b"hello"})

    async def ask_late(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(GET)
        await begun.wait()
        stop(server)
        stopped.set()
        await reader.readuntil(b"hello")
        writer.write(GET)
        last = await reader.read()
        writer.close()
        return last

    last = run(ask_late, slow, protocol=Stopping)
    assert b"connection: close" in last
    assert last.endswith(b"hello")


def test_a_stopping_server_closes_idle_connections_after_its_grace() -> None:
    async def wait(server: TcpServer) -> bytes:
        reader, writer = await server.connect()
        writer.write(GET)
        await reader.readuntil(b"hello")
        stop(server)
        received = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        return received

    assert run(wait, protocol=Stopping) == b""
