"""The ASGI application, and the responses to exceptions."""

from collections.abc import Callable
from functools import cache, cached_property, singledispatch
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from ..errors import Unavailable, Unconfirmed, UsageError
from ..model import Invalid
from ..model.urls import url_fault
from .access import Principal
from .api.auth import ServiceState, TokenCache
from .api.http import json_response, message_response
from .api.routing import RouteTable, service_routes
from .quota import DEFAULT_LIMITS, RequestLimits
from .service_errors import ServiceError
from .site.media import FOLDER_PATHS, MEDIA_PATHS, FolderFiles, MediaFiles
from .store import Database
from .store.read_pool import ClientLeft
from .store.versions import now


class _Application(Starlette):
    """A Starlette application without Starlette's middleware; `error_response` turns exceptions into responses.

    After the response with status 500, an unexpected exception is raised again, so that the server logs it.
    """

    @cached_property
    def _route_table(self) -> RouteTable:
        return RouteTable(self.router)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        response_started = False

        async def send_and_track(message: Message) -> None:
            nonlocal response_started
            response_started = True
            await send(message)

        try:
            await self._route_table(scope, receive, send_and_track)
        except Exception as error:
            if response_started:  # so no error response can be sent
                raise
            response = error_response(error, Request(scope))
            await response(scope, receive, send)
            if response.status_code == 500:
                raise


@singledispatch
def error_response(error: Exception, request: Request) -> Response:
    """Return the response to a request that failed with the exception: status 500 if it is unexpected."""
    response = message_response("Server Error", 500)
    response.headers["Connection"] = "close"  # because the body of the request may be unread
    return response


@error_response.register
def _service_error(error: ServiceError, request: Request) -> Response:
    response = message_response(error.message, error.status)
    response.headers.update(error.headers)
    return response


@error_response.register
def _invalid(error: Invalid, request: Request) -> Response:
    return json_response({"message": "The given data was invalid.", "errors": error.errors()}, 422)


@error_response.register
def _no_route(error: HTTPException, request: Request) -> Response:
    response = message_response(error.detail, error.status_code)
    if error.status_code == 405:
        response.headers["Allow"] = ", ".join(_allowed_methods(request))
    return response


@error_response.register
def _client_disconnected(error: ClientDisconnect, request: Request) -> Response:
    return message_response("The body ended early", 400)


@error_response.register
def _client_left(error: ClientLeft, request: Request) -> Response:
    return message_response("The client has closed the connection", 499)  # nginx's status, for logs and metrics


@error_response.register
def _unavailable(error: Unavailable, request: Request) -> Response:
    response = message_response(error.message, 503)
    response.headers["Retry-After"] = "1"
    return response


@error_response.register
def _unconfirmed(error: Unconfirmed, request: Request) -> Response:
    return message_response(error.message, 504)


def _allowed_methods(request: Request) -> list[str]:
    """Return the sorted methods of all routes that match the path; GET and HEAD (for files and pages) if none does."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    matching_routes = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in matching_routes for method in route.methods or ()}) or ["GET", "HEAD"]


def check_public_url(url: str) -> None:
    """Raise UsageError if the URL is not safe, or has a query or a fragment, so that no path can be appended."""
    fault = url_fault(url)
    if fault is None and ("?" in url or "#" in url):
        fault = "must not have a query or a fragment"
    if fault:
        raise UsageError(f"the public URL '{url}' {fault}")


def create_app(
    database: Database,
    *,
    public_url: str = "http://127.0.0.1:8000",
    principal: Principal | None = None,
    limits: RequestLimits = DEFAULT_LIMITS,
    media: Path | None = None,
    content_folder: Path | None = None,
    lifespan: Lifespan[Starlette] | None = None,
    clock: Callable[[], str] = now,
) -> Starlette:
    """Return the application with the API and the public sites. Migrate the database before; close it after use.

    If `principal` is set, every request acts as this user and needs no token. The files of the folder `media` are
    served under /storage/ of every site, and the pictures of `content_folder` under /_files/. `clock` returns the time,
    in wire form, for which the sites select public records.
    Raise UsageError if `public_url`, the base of all URLs in responses, is not safe or has a query or a fragment.
    """
    check_public_url(public_url)
    app = _Application(routes=service_routes(), lifespan=lifespan)
    app.router.redirect_slashes = False  # the sites redirect by their own rules
    app.state.service = ServiceState(database, public_url.rstrip("/"), principal, limits, TokenCache(database))

    @cache
    def site_app() -> ASGIApp:
        from .site.site_app import SiteApp  # slow to import, and commands that only sync do not need it

        return SiteApp(database, app.state.service.public_url, clock=clock, limit=limits.pages)

    async def serve_sites(scope: Scope, receive: Receive, send: Send) -> None:
        await site_app()(scope, receive, send)

    app.router.default = serve_sites
    if media is not None:
        files = MediaFiles(media)
        for path in MEDIA_PATHS:
            app.mount(path, files)
    if content_folder is not None:
        pictures = FolderFiles(content_folder)
        for path in FOLDER_PATHS:
            app.mount(path, pictures)
    return app
