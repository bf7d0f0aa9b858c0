"""The ASGI application."""

from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

from ..errors import UsageError
from ..model.urls import url_fault
from .access import Principal
from .api.routing import Dispatch, Route, service_routes
from .auth import Service
from .failures import failure
from .identities import Identities
from .site.media import MediaFiles
from .store import Database
from .store.clock import now

if TYPE_CHECKING:
    from .edge.quota import SlidingWindow
    from .edge.rate_limit import RateLimit

MAX_BODY = 10 * 1024 * 1024


class _Application(FastAPI):
    """FastAPI with none of the layers that it puts around every request; `failure` answers what is raised inside.

    What nobody foresaw is then raised on, so that it is told.
    """

    @cached_property
    def _dispatch(self) -> Dispatch:
        return Dispatch(self.router)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        has_begun = False

        async def send_on(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._dispatch(scope, receive, send_on)
        except Exception as error:
            if has_begun:
                raise
            response = failure(error, Request(scope))
            await response(scope, receive, send)
            if response.status_code == 500:
                raise


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
    page_limit: "SlidingWindow | None" = None,
    lifespan: Lifespan[FastAPI] | None = None,
    clock: Callable[[], str] = now,
) -> FastAPI:
    """The service on a migrated database, which the caller closes, and the public sites of its directories.

    With a `principal` every request is that user's and no token is asked for. The files of `media` are shown under
    every site's /storage/. `edge.middleware` shows in answers what `rate_limit` counts; `page_limit` counts readers
    of the sites by their addresses. Raises UsageError for a `public_url` that is none. `clock` gives the moment that
    decides what the sites show, in wire form.
    """
    check_public_url(public_url)
    app = _Application(
        title="contentsync",
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # `edge` has its own
    )
    app.state.service = Service(
        database, public_url.rstrip("/"), principal, max_body, Identities(database), rate_limit=rate_limit
    )
    app.router.route_class = Route
    app.router.routes += service_routes()

    @cache
    def sites() -> ASGIApp:
        from .site.site_app import SiteApp  # loads much that a command does not need which only syncs

        return SiteApp(database, app.state.service.public_url, clock=clock, limit=page_limit)

    async def elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
        await sites()(scope, receive, send)

    app.router.default = elsewhere
    if media is not None:
        files = MediaFiles(media)
        app.mount("/storage", files)
        app.mount("/sites/{slug}/storage", files)

    return app
