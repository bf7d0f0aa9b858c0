"""A running server for all tests, and directories on it, each behind a proxy that writes down every request."""

import json
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from .http_server import listening
from .serving import Serving, make_tenant, make_token, serving

IDLE = 1.0  # seconds after which a connection is not used again: the server closes it after some more


@dataclass
class Recorder:
    """A proxy in front of the server that writes down every request."""

    url: str
    requests: list[tuple[str, str]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)  # writes wait for it
    fails: Callable[[str, str], bool] = lambda method, path: False  # what is answered with `status`, not passed on
    status: int = 503

    def __post_init__(self) -> None:
        self.gate.set()

    def fail_writes_after(self, count: int) -> None:
        """Pass on the next `count` writes and fail all later ones, also if they arrive at the same time."""
        passed = iter(range(count))
        self.fails = lambda method, path: method != "GET" and next(passed, None) is None

    @property
    def writes(self) -> list[tuple[str, str]]:
        return [request for request in self.requests if request[0] != "GET"]


@dataclass(frozen=True)
class Served:
    """A running server with one directory, and the data that a client needs."""

    recorder: Recorder
    token: str
    reader: str  # a token that may only read
    directory: int

    @property
    def env(self) -> dict[str, str]:
        return {
            "CONTENTSYNC_URL": self.recorder.url,
            "CONTENTSYNC_DIRECTORY": str(self.directory),
            "CONTENTSYNC_TOKEN": self.token,
        }

    def get(self, path: str) -> Any:
        """Return the JSON at a path under the directory."""
        return self._accepted("GET", path)

    def create(self, path: str, record: Mapping[str, Any]) -> Any:
        """Create a record as another user, and return its JSON."""
        return self._accepted("POST", path, record)

    def update(self, path: str, fields: Mapping[str, Any]) -> Any:
        """Change a record as another user, and return its JSON."""
        return self._accepted("PUT", path, fields)

    def delete(self, path: str) -> Any:
        """Delete a record as another user, and return the JSON of the answer."""
        return self._accepted("DELETE", path)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request as another user does, and return the status and the JSON of the answer."""
        connection = HTTPConnection(self.recorder.url.removeprefix("http://"), timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        connection.request(method, f"/api/directories/{self.directory}/{path}", text, headers)
        response = connection.getresponse()
        document = json.loads(response.read())
        connection.close()
        return response.status, document

    def _accepted(self, method: str, path: str, body: Any = None) -> Any:
        status, document = self.ask(method, path, body)
        assert status in (200, 201), document
        return document


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Serving]]:
    """Yield a server on a database of its own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}"
    make_tenant(url)
    with serving(url, "--rate-limit", "0", "--log-level", "warning") as server:
        yield url, server
        assert server.stop(signal.SIGTERM) == 0
    assert "Traceback" not in server.log, server.log


@pytest.fixture
def served(running: tuple[str, Serving]) -> Iterator[Served]:
    """Yield a directory of its own."""
    with tenant(running) as served:
        yield served


@contextmanager
def tenant(running: tuple[str, Serving]) -> Iterator[Served]:
    """Yield a new directory of the running server."""
    url, server = running
    slug = f"tools-{secrets.token_hex(4)}"
    directory, token = make_tenant(url, slug, locales=("en", "fr"))
    reader = make_token(url, slug, scopes=("read",))
    with recording(server.port) as recorder:
        yield Served(recorder, token, reader, directory)


@contextmanager
def recording(port: int, *, at: int = 0) -> Iterator[Recorder]:
    """Run a Recorder in front of a port of this machine, itself at another one."""
    recorder = Recorder("")
    with listening(_handler(port, recorder), at) as recorder.url:
        yield recorder


def _handler(port: int, recorder: Recorder) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or each answer waits 40 ms between its head and its body

        def setup(self) -> None:
            super().setup()
            self.upstream, self.used_at = HTTPConnection("127.0.0.1", port, timeout=30), time.monotonic()

        def finish(self) -> None:
            self.upstream.close()
            super().finish()

        def forward(self) -> None:
            recorder.requests.append((self.command, self.path))
            if self.command != "GET":
                recorder.gate.wait(30)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if recorder.fails(self.command, self.path):
                self.send_error(recorder.status)
                return
            if time.monotonic() - self.used_at > IDLE:
                self.upstream.close()  # and opened again by the request
            self.upstream.request(self.command, self.path, body or None, dict(self.headers))
            answer = self.upstream.getresponse()
            content, self.used_at = answer.read(), time.monotonic()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "date", "server", "content-length"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            with suppress(BrokenPipeError, ConnectionResetError):  # the client has not waited
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            """Suppress the log."""

    return Handler
