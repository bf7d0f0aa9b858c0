"""Compression of the sites' responses. Those of the API are not compressed: their ETags are strong (decision 12)."""

import re

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

MIN_BYTES = 1024  # of a response that is compressed
VARY = "Accept-Encoding"

_LEVEL = 6  # the default of zlib; Starlette takes the slowest, for less than 1 % fewer bytes
_GZIP = re.compile(r"(?:^|,)\s*gzip\s*(?:;\s*q=(?P<weight>[0-9.]+)\s*)?(?:,|$)")


def is_compressed(headers: Headers, body: bytes | memoryview) -> bool:
    """Return whether the response with this body to a request with these headers is compressed."""
    return len(body) >= MIN_BYTES and _accepts_gzip(headers)


async def send_compressed(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the response, compressed if it is large and the client accepts that."""
    if not _accepts_gzip(Headers(scope=scope)):  # Starlette reads no weights: for it, `gzip;q=0` is gzip
        scope = {**scope, "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"]}
    await GZipMiddleware(response, MIN_BYTES, _LEVEL)(scope, receive, send)


def _accepts_gzip(headers: Headers) -> bool:
    gzip = _GZIP.search(headers.get("accept-encoding", ""))
    return gzip is not None and gzip["weight"] not in ("0", "0.0", "0.00", "0.000")
