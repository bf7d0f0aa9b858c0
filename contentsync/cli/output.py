"""Plain output to stdout without rich, and the handling of errors of stdout."""

import json
import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import IO, Any

from ..errors import UsageError


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document to stdout."""
    print_lines([json.dumps(document, ensure_ascii=False, indent=2)])


def print_event(event: dict[str, Any]) -> None:
    """Print one JSON document to stdout, on one line."""
    print_lines([json.dumps(event, ensure_ascii=False)])


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to stdout as they are, in UTF-8 for any locale, because programs read them (RFC 8259, 8.1)."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except OSError as error:
        handle_output_error(error)


def handle_output_error(error: OSError) -> None:
    """Discard the rest of the output. Raise UsageError, unless the reader has closed the pipe, as `head` does."""
    discard_output(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        raise UsageError(f"the output cannot be written: {error.strerror}") from error


def discard_output(stream: IO[str]) -> None:
    """Redirect a stream to the null device: later output to it is discarded."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, stream.fileno())
    os.close(null_device)
