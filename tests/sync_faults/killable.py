"""The command in a process of its own that dies, by SIGKILL, at a given moment of its work.

A moment is a boundary between the process and the world: before a request leaves, when it has left, when its answer is
there; before and after each fsync; before a file is opened for writing, put in the place of another one, or removed;
before another program is started.
"""

import io
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from contentsync.cli import run

from ..forked import CONTEXT

_TRACED = {
    "http11.send_request_headers.started": "before a request",
    "http11.send_request_body.complete": "request sent",
    "http11.receive_response_body.complete": "answer there",
}
_WRITES = os.O_WRONLY | os.O_RDWR


class Ended(NamedTuple):
    """The exit code and the output of the process."""

    code: int  # -9 where it was killed
    said: str
    moments: tuple[str, ...]  # that it came through; empty where it was killed


def run_killable(arguments: list[str], environ: Mapping[str, str], *, crash_at: int | None = None) -> Ended:
    """Runs a command, which dies at the moment of that number (from 1) if it comes so far."""
    receiver, sender = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_live, args=(arguments, dict(environ), crash_at, sender))
    process.start()
    sender.close()
    try:
        code, said, moments = receiver.recv()
    except EOFError:
        code, said, moments = None, "", ()
    process.join()
    return Ended(process.exitcode or 0 if code is None else code, said, moments)


def watch_moments(crash_at: int | None) -> list[str]:
    """Count the moments of this process from now on, and end it at one of them; those that it came through."""
    moments = _Moments(crash_at)
    moments.watch()
    return moments.seen


class _Moments:
    """Counts what happens, and ends the process at one of them."""

    def __init__(self, crash_at: int | None) -> None:
        self._dies_at = crash_at
        self.seen: list[str] = []

    def come(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Everything from now on. The process exists for nothing else, so its modules are changed in place."""
        os.fsync, os.write = self._around(os.fsync, "fsync"), self._halved(os.write)
        sys.addaudithook(self._audit)
        send = httpx.AsyncHTTPTransport.handle_async_request

        async def traced(transport: httpx.AsyncHTTPTransport, request: httpx.Request) -> httpx.Response:
            traces = [self._trace, *filter(None, [request.extensions.get("trace")])]

            async def trace(event: str, info: Mapping[str, Any]) -> None:
                for each in traces:
                    await each(event, info)

            request.extensions["trace"] = trace
            return await send(transport, request)

        setattr(httpx.AsyncHTTPTransport, "handle_async_request", traced)  # noqa: B010 - mypy allows no assignment

    def _around(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.come(f"before {name}")
            result = call(*arguments, **options)
            self.come(f"after {name}")
            return result

        return counted

    def _halved(self, call: Callable[[int, Any], int]) -> Callable[[int, Any], int]:
        """A write that takes half of what it is given, as the system's own may, and the rest when it is asked again."""
        rest = 0

        def counted(descriptor: int, data: Any) -> int:
            nonlocal rest
            self.come("before half a write" if len(data) != rest else "before the other half")
            written = call(descriptor, data if len(data) == rest else data[: (len(data) + 1) // 2])
            rest = len(data) - written
            return written

        return counted

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("os.rename", "os.remove") or (event == "open" and (arguments[2] or 0) & _WRITES):
            path = os.fsdecode(arguments[0]) if isinstance(arguments[0], str | bytes) else ""
            if ".contentsync" in path:
                self.come(f"before {event} of {Path(path).name}")
        elif event == "subprocess.Popen":
            self.come("before a program")  # git

    async def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in _TRACED:
            self.come(_TRACED[event])


def _live(arguments: list[str], environ: dict[str, str], crash_at: int | None, sender: Connection) -> None:
    os.environ.update(environ)
    said, moments = io.StringIO(), watch_moments(crash_at)
    with redirect_stdout(said), redirect_stderr(said):
        code = run(arguments)
    sender.send((code, said.getvalue(), tuple(moments)))
