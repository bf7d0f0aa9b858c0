"""The command as a program file, for processes that start it by its path: a hook of git, or a step of a workflow."""

import os
import shlex
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from .command import take_over
from .forkserver import CONTEXT


@contextmanager
def program_file(prepare: Callable[[], None] | None = None) -> Iterator[Path]:
    """Yield the path of the program; `prepare` is called in the process of each call before the command."""
    with TemporaryDirectory() as folder:  # whose name is short, as the path of a socket must be
        address = f"{folder}/socket"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(address)
            listening.listen()
            process = CONTEXT.Process(target=_serve, args=(listening, prepare), daemon=True)
            process.start()
        call = shlex.join([sys.executable, "-IS", str(Path(__file__).with_name("program_call.py")), address])
        file = Path(folder, "contentsync")
        file.write_text(f'#!/bin/sh\nexec {call} "$@"\n', encoding="utf-8")
        file.chmod(0o755)
        try:
            yield file
        finally:
            process.kill()
            process.join()


def _serve(listening: socket.socket, prepare: Callable[[], None] | None) -> None:
    """Answer each call in a fork of this process."""
    while True:
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _answer(connection, prepare)
        connection.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _answer(connection: socket.socket, prepare: Callable[[], None] | None) -> None:
    """Run the command of a call, send its exit code, and end the process."""
    from contentsync.__main__ import main

    code = 1
    try:
        _, streams, _, _ = socket.recv_fds(connection, 1, 3)
        folder, count, *words = map(os.fsdecode, connection.makefile("rb").read().split(b"\0"))
        arguments, variables = words[: int(count)], words[int(count) :]
        take_over(arguments, dict(variable.split("=", 1) for variable in variables), folder, streams)
        if prepare is not None:
            prepare()
        code = main()
    except BaseException:  # noqa: BLE001 - the process ends here
        traceback.print_exc()
    finally:
        for output in (sys.stdout, sys.stderr):
            output.flush()
        connection.send(bytes([code]))
        os._exit(code)
