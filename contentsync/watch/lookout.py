"""Keeps a folder watched: while the system tells what happens, when it tells nothing, and when the folder goes."""

import asyncio
import stat
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic

from .notice import Notice
from .observer import LIMITS, Heard, Observe, Watched
from .stamps import Stamps, differing, stamps

_LOOK = 0.5  # seconds between two looks whether the folder is still there
_POLL = 1.0  # seconds between two looks at all files where the system tells nothing
_SHARE = 20  # looking at all files takes at most this part of the time
_LIMIT = "the system watches no more folders (fs.inotify.max_user_watches)"


class Lookout:
    """Tells notices of a folder, in the event loop, as long as `attend` is called whenever something is `due`.

    The first is that all may have changed. A notice comes twice rather than not at all. `say` is told in words when
    the folder goes and comes, and when the system watches no more folders.
    """

    def __init__(
        self, folder: Path, heard: Heard, *, quiet: float, rescan: float, say: Callable[[str], None], observe: Observe
    ) -> None:
        self.root: Path | None = None  # what is watched; None while the folder is gone
        self._folder = folder
        self._heard = heard
        self._quiet = quiet
        self._rescan = rescan
        self._say = say
        self._observe = observe
        self._observing = ExitStack()
        self._watched: Watched | None = None
        self._identity: tuple[int, ...] | None = ()  # none of any folder
        self._polling = False
        self._stamps: Stamps = {}
        self._noticed: set[str] = set()  # since the stamps were taken
        self._next_look = self._next_scan = 0.0

    @property
    def due(self) -> float:
        """When there is something to attend to next."""
        return min(self._next_look, self._next_scan) if self.root else self._next_look

    async def attend(self, *, look: bool = False) -> None:
        """Does what is due; with `look`, makes sure that the folder is still there."""
        if look or monotonic() >= self._next_look:
            await self._look()
        if self.root and monotonic() >= self._next_scan:
            await self._scan(self.root)

    def close(self) -> None:
        """Ends it."""
        self._observing.close()

    async def _look(self) -> None:
        self._next_look = monotonic() + _LOOK
        identity = _identity(self._folder)
        if identity == self._identity:
            if self._watched and self._watched.partly and not self._polling:
                self._poll(_LIMIT)
            return
        self.close()
        self.root, self._identity = None, ()
        if identity is None:
            self._identity = None
            self._say(f"{self._folder} is gone: waiting until it is back")
            return
        with suppress(FileNotFoundError):  # gone again: the next look will see
            await self._begin()
            self._identity = identity

    async def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        root = self._folder.resolve(strict=True)
        self._watched, self._polling = None, False

        def heard(notice: Notice) -> None:
            loop.call_soon_threadsafe(self._hear, notice)

        try:
            self._watched = self._observing.enter_context(self._observe(root, heard))
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                raise
            self._poll(_LIMIT if error.errno in LIMITS else f"the system does not watch it ({error.strerror})")
        self._stamps = await asyncio.to_thread(stamps, root)
        self._next_scan = monotonic() + self._interval
        self.root = root
        self._heard(Notice(None))

    def _poll(self, why: str) -> None:
        self._polling = True
        self._next_scan = 0.0
        self._say(f"{why}: looking at all files every second instead")

    @property
    def _interval(self) -> float:
        return _POLL if self._polling else self._rescan

    async def _scan(self, root: Path) -> None:
        """Tells what no notice was about since the last time."""
        noticed = set(self._noticed)
        began = monotonic()
        now = await asyncio.to_thread(stamps, root)
        missed = differing(self._stamps, now) - self._noticed
        self._stamps = now
        self._noticed -= noticed
        for path in missed:
            self._heard(Notice(path))
        pause = max(self._interval, _SHARE * (monotonic() - began))
        # What was found may still be written: there is no other way to know.
        self._next_scan = monotonic() + (self._quiet / 2 if missed and self._polling else pause)

    def _hear(self, notice: Notice) -> None:
        if notice.path == "":  # another one may be there already, even with the same inode
            self._identity, self._next_look = (), 0.0
            return
        if notice.path is not None:
            self._noticed.add(notice.path)
        self._heard(notice)


def _identity(folder: Path) -> tuple[int, ...] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
