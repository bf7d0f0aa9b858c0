"""What several commands take on the command line, and how they fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ContentsyncError
from .choices import Format, OnConflict, OnDrift, PlanFormat
from .completion import kinds, target_names

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="PATH", help="The content folder; default: the nearest one upwards.", show_default=False),
]
FolderOrFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="PATH", help="The content folder, or one file of it; default: the nearest folder.", show_default=False
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How the result is printed.")]
TargetOption = Annotated[
    str | None,
    typer.Option("--target", metavar="NAME", help="A target of contentsync.toml.", autocompletion=target_names),
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="KIND[/GLOB]", help="Only these entries; may be repeated.", autocompletion=kinds),
]
Prune = Annotated[
    bool | None, typer.Option("--prune/--no-prune", help="Delete what was synced once and is no longer in the folder.")
]
AllowDeletes = Annotated[
    int | None,
    typer.Option("--allow-deletes", metavar="N", min=0, help="Consent to the N deletes of the plan."),
]
AllowClears = Annotated[
    int | None,
    typer.Option("--allow-clears", metavar="N", min=0, help="Clear values of the N entries that the plan shows."),
]
AllowRecreate = Annotated[
    int | None,
    typer.Option(
        "--allow-recreate", metavar="N", min=0, help="Create again the N entries that are missing on the server."
    ),
]
DriftOption = Annotated[
    OnDrift | None, typer.Option("--on-drift", help="What becomes of fields that somebody changed on the server.")
]
ConflictOption = Annotated[
    OnConflict, typer.Option("--on-conflict", help="What becomes of fields that were changed here and there.")
]
Adopt = Annotated[bool, typer.Option("--adopt", help="Overwrite what the server has and nobody synced from here.")]
BaseOption = Annotated[
    str, typer.Option("--base", metavar="state|git:REF", help="What was last applied: the state file, or a commit.")
]
AttemptOption = Annotated[
    list[str] | None,
    typer.Option(
        "--attempt", metavar="REF", help="A commit that a run has begun to apply since git:REF; may be repeated."
    ),
]
StateDir = Annotated[
    Path | None,
    typer.Option("--state-dir", metavar="DIR", help="Where to remember what was applied."),
]
TakeLock = Annotated[bool, typer.Option("--take-lock", help="Take the lock from whoever holds it.")]
Full = Annotated[bool, typer.Option("--full", help="Show every change whole.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also list what only the server has.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only the outcome.")]


@contextmanager
def failures_as(format_: Format | PlanFormat) -> Iterator[None]:
    """Gives the one document that was asked for when the command cannot give its own."""
    from ..report.document import failure_document
    from .output import print_json

    try:
        yield
    except ContentsyncError as error:
        if format_.value == Format.JSON:
            print_json(failure_document(error))
            error.is_documented = True
        raise
