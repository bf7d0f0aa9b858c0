"""The server behind the proxies of docs/deploy, as they are written there but for the ports and the certificates."""

import json
import re
import sys
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from contentsync.server.edge.http_connection import KEEP_ALIVE, URL_BYTES
from contentsync.server.quota import MAX_BODY

from . import proxies
from .proxies import missing, running
from .serving import Serving, make_tenant, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has 127.0.0.2 unasked")

DEPLOY = Path(__file__).parent.parent / "docs" / "deploy"
OPTIONS = ("--public-url", "https://tools.example.com", "--trusted-proxy", "127.0.0.1")
CLIENT = "127.0.0.2"  # another address of the loopback interface, which is not the proxy's


class Proxy:
    """A running proxy before a server."""

    def __init__(self, port: int, server: Serving, token: str) -> None:
        self._port = port
        self.server = server
        self._token = token

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Return status and document of an answer to a client of another address."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=(CLIENT, 0))
        all_headers = {"Host": "tools.example.com", "Authorization": f"Bearer {self._token}", **(headers or {})}
        connection.request(method, path, body, all_headers)
        response = connection.getresponse()
        answer = response.status, json.loads(response.read())
        connection.close()
        return answer


def nginx(folder: Path, port: int, server: int) -> list[str]:
    """Return the command, with the file of docs/deploy except for paths, ports and certificates."""
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    site = re.sub(r"^ +ssl_certificate.*\n", "", site, flags=re.M)
    site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};").replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    return proxies.nginx(folder, site)


def caddy(folder: Path, port: int, server: int) -> list[str]:
    """Return the command, with the file of docs/deploy except for paths, ports and certificates."""
    site = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    site = site.replace("\ntools.example.com {", f"\nhttp://tools.example.com:{port} {{")
    return proxies.caddy(folder, site.replace("127.0.0.1:8000", f"127.0.0.1:{server}"))


@pytest.fixture(
    scope="module",
    params=[pytest.param(nginx, marks=missing("nginx")), pytest.param(caddy, marks=missing("caddy"))],
    ids=["nginx", "caddy"],
)
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Yield a proxy on the machine of its server."""
    folder = tmp_path_factory.mktemp("proxy")
    url = f"sqlite:///{folder / 'site.db'}"
    _, token = make_tenant(url)
    port = proxies.free_port()
    with serving(url, *OPTIONS) as server, running(request.param(folder, port, server.port), folder, port):
        yield Proxy(port, server, token)


def test_the_server_logs_the_address_of_the_client_behind_the_proxy(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/api/user", headers={"X-Forwarded-For": "192.0.2.6"})[0] == 200
    until = time.monotonic() + 5
    while "route=/api/user" not in proxy.server.log and time.monotonic() < until:
        time.sleep(0.01)
    assert f"peer={CLIENT} " in proxy.server.log
    assert "192.0.2.6" not in proxy.server.log


def test_links_begin_with_the_public_url(proxy: Proxy) -> None:
    _, answer = proxy.ask("GET", "/api/directories/1/pages")
    assert answer["links"]["first"].startswith("https://tools.example.com/api/")


def test_a_body_over_the_limit_is_refused_in_json_through_the_proxy(proxy: Proxy) -> None:
    for size, status in ((MAX_BODY - 1000, 201), (MAX_BODY + 1, 413)):
        body = json.dumps({"title": "Long", "slug": f"long-{status}", "markdown": "x" * size}).encode()
        answer = proxy.ask("POST", "/api/directories/1/pages", body, {"Content-Type": "application/json"})
        assert (answer[0], "data" in answer[1]) == (status, status == 201)


def test_a_long_url_passes_the_proxy(proxy: Proxy) -> None:
    assert proxy.ask("GET", "/api/user?" + "x" * (URL_BYTES - 200))[0] == 200


@pytest.mark.parametrize(
    ("name", "setting"), [("nginx.conf", r"keepalive_timeout (\d+)s"), ("Caddyfile", r"keepalive (\d+)s")]
)
def test_the_proxy_closes_idle_connections_before_the_server(name: str, setting: str) -> None:
    [seconds] = re.findall(setting, (DEPLOY / name).read_text(encoding="utf-8"))
    assert int(seconds) < KEEP_ALIVE
