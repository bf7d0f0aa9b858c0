"""HTTP connections with limits that apply before authentication.

`HttpConnection` extends uvicorn's protocol class, including methods that uvicorn does not document;
tests/server/edge/test_http_connection.py fails if uvicorn's version changes.
"""

import asyncio
import json
import logging
import re
import time

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from ...lazy_pattern import lazy_pattern
from ..access import RECEIVED_AT
from .client_address import CONNECTION_LIMITER, ConnectionLimiter
from .middleware import (
    BODY_COMPLETE,
    CACHE_HEADERS,
    METRICS,
    REQUEST_ID,
    REQUEST_ID_HEADER,
    SECURITY_HEADERS,
    Metrics,
    make_request_id,
)

URL_BYTES = 16 * 1024
HEAD_BYTES = 64 * 1024  # of the URL and all headers together
HEADER_COST = 32  # bytes that each header counts in addition to its name and value
KEEP_ALIVE = 75  # seconds between requests, longer than the usual timeout of proxies

STOPPING = "stopping"  # a key in the state of requests, set once the server is stopping

# RFC 9112, 3.2. The site looks up the host; the API does not use it.
_HOST = lazy_pattern(rb"([\w.~%!$&'()*+,;=-]*|\[[0-9a-fA-F:.]+\])(:[0-9]*)?\Z", re.ASCII)

logger = logging.getLogger("contentsync.access")


class _RefusedError(Exception):
    """Raised to refuse a request: uvicorn calls `send_400_response` for any exception."""


class HttpConnection(HttpToolsProtocol):
    """uvicorn's protocol with limits on sizes, times and the number of connections."""

    max_connections = 800  # of the process; below the 1,024 open files that most systems allow
    head_seconds = 15.0  # from the first byte, or the start of the connection, to the end of the headers
    read_seconds = 60.0  # for which a client may leave a response unread
    discard_seconds = 2.0  # in which a refused client can read the reason
    stop_seconds = 1.0  # for which a stopping server still answers a request that is on its way

    _refusal = (400, "This is not an HTTP request")  # the status and message that `send_400_response` sends
    _is_refused = False
    _limiter: ConnectionLimiter | None = None  # set while it counts this connection
    _head_bytes = 0  # bytes of the current request's URL and headers
    _unparsed = 0  # bytes since the parser last completed a header or a part of the body
    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        """Accept the connection, unless there are too many in total or from its address."""
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            self._refuse(503, "Too many connections")
        elif not self._acquire():
            self._refuse(503, "Too many connections from this address")
        else:
            self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers, and free the connection's place in the count of its address."""
        self._stop_head_timer()
        self._stop_read_timer()
        if self._limiter is not None and self.client is not None:
            self._limiter.release(self.client[0])
            self._limiter = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data. Refuse headers that are too large, and limit the time until they are complete."""
        if self._is_refused:
            return
        self._unparsed += len(data)  # the parser's methods `on_...` set it to 0
        super().data_received(data)
        if self._is_refused or self.transport.is_closing():
            return
        is_between_requests = self.cycle is None or self.cycle.response_complete
        if self._unparsed > HEAD_BYTES:
            self._refuse(431, "The headers are too large")
        elif is_between_requests and self._head_timer is None:  # the data is the beginning of a request
            self._start_head_timer()

    def on_url(self, url: bytes) -> None:
        """Start to count the size of the head, and fail if the URL is too long."""
        super().on_url(url)
        self._head_bytes = len(self.url)
        if self._head_bytes > URL_BYTES:
            raise self._refused_error(414, "The URL is too long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count the bytes of a header, and refuse the request if all headers together are too large.

        Trailers, which follow a body in chunks, are counted too.
        """
        self._unparsed = 0  # the parser has completed this header
        self._head_bytes += len(name) + len(value) + HEADER_COST
        if self._head_bytes > HEAD_BYTES:
            raise self._refused_error(431, "The headers are too large")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check the headers, then start the request. Refuse headers that a proxy may interpret differently."""
        self._unparsed = 0
        self._stop_head_timer()
        hosts = [value for name, value in self.headers if name == b"host"]
        needs_host = self.parser.get_http_version() == "1.1"
        if len(hosts) > 1 or (needs_host and not hosts):
            raise self._refused_error(400, "A request must have exactly one Host header")
        if hosts and not _HOST.match(hosts[0]):
            raise self._refused_error(400, "The Host header is not a host")
        codings = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings and codings != [b"chunked"]:  # the parser does not decompress a body (RFC 9112, 6.1)
            raise self._refused_error(501, "The only supported Transfer-Encoding is chunked")
        # The parser would skip the body and read it as the next request.
        if self.parser.should_upgrade() and _has_body(dict(self.headers)):
            raise self._refused_error(400, "A request with a body cannot upgrade to another protocol")
        self.scope["state"][RECEIVED_AT] = time.monotonic()
        self.scope["headers"] = self.headers.copy()  # because the parser adds trailers to the same list
        super().on_headers_complete()
        if self.app_state.get(STOPPING):
            self._close_after_response()

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the whole body has arrived."""
        self._unparsed = 0
        self.scope["state"][BODY_COMPLETE] = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Limit the time in which the client must read the response, if the connection closes after it."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._start_read_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._start_read_timer()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_read_timer()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_read_timer()

    def shutdown(self) -> None:
        """Close the connection after its next response, which says so, or after `stop_seconds` without a request.

        If it was closed at once, a request that is on its way would get no response, and its client could not know
        whether it was executed.
        """
        self.app_state[STOPPING] = True
        self._close_after_response()
        self.loop.call_later(self.stop_seconds, super().shutdown)

    def _close_after_response(self) -> None:
        """Close the connection after the current response, unless its headers have been sent and do not say so."""
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._refusal)

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore the upgrade without a warning."""

    def _refused_error(self, status: int, message: str) -> _RefusedError:
        """Return the error that refuses the request that is being parsed; `send_400_response` sends this response."""
        self._refusal = (status, message)
        return _RefusedError()

    def _acquire(self) -> bool:
        """Count this connection for its address; return False over the limit."""
        limiter: ConnectionLimiter | None = self.app_state.get(CONNECTION_LIMITER)
        if limiter is None or self.client is None:  # a Unix socket has no address
            return True
        if not limiter.acquire(self.client[0]):
            return False
        self._limiter = limiter
        return True

    def _refuse(self, status: int, message: str) -> None:
        """Send an error response, log and count it, and close the connection after `discard_seconds`."""
        self._is_refused = True
        self._stop_head_timer()
        REQUEST_ID.set(make_request_id())
        fields = {"status": status, "peer": self.client[0] if self.client else None}
        logger.info("refused: %s", message, extra={"fields": fields})
        metrics: Metrics | None = self.app_state.get(METRICS)
        if metrics is not None:
            metrics.count_refused(status)
        body = json.dumps({"message": message}, separators=(",", ":")).encode()
        headers = [
            *self.server_state.default_headers,
            *SECURITY_HEADERS,
            *CACHE_HEADERS,
            (REQUEST_ID_HEADER, REQUEST_ID.get().encode()),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        head = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        # Closing at once, with unread data, would reset the connection before the client reads the reason.
        self.transport.write_eof()
        self.loop.call_later(self.discard_seconds, self.transport.abort)

    def _start_head_timer(self) -> None:
        self._head_timer = self.loop.call_later(self.head_seconds, self._on_head_timeout)

    def _on_head_timeout(self) -> None:
        """Refuse a request that has not arrived completely; close an idle connection without a response."""
        if self._unparsed and not self.transport.is_closing():
            self._refuse(408, "The request was not complete in time")
        else:
            self.transport.abort()

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _start_read_timer(self) -> None:
        if self._read_timer is None and self.transport.get_write_buffer_size():
            self._read_timer = self.loop.call_later(self.read_seconds, self.transport.abort)

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None


def _has_body(headers: dict[bytes, bytes]) -> bool:
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"
