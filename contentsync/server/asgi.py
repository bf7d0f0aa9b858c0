"""The ASGI application, and the responses to exceptions."""

from collections.abc import Callable
from functools import cache, cached_property, singledispatch
from pathlib import Path
from typing import TYPE_CHECKING

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
from .api.http import json_response, message_response
from .api.routing import RouteTable, service_routes
from .auth import ServiceState, TokenCache
from .service_errors import ServiceError
from .site.media import MediaFiles
from .store import Database
from .store.versions import now

if TYPE_CHECKING:
    from .edge.quota import SlidingWindow
    from .edge.rate_limit import RateLimit

MAX_BODY = 10 * 1024 * 1024


class _Application(Starlette):
    """Starlette without its middleware; `error_response` answers exceptions.

    An unexpected exception is answered with 500 and then raised, so that the server logs it.
    """

    @cached_property
    def _route_table(self) -> RouteTable:
        return RouteTable(self.router)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        has_begun = False

        async def send_and_note(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._route_table(scope, receive, send_and_note)
        except Exception as error:
            if has_begun:
                raise
            response = error_response(error, Request(scope))
            await response(scope, receive, send)
            if response.status_code == 500:
                raise


@singledispatch
def error_response(error: Exception, request: Request) -> Response:
    """Return the response to a request that raised the exception: 500 for an unexpected one."""
    response = message_response("Server Error", 500)
    response.headers["Connection"] = "close"  # the body may not have been read
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
def _unavailable(error: Unavailable, request: Request) -> Response:
    response = message_response(error.message, 503)
    response.headers["Retry-After"] = "1"
    return response


@error_response.register
def _unconfirmed(error: Unconfirmed, request: Request) -> Response:
    return message_response(error.message, 504)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods of all routes with the path: Starlette lists those of the first route, and none for a file."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    methods = [route.methods or () for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for each in methods for method in each}) or ["GET", "HEAD"]


def check_public_url(url: str) -> None:
    """Raise UsageError unless a path can be appended to the URL."""
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
    page_limit: "SlidingWindow | None" = None,
    lifespan: Lifespan[Starlette] | None = None,
    clock: Callable[[], str] = now,
) -> Starlette:
    """Create the service and the public sites of its directories on a migrated database, which the caller closes.

    With a `principal` every request is that user's and needs no token. The files of `media` are served under every
    site's /storage/. `rate_limit` counts requests of the API, and `edge.middleware` shows its counts. `page_limit`
    counts requests of the sites by address. `clock` returns the time in wire form that decides what the sites show.
    Raises UsageError for an unusable `public_url`.
    """
    check_public_url(public_url)
    app = _Application(routes=service_routes(), lifespan=lifespan)
    app.router.redirect_slashes = False
    app.state.service = ServiceState(
        database, public_url.rstrip("/"), principal, max_body, TokenCache(database), rate_limit=rate_limit
    )

    @cache
    def sites() -> ASGIApp:
        from .site.site_app import SiteApp  # slow to import, and a command that only syncs does not need it

        return SiteApp(database, app.state.service.public_url, clock=clock, limit=page_limit)

    async def serve_sites(scope: Scope, receive: Receive, send: Send) -> None:
        await sites()(scope, receive, send)

    app.router.default = serve_sites
    if media is not None:
        files = MediaFiles(media)
        app.mount("/storage", files)
        app.mount("/sites/{slug}/storage", files)

    return app
