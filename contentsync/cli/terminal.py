"""The consoles of stdout, for results, and of stderr, for messages; colour only on a terminal."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from ..errors import ContentError, ContentsyncError, Problem, Refused
from ..report.problems import problems_text
from ..value_text import printable
from . import discard_output, handle_output_error

LINE_SECONDS = 10.0  # between two lines about a migration


def stdout() -> Console:
    """Return the console for results."""
    return _Console(stderr=False, highlight=False, emoji=False, soft_wrap=True)


def stderr() -> Console:
    """Return the console for messages."""
    return _Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def log(text: str, style: str = "dim") -> None:
    """Print a message of a long-running command after the local time."""
    stderr().print(with_time(Text(printable(text), style)))


def with_time(text: Text) -> Text:
    """Return a text with the local time before it, for long-running commands."""
    return Text(f"{datetime.now():%H:%M:%S} ", "dim").append_text(text)


@contextmanager
def migration_progress(
    console: Console, clock: Callable[[], float] = monotonic
) -> Iterator[Callable[[int, int], None]]:
    """Show how many records are in the index for search: on a terminal at once, else on a line each LINE_SECONDS.

    Yield the function that is called with the number of records that are there, and that of all.
    """
    last_line = clock()
    with console.status("migrating the database …") as status:

        def update(done: int, total: int) -> None:
            nonlocal last_line
            text = f"building the index for search: {done:,} of {total:,} records"
            status.update(text)
            if not console.is_terminal and clock() - last_line >= LINE_SECONDS:
                console.print(text)
                last_line = clock()

        yield update


def print_problems(problems: Sequence[Problem], folder: Path | None) -> None:
    """Print the problems of a folder to stderr."""
    console = stderr()
    console.print(problems_text(problems, folder, console.width), end="")


def print_error(error: ContentsyncError) -> int:
    """Print an error with its hint, and the problems of a ContentError; return the exit code."""
    if isinstance(error, ContentError):
        print_problems(error.problems, error.folder)
    text = Text()
    text.append("contentsync: ", "bold red")
    text.append(printable(error.message))
    if error.hint:
        text.append(f"\n  {printable(error.hint)}")
    stderr().print(text)
    return error.exit_code


def require_agreement(question: str, outcome: str, hint: str) -> None:
    """Ask the user; raise Refused with the message `outcome` if they disagree, or if there is no terminal to ask on.

    `hint` names the option that avoids the question.
    """
    if not sys.stdin.isatty():
        raise Refused(f"{outcome}: there is no terminal to ask on", hint)
    # asyncio's handler would only mark the task as cancelled, and the prompt would continue.
    previous_handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        agreed = typer.confirm(question, err=True)
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    if not agreed:
        raise Refused(outcome)


class _Console(Console):
    """A console whose output may be closed, as after `| head`."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects. If stderr cannot be written, discard its output; for stdout, see `handle_output_error`."""
        try:
            super().print(*objects, **options)
        except OSError as error:
            if self.stderr:  # an error of stderr cannot be reported
                discard_output(self.file)
            else:
                handle_output_error(error)

    def on_broken_pipe(self) -> None:
        # rich would exit, but a sync must continue after the reader of its output has exited.
        discard_output(self.file)
