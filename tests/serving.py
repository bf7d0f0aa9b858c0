"""`contentsync serve` as a process of its own, on a free port."""

import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from contentsync.server.store import accounts, connect_database, tokens

from .forked import running_command


@dataclass
class Serving:
    """A running server; its output is read continuously, so that it never blocks."""

    process: BaseProcess
    port: int = 0
    said: list[str] = field(default_factory=list)
    _ready: threading.Event = field(default_factory=threading.Event)

    def read(self, stderr: Connection) -> None:
        """Read all its output, until its end."""
        with stderr, os.fdopen(stderr.fileno(), encoding="utf-8", closefd=False) as lines:
            for line in lines:
                self.said.append(line)
                ready = re.search(r"serving on http://127\.0\.0\.1:(\d+)", line)
                if ready:
                    self.port = int(ready[1])
                    self._ready.set()
        self._ready.set()

    def wait(self) -> None:
        """Wait until it serves."""
        assert self._ready.wait(60), "the server does not say that it serves"
        assert self.port, "".join(self.said)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return "".join(self.said)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return status and document of the answer, on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        answer = response.status, json.loads(response.read() or "null")
        connection.close()
        return answer

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def send(self, signal: int) -> None:
        """Give it a signal."""
        os.kill(self.pid, signal)

    def stop(self, signal: int) -> int:
        """Return the exit code, after the signal."""
        self.send(signal)
        return self.end()

    def end(self) -> int:
        """Wait for its end, and return the exit code."""
        self.process.join(30)
        assert self.process.exitcode is not None, "the server does not end"
        return self.process.exitcode


@contextmanager
def starting(url: str, *options: str, redis: str = "", fresh: bool = False) -> Iterator[Serving]:
    """Yield a server on a database that may not be ready yet; kill the server at the end if it still runs.

    `redis` is the URL of one. The server is forked from a process that has imported everything, unless it is
    `fresh`.
    """
    arguments = ["serve", "--db", url, "--port", "0", *options]
    with running_command(arguments, {"CONTENTSYNC_REDIS": redis}, Serving, fresh=fresh) as server:
        yield server


@contextmanager
def serving(url: str, *options: str, redis: str = "", fresh: bool = False) -> Iterator[Serving]:
    """Yield the same as soon as it serves."""
    with starting(url, *options, redis=redis, fresh=fresh) as server:
        server.wait()
        yield server


def make_tenant(url: str, slug: str = "tools", *, name: str | None = None, **settings: Any) -> tuple[int, str]:
    """Return the number of a new directory, whose name is its slug by default, and a token of its owner.

    The database is migrated first.
    """
    database = connect_database(url)
    try:
        database.migrate()
        owner = database.run_write(accounts.create_user, email=f"{slug}@example.org", name=slug)
        number = database.run_write(accounts.create_directory, name=name or slug, slug=slug, owner_id=owner, **settings)
        return number, database.run_write(tokens.create_token, user_id=owner)[1]
    finally:
        database.close()


def make_token(url: str, slug: str = "tools", **limits: Any) -> str:
    """Return another token of the owner of a directory."""
    database = connect_database(url)
    try:
        owner = database.run_read(accounts.find_user, f"{slug}@example.org")
        return database.run_write(tokens.create_token, user_id=owner, **limits)[1]
    finally:
        database.close()
