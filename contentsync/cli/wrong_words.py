"""The next step for a command or an option that contentsync does not have; a similar one is suggested, never run."""

from collections.abc import Iterator
from typing import Any

import typer

from ..errors import UsageError
from ..lazy_pattern import lazy_pattern
from ..model.suggestion import did_you_mean

# Words of other programs, with our command.
_COMMANDS = {
    "diff": "plan",
    "lint": "validate",
    "check": "validate",
    "push": "sync",
    "deploy": "sync",
    "apply": "sync",
    "rollback": "undo",
    "rename": "mv",
    "ls": "list",
}
# What shows the changes of a command without making them.
_DRY_RUN = {
    "sync": "contentsync plan shows what a sync would do",
    "watch": "contentsync plan shows what a sync would do",
    "pull": "contentsync drift shows what was changed on the server",
    "undo": "without --yes, undo shows its plan and asks",
    "mv": "without --yes, mv shows its plan and asks",
    "set": "without --yes, set shows its changes and asks",
    "adopt": "without --write, adopt only shows its proposal",
    "plan": "leave it out: plan changes nothing",
}
_NO_COMMAND = lazy_pattern(r"No such command '(?P<word>.*?)'")


def wrong_word_error(error: typer.TyperException) -> UsageError | None:
    """Return the error for an unknown command or option, with our word for it; None for another error."""
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is None:
        return None
    option: str | None = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities"):
        name = context.command.name or ""
        dry_run = _DRY_RUN.get(name, "") if option == "--dry-run" else ""
        help_hint = f"see {context.command_path} --help"
        hint = dry_run or did_you_mean(option, _options(context.command)) or help_hint
        return UsageError(f"{context.command_path} has no option {option}", hint)
    match = _NO_COMMAND.match(error.format_message())
    if match is None:
        return None
    word = match["word"]
    is_top = context.parent is None
    if is_top and word in _COMMANDS:
        hint = f"write {context.command_path} {_COMMANDS[word]}"
    else:
        commands: dict[str, Any] = getattr(context.command, "commands", {})
        hint = did_you_mean(word, commands) or f"see {context.command_path} --help"
    return UsageError(f"there is no command '{word}'", hint)


def _options(command: Any) -> Iterator[str]:
    for parameter in command.params:
        yield from (name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--"))
