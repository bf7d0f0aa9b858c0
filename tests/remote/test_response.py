"""contentsync.remote.response: a user can read why a server was not reached."""

import socket
import ssl

import httpx
import pytest

from contentsync.remote.response import connection_fault, is_unresolved

REQUEST = httpx.Request("GET", "https://example.org/a?key=secret")


def caused_by(cause: Exception) -> httpx.ConnectError:
    error = httpx.ConnectError("All connection attempts failed", request=REQUEST)
    error.__cause__ = OSError("All connection attempts failed")
    error.__cause__.__cause__ = cause
    return error


def test_a_name_without_an_address_is_named() -> None:
    error = caused_by(socket.gaierror(-2, "Name or service not known"))
    assert connection_fault(error) == "there is no address for the name example.org"
    assert is_unresolved(error)


def test_a_refused_connection_is_no_name_without_an_address() -> None:
    error = caused_by(ConnectionRefusedError(111, "Connect call failed"))
    assert connection_fault(error) == "the connection was refused"
    assert not is_unresolved(error)


def test_a_certificate_has_the_reason_of_the_library() -> None:
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
def test_any_other_error_has_its_own_words_but_no_address(error: Exception, words: str) -> None:
    assert connection_fault(error) == words
