"""The command line: parse, call, report, exit code. Only this package prints and exits."""

import gc
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import pairwise

from ..errors import ContentsyncError, UsageError

EXIT_INTERRUPTED = 130


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
            # To search a plan of 100,000 entries for garbage takes time and frees little. The second number is for
            # objects that have survived a search.
            gc.set_threshold(50_000, 50, 1_000)
            gc.enable()
            from .command_line import run_command_line  # a local import: an early failure needs no parser

            code = run_command_line(arguments)
            sys.stdout.flush()
        except OSError as error:
            if error.filename is not None:  # an error of the output has no file name
                raise
            from .output import handle_output_error

            handle_output_error(error)
    except ContentsyncError as error:
        if not error.is_documented and (format_ := _json_format(arguments)):
            _print_document(error, format_)
        return _report_failure(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    return code or 0


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
    from .output import print_event, print_json

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
