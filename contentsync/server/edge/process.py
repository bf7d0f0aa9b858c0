"""The server as one process, or as a parent and its workers."""

import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import uvicorn
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import mark_process_dead
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from ...errors import ContentsyncError, Unavailable
from .application import make_application
from .connection import KEEP_ALIVE, Connection
from .logs import configure_logs
from .metrics import serve_metrics
from .settings import Settings

GRACE = 10  # seconds that running requests get when the server is told to stop
READY_SECONDS = 30  # for a worker's start
OBJECTS = 10_000  # that are made before the garbage collector looks for cycles among them
SWITCH_INTERVAL = 0.001  # seconds that a thread may run while another one waits for its turn
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"

logger = logging.getLogger("contentsync.process")


def run_server(
    settings: Settings, listener: socket.socket, address: str, *, workers: int = 1, metrics_port: int | None = None
) -> None:
    """Serve on the listener until SIGINT or SIGTERM; requests that were taken are answered first.

    Raises UsageError when the port of the metrics is taken, and Unavailable when a worker cannot start.
    """
    configure_logs(settings.log_format, settings.log_level)
    with ExitStack() as stack:
        registry = None
        if metrics_port is not None:
            folder = stack.enter_context(tempfile.TemporaryDirectory()) if workers > 1 else None
            registry, _, stop = serve_metrics(listener.getsockname()[0], metrics_port, folder=folder)
            stack.callback(stop)
            if folder is not None:
                os.environ[MULTIPROCESS] = folder  # for the workers, which are given the environment
        if workers > 1:
            _Workers(_config(partial(_start_worker, settings), settings, workers), listener, address).run()
            return
        # Once it has stopped, uvicorn raises the signal again: both of them end the command in the same way.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            _Server(_config(partial(_start, settings, registry), settings), address).run([listener])


def _start(settings: Settings, registry: CollectorRegistry | None) -> ASGIApp:
    app = make_application(settings, registry=registry)
    # What is there now stays, and what requests make goes with them: the garbage collector took a fifth of their time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS)
    sys.setswitchinterval(SWITCH_INTERVAL)  # a request gives way several times, and each time may wait so long
    return app


def _config(factory: "partial[ASGIApp]", settings: Settings, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        factory,
        factory=True,
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `Forwarded` reads them
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        workers=workers,
    )


def _serving(address: str) -> None:
    print(f"contentsync: serving on {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)


class _Server(uvicorn.Server):
    """uvicorn's server, which says when it is ready."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _serving(self._address)


class _Workers(Multiprocess):
    """uvicorn's parent process, which starts workers again that die, and stops all when it is told to."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, address: str) -> None:
        super().__init__(config, [listener])
        self._address = address

    def run(self) -> None:
        """Serve until a signal; raises Unavailable when a worker cannot start."""
        super().run()
        if any(process.exitcode == STARTUP_FAILURE for process in self.processes):
            raise Unavailable("a worker could not start", "the lines above say why")

    def init_processes(self) -> None:
        super().init_processes()
        if all(process.wait_until_ready(READY_SECONDS) for process in self.processes):
            _serving(self._address)

    def keep_subprocess_alive(self) -> None:
        before = {process.pid for process in self.processes}
        super().keep_subprocess_alive()
        for pid in before - {process.pid for process in self.processes}:
            logger.error("worker %s died; another one takes its place", pid)
            if MULTIPROCESS in os.environ:
                mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


def _start_worker(settings: Settings) -> ASGIApp:
    configure_logs(settings.log_format, settings.log_level)
    parent: Any = multiprocessing.parent_process()
    threading.Thread(target=_stop_after, args=(parent,), daemon=True).start()
    try:
        return _start(settings, CollectorRegistry() if MULTIPROCESS in os.environ else None)
    except ContentsyncError as error:
        logger.error("the worker cannot start: %s", error.message)  # noqa: TRY400 - it is no mistake of the program
        raise SystemExit(STARTUP_FAILURE) from error


def _stop_after(parent: Any) -> None:
    """Ends this worker when its parent was killed: otherwise it would hold the port for ever."""
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
