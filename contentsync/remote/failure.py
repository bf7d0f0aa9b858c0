"""A request that did not succeed: what is known of it, and the error that tells it."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ..errors import Conflicting, Denied, Rejected, RemoteError, ServerError, Throttled, Unreachable
from .retry import Failure


@dataclass(frozen=True, slots=True)
class Failed:
    """What came of one try."""

    failure: Failure
    error: RemoteError  # of a request that changes nothing, or of one that certainly was not done
    asked: float | None = None  # seconds that the server wants to be left alone for
    cause: Exception | None = None


def broken_off(error: Exception, request: str) -> Failed:
    """Of a try without a whole, readable answer."""
    is_late = isinstance(error, TimeoutError | httpx.TimeoutException)
    reason = str(error) or ("it did not come in time" if is_late else type(error).__name__)
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        hint = "is the server's certificate in order, and this machine's clock right?"
        return Failed(Failure.REFUSED, Unreachable(f"{request} was not sent: {reason}", hint), cause=error)
    if isinstance(error, httpx.UnsupportedProtocol):
        return Failed(Failure.REFUSED, Unreachable(f"{request} was not sent: {reason}"), cause=error)
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
        return Failed(Failure.UNSENT, _unreachable(error, reason), cause=error)
    return Failed(Failure.UNCLEAR, ServerError(f"no answer to {request}: {reason}"), cause=error)


def _unreachable(error: httpx.RequestError, reason: str) -> Unreachable:
    if _is_unresolved(error):
        host = error.request.url.host
        hint = "check the URL of the target, and whether this machine is online"
        return Unreachable(f"cannot reach {_server(error)}: there is no address for the name {host}", hint)
    return Unreachable(f"cannot reach {_server(error)}: {reason}", "is the server running?")


def _is_unresolved(error: BaseException | None) -> bool:
    """Return whether an error comes from the look-up of a name."""
    while error is not None:
        if isinstance(error, socket.gaierror):
            return True
        error = error.__cause__ or error.__context__
    return False


def refused(response: httpx.Response, document: Mapping[str, Any] | None, request: str) -> Failed:
    """Of an answer that is no success; `document` is what it holds, None when that is no JSON object."""
    status = response.status_code
    message = str((document or {}).get("message") or response.reason_phrase or status)
    if status == 429:
        asked = _asked(response)
        wish = "" if asked is None else f", and the server asks to wait {asked:,.0f} s"
        return Failed(Failure.LIMITED, Throttled(f"the rate limit is reached{wish}", "run again later"), asked)
    if status == 408 or (status >= 500 and status != 501):
        error = ServerError(f"{request} failed on the server: {status} {message}")
        return Failed(Failure.UNCLEAR, error, _asked(response))
    if status < 300:  # the contract has no other success
        return unclear(f"{request} was answered with {status} {message}")
    return Failed(Failure.REFUSED, _refusal(response, document, message, request))


def unclear(message: str) -> Failed:
    """Of an answer that does not say what became of the request."""
    return Failed(Failure.UNCLEAR, ServerError(message))


def _refusal(response: httpx.Response, document: Mapping[str, Any] | None, message: str, request: str) -> RemoteError:
    status = response.status_code
    if status == 401:
        return Denied(
            f"the server refused the token: {message}", "has it expired, was it revoked, or is it another server's?"
        )
    if status == 403:
        return Denied(
            f"the server refused access: {message}", "is the directory's number right, and the token its owner's?"
        )
    if status < 400:
        there = response.headers.get("location", "nowhere")
        return ServerError(f"{request} was redirected to {there}", "redirects are not followed: correct the URL")
    if status == 404 and (document is None or "message" not in document):
        # Of a web server that knows no such path: it says nothing about the record.
        return ServerError(f"{request} was answered with a 404 that is not the service's", "is the URL right?")
    if status in (409, 412):
        return Conflicting(message, status=status)
    if status < 500:
        return Rejected(message, status=status, errors=_errors(document or {}))
    return ServerError(f"{request} failed on the server: {status} {message}")


def _errors(document: Mapping[str, Any]) -> dict[str, list[str]]:
    errors = document.get("errors")
    if not isinstance(errors, dict):
        return {}
    return {
        str(name): [str(text) for text in texts] if isinstance(texts, list) else [str(texts)]
        for name, texts in errors.items()
    }


def _asked(response: httpx.Response) -> float | None:
    """The seconds of a `Retry-After`; a date counts from the server's own `Date`. None where it says neither."""
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return float(text)
    until = _date(text)
    if until is None:
        return None
    return max(0.0, (until - (_date(response.headers.get("date", "")) or datetime.now(UTC))).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).replace(tzinfo=UTC)  # HTTP's dates are all in GMT
    except ValueError:
        return None


def _server(error: httpx.RequestError) -> str:
    url = error.request.url
    return str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")
