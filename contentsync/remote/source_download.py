"""Download the data of a source: one file over HTTPS, without the token of any service."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import httpx

from ..errors import RemoteError, Unreachable
from .network_client import UnreadableBody, connection_fault, receive_body

MAX_BYTES = 64 << 20
MAX_SECONDS = 120.0  # for the whole download, with redirects
MAX_REDIRECTS = 5

_HEADERS = {"Accept": "text/csv, application/json, text/tab-separated-values, */*;q=0.5", "Accept-Encoding": "gzip"}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Download(NamedTuple):
    """The data of a source, with the type and the ETag that the server sent; "" if it sent none."""

    data: bytes
    content_type: str = ""
    etag: str = ""


async def download(
    url: str,
    find_fault: Callable[[str], str | None],
    *,
    etag: str = "",
    limit: int = MAX_BYTES,
    seconds: float = MAX_SECONDS,
) -> Download | None:
    """Return the data at an address; None if it still has the ETag `etag` ("": always return the data).

    Raise RemoteError, whose message leaves out the query of the address, which may contain a secret. `find_fault`
    returns why the address of a redirect is refused, else None. A redirect to another host gets no ETag and no cookies.
    A redirect from https to http is refused. `limit` is in bytes, `seconds` are for all redirects together.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _follow(url, find_fault, etag, limit)
    except TimeoutError as error:
        raise Unreachable(f"{without_query(url)} did not answer completely within {seconds:g} s") from error
    except (httpx.RequestError, httpx.InvalidURL, OSError, ValueError) as error:
        hint = "check the address, and whether this machine is online"
        raise Unreachable(f"{without_query(url)} cannot be reached: {connection_fault(error)}", hint) from error


async def _follow(url: str, find_fault: Callable[[str], str | None], etag: str, limit: int) -> Download | None:
    """Return the data at an address after its redirects; None if it still has the ETag `etag`.

    Raise RemoteError, or an error of httpx if an address cannot be reached.
    """
    first = httpx.URL(url)
    address = first
    for _ in range(MAX_REDIRECTS + 1):
        is_secure = address.scheme == "https"
        condition = {"If-None-Match": etag} if etag and _origin(address) == _origin(first) else {}
        # A new client for each request has no cookies of the last one. `trust_env` uses the proxy of the environment,
        # but not for plain http, which the proxy could read.
        async with (
            httpx.AsyncClient(headers=_HEADERS, timeout=30.0, trust_env=is_secure) as client,
            client.stream("GET", address, headers=condition) as response,
        ):
            if response.status_code == 304 and condition:
                return None
            if response.status_code == 200:
                try:
                    data = await receive_body(response, limit)
                except UnreadableBody as error:
                    raise RemoteError(f"the answer of {without_query(url)} cannot be read: {error}") from error
                return Download(data, response.headers.get("content-type", ""), response.headers.get("etag", ""))
            target = response.headers.get("location", "") if response.status_code in _REDIRECTS else ""
            if not target:
                hint = "check that the address can be read without signing in"
                raise RemoteError(f"{without_query(url)} was answered with the status {response.status_code}", hint)
        following = address.join(target)
        fault = find_fault(str(following)) or _downgrade_fault(first, following)
        if fault:
            raise RemoteError(f"{without_query(url)} redirects to {without_query(str(following))}, which {fault}")
        address = following
    raise RemoteError(f"{without_query(url)} redirects more than {MAX_REDIRECTS} times")


def _downgrade_fault(first: httpx.URL, following: httpx.URL) -> str | None:
    if first.scheme == "https" and following.scheme != "https":
        return "is not encrypted"
    return None


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def without_query(url: str) -> str:
    """Return an address without its query, which may contain a secret."""
    return url.partition("#")[0].partition("?")[0]
