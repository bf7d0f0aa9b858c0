"""Commands in processes of their own that need not import everything again: each is forked from one that has."""

import os
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        __name__,
        "tests.sync_faults.killable",
        "alembic.command",
        "anyio._backends._asyncio",
        "httpcore",
        "rich.status",
        "contentsync.server.embedded",
        "contentsync.server.edge.process",
        *(
            f"contentsync.cli.{name}"
            for name in (
                *("command_line", "session", "plan_command", "sync_command", "status_command", "pull_command"),
                *("forget_command", "watch_loop", "serve_command", "admin_command"),
            )
        ),
        "tests.warm",
    ]
)


class Forked:
    """A command that runs, and has nothing to read."""

    def __init__(self, arguments: list[str], environ: Mapping[str, str], cwd: Path | None = None) -> None:
        self._arguments = arguments
        self._folder = tempfile.TemporaryDirectory()
        self._streams = [str(Path(self._folder.name, name)) for name in ("out", "err")]
        known = (arguments, dict(environ), str(cwd or Path.cwd()))
        self._process = CONTEXT.Process(target=live, args=(*known, *self._streams))
        self._process.start()

    def end(self, *, seconds: float = 120) -> tuple[int, str, str]:
        """Its exit code, and what it wrote to stdout and stderr, when it has ended."""
        with self._folder:
            self._process.join(seconds)
            if self._process.exitcode is None:
                self._process.kill()
                self._process.join()
                raise TimeoutError(f"{self._arguments} did not end within {seconds} seconds")
            out, err = (Path(stream).read_text(encoding="utf-8") for stream in self._streams)
        return self._process.exitcode, out, err


def run_forked(
    arguments: list[str], environ: Mapping[str, str], cwd: Path | None = None, *, seconds: float = 120
) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr. It has nothing to read."""
    return Forked(arguments, environ, cwd).end(seconds=seconds)


def live(
    arguments: list[str], environ: dict[str, str], cwd: str, out: str, err: str | Connection, *, fresh: bool = False
) -> None:
    """Lives as the command until its end, which `fresh` starts again; to be the target of a process of CONTEXT."""
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    for number, stream, flags in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        descriptor = os.open(stream, flags | os.O_CREAT, 0o600) if isinstance(stream, str) else os.dup(stream.fileno())
        os.dup2(descriptor, number)
        os.close(descriptor)
    if fresh:
        os.execv(sys.executable, [sys.executable, "-m", "contentsync", *arguments])
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
    sys.argv = ["contentsync", *arguments]

    from contentsync.__main__ import main

    sys.exit(main())
