"""A command as a forked process, without anything to read."""

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Protocol, TypeVar

from ..in_process import environment
from .forkserver import CONTEXT


class CommandProcess:
    """A command that runs."""

    def __init__(self, arguments: list[str], environ: Mapping[str, str], cwd: Path | None = None) -> None:
        self._arguments = arguments
        self._folder = tempfile.TemporaryDirectory()
        self._streams = [str(Path(self._folder.name, name)) for name in ("out", "err")]
        known = (arguments, dict(environ), str(cwd or Path.cwd()))
        self._process = CONTEXT.Process(target=become_command, args=(*known, *self._streams))
        self._process.start()

    def end(self, *, seconds: float = 120) -> tuple[int, str, str]:
        """Wait for its end; return its exit code, stdout and stderr."""
        with self._folder:
            self._process.join(seconds)
            if self._process.exitcode is None:
                self._process.kill()
                self._process.join()
                raise TimeoutError(f"{self._arguments} did not end within {seconds} seconds")
            out, err = (Path(stream).read_text(encoding="utf-8") for stream in self._streams)
        return self._process.exitcode, out, err


class StderrReader(Protocol):
    """A thread that reads the stderr of a running command until its end."""

    def read(self, stderr: Connection) -> None: ...


R = TypeVar("R", bound=StderrReader)


@contextmanager
def running_command(
    arguments: list[str], environ: Mapping[str, str], make_reader: Callable[[BaseProcess], R], *, fresh: bool = False
) -> Iterator[R]:
    """Run a command whose stderr is read in a thread; yield its reader. Kill the command at the end if it still runs.

    Its environment is that of `environment(environ)`.
    """
    receiver, sender = CONTEXT.Pipe(duplex=False)
    command = (arguments, environment(environ), str(Path.cwd()), os.devnull, sender)
    process = CONTEXT.Process(target=become_command, args=command, kwargs={"fresh": fresh})
    process.start()
    sender.close()
    reader = make_reader(process)
    thread = threading.Thread(target=reader.read, args=(receiver,))
    thread.start()
    try:
        yield reader
    finally:
        process.kill()
        process.join()
        thread.join()


def become_command(
    arguments: list[str], environ: dict[str, str], cwd: str, out: str, err: str | Connection, *, fresh: bool = False
) -> None:
    """Run a command in this process, and exit; the target of a process of CONTEXT.

    `out` and `err` are paths, or the writing end of a pipe. With `fresh`, start Python again.
    """
    streams = [
        os.open(stream, flags | os.O_CREAT, 0o600) if isinstance(stream, str) else os.dup(stream.fileno())
        for stream, flags in ((os.devnull, os.O_RDONLY), (out, os.O_WRONLY), (err, os.O_WRONLY))
    ]
    take_over(arguments, environ, cwd, streams)
    if fresh:
        os.execv(sys.executable, [sys.executable, "-m", "contentsync", *arguments])

    from contentsync.__main__ import main

    sys.exit(main())


def take_over(arguments: Sequence[str], environ: Mapping[str, str], cwd: str, streams: Sequence[int]) -> None:
    """Give this process the arguments, environment, working directory and standard streams of a command."""
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
    sys.argv = ["contentsync", *arguments]
