"""What `dev` does: looks at the folder at every save, and has the browser show what came of it."""

import asyncio
import gc
import socket
import traceback
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from rich.text import Text

from ..content.folder import Content, load
from ..content.kept import Kept
from ..content.own_folder import own_folder
from ..content.workers import without_collector
from ..dev.app import make_app, script_of
from ..dev.board import Board
from ..dev.news import News
from ..dev.server import serving
from ..errors import Problem, Refused, Unavailable, UsageError, Where
from ..report.overlay import overlay_document
from ..report.problems import problems_text
from ..report.words import counted, printable
from ..server.embedded import Embedded, open_embedded
from ..server.site.application import Sites
from ..sync import Place, TargetLock
from ..watch import Changes
from . import INTERRUPTED
from .interruption import interruptible
from .mirror import Mirror
from .serve import address_of
from .targets import settings_of, within
from .terminal import talk

FOLDER = ".contentsync/dev"  # all in it can be made again from the content
QUIET = 0.03  # seconds without a change after which a save is over
OFTEN = 1.0  # seconds between two looks of the browser while much is written


async def live(folder: Path, listener: socket.socket, *, open_browser: bool, follow: bool) -> int:
    """Shows the folder's site on the listener until somebody ends it; the exit code.

    Raises Refused where that is done already, and where a link has the place of what is kept.
    """
    kept = Kept()
    settings = settings_of(load(folder, kept).config.site)  # other processes help: there are no threads yet
    place = _place(folder)
    with suppress(asyncio.CancelledError), interruptible():
        async with _alone(place), Changes(folder, quiet=QUIET, say=_say) as changes:
            embedded = opened(place.root, settings, address_of(listener))
            async with within(embedded) as remote:
                mirror = Mirror(folder, remote, place, kept, lambda site: embedded.settle(**settings_of(site)))
                home = f"/sites/{embedded.slug}"
                board = Board()
                live = Live(folder, mirror, board, home if follow else None)
                site = Sites(embedded.database, address_of(listener), live=partial(script_of, board))
                async with serving(make_app(site, f"{home}/", board), board, listener):
                    _say(f"{folder} is shown at {address_of(listener)}/")
                    if open_browser:
                        await asyncio.to_thread(webbrowser.open, address_of(listener))
                    await live.look()
                    _say("waiting for the next save (Ctrl-C ends it)")
                    gc.freeze()  # what has been read stays, and need not be gone through again and again
                    async for _ in changes:
                        await live.look()
    return INTERRUPTED


def _place(folder: Path) -> Place:
    """Where all is kept, out of git's sight."""
    try:
        place = Place(own_folder(folder, FOLDER), "dev")
    except OSError as error:
        raise Refused(f"{folder / FOLDER} cannot be used: {error.strerror}", "move away what is there") from error
    place.require_no_link()
    return place


@asynccontextmanager
async def _alone(place: Place) -> AsyncIterator[None]:
    """Keeps a second one out."""
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(TargetLock(place, "dev"))
        except Refused as error:
            raise Refused("contentsync dev is at work in this folder already", "use that one, or end it") from error
        yield


def opened(folder: Path, settings: dict[str, Any], address: str) -> Embedded:
    """The database of the folder; one that cannot be used is made anew."""
    files = [folder / f"site.db{part}" for part in ("", "-wal", "-shm")]
    for file in files:
        if file.is_symlink():  # a checkout may hold one, and it may lead anywhere
            file.unlink()
    try:
        return open_embedded(files[0], public_url=address, **settings)
    except (UsageError, Refused, Unavailable):
        for file in files:
            file.unlink(missing_ok=True)
        return open_embedded(files[0], public_url=address, **settings)


class Shows(Protocol):
    """A mirror of the folder."""

    def read(self) -> Content: ...
    async def show(self, content: Content, written: Callable[[], None]) -> News: ...


class Live:
    """One look after the other: at the folder, into the directory, onto the board and the terminal."""

    def __init__(self, folder: Path, mirror: Shows, board: Board, follow: str | None) -> None:
        self._board = board
        self._folder = folder
        self._mirror = mirror
        self._follow = follow  # the site's path, if the browser is to go to what was saved
        self._told: tuple[Problem, ...] = ()
        self._shown = 0.0

    async def look(self) -> None:
        """Shows the folder as it is now. Whatever goes wrong is told and not raised: a save may mend it."""
        began = self._shown = monotonic()
        try:
            with without_collector():
                news = await self._mirror.show(await asyncio.to_thread(self._mirror.read), self._written)
        except Exception as error:  # noqa: BLE001  # whoever writes goes on writing
            traceback.print_exc()
            hint = "a save has another try made; the terminal says more"
            problem = Problem("failed", f"contentsync itself has failed: {error!r}", Where(""), hint)
            news = News((problem,), changed=True)
        page = f"{self._follow}{news.page}" if self._follow is not None and news.page else ""
        self._board.post(overlay_document(news.problems, self._folder), changed=news.changed, page=page)
        self._tell(news, monotonic() - began)

    def _written(self) -> None:
        if monotonic() - self._shown > OFTEN:
            self._shown = monotonic()
            self._board.post(changed=True)

    def _tell(self, news: News, seconds: float) -> None:
        console = talk()
        if news.problems != self._told:
            console.print(problems_text(news.problems, self._folder, console.width), end="")
            if news.errors:
                _say(f"{counted(news.errors, 'error')}: the site stays as it is until that is mended", "bold red")
            elif any(problem.is_error for problem in self._told):
                _say("mended", "bold green")
        self._told = news.problems
        if news.writes:
            _say(f"{counted(news.writes, 'change')} in {seconds:.2f} s")


def _say(text: str, style: str = "dim") -> None:
    clock = Text(f"{datetime.now():%H:%M:%S} ", "dim")  # the one on the wall
    talk().print(clock.append(printable(text), style))
