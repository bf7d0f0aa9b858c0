"""Commands in processes of their own that need not import everything again: each is forked from one that has."""

import os
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        __name__,
        "tests.sync_faults.mortal",
        "contentsync.server.embedded",
        *(
            f"contentsync.cli.{name}"
            for name in ("app", "session", "plan", "sync", "status", "pull", "undo", "forget", "watcher")
        ),
    ]
)


def run_forked(
    arguments: list[str], environ: Mapping[str, str], cwd: Path | None = None, *, seconds: float = 120
) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr. It has nothing to read."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [str(Path(folder, name)) for name in ("out", "err")]
        process = CONTEXT.Process(target=live, args=(arguments, dict(environ), str(cwd or Path.cwd()), *streams))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutError(f"{arguments} did not end within {seconds} seconds")
        out, err = (Path(stream).read_text(encoding="utf-8") for stream in streams)
        return process.exitcode, out, err


def live(arguments: list[str], environ: dict[str, str], cwd: str, out: str, err: str) -> None:
    """Lives as the command until its end; to be the target of a process of CONTEXT."""
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    for number, path, flags in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        descriptor = os.open(path, flags | os.O_CREAT, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
    sys.argv = ["contentsync", *arguments]

    from contentsync.__main__ import main

    sys.exit(main())
