"""The service with all layers around it, and its health endpoints."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from ..api.answers import message
from ..app import create_app
from ..auth import service_of
from ..site.site_app import SiteApp  # noqa: F401  # loaded now, so that the first reader does not wait for it
from ..store import Database, State
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
    """Return the application on the settings' database, which it closes at the end of its lifespan.

    Count metrics if there is a `registry`. Raise UsageError, Refused or Unavailable for an unusable database.
    """
    database = Database.open(settings.database, create=False)
    try:
        database.require_current()
        limit = settings.make_rate_limit()
    except BaseException:
        database.close()
        raise

    trusted = TrustedProxies(settings.trusted_proxies)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {CONNECTION_LIMITER: ConnectionLimiter(settings.address_connections, trusted)}
        finally:
            if limit is not None:
                await limit.close()
            database.close()

    service = create_app(
        database,
        public_url=settings.public_url,
        max_body=settings.max_body,
        media=settings.media,
        rate_limit=limit,
        page_limit=settings.make_page_limit(),
        lifespan=lifespan,
    )
    service.get("/healthz", include_in_schema=False)(healthy)
    service.get("/readyz", include_in_schema=False)(ready)

    app: ASGIApp = BodyDeadline(service, body_seconds)
    if settings.cors_origins:
        app = CORSMiddleware(app, settings.cors_origins, CORS_METHODS, CORS_HEADERS, expose_headers=CORS_EXPOSED)
    app = ResponseHeaders(app)
    if registry is not None:
        app = Metrics(app, registry)
    return ForwardedFor(RequestId(AccessLog(app)), trusted)


async def healthy() -> Response:
    """Answer that the process is alive."""
    return message("The process is alive")


async def ready(request: Request) -> Response:
    """Answer whether the process takes requests, else 503: it is stopping, or the database does not answer or fit."""
    if request.scope.get("state", {}).get(STOPPING):
        return message("The server is stopping", 503)
    try:
        async with asyncio.timeout(READY_SECONDS):
            state = await service_of(request).database.check()
    except TimeoutError:
        return message("The database does not answer", 503)
    if state is not State.CURRENT:
        return message("The database does not fit this version", 503)
    return message("The server is ready")
