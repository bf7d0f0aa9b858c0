"""`contentsync dev` as a process of its own, on a free port."""

import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ..forked import running_command

WAIT = 30.0  # seconds for what takes a fraction of one
READY = "waiting for the next save"


@dataclass
class DevProcess:
    """A running `dev` and its output."""

    process: BaseProcess
    output: list[str] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _ended: bool = False

    def read(self, stderr: Connection) -> None:
        """Read stderr until its end."""
        with stderr, os.fdopen(stderr.fileno(), encoding="utf-8", closefd=False) as lines:
            for line in lines:
                with self._changed:
                    self.output.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_for_output(self, words: str, wait: float = WAIT) -> str:
        """Wait until the output matches the regular expression, and return the output."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or re.search(words, self.log), wait)
        assert re.search(words, self.log), self.log
        return self.log

    @property
    def log(self) -> str:
        return "".join(self.output)

    @property
    def address(self) -> str:
        found = re.search(r"is shown at (http://127\.0\.0\.1:\d+)/", self.log)
        assert found, self.log
        return found[1]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
        """Return the status and text of a response; follow a redirect on this server."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        moved = response.getheader("location")
        return self.ask(moved) if moved and not headers else (response.status, text)

    @contextmanager
    def events(self) -> Iterator["Events"]:
        """Listen as an open page does."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        connection.request("GET", "/_contentsync/events")
        try:
            yield Events(connection.getresponse())
        finally:
            connection.close()

    def stop(self) -> int:
        """Return the exit code after Ctrl-C."""
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)
        self.process.join(WAIT)
        assert self.process.exitcode is not None, self.log
        return self.process.exitcode


@dataclass
class Events:
    """The event stream, read by hand."""

    response: HTTPResponse

    def next(self) -> dict[str, Any]:
        """Return the next state; fail if the stream ends."""
        while line := self.response.readline():
            if line.startswith(b"data:"):
                state: dict[str, Any] = json.loads(line.removeprefix(b"data:"))
                return state
        raise AssertionError("the events have ended")


@contextmanager
def start_dev(folder: Path, *options: str, port: int = 0, **environ: str) -> Iterator[DevProcess]:
    """Run `dev` on the folder; kill it at the end if it still runs."""
    with running_command(["dev", str(folder), "--port", str(port), *options], environ, DevProcess) as dev:
        yield dev
