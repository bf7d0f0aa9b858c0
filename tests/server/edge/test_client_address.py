"""Clients behind proxies, and the limit on the connections of one address."""

import asyncio
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from contentsync.server.edge.client_address import CONNECTION_LIMITER, ConnectionLimiter, ForwardedFor, TrustedProxies

from .tcp_server import GET, TcpServer, run, until

TRUSTED = ("10.0.0.0/8", "2001:db8::1")


def limiter_of(limit: int, *trusted: str) -> ConnectionLimiter:
    return ConnectionLimiter(limit, TrustedProxies(trusted))


def test_connections_over_the_limit_of_an_address_are_refused() -> None:
    async def meet(server: TcpServer) -> None:
        open_ = [await server.connect() for _ in range(3)]
        await until(lambda: len(server.state.connections) == 3)
        refused = await server.ask(GET)
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"Too many connections from this address" in refused
        open_[0][1].close()
        await until(lambda: len(server.state.connections) == 2)
        assert (await server.ask(GET)).startswith(b"HTTP/1.1 200 ")
        for _, writer in open_:
            writer.close()

    run(meet, state={CONNECTION_LIMITER: limiter_of(3)})


def test_a_refused_connection_does_not_count() -> None:
    async def meet(server: TcpServer) -> None:
        _, writer = await server.connect()
        await until(lambda: len(server.state.connections) == 1)
        for _ in range(5):
            assert (await server.ask(GET)).startswith(b"HTTP/1.1 503 ")
        writer.close()
        await until(lambda: not server.state.connections)
        assert (await server.ask(GET)).startswith(b"HTTP/1.1 200 ")

    run(meet, state={CONNECTION_LIMITER: limiter_of(1)})


def test_a_trusted_proxy_has_no_connection_limit() -> None:
    limiter = limiter_of(1, "10.0.0.0/8")
    assert [limiter.acquire("10.0.0.1") for _ in range(3)] == [True] * 3


def test_addresses_of_one_ipv6_network_count_together() -> None:
    limiter = limiter_of(2)
    assert [limiter.acquire(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert limiter.acquire("2001:db8:0:1::1")
    assert limiter.acquire("192.0.2.1")
    limiter.release("2001:db8::1")
    assert limiter.acquire("2001:db8::9")


def client_of(peer: str, *values: str, trusted: tuple[str, ...] = TRUSTED) -> Any:
    """Return the address that the application uses as the client of a request."""
    seen: list[Any] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["client"][0])

    headers = [(b"x-forwarded-for", value.encode("latin-1")) for value in values]
    scope: dict[str, Any] = {"type": "http", "client": (peer, 5000), "headers": headers}
    nothing: Any = None
    asyncio.run(ForwardedFor(application, TrustedProxies(trusted))(scope, nothing, nothing))
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "values", "client"),
    [
        ("10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.1", ["192.0.2.1:5123"], "192.0.2.1"),
        ("10.0.0.1", ["2001:DB8::2"], "2001:db8::2"),
        ("10.0.0.1", ["[2001:db8::2]:5123"], "2001:db8::2"),
        ("2001:db8::1", ["192.0.2.1"], "192.0.2.1"),
        ("::ffff:10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
        ("10.0.0.1", ["198.51.100.1, 192.0.2.1"], "192.0.2.1"),
        ("10.0.0.1", ["198.51.100.1, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
        ("10.0.0.1", ["198.51.100.1", "192.0.2.1"], "192.0.2.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", [], "10.0.0.1"),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(peer: str, values: list[str], client: str) -> None:
    assert client_of(peer, *values) == client


@pytest.mark.parametrize(
    "value",
    [
        "unknown",
        "",
        "<script>",
        "example.org",
        "192.0.2.1.1",
        "192.0.2.1, x",
        "fe80::1%eth0",
        "é",
        "x" * 5_000,
        ":",
        "[]",
    ],
)
def test_a_forwarded_value_that_is_not_an_address_is_ignored(value: str) -> None:
    assert client_of("10.0.0.1", value) == "10.0.0.1"
    assert client_of("10.0.0.1", f"{value}, 10.0.0.2") == "10.0.0.2"


def test_an_untrusted_client_cannot_forward_addresses() -> None:
    assert client_of("192.0.2.9", "198.51.100.1") == "192.0.2.9"
    assert client_of("10.0.0.1", "198.51.100.1", trusted=()) == "10.0.0.1"
