"""The options of `plan`, `sync`, `pull` and `undo`, which all make a plan; what they do is in modules of their own.

Imports stay inside the functions, so that `--help` does not pay for the client and the server.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from .option_groups import with_options
from .options import Folder, Format, FormatOption, Full, OnDrift, content_folder, from_confirmed_files
from .plan_options import ApplyOptions, DriftOption, OutputOptions, PlanOptions, PlanOutput

# The options of a plan and of a sync, in the order of their help.
PLANNING = (
    *("only", "prune"),
    *("allow_deletes", "allow_clears", "allow_publish", "allow_updates", "allow_recreate", "allow_unknown_base"),
    *("on_drift", "on_conflict", "adopt", "base", "attempts", "state_dir", "no_index"),
)


@with_options("target", "format_", "out", "whole", "at", *PLANNING, "detailed_exitcode", "full", "verbose")
def plan(path: Folder = None, *, options: PlanOptions, output: PlanOutput) -> int:
    """Show what a sync would do, and why, without changing anything."""
    from .plan_command import plan

    return plan(content_folder(path), options, output)


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
    from ..sync.state.saved_plan import SavedPlan, read_saved_plan
    from .find_plan import PlanFinder
    from .session import Session
    from .sync_command import sync
    from .terminal import stderr

    saved: SavedPlan | None = None
    if plan is not None:
        if options != PlanOptions(options.target, state_dir=options.state_dir, no_index=options.no_index):
            raise UsageError("a saved plan has its own options", "give them to plan --out")
        saved = read_saved_plan(plan)
        target, attempts = options.target or saved.target, tuple(saved.attempts)
        options = replace(options, target=target, base=saved.base, attempts=attempts)

    def open_and_sync(no_index: bool) -> int:
        chosen = replace(options, no_index=no_index)
        folder = content_folder(path)
        if saved is None:
            return sync(*PlanFinder.open(folder, chosen, stderr()).begin(to_apply=True), applying, output)
        session = replace(Session.open(folder, chosen, stderr()), selection=saved.selection, policy=saved.policy)
        return sync(session, session.open_plan(), replace(applying, saved=saved), output)

    return from_confirmed_files(open_and_sync, no_index=options.no_index)


@with_options(
    *("target", "yes", "deletes", "allow_deletes", "format_", "only", "state_dir", "no_index", "detailed_exitcode"),
    "full",
)
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
    from .find_plan import PlanFinder
    from .pull_command import pull
    from .terminal import stderr

    if options.allow_deletes is not None and not deletes:
        raise UsageError("--allow-deletes needs --deletes", "a pull without --deletes removes nothing")
    as_json = format_ is Format.JSON

    def open_and_pull(no_index: bool) -> int:
        chosen = replace(options, no_index=no_index)
        finder = PlanFinder.open(content_folder(path), chosen, stderr())
        return pull(finder, yes=yes, deletes=deletes, as_json=as_json, full=full, detailed_exitcode=detailed_exitcode)

    return from_confirmed_files(open_and_pull, no_index=options.no_index)


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
    from .session import Session
    from .sync_command import undo
    from .terminal import stderr

    options = replace(options, on_drift=on_drift)  # whose default is not that of the target
    session = Session.open_without_entries(content_folder(path), options, stderr())
    return undo(session, run, applying, output)
