"""The options that several commands share, their completion in a shell, and the messages for wrong values."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..content.content_folder import CONFIG
from ..errors import UsageError
from .choices import Format, OnConflict, OnDrift, SyncFormat, content_folder


def complete_target_name(context: typer.Context, incomplete: str) -> list[str]:
    """Return the target names that begin with `incomplete`; none if the folder or its config cannot be read."""
    arguments = context.args  # not parsed yet, because this option has no value
    try:
        config = content_folder(Path(arguments[-1]) if arguments else None) / CONFIG
        targets = tomllib.loads(config.read_text(encoding="utf-8")).get("targets")
    except (UsageError, OSError, ValueError):
        return []
    # If the config has no targets, there is only the embedded target `local`.
    return _matching(incomplete, targets if isinstance(targets, dict) and targets else ["local"])


def complete_kind(incomplete: str) -> list[str]:
    """Return the kinds of entries that begin with `incomplete`."""
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model import Kind

    return _matching(incomplete, Kind)


def _matching(incomplete: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]


Folder = Annotated[
    Path | None,
    typer.Argument(
        metavar="PATH",
        help="The content folder; default: the nearest one, from this folder upwards.",
        show_default=False,
    ),
]
FolderOrFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="PATH",
        help="The content folder, or one file in it; default: the nearest folder, from this one upwards.",
        show_default=False,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="The form of the result.")]
SyncFormatOption = Annotated[
    SyncFormat, typer.Option("--format", help="The form of the result; jsonl: each event on a line, as it happens.")
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="NAME",
        help="The target, by its name in contentsync.toml.",
        autocompletion=complete_target_name,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only", metavar="KIND[/GLOB]", help="Only these entries; may be repeated.", autocompletion=complete_kind
    ),
]
Prune = Annotated[
    bool | None,
    typer.Option("--prune/--no-prune", help="Delete entries that were synced and are no longer in the folder."),
]
AllowDeletes = Annotated[
    int | None,
    typer.Option("--allow-deletes", metavar="N", min=0, help="Allow exactly the N deletes of the plan."),
]
AllowClears = Annotated[
    int | None,
    typer.Option(
        "--allow-clears", metavar="N", min=0, help="Allow clearing values in exactly the N entries that the plan names."
    ),
]
AllowRecreate = Annotated[
    int | None,
    typer.Option(
        "--allow-recreate",
        metavar="N",
        min=0,
        help="Allow creating again exactly the N entries that are missing on the server.",
    ),
]
DriftOption = Annotated[
    OnDrift | None, typer.Option("--on-drift", help="What to do with fields that were changed on the server.")
]
ConflictOption = Annotated[
    OnConflict,
    typer.Option(
        "--on-conflict", help="What to do with fields that were changed both in the folder and on the server."
    ),
]
Adopt = Annotated[
    bool, typer.Option("--adopt", help="Overwrite entries on the server that were not synced from this folder.")
]
BaseOption = Annotated[
    str,
    typer.Option(
        "--base",
        metavar="state|git:REF",
        help="The values that were applied last: those of the state file, or of a commit.",
    ),
]
AttemptOption = Annotated[
    list[str] | None,
    typer.Option("--attempt", metavar="REF", help="A commit after git:REF whose sync did not finish; may be repeated."),
]
StateDir = Annotated[
    Path | None,
    typer.Option("--state-dir", metavar="DIR", help="The folder for the state of the target."),
]
TakeLock = Annotated[bool, typer.Option("--take-lock", help="Take over the lock if another run has it.")]
Full = Annotated[bool, typer.Option("--full", help="Do not shorten the output.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has.")]
VerboseRun = Annotated[
    bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has, and each failure.")
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result.")]

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


def _details(error: typer.TyperException) -> dict[str, Any] | None:
    """Return the first error that the validation of a value reported; None for errors of another cause."""
    errors = getattr(error.__cause__, "errors", None)
    return next(iter(errors()), None) if errors else None


def help_hint(error: typer.TyperException) -> str:
    """Return the hint that names the help of the command whose line was wrong."""
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"see {context.command_path if context else 'contentsync'} --help"
