"""Interpret the service's answers: each is an Answer, or a failure with its error."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import orjson

from ..errors import Conflicting, Denied, Rejected, RemoteError, ServerError, Throttled
from ..lazy_pattern import lazy_pattern
from .retry import Failure
from .wire import parse_id_number

_UNAVAILABLE = (502, 503, 504)  # of a proxy or of a service that is not ready

_ETAG = lazy_pattern(r'(?:W/)?"[\x21\x23-\x7e]+"\Z')
# tags "before" "after", …
_LIST_ETAGS = lazy_pattern(r' *([a-z-]+) ("[\x21\x23-\x7e]+") ("[\x21\x23-\x7e]+") *(?:,|\Z)')


class Response(NamedTuple):
    """A complete response; `headers` finds names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes  # decoded
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request that succeeded."""

    document: Mapping[str, Any]  # empty if `unchanged`
    etag: str | None
    unchanged: bool = False  # a 304: the client's copy is current
    total: int | None = None  # of a 304: the number of records in the list, if the service reports it
    created: bool = False  # a 201: the record was created, not updated
    # By collection (`tags`): the list's ETags before and after this write, if nothing else changed the list meanwhile.
    list_etags: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FailedTry:
    """The failure of one try to send a request."""

    failure: Failure
    error: RemoteError  # to raise if the request changes nothing, or was certainly not applied
    retry_after: float | None = None  # seconds that the server asks the client to wait
    cause: Exception | None = None


def interpret_response(
    response: Response, request: str, *, is_conditional: bool, base_url: str = ""
) -> Answer | FailedTry:
    """Return the Answer or the FailedTry that a response means; `request` names the request in messages.

    Only a request with `If-None-Match` is `is_conditional`, so that a 304 can be its answer. `base_url` is the URL that
    the user has set, for hints.
    """
    document, etag = _document(response.body), _etag(response)
    if response.status in (200, 201):
        if document is None:
            is_page = "html" in response.headers.get("content-type", "").lower()
            found = "a web page" if is_page else "something that is not a JSON object"
            return _ambiguous(f"{request} was answered with {found}", _url_hint(base_url))
        return Answer(document, etag, created=response.status == 201, list_etags=_list_etags(response))
    if response.status == 304 and is_conditional:
        return Answer({}, etag, unchanged=True, total=parse_id_number(response.headers.get("x-total-count")))
    return _failed(response, document, request, _url_hint(base_url))


def _url_hint(base_url: str) -> str:
    """Return the hint for an answer that is not the service's."""
    if base_url.rstrip("/").endswith("/api"):
        return "leave out the /api at the end of the URL: contentsync adds it"
    return "is the URL right? It is the address of the service, such as https://directory.example.com"


def _failed(response: Response, document: Mapping[str, Any] | None, request: str, url_hint: str) -> FailedTry:
    """Return the FailedTry of a response without success; `document` is its JSON object; None for another body."""
    status = response.status
    message = str((document or {}).get("message") or response.reason or status)
    if status == 429:
        seconds = _retry_after(response)
        wait = "" if seconds is None else f", and the server asks to wait {seconds:,.0f} s"
        return FailedTry(Failure.LIMITED, Throttled(f"the rate limit is reached{wait}", "run again later"), seconds)
    if status == 408 or (status >= 500 and status != 501):  # 501: the server does not know the method
        hint = "the service is starting, overloaded or stopped: run again in a minute" if status in _UNAVAILABLE else ""
        error = ServerError(f"{request} failed on the server: {status} {message}", hint)
        return FailedTry(Failure.AMBIGUOUS, error, _retry_after(response))
    if status < 300:  # the contract has no other status for success
        return _ambiguous(f"{request} was answered with {status} {message}")
    return FailedTry(Failure.REFUSED, _refusal(response, document, message, request, url_hint))


def _ambiguous(message: str, hint: str = "") -> FailedTry:
    """Return the FailedTry of an answer that does not show the outcome of the request."""
    return FailedTry(Failure.AMBIGUOUS, ServerError(message, hint))


def _refusal(
    response: Response, document: Mapping[str, Any] | None, message: str, request: str, url_hint: str
) -> RemoteError:
    """Return the error of a response whose status shows that the request changed nothing; of 5xx, only 501 does."""
    status = response.status
    if status == 401:
        return Denied(
            f"the server refused the token: {message}", "has it expired, was it revoked, or is it another server's?"
        )
    if status == 403:
        hint = "is the directory's number right, and the token its owner's?"
        if not request.startswith("GET "):
            hint = "use a token that may write: the present one may only read, or is not that of the directory's owner"
        return Denied(f"the server refused access: {message}", hint)
    if status < 400:
        location = response.headers.get("location", "nowhere")
        return ServerError(f"{request} was redirected to {location}", "redirects are not followed: correct the URL")
    if status == 404 and (document is None or "message" not in document):
        # From a web server that does not know the path: the record may exist.
        return ServerError(f"{request} was answered with a 404 that is not the service's", url_hint)
    if status == 400 and document is None and b"HTTPS port" in response.body:  # the words of nginx
        return ServerError(f"{request} was sent without TLS to a port with TLS", "write https:// in the URL")
    if status in (409, 412):
        return Conflicting(message, status=status)
    if status < 500 and request.startswith(
        "GET "
    ):  # of a write, the message is about a value, and shown with its entry
        hint = url_hint if status == 404 else ""
        return Rejected(f"{request} was answered with {status} {message}", status=status, hint=hint)
    if status < 500:
        return Rejected(message, status=status, errors=_errors(document or {}))
    return ServerError(f"{request} failed on the server: {status} {message}")


def _errors(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the error messages by field; a single text counts as a list of one."""
    errors = document.get("errors")
    if not isinstance(errors, dict):
        return {}
    return {
        str(name): [str(text) for text in texts] if isinstance(texts, list) else [str(texts)]
        for name, texts in errors.items()
    }


def _retry_after(response: Response) -> float | None:
    """Return the seconds in `Retry-After`, or until the date in it by the server's `Date`, else by the local clock.

    None if the header is missing or has another form.
    """
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return float(text)
    until = _date(text)
    if until is None:
        return None
    now = _date(response.headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).replace(tzinfo=UTC)  # HTTP's dates are all in GMT
    except ValueError:
        return None


def _document(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a body; None for anything else."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:  # also for broken UTF-8
        return None
    return document if isinstance(document, dict) else None


def _etag(response: Response) -> str | None:
    etag = response.headers.get("etag", "")
    return etag if _ETAG.match(etag) else None


def _list_etags(response: Response) -> dict[str, tuple[str, str]]:
    header = response.headers.get("x-list-etags", "")
    return {name: (before, after) for name, before, after in _LIST_ETAGS.findall(header)}
