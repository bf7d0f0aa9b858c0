"""Prometheus metrics by route template, never by directory."""

import time
from collections.abc import Callable
from http import HTTPMethod
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Receive, Scope, Send

from ...errors import UsageError
from .middleware import STATUS_KEY, route_of

METRICS = "contentsync.metrics"  # the key of the Metrics in the state of the lifespan
METHODS = {str(method) for method in HTTPMethod}


class Metrics:
    """Counts requests by route, method and status class, and measures their duration."""

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
                method = scope["method"] if scope["method"] in METHODS else "other"
                route = route_of(scope)
                self._count(method, route, scope.get(STATUS_KEY, 500))  # 500 if no response was started
                self._seconds.labels(method, route).observe(time.perf_counter() - start)

    def count_refused(self, status: int) -> None:
        """Count a request that the HTTP connection refused, so that its method and route are unknown."""
        self._count("other", "-", status)

    def _count(self, method: str, route: str, status: int) -> None:
        self._requests.labels(method, route, f"{status // 100}xx").inc()


class MetricsServer(NamedTuple):
    """A running server of metrics: what it serves, its port, and a function that stops it."""

    registry: CollectorRegistry
    port: int
    stop: Callable[[], None]


def serve_metrics(host: str, port: int, *, folder: str | None = None) -> MetricsServer:
    """Serve /metrics on a separate port, from a thread.

    With a `folder`, serve the sums over all processes that write their values there (PROMETHEUS_MULTIPROC_DIR).
    Raise UsageError if the port is in use.
    """
    registry = CollectorRegistry()
    if folder is not None:
        MultiProcessCollector(registry, path=folder)  # type: ignore[no-untyped-call]  # it has no types
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host} port {port}: {error.strerror}", "choose another --metrics-port"
        ) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return MetricsServer(registry, server.server_port, stop)
