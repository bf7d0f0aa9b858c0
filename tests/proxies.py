"""nginx and Caddy as processes of their own, if this machine has them."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def nginx(folder: Path, http: str) -> list[str]:
    """Return the command that serves this text of an `http` block."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in kinds)
    block = f"access_log off; {paths} {http}"
    main = f"user root; daemon off; pid {folder}/pid; events {{}} http {{ {block} }}"
    (folder / "nginx.conf").write_text(main, encoding="utf-8")
    return ["nginx", "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, sites: str) -> list[str]:
    """Return the command that serves this text of site blocks."""
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{sites}", encoding="utf-8")
    return ["caddy", "run", "--config", str(folder / "Caddyfile")]


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run one of the commands until the end of the block."""
    environ = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}  # where Caddy writes
    with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + 20
            while time.monotonic() < until:
                assert process.poll() is None, f"{command[0]} ended"
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                    break
                time.sleep(0.02)
            yield
        finally:
            process.terminate()


def missing(name: str) -> pytest.MarkDecorator:
    """Skip a test if this machine lacks a program."""
    return pytest.mark.skipif(shutil.which(name) is None, reason=f"there is no {name}: apt-get install {name}")
