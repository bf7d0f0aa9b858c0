"""The service and the proxy before it, in a thread of their own; databases are put in and taken out."""

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from contentsync.server.asgi import create_app
from contentsync.server.edge.http_connection import HttpConnection
from contentsync.server.edge.middleware import RequestId, ResponseHeaders
from contentsync.server.store import Database, connect_database

from ..simulator import LIKE_OURS, Manners, Simulator
from .proxy import Proxy, bind

T = TypeVar("T")


class Stage:
    """A context manager: a service on 127.0.0.1, of which the database is changed while it runs.

    With `manners` it is a stricter or stranger service than the built-in one.

    What was made for a database once serves it again, whatever its file holds by then: versions are moments, so none
    of them comes twice.
    """

    def __init__(self, manners: Manners = LIKE_OURS) -> None:
        self._manners = manners
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._socket = bind()
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._serve,
                interface="asgi3",  # it cannot see that of a method
                http=HttpConnection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
            )
        )
        self._known: dict[Path, tuple[Database, ASGIApp]] = {}
        self._app: ASGIApp | None = None
        self._database: Database | None = None
        self.port: int = self._socket.getsockname()[1]
        self.proxy = Proxy(self.port)
        self.requests = 0  # that the service got

    def __enter__(self) -> Self:
        self._thread.start()
        self._serving = asyncio.run_coroutine_threadsafe(self._server.serve([self._socket]), self._loop)
        self.run(self.proxy.start())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.proxy.stop())
        self._server.should_exit = True
        self._serving.result(30)
        self.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the thread of the service, and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(120)

    def open(self, database: Path) -> None:
        """Serve a migrated database from now on."""
        self.close()
        self.run(self._open(database))

    def close(self) -> None:
        """Give the database back, so that its file can be read or copied whole."""
        self.run(self._close())

    @property
    def url(self) -> str:
        """The service itself, without the proxy."""
        return f"http://127.0.0.1:{self.port}"

    async def _open(self, database: Path) -> None:
        if database not in self._known:
            opened = connect_database(database)
            app = create_app(opened)
            service = app if self._manners == LIKE_OURS else Simulator(app, self._manners)
            self._known[database] = opened, RequestId(ResponseHeaders(service))
        self._database, self._app = self._known[database]

    async def _close(self) -> None:
        if self._database:
            self._database.close()
        self._database = self._app = None

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._app, "no database is open"
        self.requests += 1
        await self._app(scope, receive, send)
