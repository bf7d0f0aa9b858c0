"""The headers that every answer carries."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .quota import QUOTA, Quota, Unlimited
from .request_id import HEADER, REQUEST_ID

STATUS = "contentsync.status"  # where the request's scope holds the answer's, once it has begun

# HSTS is the business of the proxy that speaks TLS. JSON is UTF-8 and its media type knows no charset (RFC 8259).
SAFETY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
# A client may keep an answer, but asks again each time, with its own token.
PRIVATE = ((b"cache-control", b"private, no-cache"), (b"vary", b"Authorization"))


class Headers:
    """Adds the request's name, what is left of its quota, and what keeps browsers and caches careful; notes the status.

    A `Content-Security-Policy` or `Cache-Control` that the answer brings stays.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                scope[STATUS] = message["status"]
                headers: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
                names = {name for name, _ in headers}
                headers += [header for header in SAFETY if header[0] not in names]
                if b"cache-control" not in names:
                    headers += PRIVATE
                quota: Quota | Unlimited | None = scope.get(QUOTA)
                if quota is not None:
                    headers += quota.headers()
                headers.append((HEADER, REQUEST_ID.get().encode("ascii")))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, send_with_headers)
