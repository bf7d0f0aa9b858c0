"""The server and its commands as processes of their own."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Self

COMMAND = (sys.executable, "-m", "contentsync")
READY = re.compile(r"serving on (http://\S+)")


def start(*arguments: str) -> "subprocess.Popen[str]":
    """A command that runs; its output is read when it has ended."""
    return subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def admin(url: str, *arguments: str) -> str:
    """What an `admin` command says; fails when it does."""
    process = start("admin", *arguments, "--db", url)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out.strip()


class Server:
    """A running `contentsync serve`, without a rate limit; `said` is what it has written so far."""

    def __init__(self, url: str, *options: str, port: int = 0) -> None:
        arguments = ("serve", "--db", url, "--port", str(port), "--rate-limit", "0", *options)
        self.process = start(*arguments)
        self.said = ""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line
            ready = READY.search(line)
            if ready:
                self.address = ready[1]
                break
        else:
            self._close()
            raise AssertionError(f"the server did not start: {self.said}")
        # Read on, or the pipe is full one day and the server waits.
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """The exit code, once the process has ended; what it wrote is in `said`."""
        self.process.send_signal(how)
        code = self.process.wait(60)
        self._reader.join()
        self._close()
        return code

    def _close(self) -> None:
        self.process.wait(60)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line


@contextmanager
def servers(url: str, count: int) -> Iterator[list[Server]]:
    """Several on one database, on ports of their own."""
    with ExitStack() as stack:
        yield [stack.enter_context(Server(url)) for _ in range(count)]
