"""A real S3 server in a thread of this process, which records its requests."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, NamedTuple

from moto.backends import get_backend
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

SECRET = "s3cr3t-of-the-tests"  # any key is right for this server


class S3Request(NamedTuple):
    """A request that the server got."""

    method: str
    path: str
    body_size: int  # bytes


@dataclass
class S3Server:
    """The server on a port; if `refuses` returns True for a request, it is answered with 403.

    `done` is called after each request, before its answer is sent.
    """

    port: int
    requests: list[S3Request] = field(default_factory=list)
    refuses: Callable[[str, str], bool] = lambda method, path: False
    done: Callable[[], None] = lambda: None

    @property
    def environ(self) -> dict[str, str]:
        """The environment in which obstore finds this server."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }

    @property
    def uploads(self) -> list[str]:
        """The names of the files that were sent, in order."""
        return [each.path.rpartition("/")[2] for each in self.requests if each.method == "PUT" and each.body_size]

    def make_bucket(self, name: str) -> None:
        """Make an empty bucket."""
        self.ask("PUT", f"/{name}")

    def ask(self, method: str, path: str) -> tuple[int, bytes, Mapping[str, str]]:
        """Return status, body and headers of the answer to a request that is not recorded."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers={"X-Of-The-Test": "1", "Authorization": "AWS tests:any"})
        response = connection.getresponse()
        answer = response.status, response.read(), {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        return answer


@contextmanager
def s3_server() -> Iterator[S3Server]:
    """Yield a running server without buckets."""
    get_backend("s3").reset()
    application = DomainDispatcherApplication(create_backend_app)
    server = S3Server(0)

    def recorded(environ: dict[str, Any], start_response: Any) -> Any:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if "HTTP_X_OF_THE_TEST" not in environ:
            server.requests.append(S3Request(method, path, int(environ.get("CONTENT_LENGTH") or 0)))
            if server.refuses(method, path):
                environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
                start_response("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", "0")])
                return [b""]
            answer = application(environ, start_response)
            server.done()
            return answer
        return application(environ, start_response)

    running = make_server("127.0.0.1", 0, recorded, threaded=True)
    server.port = running.server_port
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        running.shutdown()
        thread.join()
        running.server_close()
