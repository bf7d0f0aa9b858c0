"""contentsync.remote.response: a user can read why a server was not reached."""

import asyncio
import socket
import ssl
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import httpx
import pytest

from contentsync.errors import Unreachable
from contentsync.remote import Service
from contentsync.remote.response import FailedTry, Response, connection_fault, interpret_response, is_unresolved

REQUEST = httpx.Request("GET", "https://example.org/a?key=secret")


def caused_by(cause: Exception) -> httpx.ConnectError:
    error = httpx.ConnectError("All connection attempts failed", request=REQUEST)
    error.__cause__ = OSError("All connection attempts failed")
    error.__cause__.__cause__ = cause
    return error


def test_an_unknown_host_name_is_reported() -> None:
    error = caused_by(socket.gaierror(-2, "Name or service not known"))
    assert connection_fault(error) == "there is no address for the name example.org"
    assert is_unresolved(error)


def test_a_refused_connection_is_not_reported_as_an_unknown_host() -> None:
    error = caused_by(ConnectionRefusedError(111, "Connect call failed"))
    assert connection_fault(error) == "the connection was refused"
    assert not is_unresolved(error)


def test_a_certificate_error_contains_the_reason() -> None:
    fault = ssl.SSLCertVerificationError(1, "CERTIFICATE_VERIFY_FAILED")
    fault.verify_message = "certificate has expired"
    assert connection_fault(caused_by(fault)) == "its certificate is not accepted: certificate has expired"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ReadTimeout(""), "it did not answer in time"),
        (httpx.ReadError(""), "the connection was interrupted"),
        (httpx.RemoteProtocolError("Server disconnected"), "Server disconnected"),
        (httpx.ConnectError("refused"), "refused"),
        (httpx.InvalidURL("Invalid port in https://example.org:x?key=secret"), "InvalidURL"),
    ],
)
def test_another_connection_error_is_reported_without_the_url(error: Exception, words: str) -> None:
    assert connection_fault(error) == words


HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("response", "url", "request_name", "message", "hint"),
    [
        (Response(200, HTML, b"<html>"), "", "GET /x", "answered with a web page", "is the URL right?"),
        (Response(200, {}, b"[]"), "", "GET /x", "something that is not a JSON object", "is the URL right?"),
        (Response(404, HTML, b"<html>"), "", "GET /x", "a 404 that is not the service's", "is the URL right?"),
        (
            Response(404, HTML, b""),
            "https://x.org/api/",
            "GET /x",
            "not the service's",
            "leave out the /api at the end",
        ),
        (Response(404, {}, b'{"message": "No"}'), "https://x.org/api", "GET /x", "404", "leave out the /api"),
        (Response(502, HTML, b""), "", "GET /x", "failed on the server: 502", "run again in a minute"),
        (Response(503, {}, b""), "", "POST /x", "failed on the server: 503", "run again in a minute"),
        (Response(500, {}, b""), "", "GET /x", "failed on the server: 500", ""),
        (Response(403, {}, b""), "", "GET /x", "refused access", "is the directory's number right"),
        (Response(403, {}, b""), "", "PUT /x", "refused access", "use a token that may write"),
        (Response(400, HTML, b"sent to HTTPS port"), "", "GET /x", "without TLS to a port with TLS", "write https://"),
    ],
)
def test_each_wrong_response_has_its_own_next_step(
    response: Response, url: str, request_name: str, message: str, hint: str
) -> None:
    failed = interpret_response(response, request_name, is_conditional=False, base_url=url)
    assert isinstance(failed, FailedTry)
    assert message in failed.error.message
    assert hint in failed.error.hint
    assert bool(failed.error.hint) is bool(hint)


def test_a_server_without_tls_is_reported() -> None:
    async def read(url: str) -> None:
        async with Service(url, "token") as service:
            await service.get("/api/x")

    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(Unreachable, match="does not speak TLS") as raised:
            asyncio.run(read(f"https://127.0.0.1:{server.server_port}"))
        server.shutdown()
    assert raised.value.hint.startswith("write http:// in the URL")
