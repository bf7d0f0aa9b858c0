"""What `dev` runs: a folder that is watched, its site, and the server for the browser."""

import asyncio
import gc
import socket
import webbrowser
from contextlib import suppress
from functools import partial

from ..content.load import Content
from ..content.unit_cache import InMemoryCache
from ..dev.app import make_app, script_of
from ..dev.board import Board
from ..dev.database import alone, opened, place_in
from ..dev.live import Live
from ..dev.mirror import Mirror
from ..dev.server import serving
from ..server.site.application import Sites
from ..watch import Changes
from . import INTERRUPTED
from .dev_log import DevLog
from .interruption import interruptible
from .serve import address_of
from .targets import settings_of, within

QUIET = 0.03  # seconds without a change after which a save is over


async def live(
    content: Content, kept: InMemoryCache, listener: socket.socket, *, open_browser: bool, follow: bool
) -> int:
    """Shows the folder's site on the listener until somebody ends it; the exit code. `kept` is of its content.

    Raises Refused where that is done already, and where a link has the place of what is kept.
    """
    folder, settings, address = content.folder, settings_of(content.config.site), address_of(listener)
    log, board = DevLog(folder), Board()
    place = place_in(folder)
    with suppress(asyncio.CancelledError), interruptible():
        async with alone(place), Changes(folder, quiet=QUIET, say=log.say) as changes:
            embedded = opened(place, settings, address)
            async with within(embedded) as remote:
                home = f"/sites/{embedded.slug}"
                mirror = Mirror(folder, remote, place, kept, lambda site: embedded.settle(**settings_of(site)))
                live = Live(folder, mirror, board, home if follow else None, log.looked)
                site = Sites(embedded.database, address, live=partial(script_of, board))
                async with serving(make_app(site, f"{home}/", board), board, listener):
                    log.say(f"{folder} is shown at {address}/")
                    if open_browser:
                        await asyncio.to_thread(webbrowser.open, address)
                    await live.look()
                    log.say("waiting for the next save (Ctrl-C ends it)")
                    gc.freeze()  # what has been read stays, and need not be gone through again and again
                    async for _ in changes:
                        await live.look()
    return INTERRUPTED
