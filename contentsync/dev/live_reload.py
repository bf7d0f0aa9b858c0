"""Serve the site to the browser, and reload its open pages after each sync."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import orjson
import uvicorn
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from ..content.folder.load import gc_paused
from ..errors import Problem, Where
from ..report.problems import overlay_document
from ..server.site.media import FOLDER_PATHS, MEDIA_PATHS, FolderFiles, MediaFiles
from ..sync.state.folder_reading import Reading
from .mirror import Mirror, SyncSummary

HOST = "127.0.0.1"

_BASE_PATH = "/_contentsync"  # no site has this path: the paths of all sites start with /sites/
_HOST_NAMES = [HOST, "localhost"]  # accepted names in the Host header
_RETRY_MS = 300  # milliseconds after which a page reconnects
_FILES = {"live.js": "text/javascript", "overlay.js": "text/javascript", "overlay.css": "text/css"}
_MIN_INTERVAL = 1.0  # seconds between two reloads of the browser during a long sync
_SHUTDOWN_SECONDS = 2  # the wait for running requests


class EventBroadcaster:
    """Sends the version of the site and the problems in its folder to all open pages.

    A version contains an id of this run, so a page that is still open in the next run sees another version.
    """

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._problems: Sequence[Any] = ()
        self._page = ""
        self._sent = asyncio.Event()
        self._closed = False

    @property
    def version(self) -> str:
        """The current version of the site."""
        return f"{self._run}-{self._number}"

    def send(self, problems: Sequence[Any] | None = None, *, changed: bool = False, page: str = "") -> None:
        """Send the state to all pages, if anything in it is new.

        `problems` are those in the folder (None: as before), `changed` says that the site has a new version, and `page`
        is the address of a page to open ("": none).
        """
        problems = self._problems if problems is None else problems
        if not changed and not page and problems == self._problems:
            return
        if changed:
            self._number += 1
        self._problems, self._page = problems, page
        sent, self._sent = self._sent, asyncio.Event()  # each message has an event of its own
        sent.set()

    def close(self) -> None:
        """End the messages to all pages."""
        self._closed = True
        self._sent.set()

    async def messages(self) -> AsyncIterator[str]:
        """Yield the state as JSON, at once and after each `send`, until `close`. Skip outdated states."""
        # A browser that connects now is not sent to the page of an earlier message.
        sent, message = self._sent, self._message(page="")
        while not self._closed:
            yield message
            await sent.wait()
            # No `await` between reading the two, so that `sent` is the event of the state after this message.
            sent, message = self._sent, self._message(self._page)

    def _message(self, page: str) -> str:
        return orjson.dumps({"version": self.version, "problems": self._problems, "page": page}).decode()


class LivePreview:
    """Syncs a folder, and reports the result to the open pages and, with the duration in seconds, to `report`.

    `home` is the path of the site if open pages should load the page of a saved entry, else None.
    """

    def __init__(
        self,
        folder: Path,
        mirror: Mirror,
        broadcaster: EventBroadcaster,
        home: str | None,
        report: Callable[[SyncSummary, float], None],
    ) -> None:
        self._folder = folder
        self._mirror = mirror
        self._broadcaster = broadcaster
        self._home = home
        self._report = report
        self._next_reload = 0.0  # the earliest time of the next reload during a sync

    async def refresh(self, first: Reading | None = None) -> None:
        """Sync the folder's present content. Report each exception and raise none: the next save may fix its cause.

        `first` is what was read before; it is used if the folder is still as it was then.
        """
        began = monotonic()
        self._next_reload = began + _MIN_INTERVAL
        try:
            with gc_paused():
                reading = first if first and first.is_current else await asyncio.to_thread(self._mirror.read)
                summary = await self._mirror.sync(reading, self._on_write)
        except Exception as error:  # noqa: BLE001  # the author keeps working
            hint = "save a file to try again; the terminal shows the traceback"
            problem = Problem("failed", f"contentsync failed unexpectedly: {error!r}", Where(""), hint)
            summary = SyncSummary((problem,), changed=True, failure=error)
        page = ""
        if self._home is not None and summary.page:
            page = f"{self._home}{summary.page}"
        problems = overlay_document(summary.problems, self._folder)
        self._broadcaster.send(problems, changed=summary.changed, page=page)
        self._report(summary, monotonic() - began)

    def _on_write(self) -> None:
        if monotonic() > self._next_reload:
            self._next_reload = monotonic() + _MIN_INTERVAL
            self._broadcaster.send(changed=True)


def make_app(
    site: ASGIApp, home: str, broadcaster: EventBroadcaster, folder: Path, media: Path | None = None
) -> Starlette:
    """Return an app with the site, whose home page is at `home`, and with the script that reloads the open pages.

    The pictures of the content folder are served under /_files/ (FOLDER_PATHS). `media` is a folder whose files are
    served under /storage/, as by `contentsync serve --media`.

    Requests with a host name other than this machine's are refused (DNS rebinding). No request needs credentials, and
    pages of other sites can send requests too, so `site` must accept only requests that are harmless from any page.
    """

    async def events(request: Request) -> Response:
        messages = (ServerSentEvent(message, retry=_RETRY_MS) async for message in broadcaster.messages())
        return EventSourceResponse(messages, ping=15)

    async def redirect_home(request: Request) -> Response:
        return RedirectResponse(home)

    return Starlette(
        routes=[
            Route(f"{_BASE_PATH}/events", events),
            *(Route(f"{_BASE_PATH}/{name}", _send_file(name, kind)) for name, kind in _FILES.items()),
            Route("/", redirect_home),
            *([Mount(path, MediaFiles(media)) for path in MEDIA_PATHS] if media else []),
            *(Mount(path, FolderFiles(folder)) for path in FOLDER_PATHS),
            Mount("/", site),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_HOST_NAMES, www_redirect=False)],
    )


def script_url(broadcaster: EventBroadcaster) -> str:
    """Return the path of the script that reloads a page; its query is the version that the page shows."""
    return f"{_BASE_PATH}/live.js?{broadcaster.version}"


@asynccontextmanager
async def serve(app: ASGIApp, broadcaster: EventBroadcaster, listener: socket.socket) -> AsyncIterator[None]:
    """Serve the app on the listener until the context ends, then disconnect the open pages."""
    server = _PreviewServer(
        uvicorn.Config(
            app,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
    )
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield
    finally:
        broadcaster.close()
        server.should_exit = True
        await task


class _PreviewServer(uvicorn.Server):
    """uvicorn's server, without its signal handlers: the command has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _send_file(name: str, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint that sends a file of this package, which is read now."""
    data = Path(__file__).with_name(name).read_bytes()

    async def send(request: Request) -> Response:
        return Response(data, media_type=media_type, headers={"Cache-Control": "no-store"})

    return send
