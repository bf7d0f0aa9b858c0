"""A program that does what `contentsync` does: each call of it is a fork of a process that has imported everything.

For whoever is given the path of a program, as a hook of git or a step of a workflow.
"""

import json
import os
import shlex
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from .forked import CONTEXT


@contextmanager
def standing(prepare: Callable[[], None] | None = None) -> Iterator[Path]:
    """Its file, for as long as it lasts; `prepare` is run in the process of each call before the command."""
    with TemporaryDirectory() as folder:  # whose name is short, as that of a socket has to be
        address = f"{folder}/socket"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(address)
            listening.listen()
            process = CONTEXT.Process(target=stand, args=(listening, prepare), daemon=True)
            process.start()
        call = shlex.join([sys.executable, "-IS", str(Path(__file__).with_name("standing_call.py")), address])
        file = Path(folder, "contentsync")
        file.write_text(f'#!/bin/sh\nexec {call} "$@"\n', encoding="utf-8")
        file.chmod(0o755)
        try:
            yield file
        finally:
            process.kill()
            process.join()


def stand(listening: socket.socket, prepare: Callable[[], None] | None = None) -> None:
    """Answers every call in a process of its own."""
    while True:
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            answer(connection, prepare)
        connection.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def answer(connection: socket.socket, prepare: Callable[[], None] | None) -> None:
    """Lives as the command until its end."""
    from contentsync.__main__ import main

    code = 1
    try:
        _, streams, _, _ = socket.recv_fds(connection, 1, 3)
        arguments, environ, folder = json.load(connection.makefile("rb"))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.environ.clear()
        os.environ.update(environ)
        os.chdir(folder)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
        sys.argv = ["contentsync", *arguments]
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
