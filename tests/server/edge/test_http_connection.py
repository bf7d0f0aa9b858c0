"""Malformed and oversized HTTP requests, sent over TCP without a client library."""

import json
import time
from importlib.metadata import version

import pytest
from starlette.types import Message, Receive, Scope, Send

from contentsync.server.access import RECEIVED_AT
from contentsync.server.edge.http_connection import HEAD_BYTES, URL_BYTES

from .tcp_server import GET, TcpServer, ask, hello, run

READ = 262_144  # the most that comes at once
MANY = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 90) for number in range(2000))


def test_the_extended_version_of_uvicorn_is_installed() -> None:
    """`HttpConnection`, `edge.process` and `dev.live_reload` override methods that uvicorn does not document.

    Check them against a new version before changing this.
    """
    assert version("uvicorn").startswith("0.54.")


def test_a_request_is_answered() -> None:
    status, headers, body = ask(GET)
    assert (status, body) == (200, b"hello")
    assert "server" not in headers


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 2_000_000 + b"\r\n\r\n", 431, id="HT-27 2 MB"),
        pytest.param(
            b"GET / HTTP/1.1\r\nHost: x\r\n"
            + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 90) for n in range(2000))
            + b"\r\n",
            431,
            id="HT-27 2,000 headers",
        ),
        pytest.param(
            b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * (READ + HEAD_BYTES), 431, id="a header without an end"
        ),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 3000 + b"\r\n", 431, id="many small headers"),
        pytest.param(b"GET /" + b"a" * URL_BYTES + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, id="HT-18 a long URL"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;" + b"a" * (READ + HEAD_BYTES),
            431,
            id="a chunk's extension without an end",
        ),
    ],
)
def test_too_large_headers_are_refused_with_a_reason(request_: bytes, status: int) -> None:
    """HT-18, HT-27"""

    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass

    reported, _, body = ask(request_, app=patient)
    assert reported == status
    assert "too l" in json.loads(body)["message"]


def test_the_arrival_time_of_a_request_is_recorded() -> None:
    """AU-03: a token from an earlier look-up is looked up again."""
    moments: list[float] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        moments.extend((scope["state"][RECEIVED_AT], time.monotonic()))
        await hello(scope, receive, send)

    async def asked_twice(server: TcpServer) -> None:
        for _ in range(2):
            await server.ask(GET)

    run(asked_twice, app=noting)
    first, answered, second, _ = moments
    assert first < answered < second


@pytest.mark.parametrize("pause", [pytest.param(0, id="in one packet"), pytest.param(0.05, id="later")])
def test_trailers_are_not_headers_of_the_request(pause: float) -> None:
    """RFC 9110, 6.5.1: a condition in a trailer is ignored."""
    names: list[bytes] = []

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        names.extend(name for name, _ in scope["headers"])
        await hello(scope, receive, send)

    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    rest = b'0\r\nIf-Match: "x"\r\n\r\n'
    run(lambda server: server.ask(*([head, rest] if pause else [head + rest]), pause=pause), app=reading)
    assert names == [b"host", b"transfer-encoding"]


def test_trailers_count_towards_the_size_of_the_headers() -> None:
    received: list[Message] = []

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        while not received or received[-1].get("more_body"):
            received.append(await receive())

    chunked = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    status, _headers, _body = ask(chunked, *[b"X: " + b"a" * 1000 + b"\r\n"] * 100, app=reading)
    assert status == 431


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="none"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", id="two"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", id="a path"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", id="a space"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", id="a user"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n", id="not ASCII"),
    ],
)
def test_a_request_without_exactly_one_valid_host_is_a_400(request_: bytes) -> None:
    """AU-18"""
    status, _, body = ask(request_)
    assert status == 400
    assert "Host" in json.loads(body)["message"]


@pytest.mark.parametrize(
    "host", [b"x", b"EXAMPLE.com:8000", b"example.com.", b"xn--bcher-kva.example", b"[::1]:80", b""]
)
def test_any_valid_host_is_answered(host: bytes) -> None:
    """AU-18: nothing depends on it."""
    assert ask(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")[0] == 200


def test_http_1_0_requires_no_host() -> None:
    assert ask(b"GET / HTTP/1.0\r\n\r\n")[0] == 200


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(b"\x16\x03\x01\x02\x00", id="TLS"),
        pytest.param(b"hello\r\n\r\n", id="no HTTP"),
        pytest.param(b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", id="an unknown method"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nA\r\nB: c\r\n\r\n", id="a header without a colon"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", id="XS-11 a CR in a header"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n", id="a NUL in a header"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", id="two lengths"
        ),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            id="a length and chunks",
        ),
        pytest.param(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", id="a negative length"),
        pytest.param(b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", id="a tunnel"),
    ],
)
def test_malformed_http_is_a_400_in_json_with_the_usual_headers(request_: bytes) -> None:
    """XS-11, XS-18"""
    status, headers, body = ask(request_)
    assert status == 400
    assert json.loads(body) == {"message": "This is not an HTTP request"}
    assert headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"
    assert len(headers["x-request-id"]) == 16
    assert headers["connection"] == "close"


@pytest.mark.parametrize("protocol", [b"h2c", b"websocket"])
def test_an_upgrade_request_is_answered_in_http(protocol: bytes) -> None:
    upgrade = b" / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n"
    assert ask(b"GET" + upgrade + b"\r\n")[0] == 200
    assert ask(b"PATCH" + upgrade + b"Content-Length: 0\r\n\r\n")[0] == 200


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(
            b"POST / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: %d\r\n" % len(GET), id="h2c"
        ),
        pytest.param(
            b"POST / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\nTransfer-Encoding: chunked\r\n", id="chunked"
        ),
        pytest.param(b"CONNECT / HTTP/1.1\r\nContent-Length: %d\r\n" % len(GET), id="a tunnel"),
    ],
)
def test_a_body_is_never_read_as_the_next_request(head: bytes) -> None:
    status, _, rest = ask(head + b"Host: x\r\n\r\n", GET, pause=0.05)
    assert status == 400
    assert json.loads(rest) == {"message": "A request with a body cannot upgrade to another protocol"}


@pytest.mark.parametrize("codings", ["gzip, chunked", "identity, chunked", "deflate,chunked", "x"])
def test_an_unsupported_transfer_encoding_is_refused(codings: str) -> None:
    """RFC 9112, 6.1: a compressed body must not be used as it is."""
    head = f"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {codings}\r\n\r\n".encode()
    status, _, body = ask(head + b"5\r\nhello\r\n0\r\n\r\n")
    assert (status, b"chunked" in body) == (501, True)


def test_two_transfer_encoding_headers_are_refused() -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert ask(head + b"5\r\nhello\r\n0\r\n\r\n")[0] in (400, 501)
