"""The two streams: data to stdout, talk to stderr; colour only on a terminal."""

import json
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from ..errors import ContentError, ContentsyncError, UsageError
from ..report.problems import problems_text
from ..report.words import printable


def data() -> Console:
    """The console for results."""
    return _Console(stderr=False, highlight=False, emoji=False, soft_wrap=True)


def talk() -> Console:
    """The console for people."""
    return _Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout."""
    print_lines([json.dumps(document, ensure_ascii=False, indent=2)])


def print_lines(lines: Iterable[str]) -> None:
    """Lines on stdout as they are, in UTF-8 whatever the locale says: programs read them (RFC 8259, 8.1)."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except OSError as error:
        lost(error)


def tell(error: ContentsyncError) -> int:
    """Says what went wrong and what helps; the exit code."""
    console = talk()
    if isinstance(error, ContentError):
        console.print(problems_text(error.problems, error.folder, console.width), end="")
    text = Text()
    text.append("contentsync: ", "bold red")
    text.append(printable(error.message))
    if error.hint:
        text.append(f"\n  {printable(error.hint)}")
    console.print(text)
    return error.exit_code


def lost(error: OSError) -> None:
    """What to do when stdout could not be written: a reader who has left (`| head`) is no failure, all else is.

    Raises UsageError; the rest of the output goes nowhere.
    """
    silence(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        raise UsageError(f"the output cannot be written: {error.strerror}") from error


def silence(stream: IO[str]) -> None:
    """Lets a stream that nobody reads any more take what is still written to it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class _Console(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        try:
            super().print(*objects, **options)
        except OSError as error:
            if self.stderr:  # there is nobody left to tell
                silence(self.file)
            else:
                lost(error)

    def on_broken_pipe(self) -> None:
        # rich would exit; a sync whose output nobody reads must still be carried out.
        silence(self.file)
