"""The server as a process: how it stops, what it writes down, and what one client can do to the others."""

import json
import re
import signal
import socket
import sqlite3
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import urlopen

import pytest

from ..serving import Serving, make_tenant, serving

CANARY = "canary-9b1d"


class Half:
    """A create of a page of which the server has half; what comes back for the other half."""

    def __init__(self, server: Serving, number: int, token: str) -> None:
        body = json.dumps({"title": "In flight", "markdown": "x" * 100_000})
        head = f"POST /api/directories/{number}/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        request = f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        self._rest = request[-1000:]
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        self._socket.sendall(request[:-1000])

    def finish(self) -> tuple[int, dict[str, str]]:
        """Status and record."""
        self._socket.sendall(self._rest)
        with self._socket, self._socket.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(body)["data"]


def test_a_stopping_server_answers_and_stores_the_request_in_flight(tmp_path: Path) -> None:
    """CO-15, the graceful half."""
    url = f"sqlite:///{tmp_path / 'site.db'}"
    number, token = make_tenant(url)
    with serving(url) as server:
        half = Half(server, number, token)
        wait_until(lambda: "GET" in server.log, lambda: server.ask("GET", "/api/user"))
        server.send(signal.SIGTERM)
        wait_until(lambda: refused(server.port))
        assert server.process.is_alive()
        status, page = half.finish()
        assert (status, page["slug"]) == (201, "in-flight")
        assert server.end() == 0
        assert "Traceback" not in server.log
    with closing(sqlite3.connect(tmp_path / "site.db")) as stored:
        assert stored.execute("SELECT id FROM pages").fetchall() == [(page["id"],)]


def test_a_stopping_server_answers_the_next_request_of_an_open_connection(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'site.db'}"
    make_tenant(url)
    with serving(url) as server, closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:

        def ask() -> tuple[int, str | None]:
            connection.request("GET", "/robots.txt")
            response = connection.getresponse()
            response.read()
            return response.status, response.getheader("Connection")

        assert ask() == (404, None)
        server.send(signal.SIGTERM)
        wait_until(lambda: refused(server.port))
        assert ask() == (404, "close")
        assert server.end() == 0


def refused(port: int) -> bool:
    """Return whether the port is closed."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except ConnectionError:
        return True
    return False


def wait_until(condition: object, meanwhile: object = None) -> None:
    assert callable(condition)
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        if callable(meanwhile):
            meanwhile()
        time.sleep(0.02)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, list[tuple[int, str]]]]:
    """A server behind a proxy, with metrics, JSON lines and two tenants, for the tests that leave it as it was."""
    url = f"sqlite:///{tmp_path_factory.mktemp('shared') / 'site.db'}"
    tenants = [make_tenant(url, slug) for slug in ("tools", "cafes")]
    with socket.create_server(("127.0.0.1", 0)) as free:
        metrics_port = free.getsockname()[1]
    options = ("--log-format", "json", "--trusted-proxy", "127.0.0.1", "--metrics-port", str(metrics_port))
    with serving(url, *options, fresh=True) as server:  # in the list of processes as it would be
        server.metrics_port = metrics_port  # type: ignore[attr-defined]
        yield server, tenants


Shared = tuple[Serving, list[tuple[int, str]]]


def test_the_server_logs_one_json_object_a_line_and_no_secret(shared: Shared) -> None:
    """AU-12: neither in a line, nor in the list of processes."""
    server, [(number, token), _] = shared
    before = len(server.said)
    server.ask("GET", f"/api/directories/{number}/pages?q={CANARY}", Authorization=f"Bearer {token}")
    page = {"title": CANARY, CANARY: 1}
    server.ask("POST", f"/api/directories/{number}/pages", page, Authorization=f"Bearer {token}")
    server.ask("GET", "/api/user", Authorization=f"Bearer {CANARY}")
    wait_until(lambda: len(server.said) >= before + 3)
    lines = [json.loads(line) for line in server.said if not line.startswith("contentsync: ")]
    assert {line["message"] for line in lines} == {"request"}
    assert [line["status"] for line in lines[-3:]] == [200, 422, 401]
    assert lines[-3]["directory"] == number
    assert CANARY not in server.log
    assert token not in server.log
    command = Path(f"/proc/{server.pid}/cmdline")
    assert not command.exists() or token not in command.read_text()


def test_the_address_that_a_trusted_proxy_names_is_the_peer(shared: Shared) -> None:
    """AU-13"""
    server, _ = shared
    server.ask("GET", "/api/user", **{"X-Forwarded-For": "203.0.113.9, 127.0.0.1", "X-Forwarded-Host": "evil.example"})
    wait_until(lambda: "203.0.113.9" in server.log)
    assert "evil.example" not in server.log


def test_metrics_are_on_their_own_port_only(shared: Shared) -> None:
    server, _ = shared
    server.ask("GET", "/readyz")
    assert server.ask("GET", "/metrics")[0] == 404
    with urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics", timeout=10) as answer:  # type: ignore[attr-defined]
        text = answer.read().decode()
    assert re.search(r'^contentsync_requests_total\{method="GET",route="/readyz",status="2xx"\} [1-9]', text, re.M)
    assert "tools" not in text


def test_a_tenant_at_full_load_leaves_the_others_their_answers(shared: Shared) -> None:
    """AU-17: what bounds it is the limit of its token; what is over it is refused before it costs much."""
    server, [(number, token), (other, others_token)] = shared
    path = "/api/directories/{}/projects".format
    stop = threading.Event()
    statuses: list[int] = []

    def flood() -> None:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
        while not stop.is_set():
            connection.request("GET", path(number), headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)
        connection.close()

    floods = [threading.Thread(target=flood) for _ in range(8)]
    for thread in floods:
        thread.start()
    times = []
    for _ in range(40):
        began = time.perf_counter()
        status, _ = server.ask("GET", path(other), Authorization=f"Bearer {others_token}")
        health, _ = server.ask("GET", "/healthz")
        times.append(time.perf_counter() - began)
        assert (status, health) == (200, 200)
    stop.set()
    for thread in floods:
        thread.join()
    assert 429 in statuses
    assert statuses.count(200) <= 122  # the limit, and what may be given back meanwhile
    assert statistics.quantiles(times, n=20)[-1] < 2
