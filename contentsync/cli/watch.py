"""`contentsync watch`: a sync on every save (docs/faults.md CO-13)."""

from typing import Annotated

import typer

from .choices import Format, OnConflict
from .folder import lasting_folder
from .typed import (
    Adopt,
    AllowDeletes,
    ConflictOption,
    DriftOption,
    Folder,
    FormatOption,
    Only,
    StateDir,
    TargetOption,
)


def watch(
    path: Folder = None,
    target: TargetOption = None,
    format_: FormatOption = Format.TEXT,
    only: Only = None,
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Also delete, as sync --prune; without it nothing is, whatever the config says."),
    ] = False,
    allow_deletes: AllowDeletes = None,
    on_drift: DriftOption = None,
    on_conflict: ConflictOption = OnConflict.FAIL,
    adopt: Adopt = False,
    state_dir: StateDir = None,
) -> int:
    """Sync on every save, until Ctrl-C."""
    # Imported here: every command knows of this one, and few need the client.
    import asyncio

    from ..content.load import load
    from ..content.unit_cache import InMemoryCache
    from ..errors import ContentsyncError
    from .options import Options
    from .watch_log import WatchLog
    from .watcher import Watcher

    chosen = tuple(only or ())
    options = Options(
        target,
        chosen,
        prune,
        allow_deletes,
        on_drift=on_drift,
        on_conflict=on_conflict,
        adopt=adopt,
        state_dir=state_dir,
    )
    log = WatchLog(as_json=format_ is Format.JSON)
    try:
        options.check()
        folder, kept = lasting_folder(path), InMemoryCache()
        load(folder, kept)  # other processes help: there are no threads yet
        return asyncio.run(Watcher(folder, options, log, kept).run())
    except ContentsyncError as error:
        log.ended(error)
        raise
