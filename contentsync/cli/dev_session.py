"""What `contentsync dev` runs: a watched folder, its site, and the server for the browser."""

import asyncio
import gc
import socket
import traceback
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path

from rich.text import Text

from ..content.folder import Content
from ..content.kept import Kept
from ..dev.app import make_app, script_of
from ..dev.board import Board
from ..dev.database import alone, opened, place_in
from ..dev.live import Live
from ..dev.mirror import Mirror
from ..dev.news import News
from ..dev.server import serving
from ..errors import Problem
from ..report.formatting import pluralize, printable
from ..report.problems import problems_text
from ..server.site.application import Sites
from ..watch import Changes
from . import INTERRUPTED
from .serve_command import address_of
from .sync_command import interruptible
from .target_connection import connect_embedded, directory_settings
from .terminal import stderr, with_time

SAVE_DELAY = 0.03  # seconds without a change after which a save is complete


class DevLog:
    """Prints what `dev` does, and each set of problems once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown: tuple[Problem, ...] = ()

    def log(self, text: str, style: str = "dim") -> None:
        """Print a line with the time."""
        stderr().print(with_time(Text(printable(text), style)))

    def log_update(self, news: News, seconds: float) -> None:
        """Report the result of an update of the site."""
        if news.failure is not None:
            traceback.print_exception(news.failure)
        if news.problems != self._shown:
            console = stderr()
            console.print(problems_text(news.problems, self._folder, console.width), end="")
            if news.errors:
                self.log(f"{pluralize(news.errors, 'error')}: the site stays as it is until that is fixed", "bold red")
            elif any(problem.is_error for problem in self._shown):
                self.log("fixed", "bold green")
        self._shown = news.problems
        if news.writes:
            self.log(f"{pluralize(news.writes, 'change')} in {seconds:.2f} s")


async def run_dev(content: Content, kept: Kept, listener: socket.socket, *, open_browser: bool, follow: bool) -> int:
    """Show the folder's site on the listener until the user ends it; return the exit code.

    `kept` is the cache of the content. Raise Refused if another process shows the folder, or if a link stands where
    the database belongs.
    """
    folder, settings, address = content.folder, directory_settings(content.config.site), address_of(listener)
    log, board = DevLog(folder), Board()
    place = place_in(folder)
    with suppress(asyncio.CancelledError), interruptible():
        async with alone(place), Changes(folder, quiet=SAVE_DELAY, say=log.log) as changes:
            embedded = opened(place, settings, address)
            async with connect_embedded(embedded) as remote:
                home = f"/sites/{embedded.slug}"
                mirror = Mirror(folder, remote, place, kept, lambda site: embedded.settle(**directory_settings(site)))
                live = Live(folder, mirror, board, home if follow else None, log.log_update)
                site = Sites(embedded.database, address, live=partial(script_of, board))
                async with serving(make_app(site, f"{home}/", board), board, listener):
                    log.log(f"{folder} is shown at {address}/")
                    if open_browser:
                        await asyncio.to_thread(webbrowser.open, address)
                    await live.look()
                    log.log("waiting for the next save (Ctrl-C ends it)")
                    gc.freeze()  # the content stays, so the collector need not look at it again
                    async for _ in changes:
                        await live.look()
    return INTERRUPTED
