"""A name for each request, so that an answer and its log lines find each other."""

import re
import secrets
from contextvars import ContextVar

from starlette.types import ASGIApp, Receive, Scope, Send

from ..api.http import header_values

HEADER = b"x-request-id"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")

# What can stand in a header, a log line or a shell without meaning anything there.
_HARMLESS = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}\Z")


def make_request_id() -> str:
    """A new name."""
    return secrets.token_hex(8)


class RequestId:
    """Takes the client's `X-Request-ID` when it is one harmless token, else makes one; others read REQUEST_ID."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            REQUEST_ID.set(_given(scope) or make_request_id())
        await self._app(scope, receive, send)


def _given(scope: Scope) -> str | None:
    values = header_values(scope, HEADER)
    return values[0] if len(values) == 1 and _HARMLESS.match(values[0]) else None
