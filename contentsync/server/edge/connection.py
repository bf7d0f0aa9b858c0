"""One client's connection: how much of the server it may take before anybody has asked who it is."""

import asyncio
import json
import logging
import re
import time

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from ..access import RECEIVED_AT
from .address_connections import CONNECTIONS, AddressConnections
from .deadline import WHOLE
from .headers import PRIVATE, SAFETY
from .metrics import METRICS, Metrics
from .request_id import HEADER, REQUEST_ID, make_request_id

URL_BYTES = 16 * 1024
HEAD_BYTES = 64 * 1024  # of the URL and all headers
HEADER_COST = 32  # bytes that a header counts beside its own
KEEP_ALIVE = 75  # seconds between requests: more than proxies keep theirs

STOPPING = "stopping"  # in the state that requests are given, once the server was told to stop

# RFC 9112, 3.2. The site asks which host it is; the API tells directories apart by tokens and ids.
_HOST = re.compile(rb"([\w.~%!$&'()*+,;=-]*|\[[0-9a-fA-F:.]+\])(:[0-9]*)?\Z", re.ASCII)

logger = logging.getLogger("contentsync.access")


class _Refused(Exception):
    """The bytes are no request that is answered; uvicorn calls `send_400_response` for whatever is raised."""


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with bounds on sizes, times and the number of connections."""

    most = 800  # of a process; below the 1,024 open files that most systems allow
    head_seconds = 15.0  # from its first byte, or the connection's beginning, to the end of the headers
    read_seconds = 60.0  # for which a client may leave an answer unread
    discard_seconds = 2.0  # in which one that was refused can come to read why

    _refusal = (400, "This is no HTTP request")
    _refused = False
    _counted: AddressConnections | None = None  # where this one is counted
    _head = 0  # bytes of the current request's URL and headers
    _unparsed = 0  # bytes since the parser last came to the end of something
    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn does
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._refusal = (503, "Too many connections")
            self.send_400_response("")
        elif not self._is_counted():
            self._refusal = (503, "Too many connections from this address")
            self.send_400_response("")
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_there()
        self._is_read()
        if self._counted is not None and self.client is not None:
            self._counted.close(self.client[0])
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        self._unparsed += len(data)
        super().data_received(data)
        if self._refused or self.transport.is_closing():
            return
        if self._unparsed > HEAD_BYTES:
            self._refuse(431)
        elif self._head_timer is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._head = len(self.url)
        if self._head > URL_BYTES:
            self._refusal = (414, "The URL is too long")
            raise _Refused

    def on_header(self, name: bytes, value: bytes) -> None:
        self._unparsed = 0
        self._head += len(name) + len(value) + HEADER_COST  # trailers too: they come to the same list
        if self._head > HEAD_BYTES:
            self._refusal = (431, "The headers are too large")
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._unparsed = 0
        self._head_is_there()
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) != 1 and (hosts or self.parser.get_http_version() == "1.1"):
            self._refusal = (400, "A request has one Host header")
            raise _Refused
        if hosts and not _HOST.match(hosts[0]):
            self._refusal = (400, "The Host header is no host")
            raise _Refused
        codings = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings and codings != [b"chunked"]:  # the body would be taken as it is, compressed (RFC 9112, 6.1)
            self._refusal = (501, "The only Transfer-Encoding that is read is chunked")
            raise _Refused
        # The parser would not read the body, and take it for the next request.
        if self.parser.should_upgrade() and _has_body(dict(self.headers)):
            self._refusal = (400, "A request with a body cannot ask for another protocol")
            raise _Refused
        self.scope["state"][RECEIVED_AT] = time.monotonic()
        self.scope["headers"] = self.headers.copy()  # for trailers come to the same list
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unparsed = 0
        self.scope["state"][WHOLE] = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._await_reading()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._await_reading()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._is_read()

    def shutdown(self) -> None:
        self.app_state[STOPPING] = True
        super().shutdown()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._refusal)

    def _unsupported_upgrade_warning(self) -> None:
        """Says nothing: the request is answered as if it had not asked for another protocol."""

    def _is_counted(self) -> bool:
        """Whether the address may have this connection."""
        bound: AddressConnections | None = self.app_state.get(CONNECTIONS)
        if bound is None or self.client is None:  # a socket of the machine has no address
            return True
        if not bound.open(self.client[0]):
            return False
        self._counted = bound
        return True

    def _refuse(self, status: int, message: str = "The headers are too large") -> None:
        self._refused = True
        self._head_is_there()
        REQUEST_ID.set(make_request_id())
        fields = {"status": status, "peer": self.client[0] if self.client else None}
        logger.info("refused: %s", message, extra={"fields": fields})
        metrics: Metrics | None = self.app_state.get(METRICS)
        if metrics is not None:
            metrics.count_refused(status)
        body = json.dumps({"message": message}, separators=(",", ":")).encode()
        headers = [
            *self.server_state.default_headers,
            *SAFETY,
            *PRIVATE,
            (HEADER, REQUEST_ID.get().encode()),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        head = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        # Closed at once, with something unread, it would be reset, and the client would never see why.
        self.transport.write_eof()
        self.loop.call_later(self.discard_seconds, self.transport.abort)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        if self._unparsed and not self.transport.is_closing():
            self._refuse(408, "The request did not come to its end")
        else:
            self.transport.abort()

    def _head_is_there(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _await_reading(self) -> None:
        if self._read_timer is None and self.transport.get_write_buffer_size():
            self._read_timer = self.loop.call_later(self.read_seconds, self.transport.abort)

    def _is_read(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None


def _has_body(headers: dict[bytes, bytes]) -> bool:
    return b"transfer-encoding" in headers or headers.get(b"content-length", b"0") != b"0"
