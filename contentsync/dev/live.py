"""One look after the other: at the folder, into the directory, onto the board."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from ..content.workers import gc_paused
from ..errors import Problem, Where
from ..report.overlay import overlay_document
from .board import Board
from .mirror import Mirror
from .news import News

OFTEN = 1.0  # seconds between two looks of the browser while much is written


class Live:
    """Shows a folder as often as it is asked to; `told` hears what came of each look, and the seconds that it took.

    `home` is the site's path where open pages are to go to what was saved, else None.
    """

    def __init__(
        self, folder: Path, mirror: Mirror, board: Board, home: str | None, told: Callable[[News, float], None]
    ) -> None:
        self._folder = folder
        self._mirror = mirror
        self._board = board
        self._home = home
        self._told = told
        self._shown = 0.0

    async def look(self) -> None:
        """Shows the folder as it is now. Whatever goes wrong is told and not raised: a save may mend it."""
        began = self._shown = monotonic()
        try:
            with gc_paused():
                news = await self._mirror.show(await asyncio.to_thread(self._mirror.read), self._written)
        except Exception as error:  # noqa: BLE001  # whoever writes goes on writing
            hint = "a save has another try made; the terminal says more"
            problem = Problem("failed", f"contentsync itself has failed: {error!r}", Where(""), hint)
            news = News((problem,), changed=True, failure=error)
        page = f"{self._home}{news.page}" if self._home is not None and news.page else ""
        self._board.post(overlay_document(news.problems, self._folder), changed=news.changed, page=page)
        self._told(news, monotonic() - began)

    def _written(self) -> None:
        if monotonic() - self._shown > OFTEN:
            self._shown = monotonic()
            self._board.post(changed=True)
