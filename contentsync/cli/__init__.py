"""The command line: parse, call, report, exit code. The only place that prints and exits."""

import gc
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import pairwise

from ..errors import ContentsyncError, UsageError

INTERRUPTED = 130


def run(arguments: Sequence[str]) -> int:
    """Run one command, report every expected failure, and return its code (docs/reference/commands.md, Exit codes)."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # or processes that help to read would outlive this
    if sys.stdout is None:  # as after `>&-`
        return _failed(UsageError("the output cannot be written: stdout is closed"))
    code = None
    try:
        try:
            for stream in (sys.stderr, sys.stdout):
                if isinstance(stream, TextIOWrapper):
                    stream.reconfigure(errors="backslashreplace")  # a terminal that knows only ASCII
            code = _ran(arguments)
            sys.stdout.flush()
        except OSError as error:
            if error.filename is not None:  # an error of the output names no file
                raise
            from .output import lost

            lost(error)
    except ContentsyncError as error:
        if not error.is_documented and _wants_json(arguments):
            _document(error)
        return _failed(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return code or 0


def _ran(arguments: Sequence[str]) -> int:
    # Imported here: `--version` needs no parser.
    gc.enable()
    from .app import run_app

    return run_app(arguments)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Return whether `--format json` was typed, also where the rest could not be understood."""
    words = [part for word in arguments for part in (word.split("=", 1) if word.startswith("--format=") else [word])]
    return any(pair == ("--format", "json") for pair in pairwise(words))


def _document(error: ContentsyncError) -> None:
    # Imported here: most commands end without an error.
    from ..report.document import failure_document
    from .output import print_json

    with suppress(UsageError):  # of an output that cannot be written; the error itself is shown on stderr
        print_json(failure_document(error))


def _failed(error: ContentsyncError) -> int:
    # Imported here: `--help` needs no terminal.
    from .terminal import tell

    return tell(error)
