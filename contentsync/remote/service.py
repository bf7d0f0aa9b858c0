"""One request to the service: JSON in, JSON out, and every way to fail as an error of ours."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

import httpx
import orjson

from ..errors import Denied, Malfunction, Rejected, Unclear, Unreachable

_TOKEN = re.compile(r"[!-~]+\Z")  # what a header can hold, without spaces
_NUMBER = re.compile(r"[0-9]{1,18}\Z", re.ASCII)

# A write may wait for a server that is busy; the connection itself comes quickly or not at all.
TIMEOUT = httpx.Timeout(60.0, connect=10.0)

# A request over the rate limit was not looked at, so it is sent again when its time has come.
TRIES = 5
LONGEST_WAIT = 60  # seconds; whatever the server says


class Service:
    """The service at a base URL, spoken to as one user.

    `transport` replaces the network, for the embedded server. The token is sent to `url` only: redirects
    are not followed, and it never leaves in the clear except towards this machine. A 429 is waited for.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._sleep = sleep
        headers = {"Accept": "application/json"}
        if token is not None:
            if not _TOKEN.match(token):
                raise Denied("the token holds characters that no token has", "check it for spaces and line ends")
            headers["Authorization"] = f"Bearer {token}"
        try:
            self._client = httpx.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT, transport=transport)
        except (
            httpx.InvalidURL,
            ValueError,
            OSError,
            ImportError,
        ) as error:  # also a proxy or certificates of the environment
            raise Unreachable(f"cannot set up a connection to {url}: {error}") from error
        if token and self._client.base_url.scheme != "https" and not _is_loopback(self._client.base_url.host):
            raise Denied(f"the token would travel unencrypted to {url}", "use https:// for any server but this machine")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(self, path: str, params: Mapping[str, str | int] | None = None) -> dict[str, Any]:
        """The JSON object at a path."""
        return await self._request("GET", path, params=params)

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that answers a create."""
        return await self._request("POST", path, body=body)

    async def put(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that answers an update."""
        return await self._request("PUT", path, body=body)

    async def _request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        content = None if body is None else orjson.dumps(body)
        headers = None if body is None else {"Content-Type": "application/json"}
        send = partial(self._client.request, method, path, params=params, content=content, headers=headers)
        try:
            response = await send()
            for _ in range(TRIES - 1):
                if response.status_code == 429:
                    await self._sleep(_seconds(response.headers.get("retry-after", "")))
                    response = await send()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol) as error:
            raise Unreachable(
                f"cannot reach {self._client.base_url}: {error or type(error).__name__}", "is the server running?"
            ) from error
        except (httpx.RequestError, httpx.InvalidURL) as error:
            raise Unclear(f"no answer to {method} {path}: {error or type(error).__name__}") from error
        return _answer(response, f"{method} {path}")


def _seconds(retry_after: str) -> int:
    """How long to wait: at least a second, and the longest where the server does not say it in seconds."""
    return min(max(1, int(retry_after)), LONGEST_WAIT) if _NUMBER.match(retry_after) else LONGEST_WAIT


def _answer(response: httpx.Response, request: str) -> dict[str, Any]:
    status = response.status_code
    if status in (200, 201):
        document = _document(response)
        if document is None:
            raise Unclear(f"{request} was answered with something that is not a JSON object")
        return document
    document = _document(response) or {}
    message = str(document.get("message") or response.reason_phrase or status)
    if status == 401:
        raise Denied(
            f"the server refused the token: {message}", "has it expired, was it revoked, or is it another server's?"
        )
    if status == 403:
        raise Denied(
            f"the server refused access: {message}", "is the directory's number right, and the token its owner's?"
        )
    if 300 <= status < 400:
        raise Malfunction(
            f"{request} was redirected to {response.headers.get('location', 'nowhere')}", "correct the URL"
        )
    if 400 <= status < 500:
        raise Rejected(message, status=status, errors=_errors(document))
    if status in (500, 501, 503):
        raise Malfunction(f"{request} failed on the server: {status} {message}")
    raise Unclear(f"{request} was answered with {status} {message}")


def _document(response: httpx.Response) -> dict[str, Any] | None:
    try:
        document = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) else None


def _errors(document: Mapping[str, Any]) -> dict[str, list[str]]:
    errors = document.get("errors")
    if not isinstance(errors, dict):
        return {}
    return {
        str(name): [str(text) for text in texts] if isinstance(texts, list) else [str(texts)]
        for name, texts in errors.items()
    }


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
