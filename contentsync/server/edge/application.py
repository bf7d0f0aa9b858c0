"""The service with everything around it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from prometheus_client import CollectorRegistry
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from ..api.http import message_response
from ..asgi import create_app
from ..auth import service_of
from ..site.application import Sites  # noqa: F401  # loaded now, so that no reader waits for it
from ..store import State, connect_database
from .access_log import AccessLog
from .address_connections import CONNECTIONS, AddressConnections
from .connection import STOPPING
from .deadline import Deadline
from .forwarded import Forwarded, TrustedProxies
from .headers import Headers
from .metrics import Metrics
from .request_id import RequestId
from .settings import Settings

BODY_SECONDS = 60  # for a whole request, however large
READY_SECONDS = 0.7  # for the database to say that it is there: whoever asks waits for a second, as a rule

CORS_HEADERS = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-ID")
CORS_EXPOSED = ("ETag", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-Request-ID")
CORS_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def make_application(
    settings: Settings, *, registry: CollectorRegistry | None = None, body_seconds: float = BODY_SECONDS
) -> ASGIApp:
    """The application on the settings' database, which it closes at the end of its lifespan.

    Metrics are counted when there is a `registry`. Raises UsageError, Refused or Unavailable for a database
    that cannot be used.
    """
    database = connect_database(settings.database, create=False)
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
            yield {CONNECTIONS: AddressConnections(settings.address_connections, trusted)}
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

    app: ASGIApp = Deadline(service, body_seconds)
    if settings.cors_origins:
        app = CORSMiddleware(app, settings.cors_origins, CORS_METHODS, CORS_HEADERS, expose_headers=CORS_EXPOSED)
    app = Headers(app)
    if registry is not None:
        app = Metrics(app, registry)
    return Forwarded(RequestId(AccessLog(app)), trusted)


async def healthy() -> Response:
    """Whether the process lives."""
    return message_response("The process is alive")


async def ready(request: Request) -> Response:
    """Whether it takes requests: it was not told to stop, and the database answers and fits; else 503, in a second."""
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
