"""An HTTP server in a thread of the test's own process."""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

POLL = 0.01  # seconds in which it notices that it has to stop; by default it takes half a second, in every test


class Request(NamedTuple):
    """A request that the server got."""

    method: str
    target: str
    headers: "Message[str, str]"  # found by a name in any case
    body: bytes


class Answer(NamedTuple):
    """The answer to a request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}

    @classmethod
    def of_json(cls, status: int, document: Any, headers: Mapping[str, str] | None = None) -> "Answer":
        """Return an answer with a document."""
        return cls(status, json.dumps(document).encode(), headers or {})


@contextmanager
def answering(answer: Callable[[Request], Answer]) -> Iterator[str]:
    """Answer each request with the result of a function; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, data, headers = answer(Request(self.command, self.path, self.headers, body))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_PUT = serve  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            """Suppress the log."""

    with listening(Handler) as address:
        yield address


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], port: int = 0) -> Iterator[str]:
    """Serve on a port of this machine, 0 for any; yield the address."""
    with _Server(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, args=[POLL], daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionResetError):  # the client was killed
            super().handle_error(request, client_address)
