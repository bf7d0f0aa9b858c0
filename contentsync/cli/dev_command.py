"""`contentsync dev`: the site in the browser while its folder is being edited (docs/dev.md)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..content.files.content_folder import CONFIG
from ..errors import UsageError
from .options import Folder, absolute_folder
from .serve_command import listen

if TYPE_CHECKING:
    import socket


PORTS = range(8300, 8400)  # the first free one is used
MEDIA = "media"  # the folder of pictures inside the content folder


def dev(
    path: Folder = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="The port; default: 8300, or the next free one; 0: any free port.",
            show_default=False,
        ),
    ] = None,
    media: Annotated[
        Path | None,
        typer.Option(
            "--media",
            metavar="DIR",
            help="A folder whose files are served under /storage/; default: the content folder's media, if any.",
            show_default=False,
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the site in the browser.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="If a save changes one entry, show its page in the open tabs.")
    ] = False,
) -> int:
    """Show the site in the browser, and update it on every save."""
    # Imported here, because every command imports this module, and few need the server.
    import asyncio

    from ..content.folder.unit_cache import InMemoryCache
    from ..dev.known_entries import read_known
    from ..dev.preview_database import open_state_dir
    from ..dev.preview_reading import read_preview
    from .dev_session import run_dev

    folder = absolute_folder(path)
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "name the content folder")
    if not (folder / CONFIG).is_file():
        hint = f"name one with a {CONFIG}, which may be empty; contentsync init creates a new one"
        raise UsageError(f"{folder} is not a content folder", hint)
    if media is not None and not media.is_dir():
        raise UsageError(f"there is no folder {media}", "name the folder of the pictures with --media")
    if media is None and (folder / MEDIA).is_dir():
        media = folder / MEDIA
    with listen_locally(port) as listener:
        cache, known = InMemoryCache(), read_known(open_state_dir(folder))
        # Before there are threads, because it may start other processes.
        first = read_preview(folder, cache, known, single_process=False)
        return asyncio.run(run_dev(first, known, cache, listener, media=media, open_browser=open_, follow=follow))


def listen_locally(port: int | None) -> "socket.socket":
    """Return a socket for this machine only, on the port or by default on a free port. Raise UsageError."""
    from ..dev.live_reload import HOST

    if port is not None:
        return listen(HOST, port)
    for candidate in PORTS:
        try:
            return listen(HOST, candidate)
        except UsageError:
            continue
    return listen(HOST, 0)
