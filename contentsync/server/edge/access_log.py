"""One line a request: what was asked, by whom, what came of it; never a token, a query or a body."""

import logging
import time
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from .headers import STATUS

# Where `auth` leaves the ids in the request's scope.
TOKEN = "contentsync.token"  # noqa: S105 - the name of a key
DIRECTORY = "contentsync.directory"

PROBES = ("/healthz", "/readyz")

logger = logging.getLogger("contentsync.access")


class AccessLog:
    """Writes a line when a request has been answered, and the traceback of a failure, which ends here."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        try:
            await self._app(scope, receive, send)
        except Exception:
            # The service has answered 500 by now, or has cut the answer off.
            logger.exception("the request failed")
        finally:
            route, status = route_of(scope), scope.get(STATUS, 0)
            level = _level(route, status)
            if logger.isEnabledFor(level):
                took = (time.perf_counter() - began) * 1000
                # `log` would look for the caller, of whom the line says nothing.
                extra = {"fields": _fields(scope, route, status, took)}
                logger.handle(logger.makeRecord(logger.name, level, "", 0, "request", (), None, extra=extra))


def route_of(scope: Scope) -> str:
    """The template of the path, so that neither ids nor what a client makes up stand in logs and metrics."""
    return str(getattr(scope.get("route"), "path_format", "-"))


def _level(route: str, status: int) -> int:
    if status >= 500:
        return logging.ERROR
    return logging.DEBUG if route in PROBES else logging.INFO


def _fields(scope: Scope, route: str, status: int, took: float) -> dict[str, Any]:
    client = scope.get("client")
    return {
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(took, 1),
        "directory": scope.get(DIRECTORY),
        "token": scope.get(TOKEN),
        "peer": client[0] if client else None,
    }
