"""The session of `contentsync dev`: a watched folder, its site, and the server for the browser."""

import asyncio
import gc
import socket
import traceback
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..content.folder.unit_cache import InMemoryCache
from ..dev.known_entries import KnownEntries, database_stamp
from ..dev.live_reload import EventBroadcaster, LivePreview, make_app, script_url, serve
from ..dev.mirror import Mirror, SyncSummary
from ..dev.preview_database import lock_state_dir, open_database, open_state_dir
from ..errors import Problem, pluralize
from ..server.site.site_app import SiteApp
from ..sync.state.folder_reading import Reading
from ..watch import FolderChanges
from . import EXIT_INTERRUPTED
from .serve_command import address_of
from .sync_command import cancel_on_signal
from .target_connection import connect_embedded, directory_settings
from .terminal import log, print_problems

SAVE_DELAY = 0.03  # seconds without a change after which a save is complete


class DevLog:
    """Reports each update of the site, and each set of problems once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown_problems: tuple[Problem, ...] = ()

    def log_update(self, summary: SyncSummary, seconds: float) -> None:
        """Report the result of an update of the site, and its problems unless they were shown last."""
        if summary.failure is not None:
            traceback.print_exception(summary.failure)
        if summary.problems != self._shown_problems:
            print_problems(summary.problems, self._folder)
            if summary.error_count:
                log(
                    f"{pluralize(summary.error_count, 'error')}: the site stays as it is until that is fixed",
                    "bold red",
                )
            elif any(problem.is_error for problem in self._shown_problems):
                log("fixed", "bold green")
        self._shown_problems = summary.problems
        if summary.write_count:
            log(f"{pluralize(summary.write_count, 'change')} in {seconds:.2f} s")


async def run_dev(
    first: Reading,
    known: KnownEntries | None,
    cache: InMemoryCache,
    listener: socket.socket,
    *,
    media: Path | None = None,
    open_browser: bool,
    follow: bool,
) -> int:
    """Show the folder's site on the listener until the user ends it; return the exit code.

    `first` is what was read of the folder, with what the database was `known` to have before this run has its lock.
    `media` is the folder whose files are served under /storage/.

    Raise Refused if another process shows the folder, or if the folder for the database cannot be used or is a link.
    """
    content = first.content
    folder, settings, address = content.folder, directory_settings(content.config.site), address_of(listener)
    broadcaster = EventBroadcaster()
    state_dir = open_state_dir(folder)
    with suppress(asyncio.CancelledError), cancel_on_signal():
        async with lock_state_dir(state_dir), FolderChanges(folder, quiet=SAVE_DELAY, report=log) as changes:
            if known and known.stamp != database_stamp(state_dir):  # another run ended since then
                known = None
            embedded = open_database(state_dir, settings, address)
            mirror: Mirror | None = None
            try:
                async with connect_embedded(embedded) as remote:
                    home = f"/sites/{embedded.slug}"
                    mirror = Mirror(
                        folder,
                        remote,
                        state_dir,
                        cache,
                        lambda site: embedded.update_settings(**directory_settings(site)),
                        embedded.redirect_merged,
                        known,
                    )
                    preview = LivePreview(
                        folder, mirror, broadcaster, home if follow else None, DevLog(folder).log_update
                    )
                    site = SiteApp(embedded.database, address, live_script=partial(script_url, broadcaster))
                    app = make_app(site, f"{home}/", broadcaster, folder, media)
                    async with serve(app, broadcaster, listener):
                        log(f"{folder} is shown at {address}/")
                        if open_browser:
                            await asyncio.to_thread(webbrowser.open, address)
                        await preview.refresh(first)
                        log("waiting for the next save (Ctrl-C ends it)")
                        gc.collect()  # the first sync leaves cycles with all rows
                        gc.freeze()  # the content stays in memory, so the collector need not examine it again
                        async for _ in changes:
                            await preview.refresh()
            finally:
                if mirror:
                    mirror.save_known()
    return EXIT_INTERRUPTED
