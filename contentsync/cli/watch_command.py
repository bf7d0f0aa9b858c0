"""`contentsync watch`: a sync on every save (docs/faults.md CO-13)."""

from dataclasses import replace
from typing import Annotated

import typer

from .option_groups import with_options
from .options import Folder, Format, FormatOption, absolute_folder
from .plan_options import PlanOptions


@with_options("target", "format_", "only", "prune", "allow_deletes", "on_drift", "on_conflict", "adopt", "state_dir")
def watch(
    path: Folder = None,
    *,
    options: PlanOptions,
    format_: FormatOption = Format.TEXT,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune",
            help="Also delete what is absent for 5 s; without it nothing is deleted, even if the config sets prune.",
        ),
    ] = False,
) -> int:
    """Sync on every save, until Ctrl-C."""
    # Imported here, because every command imports this module, and few need the client.
    import asyncio

    from ..content.folder.unit_cache import InMemoryCache
    from ..errors import ContentsyncError
    from ..sync.planning.delayed_deletes import DelayedDeletes
    from ..watch import FolderChanges
    from .terminal import log as log_message
    from .watch_loop import Watcher, WatchLog

    options = replace(options, prune=prune, path=path)
    log = WatchLog(as_json=format_ is Format.JSON)
    try:
        folder = absolute_folder(path)
        options.check(folder)
        cache = InMemoryCache()
        deletes = DelayedDeletes(options.commands(folder)("sync"), report=log_message)
        watcher = Watcher(folder, options, log, cache, deletes)
        watcher.read_first()
        return asyncio.run(watcher.run(FolderChanges(folder, report=log_message)))
    except ContentsyncError as error:
        log.log_end(error)
        raise
