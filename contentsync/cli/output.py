"""What goes to stdout as it is; and what to do when nobody takes it."""

import json
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import IO, Any

from ..errors import UsageError


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
