"""The command line: parse, call, report, exit code. Only this package prints and exits.

This module prints without rich, which `terminal` needs for colours and for messages.
"""

import gc
import json
import os
import signal
import sys
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import pairwise
from typing import IO, Any, TypeVar

from ..errors import ContentsyncError, UsageError

EXIT_INTERRUPTED = 130

Returned = TypeVar("Returned")


def run(arguments: Sequence[str]) -> int:
    """Run one command, report expected failures, and return the exit code (docs/reference/commands.md, Exit codes)."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # or worker processes would outlive this one
    if sys.stdout is None:  # as with the redirection `>&-`
        return _report_failure(UsageError("the output cannot be written: stdout is closed"))
    code = None
    try:
        try:
            for stream in (sys.stderr, sys.stdout):
                if isinstance(stream, TextIOWrapper):
                    stream.reconfigure(errors="backslashreplace")  # for a terminal that supports only ASCII
            # To search a plan of 100,000 entries for garbage takes time and frees little. So search new objects only
            # after 200,000 of them, more than a small plan and its imports have, and older ones after 50 of these
            # searches. `__main__` has disabled all searches.
            gc.set_threshold(200_000, 50, 1_000)
            gc.enable()
            # Pydantic would search all installed packages for plugins, which takes a twentieth of a short command.
            os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
            from .command_line import run_command_line  # a local import: an early failure needs no parser

            code = run_command_line(arguments)
            sys.stdout.flush()
        except OSError as error:
            if error.filename is not None:  # an error of the output has no file name
                raise
            handle_output_error(error)
    except ContentsyncError as error:
        if not error.is_printed_as_json and (format_ := _json_format(arguments)):
            _print_document(error, format_)
        return _report_failure(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    return code or 0


def run_coroutine(coroutine: Coroutine[Any, Any, Returned]) -> Returned:
    """Return what a coroutine returns, as `asyncio.run` does, also if it is large.

    At its end, `asyncio.run` formats its task, with all of the result: seconds for the entries of a large folder.
    """
    import asyncio

    returned: list[Returned] = []

    async def run() -> None:
        returned.append(await coroutine)

    asyncio.run(run())
    return returned[0]


def _json_format(arguments: Sequence[str]) -> str | None:
    """Return the JSON format that the arguments contain, even if they cannot be parsed; None if there is none."""
    words: list[str] = []
    for argument in arguments:
        words += argument.split("=", 1) if argument.startswith("--format=") else [argument]
    values = (value for name, value in pairwise(words) if name == "--format")
    return next((value for value in values if value in ("json", "jsonl")), None)


def _print_document(error: ContentsyncError, format_: str) -> None:
    """Print an error as a JSON document; for the format `jsonl`, as an event on one line."""
    # Imported here, because most commands end without an error.
    from ..report.problem_documents import failure_document

    document = failure_document(error)
    with suppress(UsageError):  # from an output that cannot be written; stderr still shows the error itself
        if format_ == "json":
            print_json(document)
        else:
            print_event({**document, "event": "error"})


def _report_failure(error: ContentsyncError) -> int:
    # Imported here, because `--help` needs no terminal.
    from .terminal import print_error

    return print_error(error)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document to stdout."""
    print_lines([json.dumps(document, ensure_ascii=False, indent=2)])


def print_event(event: Mapping[str, Any]) -> None:
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
