"""The server: the service with all layers around it, in one process or with workers, and the server of its metrics.

`_Workers` extends uvicorn's process manager; see http_connection.py on uvicorn's version.
"""

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

import uvicorn
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from ...errors import ContentsyncError, Unavailable, UsageError
from ..api.auth import service_of
from ..api.http import message_response
from ..api.routing import ServiceRoute
from ..asgi import create_app
from ..quota import RequestLimits
from ..site.site_app import SiteApp  # noqa: F401  # loaded now, so that the first visitor does not wait for it
from ..store import State, connect_database
from .client_address import CONNECTION_LIMITER, ConnectionLimiter, ForwardedFor, TrustedProxies
from .http_connection import KEEP_ALIVE, STOPPING, HttpConnection
from .logs import configure_logs
from .middleware import AccessLog, BodyDeadline, Metrics, RequestId, ResponseHeaders
from .queue_metrics import QueueMetrics
from .server_settings import ServerSettings

BODY_SECONDS = 60  # for a whole request of any size
READY_SECONDS = 0.7  # for the database to answer: probes usually time out after a second
GRACE_SECONDS = 10  # seconds that a stopping server gives to running requests
WORKER_START_SECONDS = 30
GC_THRESHOLD = 10_000  # new objects between two runs of the garbage collector; each fifth one searches them again
SWITCH_INTERVAL = 0.001  # seconds that a thread may run while another one waits
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
CORS_HEADERS = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-ID")
CORS_EXPOSED = ("ETag", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-ID")
CORS_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

logger = logging.getLogger("contentsync.process")


class MetricsServer(NamedTuple):
    """A running server of metrics: what it serves, its port, and a function that stops it."""

    registry: CollectorRegistry
    port: int
    stop: Callable[[], None]


def run_server(
    settings: ServerSettings,
    listener: socket.socket,
    address: str,
    *,
    workers: int = 1,
    metrics_port: int | None = None,
) -> None:
    """Serve on the listener until SIGINT or SIGTERM, then finish the running requests.

    Print `address` when ready. Raise UsageError if the metrics port is in use, Unavailable if a worker cannot start.
    """
    configure_logs(settings.log_format, settings.log_level)
    with ExitStack() as stack:
        registry = None
        if metrics_port is not None:
            folder = stack.enter_context(tempfile.TemporaryDirectory()) if workers > 1 else None
            metrics = serve_metrics(listener.getsockname()[0], metrics_port, folder=folder)
            registry = metrics.registry
            stack.callback(metrics.stop)
            if folder is not None:
                os.environ[MULTIPROCESS] = folder  # the workers inherit it
        if workers > 1:
            _Workers(_config(partial(_start_worker, settings), workers), listener, address).run()
            return
        # uvicorn raises the signal again after it has stopped. Handle SIGTERM like SIGINT.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            _UvicornServer(_config(partial(_make_app, settings, registry)), address).run([listener])


def _make_app(settings: ServerSettings, registry: CollectorRegistry | None) -> ASGIApp:
    """Return the application; set how often this process collects garbage and switches threads."""
    app = make_application(settings, registry=registry)
    # Existing objects are permanent, and requests rarely create cycles. The collector took a fifth of their time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 5)
    sys.setswitchinterval(SWITCH_INTERVAL)  # each request waits several times for a thread
    return app


def _config(factory: "partial[ASGIApp]", workers: int = 1) -> uvicorn.Config:
    """Return the configuration of uvicorn; `factory` makes the application in the process that serves it."""
    return uvicorn.Config(
        factory,
        factory=True,
        http=HttpConnection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `ForwardedFor` reads them
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE_SECONDS,
        workers=workers,
    )


def _print_address(address: str) -> None:
    print(f"contentsync: serving on {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)


class _UvicornServer(uvicorn.Server):
    """uvicorn's server, which also prints its address when it is ready."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _print_address(self._address)


class _Workers(Multiprocess):
    """uvicorn's parent process, which restarts workers that die, and stops all of them on a signal."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, address: str) -> None:
        super().__init__(config, [listener])
        self._address = address

    def run(self) -> None:
        """Serve until a signal; raise Unavailable if a worker cannot start."""
        super().run()
        if any(process.exitcode == STARTUP_FAILURE for process in self.processes):
            raise Unavailable("a worker could not start", "read the reason in the lines above")

    def init_processes(self) -> None:
        """Start the workers, and print the address when all of them are ready."""
        super().init_processes()
        if all(process.wait_until_ready(WORKER_START_SECONDS) for process in self.processes):
            _print_address(self._address)

    def keep_subprocess_alive(self) -> None:
        """Replace dead workers; log them, and remove their metrics."""
        old_pids = {process.pid for process in self.processes}
        super().keep_subprocess_alive()
        for pid in old_pids - {process.pid for process in self.processes}:
            logger.error("worker %s died and was replaced", pid)
            if MULTIPROCESS in os.environ:
                mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


def _start_worker(settings: ServerSettings) -> ASGIApp:
    """Return the application of a worker process, which stops when its parent dies."""
    configure_logs(settings.log_format, settings.log_level)
    parent: Any = multiprocessing.parent_process()
    threading.Thread(target=_stop_with_parent, args=(parent,), daemon=True).start()
    try:
        return _make_app(settings, CollectorRegistry() if MULTIPROCESS in os.environ else None)
    except ContentsyncError as error:
        logger.error("the worker cannot start: %s", error.message)  # noqa: TRY400 - not a bug
        raise SystemExit(STARTUP_FAILURE) from error


def _stop_with_parent(parent: Any) -> None:
    """Wait for the end of the parent process, then stop this worker, which would keep the port open."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


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


def make_application(
    settings: ServerSettings, *, registry: CollectorRegistry | None = None, body_seconds: float = BODY_SECONDS
) -> ASGIApp:
    """Return the service with all its layers. It closes the settings' database at the end of its lifespan.

    Count metrics if there is a `registry`. Raise UsageError, Refused or Unavailable for an unusable database.
    """
    database = connect_database(settings.database, create=False)
    try:
        database.require_current()
        rate_limit = settings.make_rate_limit(registry)
    except BaseException:
        database.close()
        raise

    trusted = TrustedProxies(settings.trusted_proxies)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        """Close what the service uses when the server stops; give the connections their limiter."""
        if rate_limit is not None:
            await rate_limit.start()
        try:
            yield {CONNECTION_LIMITER: ConnectionLimiter(settings.address_connections, trusted)}
        finally:
            if rate_limit is not None:
                await rate_limit.close()
            database.close()

    service = create_app(
        database,
        public_url=settings.public_url,
        limits=RequestLimits(settings.max_body, rate_limit, settings.make_page_limit()),
        media=settings.media,
        content_folder=settings.content_folder,
        lifespan=lifespan,
    )
    service.router.routes += [ServiceRoute("/healthz", "GET", healthy), ServiceRoute("/readyz", "GET", ready)]

    app: ASGIApp = BodyDeadline(service, body_seconds)
    if settings.cors_origins:
        app = CORSMiddleware(app, settings.cors_origins, CORS_METHODS, CORS_HEADERS, expose_headers=CORS_EXPOSED)
    app = ResponseHeaders(app)
    if registry is not None:
        app = Metrics(app, registry)
        database.observe_queues(QueueMetrics(registry))
    return ForwardedFor(RequestId(AccessLog(app)), trusted)


async def healthy(request: Request) -> Response:
    """Return 200: the process is alive."""
    return message_response("The process is alive")


async def ready(request: Request) -> Response:
    """Return 200 if the process accepts requests; 503 if it is stopping or its database cannot be used."""
    if request.scope.get("state", {}).get(STOPPING):
        return message_response("The server is stopping", 503)
    try:
        async with asyncio.timeout(READY_SECONDS):
            state = await service_of(request).database.check()
    except TimeoutError:
        return message_response("The database does not answer", 503)
    if state is not State.CURRENT:
        return message_response("The database does not fit this version", 503)
    return message_response("The server is ready")
