"""The command line: parse, call, report, exit code. The only place that prints and exits."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer

from ..errors import ContentsyncError, UsageError
from .app import app

INTERRUPTED = 130


def run(arguments: Sequence[str]) -> int:
    """Runs one command; every expected failure is reported here, and becomes its exit code (cli.md)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows only ASCII
    if sys.stdout is None:  # as after `>&-`
        return _failed(UsageError("the output cannot be written: stdout is closed"))
    code = None
    try:
        try:
            code = app(arguments, prog_name="contentsync", standalone_mode=False)
            sys.stdout.flush()
        except OSError as error:
            if error.filename is not None:  # an error of the output names no file
                raise
            from .terminal import lost

            lost(error)
    except typer.TyperException as error:
        said = error.format_message()
        if said.startswith("Usage:"):  # a command that was given nothing to do
            print(said, file=sys.stderr)
            return UsageError.exit_code
        return _failed(UsageError(said, "contentsync --help shows the commands and options"))
    except ContentsyncError as error:
        return _failed(error)
    except (KeyboardInterrupt, typer.Abort):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _failed(error: ContentsyncError) -> int:
    # Imported here: `--help` needs no terminal.
    from .terminal import tell

    return tell(error)
