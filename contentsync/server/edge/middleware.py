"""ASGI middleware around the service: request ids, access log, metrics, response headers, the body's deadline."""

import asyncio
import logging
import secrets
import time
from contextvars import ContextVar
from http import HTTPMethod
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import Unavailable
from ...lazy_pattern import lazy_pattern
from ..access import DIRECTORY_ID, TOKEN_ID
from ..api.http import header_values
from ..quota import QUOTA, Quota, Unlimited
from ..service_errors import BodyTimeout

STATUS_KEY = "contentsync.status"  # key in the scope of a request that `ResponseHeaders` sets
BODY_COMPLETE = "contentsync.whole"  # key in the state of a request: True once its body was received
METRICS = "contentsync.metrics"  # the key of the Metrics in the state of the lifespan
REQUEST_ID_HEADER = b"x-request-id"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")

# HSTS is left to the proxy that terminates TLS. JSON is UTF-8 and has no charset parameter (RFC 8259).
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
# A client may cache a response but must revalidate it, with its own token.
CACHE_HEADERS = ((b"cache-control", b"private, no-cache"), (b"vary", b"Authorization"))

# Characters without a meaning in headers, log lines and shells.
_SAFE_ID = lazy_pattern(r"[A-Za-z0-9._:/+=@-]{1,128}\Z")
_METHODS = {str(method) for method in HTTPMethod}
_PROBES = ("/healthz", "/readyz")

logger = logging.getLogger("contentsync.access")


class RequestId:
    """Sets REQUEST_ID to the client's `X-Request-ID` if that is a single safe text, else to a new id."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the id of the request and handle it."""
        if scope["type"] == "http":
            values = header_values(scope, REQUEST_ID_HEADER)
            is_safe = len(values) == 1 and _SAFE_ID.match(values[0])
            REQUEST_ID.set(values[0] if is_safe else make_request_id())
        await self._app(scope, receive, send)


def make_request_id() -> str:
    """Return a new random request id of 16 hex digits."""
    return secrets.token_hex(8)


class AccessLog:
    """Logs one line per request, without secrets, query and body. Logs an exception and does not raise it again."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request and log it: route, status and time. An exception is logged, not raised."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        try:
            await self._app(scope, receive, send)
        except Exception:
            # The service has answered 500 or cut off the response.
            logger.exception("the request failed")
        finally:
            route = route_of(scope)
            status = scope.get(STATUS_KEY, 0)  # 0: no response was started
            level = _level(route, status)
            if logger.isEnabledFor(level):
                milliseconds = (time.perf_counter() - start) * 1000
                extra = {"fields": _fields(scope, route, status, milliseconds)}
                # Faster than `log`, which looks up the caller's file and line: here they are "" and 0.
                logger.handle(logger.makeRecord(logger.name, level, "", 0, "request", (), None, extra=extra))


def route_of(scope: Scope) -> str:
    """Return the template of the matched route, or "-". Logs and metrics never contain the path with its ids."""
    return str(getattr(scope.get("route"), "path_format", "-"))


def _level(route: str, status: int) -> int:
    """Return the level to log a request at: probes are only logged for debugging."""
    if status >= 500:
        return logging.ERROR
    return logging.DEBUG if route in _PROBES else logging.INFO


def _fields(scope: Scope, route: str, status: int, milliseconds: float) -> dict[str, Any]:
    """Return the values for the log line of a request, besides its time and id."""
    client = scope.get("client")
    return {
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(milliseconds, 1),
        "directory": scope.get(DIRECTORY_ID),
        "token": scope.get(TOKEN_ID),
        "peer": client[0] if client else None,
    }


class Metrics:
    """Prometheus metrics: counts requests by route, method and status class, and measures their duration.

    The route is a template, so that no metric names a directory.
    """

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        """Create the metrics in the registry, and measure the requests of `app`."""
        self._app = app
        self._requests = Counter(
            "contentsync_requests", "Requests that were answered.", ["method", "route", "status"], registry=registry
        )
        self._seconds = Histogram(
            "contentsync_request_seconds", "Time to the end of the answer.", ["method", "route"], registry=registry
        )
        self._in_flight = Gauge(
            "contentsync_requests_in_flight",
            "Requests that are being answered.",
            registry=registry,
            multiprocess_mode="livesum",
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and count it by method, route and status, also if it raises."""
        if scope["type"] == "lifespan":
            scope["state"][METRICS] = self  # for `HttpConnection`, which calls `count_refused`
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        with self._in_flight.track_inprogress():
            try:
                await self._app(scope, receive, send)
            finally:
                method = scope["method"] if scope["method"] in _METHODS else "other"
                route = route_of(scope)
                self._count(method, route, scope.get(STATUS_KEY, 500))  # 500 if no response was started
                self._seconds.labels(method, route).observe(time.perf_counter() - start)

    def count_refused(self, status: int) -> None:
        """Count a request that the HTTP connection refused, so that its method and route are unknown."""
        self._count("other", "-", status)

    def _count(self, method: str, route: str, status: int) -> None:
        self._requests.labels(method, route, f"{status // 100}xx").inc()


class ResponseHeaders:
    """Adds the request id, the quota, and security and cache headers to each response; stores its status in the scope.

    Security headers and `Cache-Control` that the response has already are not replaced.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and add the headers that every response has."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            """Send a message; add headers to the first one, except those that the response sets itself."""
            if message["type"] == "http.response.start":
                scope[STATUS_KEY] = message["status"]
                headers: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
                names = {name for name, _value in headers}
                headers += [header for header in SECURITY_HEADERS if header[0] not in names]
                if b"cache-control" not in names:
                    headers += CACHE_HEADERS
                quota: Quota | Unlimited | None = scope.get(QUOTA)
                if quota is not None:
                    headers += quota.headers()
                headers.append((REQUEST_ID_HEADER, REQUEST_ID.get().encode("ascii")))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, send_with_headers)


class BodyDeadline:
    """Raises BodyTimeout inside the service if a body is not complete `seconds` after the request began.

    The limit is on the whole body, so a client cannot extend it by sending a byte now and then. A request that
    is cancelled before its body is complete raises Unavailable: nothing was written.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; its `receive` raises BodyTimeout after the deadline."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + self._seconds
        state = scope.get("state", {})

        async def receive_in_time() -> Message:
            """Return the next message. Raise BodyTimeout after the deadline, Unavailable if the server stops."""
            if state.get(BODY_COMPLETE):  # the only message left is the disconnect
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise BodyTimeout from None
            except asyncio.CancelledError:  # the grace period of a stopping server is over
                raise Unavailable("The server is stopping") from None
            state[BODY_COMPLETE] = not message.get("more_body", False)
            return message

        await self._app(scope, receive_in_time, send)
