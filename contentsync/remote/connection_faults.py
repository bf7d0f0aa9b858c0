"""Say in words why a server cannot be reached."""

import socket
import ssl
from collections.abc import Iterator

import httpx


def connection_fault(error: Exception) -> str:
    """Return why a request was not sent or got no answer; `error` is an error of httpx, or one that it does not wrap.

    The text contains no address with a query, which may contain a secret.
    """
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror) and isinstance(error, httpx.RequestError):
            return f"there is no address for the name {error.request.url.host}"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not accepted: {cause.verify_message}"
        if isinstance(cause, ConnectionRefusedError):
            return "the connection was refused"
        if isinstance(cause, TimeoutError | httpx.TimeoutException):
            return "it did not answer in time"
    if isinstance(error, httpx.TransportError) and str(error):
        return str(error)
    return "the connection was interrupted" if isinstance(error, httpx.NetworkError) else type(error).__name__


def is_unresolved(error: Exception) -> bool:
    """Return whether the cause of an error is a failed DNS look-up."""
    return any(isinstance(cause, socket.gaierror) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, the one that caused it, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
