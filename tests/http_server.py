"""An HTTP server in a thread of the test's own process."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POLL = 0.01  # seconds in which it notices that it has to stop; by default it takes half a second, in every test


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
