"""`contentsync watch`: a sync on every save (docs/faults.md CO-13)."""

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
        path=path,
    )
    log = WatchLog(as_json=format_ is Format.JSON)
    try:
        folder = absolute_folder(path)
        options.check(folder)
        cache = InMemoryCache()
        deletes = DelayedDeletes(options.commands(folder)("sync"), report=log_message)
        load_content(folder, cache)  # before there are threads, because it may start other processes
        changes = FolderChanges(folder, report=log_message)
        return asyncio.run(Watcher(folder, options, log, cache, deletes).run(changes))
    except ContentsyncError as error:
        log.log_end(error)
        raise
