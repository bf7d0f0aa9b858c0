"""`contentsync watch` as a process of its own, and what it says while it runs."""

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..forked import CONTEXT, become_command
from ..in_process import environment

SOON = 40.0  # seconds after which a test has failed


def until(holds: Callable[[], Any], why: Callable[[], str] = lambda: "") -> Any:
    """Return the first true result of the function, which is called until then."""
    deadline = time.monotonic() + SOON
    while not (found := holds()):
        assert time.monotonic() < deadline, why()
        time.sleep(0.01)
    return found


@dataclass(frozen=True)
class Watching:
    """A running watch."""

    process: Any
    out: Path
    err: Path

    @property
    def lines(self) -> list[str]:
        """Return the lines that it has printed on stdout so far."""
        return self.out.read_text(encoding="utf-8").splitlines() if self.out.exists() else []

    @property
    def stderr_text(self) -> str:
        """Return the text that it has printed on stderr so far."""
        return self.err.read_text(encoding="utf-8") if self.err.exists() else ""

    def line(self, number: int) -> str:
        """Wait for a line of stdout, counted from one, and return it."""
        until(lambda: len(self.lines) >= number, lambda: f"{self.lines}\n{self.stderr_text}")
        return self.lines[number - 1]

    def document(self, number: int) -> Any:
        """Wait for a line of stdout and return its JSON document."""
        return json.loads(self.line(number))

    def said(self, pattern: str) -> str:
        """Wait until stderr matches the pattern, and return all of it."""
        until(lambda: re.search(pattern, self.stderr_text), lambda: f"{pattern}\n{self.lines}\n{self.stderr_text}")
        return self.stderr_text

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code."""
        os.kill(self.process.pid, number)
        return self.ended()

    def ended(self) -> int:
        """The exit code, as soon as there is one."""
        self.process.join(SOON)
        assert self.process.exitcode is not None, self.stderr_text
        return int(self.process.exitcode)


@contextmanager
def watch(folder: Path, env: Mapping[str, str], *options: str) -> Iterator[Watching]:
    """Watches a folder, until the end of the test at the latest."""
    out, err = folder.parent / f"{folder.name}.out", folder.parent / f"{folder.name}.err"
    arguments = ["watch", str(folder), *options]
    process = CONTEXT.Process(
        target=become_command, args=(arguments, environment(env), str(folder.parent), str(out), str(err))
    )
    process.start()
    running = Watching(process, out, err)
    try:
        yield running
    finally:
        process.kill()
        process.join()
    assert "Traceback" not in running.stderr_text, running.stderr_text
