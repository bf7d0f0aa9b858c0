"""contentsync.remote.network_client: a user can read why a server was not reached."""

import asyncio
import socket
import ssl
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread

import httpx
import pytest

from contentsync.errors import Unreachable
from contentsync.remote.http_client import Service
from contentsync.remote.network_client import connection_fault, describe_broken_try, is_unresolved

REQUEST = httpx.Request("GET", "https://example.org/a?key=secret")


def caused_by(cause: Exception) -> httpx.ConnectError:
    error = httpx.ConnectError("All connection attempts failed", request=REQUEST)
    error.__cause__ = OSError("All connection attempts failed")
    error.__cause__.__cause__ = cause
    return error


def test_the_reason_of_a_missing_answer_ends_without_a_period() -> None:
    error = httpx.RemoteProtocolError("Server disconnected without sending a response.", request=REQUEST)
    message = describe_broken_try(error, "GET /a").error.message
    assert message == "no answer to GET /a: Server disconnected without sending a response"


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
        (httpx.RemoteProtocolError("Server disconnected."), "Server disconnected"),
        (httpx.ConnectError("refused"), "refused"),
        (httpx.InvalidURL("Invalid port in https://example.org:x?key=secret"), "InvalidURL"),
    ],
)
def test_another_connection_error_is_reported_without_the_url(error: Exception, words: str) -> None:
    assert connection_fault(error) == words


def test_a_request_is_reported_as_sent_before_its_answer() -> None:
    sent = Event()

    class AfterRequest(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200 if sent.wait(5) else 500)
            self.end_headers()
            self.wfile.write(b"{}")

    async def write(url: str) -> None:
        async with Service(url, "token") as service:
            await service.post("/api/x", {"name": "A"}, on_sent=sent.set)

    with HTTPServer(("127.0.0.1", 0), AfterRequest) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asyncio.run(write(f"http://127.0.0.1:{server.server_port}"))
        server.shutdown()
    assert sent.is_set()


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
