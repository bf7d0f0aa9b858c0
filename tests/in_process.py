"""The command `contentsync` in the process of the test, for tests that do not need one of its own (tests/forked)."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, NamedTuple

from contentsync.cli import run


class Ended(NamedTuple):
    """The exit code and the output of a finished command."""

    code: int
    out: str
    err: str


def run_command(
    arguments: Sequence[str], environ: Mapping[str, str], cwd: Path | None = None, *, seconds: float = 120
) -> Ended:
    """Run a command without input.

    Raise AssertionError if it has not ended after `seconds`.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with Path(os.devnull).open("rb") as nothing, ExitStack() as stack:
            for name, file in (("stdin", nothing), ("stdout", out), ("stderr", err)):
                stack.enter_context(_redirect(name, file))
            stack.enter_context(_process_state(environ))
            stack.enter_context(chdir(cwd or Path.cwd()))
            stack.enter_context(_time_limit(seconds))
            code = run(arguments)
        return Ended(code, _content(out), _content(err))


def environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of the test without the CONTENTSYNC_* settings of this machine, and with `env`."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CONTENTSYNC_")}
    return {**clean, **(env or {})}


@contextmanager
def _redirect(name: str, file: IO[bytes]) -> Iterator[None]:
    """Redirect a standard stream, also that of the programs which the command starts."""
    stream = getattr(sys, name)
    number = ("stdin", "stdout", "stderr").index(name)
    saved = os.dup(number)
    os.dup2(file.fileno(), number)
    try:
        with os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False) as text:
            setattr(sys, name, text)
            yield
    finally:
        setattr(sys, name, stream)
        os.dup2(saved, number)
        os.close(saved)


@contextmanager
def _process_state(environ: Mapping[str, str]) -> Iterator[None]:
    """Set the environment of the command; afterwards restore the state of this process that a command changes."""
    before, thresholds, on_sigterm = dict(os.environ), gc.get_threshold(), signal.getsignal(signal.SIGTERM)
    found_tempdir, tempfile.tempdir = tempfile.tempdir, None  # the command finds it again, in its TMPDIR
    new = dict(environ)  # `environ` may be os.environ, which is cleared
    os.environ.clear()
    os.environ.update(new)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = found_tempdir
        gc.set_threshold(*thresholds)
        signal.signal(signal.SIGTERM, on_sigterm)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"the command did not end within {seconds} seconds")

    on_alarm = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, on_alarm)


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
