"""The options for printing a plan, and the results of applying it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .options import Full, PlanFormat, SyncFormat

Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has.")]


@dataclass(frozen=True, slots=True)
class PlanOutput:
    """The options for printing and saving a plan."""

    format_: Annotated[
        PlanFormat, typer.Option("--format", help="The form of the plan; markdown: for the comment of a pull request.")
    ] = PlanFormat.TEXT
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Save the plan for sync --plan.")] = None
    whole: Annotated[
        Path | None,
        typer.Option(
            "--whole", metavar="FILE", help="If --format markdown leaves something out, write all of it to a new file."
        ),
    ] = None
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="Also show what appears and expires until this time."),
    ] = None
    detailed_exitcode: Annotated[bool, typer.Option("--detailed-exitcode", help="Exit 2 if there are changes.")] = False
    full: Full = False
    verbose: Verbose = False


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """The options for printing the plan and the results."""

    format_: Annotated[
        SyncFormat, typer.Option("--format", help="The form of the result; jsonl: each event on a line, as it happens.")
    ] = SyncFormat.TEXT
    full: Full = False
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also list the entries that only the server has, and each failure.")
    ] = False
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result.")] = False

    @property
    def shows_plan(self) -> bool:
        """Whether the plan is printed before it is applied."""
        return self.format_ is SyncFormat.TEXT and not self.quiet
