"""The ASGI application."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.types import ASGIApp, ExceptionHandler, Lifespan, Receive, Scope, Send

from ..errors import Unavailable, Unconfirmed, UsageError
from ..model import Invalid
from ..model.url import url_fault
from .access import Principal
from .api.answers import answer, message
from .api.routing import Dispatch, add_service_routes
from .auth import Service
from .edge.media import Media
from .errors import ServiceError
from .identities import Identities
from .store import Database
from .store.clock import now

if TYPE_CHECKING:
    from .edge.rate_limit import RateLimit

MAX_BODY = 10 * 1024 * 1024


class _Application(FastAPI):
    """FastAPI with none of the layers that it puts around every request but those for errors."""

    def build_middleware_stack(self) -> ASGIApp:
        """The routes, and around them what turns exceptions into answers."""
        handlers: dict[Any, ExceptionHandler] = dict(self.exception_handlers)
        failed = handlers.pop(Exception)
        return ServerErrorMiddleware(ExceptionMiddleware(Dispatch(self.router), handlers), failed)


def check_public_url(url: str) -> None:
    """Raise UsageError unless links can be made of the URL and a path."""
    wrong = url_fault(url)
    if wrong is None and ("?" in url or "#" in url):
        wrong = "must not have a query or a fragment"
    if wrong:
        raise UsageError(f"the public URL '{url}' {wrong}")


def create_app(
    database: Database,
    *,
    public_url: str = "http://127.0.0.1:8000",
    principal: Principal | None = None,
    max_body: int = MAX_BODY,
    media: Path | None = None,
    rate_limit: "RateLimit | None" = None,
    lifespan: Lifespan[FastAPI] | None = None,
    clock: Callable[[], str] = now,
) -> FastAPI:
    """The service on a migrated database, which the caller closes, and the public sites of its directories.

    With a `principal` every request is that user's and no token is asked for. The files of `media` are shown under
    every site's /storage/. What `rate_limit` counts is told in answers by `edge.headers`. Raises UsageError for a
    `public_url` that is none. `clock` gives the moment that decides what the sites show, in wire form.
    """
    check_public_url(public_url)
    app = _Application(
        title="contentsync",
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # `edge` has its own; looking for it takes time
    )
    app.state.service = Service(
        database, public_url.rstrip("/"), principal, max_body, Identities(database), rate_limit=rate_limit
    )
    add_service_routes(app.router)

    @cache
    def sites() -> ASGIApp:
        from .site.application import Sites  # loads much that a command does not need which only syncs

        return Sites(database, app.state.service.public_url, clock=clock)

    async def elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
        await sites()(scope, receive, send)

    app.router.default = elsewhere
    if media is not None:
        files = Media(media)
        app.mount("/storage", files)
        app.mount("/sites/{slug}/storage", files)

    @app.exception_handler(ServiceError)
    async def refused(request: Request, error: ServiceError) -> Response:
        response = message(error.message, error.status)
        response.headers.update(error.headers)
        return response

    @app.exception_handler(Invalid)
    async def invalid(request: Request, error: Invalid) -> Response:
        return answer({"message": "The given data was invalid.", "errors": error.errors()}, 422)

    @app.exception_handler(HTTPException)
    async def without_route(request: Request, error: HTTPException) -> Response:
        response = message(error.detail, error.status_code)
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(_methods(request))
        return response

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return message("The body ended early", 400)

    @app.exception_handler(Unavailable)
    async def unavailable(request: Request, error: Unavailable) -> Response:
        response = message(error.message, 503)
        response.headers["Retry-After"] = "1"
        return response

    @app.exception_handler(Unconfirmed)
    async def unconfirmed(request: Request, error: Unconfirmed) -> Response:
        return message(error.message, 504)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        response = message("Server Error", 500)
        response.headers["Connection"] = "close"  # the body may not have been read
        return response

    return app


def _methods(request: Request) -> list[str]:
    """The methods that the path knows: Starlette names those of its first route only, and none for a file."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    known = [route.methods or () for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for methods in known for method in methods}) or ["GET", "HEAD"]
