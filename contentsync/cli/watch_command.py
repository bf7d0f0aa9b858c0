"""`contentsync watch`: a sync on every save (docs/faults.md CO-13)."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .consent_options import FROM_OPTIONS, with_consents
from .options import (
    Adopt,
    ConflictOption,
    DriftOption,
    Folder,
    Format,
    FormatOption,
    OnConflict,
    Only,
    StateDir,
    TargetOption,
    absolute_folder,
)

if TYPE_CHECKING:
    from ..sync import Consents
    from .plan_options import PlanOptions


@with_consents("deletes")
def watch(
    path: Folder = None,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune",
            help="Also delete what is absent for 5 s; without it nothing is deleted, even if the config sets prune.",
        ),
    ] = False,
    allowed: "Consents" = FROM_OPTIONS,
    on_drift: DriftOption = None,
    on_conflict: ConflictOption = OnConflict.FAIL,
    adopt: Adopt = False,
    state_dir: StateDir = None,
) -> int:
    """Sync on every save, until Ctrl-C."""
    # Imported here, because every command imports this module, and few need the client.
    import asyncio

    from ..content.folder.load import load_content
    from ..content.folder.unit_cache import InMemoryCache
    from ..errors import ContentsyncError
    from ..sync.planning.delayed_deletes import DelayedDeletes
    from ..watch import FolderChanges
    from .plan_options import PlanOptions
    from .terminal import log as log_message
    from .watch_loop import Watcher, WatchLog

    patterns = tuple(only or ())
    options = PlanOptions(
        target,
        patterns,
        prune,
        allowed,
        on_drift=on_drift,
        on_conflict=on_conflict,
        adopt=adopt,
        state_dir=state_dir,
    )
    log = WatchLog(as_json=format_ is Format.JSON)
    try:
        folder = absolute_folder(path)
        options.check(folder)
        cache = InMemoryCache()
        deletes = DelayedDeletes(_sync_command(path, options), report=log_message)
        load_content(folder, cache)  # before there are threads, because it may start other processes
        changes = FolderChanges(folder, report=log_message)
        return asyncio.run(Watcher(folder, options, log, cache, deletes).run(changes))
    except ContentsyncError as error:
        log.log_end(error)
        raise


def _sync_command(path: Path | None, options: "PlanOptions") -> str:
    """Return the command that syncs the folder once, with the options of this watch; the user adds the consent."""
    words = ["contentsync", "sync", *([] if path is None else [str(path)])]
    words += ["--prune" if options.prune else "--no-prune"]
    words += [] if options.target is None else ["--target", options.target]
    words += [word for pattern in options.only for word in ("--only", pattern)]
    words += [] if options.on_drift is None else ["--on-drift", options.on_drift]
    words += [] if options.on_conflict is OnConflict.FAIL else ["--on-conflict", options.on_conflict]
    words += ["--adopt"] if options.adopt else []
    words += [] if options.state_dir is None else ["--state-dir", str(options.state_dir)]
    return shlex.join(words)
