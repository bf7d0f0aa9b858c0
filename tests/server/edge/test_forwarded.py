"""Whose request it is behind a proxy."""

import asyncio
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from contentsync.server.edge.forwarded import Forwarded, TrustedProxies

TRUSTED = ("10.0.0.0/8", "2001:db8::1")


def client_of(peer: str, *values: str, trusted: tuple[str, ...] = TRUSTED) -> Any:
    """Whom the application takes for the client of a request."""
    seen: list[Any] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["client"][0])

    headers = [(b"x-forwarded-for", value.encode("latin-1")) for value in values]
    scope: dict[str, Any] = {"type": "http", "client": (peer, 5000), "headers": headers}
    nothing: Any = None
    asyncio.run(Forwarded(application, TrustedProxies(trusted))(scope, nothing, nothing))
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
def test_the_last_address_that_is_no_trusted_proxys_is_the_clients(peer: str, values: list[str], client: str) -> None:
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
def test_what_is_no_address_is_not_used(value: str) -> None:
    assert client_of("10.0.0.1", value) == "10.0.0.1"
    assert client_of("10.0.0.1", f"{value}, 10.0.0.2") == "10.0.0.2"


def test_nobody_elses_word_is_taken() -> None:
    assert client_of("192.0.2.9", "198.51.100.1") == "192.0.2.9"
    assert client_of("10.0.0.1", "198.51.100.1", trusted=()) == "10.0.0.1"
