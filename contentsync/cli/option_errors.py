"""The messages for command lines that cannot be read, and for their values."""

from typing import Any

import typer

# By the type of the error that typer's library reports, with values of its context.
_MESSAGES = {
    "int_parsing": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def option_message(error: typer.TyperException) -> str:
    """Return the message of a usage error: for a wrong value, what was expected, else the text of typer."""
    details = _details(error)
    if not isinstance(error, typer.BadParameter) or error.param is None or details is None:
        return error.format_message()
    name = error.param.get_error_hint().strip("'")
    context: dict[str, Any] = details.get("ctx") or {}
    if message := _MESSAGES.get(details["type"]):
        return f"{name} {message.format(**context)}, not '{details['input']}'"
    return f"{name}: {context.get('error') or details['msg']}".rstrip(".")


def help_hint(error: typer.TyperException) -> str:
    """Return the hint that names the help of the command whose line was wrong."""
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"see {context.command_path if context else 'contentsync'} --help"


def _details(error: typer.TyperException) -> dict[str, Any] | None:
    """Return the first error that the validation of a value reported; None for errors of another cause."""
    errors = getattr(error.__cause__, "errors", None)
    return next(iter(errors()), None) if errors else None
