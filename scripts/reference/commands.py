"""What can be typed, as the command describes itself, and how it ends."""

import re
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from contentsync.cli import EXIT_INTERRUPTED
from contentsync.cli.command_line import command
from contentsync.errors import ContentError, Refused, RemoteError, UsageError

from . import page, table

# 2 and 5 are not errors, so no exception has them: `plan`, `drift` and `sync` return them.
EXIT_CODES = {
    0: "done",
    ContentError.exit_code: "the content or the config has errors",
    2: "`plan` and `drift` with `--detailed-exitcode`: there are changes; `pull`: both sides have added an entry",
    Refused.exit_code: "refused for safety",
    RemoteError.exit_code: "the server could not be reached, or refused the credentials",
    5: "some changes failed; the output names the causes, and the next run continues",
    UsageError.exit_code: "wrong use of the command line",
    EXIT_INTERRUPTED: "interrupted",
}

_ARGUMENT, _NAME = re.compile(r"([A-Z/]+) <\w+>"), r"\1"  # whose name says more than its type


def commands_page() -> str:
    """Every command with its options, and the exit codes."""
    group = command()
    return page(
        "Commands",
        "Data goes to stdout, messages and progress to stderr. Colours and progress are shown on a terminal only;\n"
        "`NO_COLOR` turns colours off. Every command also has `--help`.",
        *_described(group, "contentsync"),
        "## Exit codes",
        table(["exit code", "meaning"], ([str(code), words] for code, words in EXIT_CODES.items())),
    )


def _described(command: Any, name: str) -> Iterator[str]:  # typer shows its commands, but not their type
    context = typer.Context(command, info_name=name, terminal_width=80)
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"## {name}"
    yield f"{command.help}\n\n```\n{usage}\n```"
    records = [param.get_help_record(context) for param in command.params]
    rows = [(f"`{_ARGUMENT.sub(_NAME, words)}`", text.replace("  [", " [")) for words, text in filter(None, records)]
    if rows:
        yield table(["", "meaning"], rows)
    if isinstance(command, TyperGroup):
        for inner, one in command.commands.items():
            if not one.hidden:
                yield from _described(one, f"{name} {inner}")
