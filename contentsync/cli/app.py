"""What can be typed: every command with its options. The stories are in the files of the commands.

Imports stay inside the functions, so that `--help` and `validate` do not pay for the client and the server.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from . import admin, hook
from .choices import STATE, Format, OnConflict, OnDrift, OnError, PlanFormat, ProblemsFormat
from .completion import kinds
from .dev import dev
from .folder import content_folder
from .serve import serve
from .typed import (
    Adopt,
    AllowClears,
    AllowDeletes,
    AllowRecreate,
    AttemptOption,
    BaseOption,
    ConflictOption,
    DriftOption,
    Folder,
    FolderOrFile,
    FormatOption,
    Full,
    Only,
    Prune,
    Quiet,
    StateDir,
    TakeLock,
    TargetOption,
    Verbose,
    failures_as,
)
from .watch import watch

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


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Empty, or not there yet.")] = Path(),
    format_: FormatOption = Format.TEXT,
) -> int:
    """Make a content folder with an example of each kind."""
    from .init import init

    with failures_as(format_):
        return init(folder, as_json=format_ is Format.JSON)


@app.command()
def new(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="Such as article, page or listing.", autocompletion=kinds)
    ],
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="What it is known by, such as my-first-post.")],
    path: Folder = None,
    format_: FormatOption = Format.TEXT,
) -> int:
    """Make a new entry, with the keys that its kind needs."""
    from .new import new

    with failures_as(format_):
        return new(content_folder(path), kind, slug, as_json=format_ is Format.JSON)


@app.command()
def validate(
    path: FolderOrFile = None,
    format_: Annotated[
        ProblemsFormat, typer.Option("--format", help="github: annotations of a pull request; sarif: code scanning.")
    ] = ProblemsFormat.TEXT,
    staged: Annotated[bool, typer.Option("--staged", help="What git's index holds: what a commit would.")] = False,
) -> int:
    """Read everything, talk to nobody; all problems at once."""
    from .staged import validate_staged
    from .validate import validate

    if staged and path and path.is_file():
        raise UsageError("--staged is about a folder, and a file was named", "name the content folder, or leave it out")
    return (validate_staged if staged else validate)(content_folder(path), format_)


@app.command()
def plan(
    path: Folder = None,
    target: TargetOption = None,
    format_: Annotated[
        PlanFormat, typer.Option("--format", help="markdown: the comment of a pull request.")
    ] = PlanFormat.TEXT,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Save it for sync --plan.")] = None,
    only: Only = None,
    prune: Prune = None,
    allow_deletes: AllowDeletes = None,
    allow_clears: AllowClears = None,
    allow_recreate: AllowRecreate = None,
    on_drift: DriftOption = None,
    on_conflict: ConflictOption = OnConflict.FAIL,
    adopt: Adopt = False,
    base: BaseOption = STATE,
    attempt: AttemptOption = None,
    state_dir: StateDir = None,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit 2 if there are changes.")
    ] = False,
    full: Full = False,
    verbose: Verbose = False,
) -> int:
    """Show what a sync would do, and why; change nothing."""
    from .options import Options
    from .plan import plan
    from .session import Session
    from .terminal import talk

    with failures_as(format_):
        options = Options(
            target,
            tuple(only or ()),
            prune,
            allow_deletes,
            allow_clears,
            allow_recreate,
            on_drift,
            on_conflict,
            adopt,
            base,
            state_dir,
            tuple(attempt or ()),
        )
        return plan(
            Session.open(content_folder(path), options, talk()),
            format_=format_,
            out=out,
            full=full,
            verbose=verbose,
            detailed_exitcode=detailed_exitcode,
        )


@app.command()
def sync(
    path: Folder = None,
    target: TargetOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Apply without asking, as in CI.")] = False,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Apply a saved plan.")] = None,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    prune: Prune = None,
    allow_deletes: AllowDeletes = None,
    allow_clears: AllowClears = None,
    allow_recreate: AllowRecreate = None,
    on_drift: DriftOption = None,
    on_conflict: ConflictOption = OnConflict.FAIL,
    adopt: Adopt = False,
    base: BaseOption = STATE,
    attempt: AttemptOption = None,
    state_dir: StateDir = None,
    on_error: Annotated[OnError, typer.Option("--on-error", help="What an entry that fails stops.")] = OnError.CONTINUE,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, max=32, help="Writes at a time.")] = 4,
    take_lock: TakeLock = False,
    full: Full = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Plan, ask, apply."""
    from ..sync.saved_plan import read_saved_plan
    from .options import Options
    from .session import Session
    from .sync import Manner, Telling, sync
    from .terminal import talk

    with failures_as(format_):
        options = Options(
            target,
            tuple(only or ()),
            prune,
            allow_deletes,
            allow_clears,
            allow_recreate,
            on_drift,
            on_conflict,
            adopt,
            base,
            state_dir,
            tuple(attempt or ()),
        )
        saved = None
        if plan is not None:
            if options != Options(target, state_dir=state_dir):
                raise UsageError("a saved plan brings its own options", "give them to plan --out")
            saved = read_saved_plan(plan)
            options = Options(target or saved.target, state_dir=state_dir)
        session = Session.open(content_folder(path), options, talk())
        return sync(
            session.bound_to(saved) if saved else session,
            Manner(yes, saved, on_error, concurrency, take_lock),
            Telling(format_ is Format.JSON, full, verbose, quiet),
        )


@app.command()
def pull(
    path: Folder = None,
    target: TargetOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Also over what was changed here.")] = False,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    state_dir: StateDir = None,
) -> int:
    """Write the server's content into the folder's files."""
    from .options import Options
    from .pull import pull
    from .session import Session
    from .terminal import talk

    with failures_as(format_):
        options = Options(target, tuple(only or ()), state_dir=state_dir)
        return pull(Session.open(content_folder(path), options, talk()), yes=yes, as_json=format_ is Format.JSON)


@app.command()
def status(
    path: Folder = None,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    base: BaseOption = STATE,
    state_dir: StateDir = None,
    verbose: Verbose = False,
) -> int:
    """Show the target, the last sync, and what differs here and there."""
    from .options import Options
    from .session import Session
    from .status import status
    from .terminal import talk

    with failures_as(format_):
        session = Session.open(content_folder(path), Options(target, base=base, state_dir=state_dir), talk())
        return status(session, as_json=format_ is Format.JSON, verbose=verbose)


@app.command()
def undo(
    path: Folder = None,
    target: TargetOption = None,
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="Which run; default: the last one.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Apply without asking, as in CI.")] = False,
    format_: FormatOption = Format.TEXT,
    allow_deletes: AllowDeletes = None,
    allow_clears: AllowClears = None,
    on_drift: DriftOption = OnDrift.FAIL,
    on_conflict: ConflictOption = OnConflict.FAIL,
    adopt: Adopt = False,
    state_dir: StateDir = None,
    take_lock: TakeLock = False,
    full: Full = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> int:
    """Put back what a run changed or deleted."""
    from .options import Options
    from .session import Session
    from .sync import Manner, Telling
    from .terminal import talk
    from .undo import undo

    with failures_as(format_):
        # What the run created goes again, whatever the target's settings say of pruning: the gates hold.
        options = Options(
            target,
            prune=True,
            allow_deletes=allow_deletes,
            allow_clears=allow_clears,
            on_drift=on_drift,
            on_conflict=on_conflict,
            adopt=adopt,
            state_dir=state_dir,
        )
        return undo(
            Session.open_settings(content_folder(path), options, talk()),
            run,
            Manner(yes, take_lock=take_lock),
            Telling(format_ is Format.JSON, full, verbose, quiet),
        )


@app.command()
def forget(
    entry: Annotated[str, typer.Argument(metavar="KIND/KEY", help="Such as page/about.", show_default=False)],
    path: Folder = None,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    state_dir: StateDir = None,
) -> int:
    """Stop managing an entry without deleting it."""
    from .forget import forget
    from .options import Options
    from .session import Session
    from .terminal import talk

    with failures_as(format_):
        session = Session.open(content_folder(path), Options(target, state_dir=state_dir), talk())
        return forget(session, entry, as_json=format_ is Format.JSON)


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(metavar="KIND", show_default=False, autocompletion=kinds)], path: Folder = None
) -> int:
    """Print the JSON Schema of a kind's files, for editors."""
    from .schema import schema

    return schema(kind, path)


app.command()(serve)
app.command()(watch)
app.command()(dev)
app.add_typer(hook.app, name="hook")
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
