"""Several processes on one port, with PostgreSQL, and Redis for a limit (docs/server.md)."""

import os
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.request import urlopen

import pytest

from ..postgresql import running
from ..redis_server import SERVER, redis_running
from ..serving import Serving, make_tenant, serving


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))) as cluster:
        yield cluster.database()


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command line of all processes that have not ended."""
    shown = subprocess.run(["ps", "-Aww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 3) for line in shown.stdout.splitlines()]
    return {int(row[0]): (int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")}


def workers(server: Serving) -> set[int]:
    """The processes that answer: children of the parent, without Python's own helper."""
    known = processes().items()
    return {pid for pid, (parent, line) in known if parent == server.pid and "spawn_main" in line}


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def ended(pids: set[int]) -> bool:
    return not pids & processes().keys()


def test_workers_share_port_limit_and_metrics_and_a_dead_one_is_replaced(url: str) -> None:
    number, token = make_tenant(url)
    path = f"/api/directories/{number}/pages"
    with socket.create_server(("127.0.0.1", 0)) as free:
        metrics_port = free.getsockname()[1]
    with ExitStack() as stack:
        limit, redis = ("--rate-limit", "0"), ""
        if SERVER is not None:
            limit = ("--rate-limit", "40")
            redis = stack.enter_context(redis_running())
        options = ("--workers", "2", "--metrics-port", str(metrics_port), *limit)
        server = stack.enter_context(serving(url, *options, redis=redis))

        first = workers(server)
        assert len(first) == 2
        answers = Counter(server.ask("GET", path, Authorization=f"Bearer {token}")[0] for _ in range(50))
        assert answers == ({200: 40, 429: 10} if SERVER else {200: 50})

        def counted() -> str:
            with urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=10) as shown:
                return str(shown.read().decode())

        template = "/api/directories/{directory_id}/pages"
        total = answers[200]
        assert f'contentsync_requests_total{{method="GET",route="{template}",status="2xx"}} {total}.0' in counted()

        victim = min(first)
        os.kill(victim, signal.SIGKILL)
        eventually(lambda: len(workers(server) - {victim}) == 2)
        eventually(lambda: f"worker {victim} died" in server.log)
        assert all(server.ask("GET", "/readyz")[0] == 200 for _ in range(10))
        eventually(lambda: "contentsync_requests_in_flight 0.0" in counted())  # counted after the answer is sent

        every = workers(server)
        assert server.stop(signal.SIGTERM) == 0
        assert ended(every)
        assert "Traceback" not in server.log


def test_workers_end_when_their_parent_is_killed(url: str) -> None:
    with serving(url, "--workers", "2", "--rate-limit", "0") as server:
        every = workers(server)
        assert len(every) == 2
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        eventually(lambda: ended(every))
