"""Send requests over the network, with httpx; every failure to get a whole answer becomes a FailedTry."""

import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import httpx

from ..errors import Denied, ServerError, Unreachable
from ..model.urls import is_loopback
from .response import FailedTry, Response
from .retry import Failure

# A busy server may answer a write late; a connection is established quickly or not at all.
TIMEOUT = httpx.Timeout(60.0, connect=10.0, pool=None)

# Each client has one connection. It closes before servers close idle ones, so that no write is sent on a closed one.
ONE_CONNECTION = httpx.Limits(max_connections=1, keepalive_expiry=4.0)

SENT = "http11.send_request_body.complete"  # the event of httpx after the last byte of a request

MAX_BODY = 64 << 20  # bytes of one decoded answer; a page of a list has a few hundred thousand

# At most one encoding: each further one multiplies the size to which a few bytes can expand.
_ENCODINGS = frozenset({"", "identity", "gzip", "deflate"})

_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD LAYER FAILURE", "RECORD_LAYER_FAILURE")  # of OpenSSL, for an answer in HTTP


class UnreadableBody(Exception):
    """The body of an answer cannot be decoded, or is too large."""


class NetworkClient:
    """One connection to the service."""

    def __init__(self, **options: Any) -> None:
        self._client = httpx.AsyncClient(**options)

    async def send(self, request: Mapping[str, Any]) -> Response | FailedTry:
        """Send a request once, and return the response with its whole body, of limited size, or why there is none."""
        try:
            async with self._client.stream(**_with_trace(**request)) as response:
                body = await receive_body(response)
                return Response(response.status_code, response.headers, body, response.reason_phrase)
        except (httpx.RequestError, UnreadableBody) as error:
            return describe_broken_try(error, f"{request['method']} {request['url']}")

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.aclose()


def _with_trace(on_sent: Callable[[], None] | None = None, **request: Any) -> dict[str, Any]:
    """Return the arguments of httpx for a request: `on_sent` becomes a trace of what httpx does."""
    if on_sent is None:
        return request

    async def trace(event: str, info: Mapping[str, Any]) -> None:
        if event == SENT:
            on_sent()

    return {**request, "extensions": {"trace": trace}}


def client_factory(
    url: str, headers: Mapping[str, str], transport: httpx.AsyncBaseTransport | None
) -> Callable[[], NetworkClient]:
    """Return a function that makes clients of the service at a base URL; `transport` replaces the network.

    Raise Unreachable if the URL cannot be used, and Denied if a token would travel unencrypted to another machine.
    """
    secure = url.lower().startswith("https:")
    make_client = partial(
        NetworkClient,
        base_url=url,
        headers=headers,
        timeout=TIMEOUT,
        limits=ONE_CONNECTION,
        transport=transport,
        trust_env=secure,
    )
    # The URL, or a proxy or certificates that the environment names, cannot be used.
    try:
        # Without TLS there is no certificate to verify, and loading the authorities is slow.
        make_client = partial(make_client, verify=httpx.create_ssl_context() if secure else False)
        host = httpx.URL(url).host
        make_client()
    except (httpx.InvalidURL, ValueError, OSError, ImportError) as error:
        raise Unreachable(f"cannot set up a connection to {url}: {error}") from error
    if "Authorization" in headers and not secure and not is_loopback(host):
        raise Denied(f"the token would travel unencrypted to {url}", "use https:// for any server but this machine")
    return make_client


async def receive_body(response: httpx.Response, limit: int = MAX_BODY) -> bytes:
    """Return the decoded body. Raise UnreadableBody if it is larger than `limit` bytes, or an error of httpx."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in _ENCODINGS:
        raise UnreadableBody(f"it has an encoding that was not requested: {encoding}")
    chunks: list[bytes] = []
    size = 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > limit:
            raise UnreadableBody(f"it is larger than {limit >> 20} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


def describe_broken_try(error: Exception, request: str) -> FailedTry:
    """Return the FailedTry for the exception of a try that got no complete, readable answer."""
    is_late = isinstance(error, httpx.TimeoutException)
    reason = str(error).rstrip(".")  # a message goes on after it
    if not reason:
        reason = "it did not arrive in time" if is_late else type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        hint = "check the server's certificate, and this machine's clock"
        return FailedTry(Failure.REFUSED, Unreachable(f"{request} was not sent: {reason}", hint), cause=error)
    if isinstance(error, httpx.UnsupportedProtocol):
        return FailedTry(Failure.REFUSED, Unreachable(f"{request} was not sent: {reason}"), cause=error)
    if isinstance(error, httpx.ConnectError) and any(words in reason.upper() for words in _NO_TLS):
        hint = "write http:// in the URL if it is a server on this machine, else check the port"
        message = f"cannot reach {_server(error)}: it does not speak TLS"
        return FailedTry(Failure.REFUSED, Unreachable(message, hint), cause=error)
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
        return FailedTry(Failure.UNSENT, _unreachable(error), cause=error)
    return FailedTry(Failure.AMBIGUOUS, ServerError(f"no answer to {request}: {reason}"), cause=error)


def _unreachable(error: httpx.RequestError) -> Unreachable:
    hint = "is the server running?"
    if is_unresolved(error):
        hint = "check the URL of the target, and whether this machine is online"
    return Unreachable(f"cannot reach {_server(error)}: {connection_fault(error)}", hint)


def _server(error: httpx.RequestError) -> str:
    url = error.request.url
    return str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")


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
        return str(error).rstrip(".")  # a message goes on after it
    return "the connection was interrupted" if isinstance(error, httpx.NetworkError) else type(error).__name__


def is_unresolved(error: Exception) -> bool:
    """Return whether the cause of an error is a failed DNS look-up."""
    return any(isinstance(cause, socket.gaierror) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, the one that caused it, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
