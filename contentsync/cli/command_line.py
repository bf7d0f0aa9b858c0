"""Every command. Those with the options of a plan have them here; the modules of the other commands have theirs.

Imports stay inside the functions, so that `--help` and `validate` do not pay for the client and the server.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import UsageError
from . import admin_command as admin
from . import hook_command as hook
from .adopt_command import adopt
from .assets_command import assets
from .dev_command import dev
from .drift_command import drift
from .explain_command import explain
from .fetch_command import fetch
from .forget_command import forget
from .init_command import init
from .log_command import log
from .mv_command import mv
from .new_command import new
from .option_groups import with_options
from .options import (
    Folder,
    FolderOrFiles,
    Format,
    FormatOption,
    Full,
    OnDrift,
    ProblemsFormat,
    content_folder,
    help_hint,
    option_message,
    require_files,
)
from .plan_options import ApplyOptions, DriftOption, OutputOptions, PlanOptions, PlanOutput
from .propose_command import propose
from .redirects_command import redirects
from .schema_command import schema
from .serve_command import serve
from .spreadsheet_command import export, import_
from .status_command import status
from .watch_command import watch

# The options of a plan and of a sync, in the order of their help.
PLANNING = (
    *("only", "prune"),
    *("allow_deletes", "allow_clears", "allow_publish", "allow_updates", "allow_recreate", "allow_unknown_base"),
    *("on_drift", "on_conflict", "adopt", "base", "attempts", "state_dir"),
)

app = typer.Typer(
    help="Git-ops for the content of a directory website: a folder of files is validated, planned and synced.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Git-ops for the content of a directory website: a folder of files is validated, planned and synced."""
    if version:
        from .. import __version__

        typer.echo(f"contentsync {__version__}")
        raise typer.Exit


app.command()(init)
app.command()(adopt)
app.command()(new)


@app.command()
def validate(
    paths: FolderOrFiles = None,
    format_: Annotated[
        ProblemsFormat,
        typer.Option("--format", help="github: annotations of a pull request; sarif: for code scanning."),
    ] = ProblemsFormat.TEXT,
    staged: Annotated[
        bool, typer.Option("--staged", help="Validate what git has staged: the content of the next commit.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show each problem, even if there are many.")] = False,
    unused_assets: Annotated[
        bool, typer.Option("--unused-assets", help="Also list pictures of the asset folder that no entry names.")
    ] = False,
    commits: Annotated[
        str | None,
        typer.Option("--commits", metavar="REF", help="Also report the consents in trailers of the commits REF..HEAD."),
    ] = None,
) -> int:
    """Report all problems of the folder, without contacting a server."""
    from .validate_command import validate, validate_files, validate_staged, validate_with_unused_assets

    has_files = paths is not None and (len(paths) > 1 or paths[0].is_file())
    if unused_assets and (staged or has_files):
        raise UsageError("--unused-assets needs a folder as it is on disk", "leave out --staged, and name no file")
    if commits is not None and (staged or has_files or unused_assets or format_ is ProblemsFormat.SARIF):
        raise UsageError("--commits needs a folder as it is on disk", "use it with --format text, json or github only")
    if staged and has_files:
        raise UsageError("--staged needs a folder, not a file", "name the content folder, or leave it out")
    if paths and has_files:
        return validate_files(require_files(paths), format_, full=full)
    folder = content_folder(paths[0] if paths else None)
    if unused_assets:
        return validate_with_unused_assets(folder, format_, full=full)
    if staged:
        return validate_staged(folder, format_, full=full)
    return validate(folder, format_, full=full, commits=commits)


@app.command()
@with_options("target", "format_", "out", "whole", "at", *PLANNING, "detailed_exitcode", "full", "verbose")
def plan(path: Folder = None, *, options: PlanOptions, output: PlanOutput) -> int:
    """Show what a sync would do, and why, without changing anything."""
    from .plan_command import plan

    return plan(content_folder(path), options, output)


@app.command()
@with_options(
    *("target", "yes", "plan", "format_", *PLANNING),
    *("on_error", "concurrency", "take_lock", "full", "verbose", "quiet"),
)
def sync(
    path: Folder = None,
    *,
    options: PlanOptions,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Apply a saved plan.")] = None,
    applying: ApplyOptions,
    output: OutputOptions,
) -> int:
    """Plan, ask, and apply the plan."""
    from dataclasses import replace

    from ..sync.state.saved_plan import read_saved_plan
    from .session import Session
    from .sync_command import sync
    from .terminal import stderr

    if plan is None:
        return sync(Session.open(content_folder(path), options, stderr()), applying, output)
    if options != PlanOptions(options.target, state_dir=options.state_dir):
        raise UsageError("a saved plan has its own options", "give them to plan --out")
    saved = read_saved_plan(plan)
    options = replace(options, target=options.target or saved.target, base=saved.base, attempts=tuple(saved.attempts))
    session = Session.open(content_folder(path), options, stderr())
    session = replace(session, selection=saved.selection, policy=saved.policy)
    return sync(session, replace(applying, saved=saved), output)


@app.command()
@with_options("target", "yes", "deletes", "allow_deletes", "format_", "only", "state_dir", "detailed_exitcode", "full")
def pull(
    path: Folder = None,
    *,
    options: PlanOptions,
    yes: Annotated[bool, typer.Option("--yes", help="Overwrite local changes too.")] = False,
    deletes: Annotated[
        bool, typer.Option("--deletes", help="Also remove the entries that were deleted on the server.")
    ] = False,
    format_: FormatOption = Format.TEXT,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit 2 if an entry was added here and on the server.")
    ] = False,
    full: Full = False,
) -> int:
    """Write the server's content to the folder's files."""
    from .pull_command import pull
    from .session import Session
    from .terminal import stderr

    if options.allow_deletes is not None and not deletes:
        raise UsageError("--allow-deletes needs --deletes", "a pull without --deletes removes nothing")
    session = Session.open(content_folder(path), options, stderr())
    return pull(
        session,
        yes=yes,
        deletes=deletes,
        as_json=format_ is Format.JSON,
        full=full,
        detailed_exitcode=detailed_exitcode,
    )


app.command()(status)
app.command()(drift)
app.command()(propose)
app.command()(log)
app.command()(mv)
app.command()(redirects)
app.command()(assets)
app.command()(export)
app.command(name="import")(import_)
app.command()(fetch)


@app.command()
@with_options(
    *("target", "run", "yes", "format_", "allow_deletes", "allow_clears", "on_drift", "on_conflict", "adopt"),
    *("state_dir", "take_lock", "full", "verbose", "quiet"),
)
def undo(
    path: Folder = None,
    *,
    options: PlanOptions,
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="The run to undo; default: the last one.")
    ] = None,
    on_drift: DriftOption = OnDrift.FAIL,
    applying: ApplyOptions,
    output: OutputOptions,
) -> int:
    """Restore what a run changed or deleted."""
    from dataclasses import replace

    from .session import Session
    from .sync_command import undo
    from .terminal import stderr

    options = replace(options, on_drift=on_drift)  # whose default is not that of the target
    session = Session.open_without_entries(content_folder(path), options, stderr())
    return undo(session, run, applying, output)


app.command()(forget)
app.command()(explain)
app.command()(schema)
app.command()(serve)
app.command()(watch)
app.command()(dev)
app.add_typer(hook.app, name="hook")
app.add_typer(admin.app, name="admin")


@cache
def command() -> Callable[..., Any]:
    """Return the command with its subcommands, which takes 12 ms to make."""
    return typer.main.get_command(app)


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code. Raise ContentsyncError, or KeyboardInterrupt for Ctrl-C."""
    try:
        code = command()(arguments, prog_name="contentsync", standalone_mode=False)
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
