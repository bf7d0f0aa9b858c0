"""`contentsync dev`: the site in the browser while its folder is being written (docs/dev.md)."""

from typing import TYPE_CHECKING, Annotated

import typer

from ..content.config_file import CONFIG
from ..errors import UsageError
from .folder import lasting_folder
from .serve import listen
from .typed import Folder

if TYPE_CHECKING:
    import socket

PORTS = range(8300, 8400)  # of which the first free one is taken


def dev(
    path: Folder = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=0, max=65535, help="Default: 8300, or the next free one; 0 takes any.", show_default=False
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the site in the browser.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go to the page of what was saved.")] = False,
) -> int:
    """Show the site in the browser, and every save at once."""
    # Imported here: every command knows of this one, and few need the server.
    import asyncio

    from ..content.folder import load
    from ..content.kept import Kept
    from .live import live

    folder = lasting_folder(path)
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}", "name the content folder")
    if not (folder / CONFIG).is_file():
        hint = f"name one that holds a {CONFIG}, which may be empty; contentsync init makes a new one"
        raise UsageError(f"{folder} is not a content folder", hint)
    with listen_here(port) as listener:
        kept = Kept()
        content = load(folder, kept)  # other processes help: there are no threads yet
        return asyncio.run(live(content, kept, listener, open_browser=open_, follow=follow))


def listen_here(port: int | None) -> "socket.socket":
    """A socket that only this machine reaches, on the port, or on one of our own. Raises UsageError."""
    from ..dev.live_reload import HOST

    if port is not None:
        return listen(HOST, port)
    for candidate in PORTS:
        try:
            return listen(HOST, candidate)
        except UsageError:
            continue
    return listen(HOST, 0)
