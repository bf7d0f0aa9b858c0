"""The command line: parse, call, report, exit code. The only place that prints and exits."""

import os
import sys
from collections.abc import Sequence

import typer

from ..errors import ContentError, ContentsyncError, UsageError
from .app import app

INTERRUPTED = 130


def run(arguments: Sequence[str]) -> int:
    """Runs one command; every expected failure is reported here, and becomes its exit code (cli.md)."""
    try:
        code = app(arguments, prog_name="contentsync", standalone_mode=False)
        sys.stdout.flush()
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
    except BrokenPipeError:  # `| head` has seen enough; nothing more can be said on stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _failed(error: ContentsyncError) -> int:
    from ..report.problems import problems_text
    from ..report.words import printable
    from .terminal import talk

    console = talk()
    if isinstance(error, ContentError):
        console.print(problems_text(error.problems), end="")
    console.print(f"[bold red]contentsync:[/] {_plain(printable(error.message))}", soft_wrap=True, highlight=False)
    if error.hint:
        console.print(f"  {_plain(printable(error.hint))}", soft_wrap=True, highlight=False)
    return error.exit_code


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
