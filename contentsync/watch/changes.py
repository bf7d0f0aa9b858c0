"""The changes of a content folder as they settle."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Self

from .change import Change
from .checkout import Checkout
from .lookout import Lookout
from .notice import Notice
from .observer import Observe, observe
from .settling import Settling

_PAUSE = 0.02  # seconds between two looks whether git has ended


class Changes:
    """The settled changes of a folder, one after the other, for ever: `async for change in changes`.

    Watched inside `async with`. The first one comes at once and says that everything may have changed. A change comes
    when nothing has happened for `quiet` seconds and no file is open for writing, at the latest `longest` seconds
    after the first event, or five times that for an open file; while git switches branches, merges or rebases, up to
    `patience` seconds later. Whatever happens between two changes is in the second one, so nothing is lost while the
    caller is at work. Reading the folder causes no change, nor does what is written into hidden files and folders.
    Something is told twice rather than not at all: compare what was read. `anext` may be cancelled and called again.

    All files are looked at every `rescan` seconds, for what the system did not tell; every second where it tells
    nothing at all. While the folder is gone no change comes, and when it is back everything has changed. `say` is told
    of such things, in words for people.
    """

    def __init__(
        self,
        folder: Path,
        *,
        quiet: float = 0.08,
        longest: float = 1.0,
        rescan: float = 30.0,
        patience: float = 10.0,
        say: Callable[[str], None] = lambda text: None,
        observe: Observe = observe,
    ) -> None:
        self._say = say
        self._patience = patience
        self._settling = Settling(quiet, longest)
        self._lookout = Lookout(folder, self._hear, quiet=quiet, rescan=rescan, say=say, observe=observe)
        self._checkout = Checkout.around(folder.resolve())
        self._heard = asyncio.Event()
        self._waiting_since: float | None = None  # for git

    async def __aenter__(self) -> Self:
        await self._lookout.attend()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._lookout.close()

    @property
    def is_there(self) -> bool:
        """Whether there is a folder to read."""
        return self._lookout.root is not None

    @property
    def is_writing(self) -> bool:
        """Whether somebody is at a file: what was read just now may be half of it, and the next change will come."""
        return self._settling.is_writing

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Change:
        await asyncio.sleep(0)  # lets in what came while the caller was at work
        while True:
            await self._lookout.attend(look=self._is_due())
            if not self.is_there:
                self._settling.forget()
                self._waiting_since = None
            elif self._is_due() and not self._git_is_busy():
                return self._settling.take(monotonic())
            await self._sleep()

    def _hear(self, notice: Notice) -> None:
        self._settling.heard(notice, monotonic())
        self._heard.set()

    def _is_due(self) -> bool:
        return self._settling.due is not None and monotonic() >= self._settling.due

    def _git_is_busy(self) -> bool:
        """Whether to wait for git, which is told if it takes long; when it has ended, what it did settles anew."""
        now = monotonic()
        if not self._checkout.is_busy():
            if self._waiting_since is not None:
                self._waiting_since = None
                self._settling.go_on(now)
                return True
            return False
        if self._waiting_since is None:
            self._waiting_since = now
        elif now - self._waiting_since > self._patience:
            self._say("git is still at work here: going on without waiting")
            self._checkout.disregard()
        return True

    async def _sleep(self) -> None:
        """Until something is due, or is heard."""
        until = self._lookout.due
        if self._waiting_since is not None:
            until = monotonic() + _PAUSE
        elif self._settling.due is not None:
            until = min(until, self._settling.due)
        with suppress(TimeoutError):
            async with asyncio.timeout(until - monotonic()):
                await self._heard.wait()
        self._heard.clear()
