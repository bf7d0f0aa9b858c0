"""What `dev` runs: a folder that is watched, its site, and the server for the browser."""

import asyncio
import gc
import socket
import webbrowser
from contextlib import suppress
from functools import partial

from ..content.folder import Content
from ..content.kept import Kept
from ..dev.live_reload import EventBroadcaster, LivePreview, make_app, script_url, serve
from ..dev.mirror import Mirror
from ..dev.preview_database import lock_state_dir, open_database, open_state_dir
from ..server.site.site_app import SiteApp
from ..watch import FolderChanges
from . import INTERRUPTED
from .dev_log import DevLog
from .interruption import interruptible
from .serve import address_of
from .targets import settings_of, within

QUIET = 0.03  # seconds without a change after which a save is over


async def live(content: Content, kept: Kept, listener: socket.socket, *, open_browser: bool, follow: bool) -> int:
    """Shows the folder's site on the listener until somebody ends it; the exit code. `kept` is of its content.

    Raises Refused where that is done already, and where a link has the place of what is kept.
    """
    folder, settings, address = content.folder, settings_of(content.config.site), address_of(listener)
    log, broadcaster = DevLog(folder), EventBroadcaster()
    state_dir = open_state_dir(folder)
    with suppress(asyncio.CancelledError), interruptible():
        async with lock_state_dir(state_dir), FolderChanges(folder, quiet=QUIET, report=log.say) as changes:
            embedded = open_database(state_dir, settings, address)
            async with within(embedded) as remote:
                home = f"/sites/{embedded.slug}"
                mirror = Mirror(folder, remote, state_dir, kept, lambda site: embedded.settle(**settings_of(site)))
                preview = LivePreview(folder, mirror, broadcaster, home if follow else None, log.looked)
                site = SiteApp(embedded.database, address, live_script=partial(script_url, broadcaster))
                async with serve(make_app(site, f"{home}/", broadcaster), broadcaster, listener):
                    log.say(f"{folder} is shown at {address}/")
                    if open_browser:
                        await asyncio.to_thread(webbrowser.open, address)
                    await preview.refresh()
                    log.say("waiting for the next save (Ctrl-C ends it)")
                    gc.freeze()  # what has been read stays, and need not be gone through again and again
                    async for _ in changes:
                        await preview.refresh()
    return INTERRUPTED
