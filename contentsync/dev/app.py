"""What a browser is answered: the site, the script in its pages, and the events that the script listens to."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from .board import Board

HOST = "127.0.0.1"
OWN = "/_contentsync"  # no path of a site: those of every site are below /sites/

_NAMES = [HOST, "localhost"]  # by which a browser may call us: a page elsewhere whose name leads here has another one
_RETRY = 300  # milliseconds after which a page looks whether the server is back
_FILES = {"live.js": "text/javascript", "overlay.js": "text/javascript", "overlay.css": "text/css"}


def make_app(site: ASGIApp, home: str, board: Board) -> Starlette:
    """The site with its first page at a path, `home`; its pages load the script at `script_of` the board.

    Answers nobody who calls it by another name than this machine's own (DNS rebinding), and asks for no credentials:
    whatever `site` lets happen may be caused by any page that the reader has open.
    """

    async def events(request: Request) -> Response:
        return EventSourceResponse(_events(board), ping=15)

    async def first(request: Request) -> Response:
        return RedirectResponse(home)

    return Starlette(
        routes=[
            Route(f"{OWN}/events", events),
            *(Route(f"{OWN}/{name}", _file(name, kind)) for name, kind in _FILES.items()),
            Route("/", first),
            Mount("/", site),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=_NAMES, www_redirect=False)],
    )


def script_of(board: Board) -> str:
    """Where the script is that keeps a page current, from the version on that the board has now."""
    return f"{OWN}/live.js?{board.version}"


def _file(name: str, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    data = Path(__file__).with_name(name).read_bytes()

    async def send(request: Request) -> Response:
        return Response(data, media_type=media_type, headers={"Cache-Control": "no-store"})

    return send


async def _events(board: Board) -> AsyncIterator[ServerSentEvent]:
    async for message in board.messages():
        yield ServerSentEvent(message, retry=_RETRY)
