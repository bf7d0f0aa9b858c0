"""Make the program of the commands, and run one. A run imports only the module of its own command."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from ..errors import UsageError
from .commands import COMMANDS
from .completion import completed_command
from .given_values import convert_only_given_values
from .options import help_hint, option_message


def main(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Git-ops for the content of a directory website: a folder of files is validated, planned and synced."""
    if version:
        from .. import __version__

        typer.echo(f"contentsync {__version__}")
        raise typer.Exit


@cache
def command(name: str | None = None) -> Any:
    """Return the program with the command of a name, and without the others; for None, with all commands."""
    app = typer.Typer(
        help="Git-ops for the content of a directory website: a folder of files is validated, planned and synced.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
    )
    app.callback(invoke_without_command=True)(main)
    for each in [name] if name else COMMANDS:
        module, _, attribute = COMMANDS[each].partition(".")
        found = getattr(import_module(f".{module}", __package__), attribute)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=each)
        else:
            app.command(each)(found)
    program = typer.main.get_command(app)
    convert_only_given_values(program)
    return program


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code. Raise ContentsyncError, or KeyboardInterrupt for Ctrl-C."""
    name = arguments[0] if arguments else completed_command(os.environ)
    try:
        code = command(name if name in COMMANDS else None)(arguments, prog_name="contentsync", standalone_mode=False)
    except typer.TyperException as error:
        text = option_message(error)
        if text.startswith("Usage:"):  # of a command without arguments
            print(text, file=sys.stderr)
            return UsageError.exit_code
        from .wrong_words import wrong_word_error  # a local import: it needs the rules of all kinds

        raise (wrong_word_error(error) or UsageError(text, help_hint(error))) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    return code if isinstance(code, int) else 0
