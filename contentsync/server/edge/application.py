"""The service with all layers around it, and its health endpoints."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import CollectorRegistry
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from ..api.auth import service_of
from ..api.http import message_response
from ..api.routing import ServiceRoute
from ..asgi import create_app
from ..site.site_app import SiteApp  # noqa: F401  # loaded now, so that the first visitor does not wait for it
from ..store import State, connect_database
from .client_address import CONNECTION_LIMITER, ConnectionLimiter, ForwardedFor, TrustedProxies
from .http_connection import STOPPING
from .metrics import Metrics
from .middleware import AccessLog, BodyDeadline, RequestId, ResponseHeaders
from .server_settings import ServerSettings

BODY_SECONDS = 60  # for a whole request of any size
READY_SECONDS = 0.7  # for the database to answer: probes usually time out after a second

CORS_HEADERS = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-ID")
CORS_EXPOSED = ("ETag", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-ID")
CORS_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def make_application(
    settings: ServerSettings, *, registry: CollectorRegistry | None = None, body_seconds: float = BODY_SECONDS
) -> ASGIApp:
    """Return the service with all its layers. It closes the settings' database at the end of its lifespan.

    Count metrics if there is a `registry`. Raise UsageError, Refused or Unavailable for an unusable database.
    """
    database = connect_database(settings.database, create=False)
    try:
        database.require_current()
        rate_limit = settings.make_rate_limit()
    except BaseException:
        database.close()
        raise

    trusted = TrustedProxies(settings.trusted_proxies)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        """Close what the service uses when the server stops; give the connections their limiter."""
        try:
            yield {CONNECTION_LIMITER: ConnectionLimiter(settings.address_connections, trusted)}
        finally:
            if rate_limit is not None:
                await rate_limit.close()
            database.close()

    service = create_app(
        database,
        public_url=settings.public_url,
        max_body=settings.max_body,
        media=settings.media,
        content_folder=settings.content_folder,
        rate_limit=rate_limit,
        page_limit=settings.make_page_limit(),
        lifespan=lifespan,
    )
    service.router.routes += [ServiceRoute("/healthz", "GET", healthy), ServiceRoute("/readyz", "GET", ready)]

    app: ASGIApp = BodyDeadline(service, body_seconds)
    if settings.cors_origins:
        app = CORSMiddleware(app, settings.cors_origins, CORS_METHODS, CORS_HEADERS, expose_headers=CORS_EXPOSED)
    app = ResponseHeaders(app)
    if registry is not None:
        app = Metrics(app, registry)
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
