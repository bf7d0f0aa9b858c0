"""Servers as processes of their own."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from .load import HOST

_PATIENCE = 30  # seconds for a start
_PAUSE = 0.05


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int, log: Path, **environment: str) -> Iterator[None]:
    """The server, from when it takes connections on; what it says goes to a file."""
    variables: Mapping[str, str] = {**os.environ, **environment}
    with log.open("ab") as said, subprocess.Popen(command, stdout=said, stderr=said, env=variables) as process:
        try:
            _await(process, port, log)
            yield
        finally:
            process.terminate()


def _await(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"a server does not start: see {log}") from None
            time.sleep(_PAUSE)
        else:
            return
