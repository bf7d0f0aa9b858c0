"""What can be typed: every command with its options. The stories are in the files of the commands.

Imports stay inside the functions, so that `--help` and `validate` do not pay for the client and the server.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ContentsyncError, UsageError
from . import admin
from .folder import content_folder
from .format import Format, ProblemsFormat
from .serve import serve

app = typer.Typer(
    help="Git-ops for the content of a directory website: a folder of files is validated, planned and synced.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


Folder = Annotated[
    Path | None,
    typer.Argument(metavar="PATH", help="The content folder; default: the nearest one upwards.", show_default=False),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How the result is printed.")]
TargetOption = Annotated[str | None, typer.Option("--target", metavar="NAME", help="A target of contentsync.toml.")]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="KIND[/GLOB]", help="Only these entries; may be repeated.")
]
Full = Annotated[bool, typer.Option("--full", help="Show every change whole.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Also list what only the server has.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only the outcome.")]


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Git-ops for the content of a directory website: a folder of files is validated, planned and synced."""
    if version:
        from .. import __version__

        typer.echo(f"contentsync {__version__}")
        raise typer.Exit


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Empty, or not there yet.")] = Path(),
    format_: FormatOption = Format.TEXT,
) -> int:
    """Make a content folder with an example of each kind."""
    from .init import init

    with _failures_as(format_):
        return init(folder, as_json=format_ is Format.JSON)


@app.command()
def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Such as article, page or listing.")],
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="What it is known by, such as my-first-post.")],
    path: Folder = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """Make a new entry, with the keys that its kind needs."""
    from .new import new

    with _failures_as(format_):
        return new(content_folder(path), kind, slug, as_json=format_ is Format.JSON)


@app.command()
def validate(
    path: Folder = None,
    format_: Annotated[
        ProblemsFormat, typer.Option("--format", help="github: annotations of a pull request; sarif: code scanning.")
    ] = ProblemsFormat.TEXT,
) -> int:
    """Read everything, talk to nobody; all problems at once."""
    from .validate import validate

    return validate(content_folder(path), format_)


@app.command()
def plan(
    path: Folder = None,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit 2 if there are changes.")
    ] = False,
    full: Full = False,
    verbose: Verbose = False,
) -> int:
    """Show what a sync would do, and why; change nothing."""
    from .plan import plan
    from .session import Session
    from .terminal import talk

    with _failures_as(format_):
        session = Session.open(content_folder(path), target, only or [], talk())
        return plan(
            session,
            as_json=format_ is Format.JSON,
            full=full,
            verbose=verbose,
            detailed_exitcode=detailed_exitcode,
        )


@app.command()
def sync(
    path: Folder = None,
    target: TargetOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Apply without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    full: Full = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Plan, ask, apply."""
    from .session import Session
    from .sync import sync
    from .terminal import talk

    with _failures_as(format_):
        session = Session.open(content_folder(path), target, only or [], talk())
        return sync(session, yes=yes, as_json=format_ is Format.JSON, full=full, verbose=verbose, quiet=quiet)


@app.command()
def status(
    path: Folder = None, target: TargetOption = None, format_: FormatOption = Format.TEXT, verbose: Verbose = False
) -> int:
    """Show the target, and what differs from it here."""
    from .session import Session
    from .status import status
    from .terminal import talk

    with _failures_as(format_):
        session = Session.open(content_folder(path), target, [], talk())
        return status(session, as_json=format_ is Format.JSON, verbose=verbose)


@app.command()
def schema(kind: Annotated[str, typer.Argument(metavar="KIND", show_default=False)], path: Folder = None) -> int:
    """Print the JSON Schema of a kind's files, for editors."""
    from .schema import schema

    return schema(kind, path)


app.command()(serve)
app.add_typer(admin.app, name="admin")


def run_app(arguments: Sequence[str]) -> int:
    """Runs what was typed; the exit code. Raises ContentsyncError, and KeyboardInterrupt for Ctrl-C at a question."""
    try:
        code = app(arguments, prog_name="contentsync", standalone_mode=False)
    except typer.TyperException as error:
        said = error.format_message()
        if said.startswith("Usage:"):  # a command that was given nothing to do
            print(said, file=sys.stderr)
            return UsageError.exit_code
        raise UsageError(said, "contentsync --help shows the commands and options") from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    return code if isinstance(code, int) else 0


@contextmanager
def _failures_as(format_: Format) -> Iterator[None]:
    """Gives the one document that was asked for when the command cannot give its own."""
    from ..report.document import failure_document
    from .output import print_json

    try:
        yield
    except ContentsyncError as error:
        if format_ is Format.JSON:
            print_json(failure_document(error))
        raise
