"""The settled changes of a content folder."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Self

from .debounce import Debouncer, FolderChange
from .file_events import FileEvent, ObserveFolder, observe_folder
from .folder_monitor import FolderMonitor
from .git_activity import GitActivity

_GIT_INTERVAL = 0.02  # seconds between two checks whether git has finished


class FolderChanges:
    """The settled changes of a folder, as an endless stream: `async for change in changes`.

    Watch inside `async with`. The first change is reported at once, and its `everything` is True. Each later change is
    reported when no event has occurred for `quiet` seconds and no file is open for writing, at the latest `longest`
    seconds after the first event, or five times that for an open file. While git switches branches, merges or rebases,
    it may be up to `git_patience` seconds later. Events between two changes are part of the second change, so none is
    lost while the caller works. Reading the folder causes no change, and neither does writing hidden files or folders.
    A change is never missed, but may be reported twice, so compare the files. `anext` may be cancelled and retried.

    All files are scanned every `rescan` seconds for changes that the operating system did not report, or every second
    if it reports nothing. While the folder does not exist, there are no changes. When it exists again, the change has
    `everything`. `report` gets a message for users about such conditions.
    """

    def __init__(
        self,
        folder: Path,
        *,
        quiet: float = 0.08,
        longest: float = 1.0,
        rescan: float = 30.0,
        git_patience: float = 10.0,
        report: Callable[[str], None] = lambda text: None,
        observe: ObserveFolder = observe_folder,
    ) -> None:
        self._report = report
        self._git_patience = git_patience
        self._debouncer = Debouncer(quiet, longest)
        self._monitor = FolderMonitor(
            folder, self._on_event, quiet=quiet, rescan=rescan, report=report, observe=observe
        )
        self._git = GitActivity.for_folder(folder.resolve())
        self._wake_up = asyncio.Event()
        self._waiting_for_git_since: float | None = None

    async def __aenter__(self) -> Self:
        await self._monitor.check()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._monitor.close()

    @property
    def folder_exists(self) -> bool:
        """Whether the folder exists."""
        return self._monitor.root is not None

    @property
    def is_writing(self) -> bool:
        """Whether a file is being written: the caller may have read half of it, and another change will follow."""
        return self._debouncer.is_writing

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> FolderChange:
        """Return the next change, as soon as no more events arrive and git is not busy."""
        await asyncio.sleep(0)  # deliver the events that arrived while the caller worked
        while True:
            await self._monitor.check(check_folder_now=self._is_due())
            if not self.folder_exists:
                self._debouncer.clear()
                self._waiting_for_git_since = None
            elif self._is_due() and not self._must_wait_for_git():
                return self._debouncer.take_change(monotonic())
            await self._sleep()

    def _on_event(self, event: FileEvent) -> None:
        self._debouncer.add(event, monotonic())
        self._wake_up.set()

    def _is_due(self) -> bool:
        """Return whether a burst of events is over."""
        return self._debouncer.due is not None and monotonic() >= self._debouncer.due

    def _must_wait_for_git(self) -> bool:
        """Return whether to wait, first until git ends, then for the events of its last writes.

        After `git_patience` seconds, report that git is still busy, and count it as ended in the next call.
        """
        now = monotonic()
        if self._git.is_busy():
            if self._waiting_for_git_since is None:
                self._waiting_for_git_since = now
            elif now - self._waiting_for_git_since > self._git_patience:
                self._report("git is still busy in this folder: continuing without waiting")
                self._git.ignore_current()
            return True
        if self._waiting_for_git_since is None:
            return False
        self._waiting_for_git_since = None
        self._debouncer.restart(now)  # the events of git's last writes may still arrive
        return True

    async def _sleep(self) -> None:
        """Wait until the next check is due or an event arrives."""
        until = self._monitor.due
        if self._waiting_for_git_since is not None:
            until = monotonic() + _GIT_INTERVAL
        elif self._debouncer.due is not None:
            until = min(until, self._debouncer.due)
        with suppress(TimeoutError):
            async with asyncio.timeout(until - monotonic()):
                await self._wake_up.wait()
        self._wake_up.clear()
