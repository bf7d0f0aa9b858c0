"""Watch a folder with system events, or by polling without them, and again after it was deleted and created."""

import asyncio
import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from os import DirEntry
from pathlib import Path
from time import monotonic

from ..content.files.file_names import is_hidden
from .file_events import LIMIT_MESSAGES, EventCallback, FileEvent, FolderObserver, ObserveFolder

_FOLDER_INTERVAL = 0.5  # seconds between two checks whether the folder still exists
_POLL_INTERVAL = 1.0  # seconds between two scans of all files where the system reports nothing
_SCAN_SHARE = 20  # the pause after a scan is at least this many times as long as the scan

_NOT_WATCHED: tuple[int, ...] = ()  # equals no identity of a folder, so the next check starts to watch

FileStamps = dict[str, int]  # by path: relative to the folder, with forward slashes, NFC


class FolderMonitor:
    """Pass the events of a folder to `on_event`, in the event loop. Call `check` whenever something is `due`.

    The first event has the path None. An event may be passed twice but is never missed. `report` gets a message when
    the folder is deleted, and when the system does not watch all of its folders. All files are scanned every `rescan`
    seconds, or while the folder is polled every second, and again `quiet / 2` seconds after a scan that found changes.
    """

    def __init__(
        self,
        folder: Path,
        on_event: EventCallback,
        *,
        quiet: float,
        rescan: float,
        report: Callable[[str], None],
        observe: ObserveFolder,
    ) -> None:
        self.root: Path | None = None  # the watched folder; None while it does not exist
        self._folder = folder
        self._on_event = on_event
        self._quiet = quiet
        self._rescan = rescan
        self._report = report
        self._observe = observe
        self._observing = ExitStack()
        self._observer: FolderObserver | None = None
        # The identity of the watched folder; None while there is none, _NOT_WATCHED until watching starts (again).
        self._watched: tuple[int, ...] | None = _NOT_WATCHED
        self._polling = False
        self._stamps: FileStamps = {}
        self._reported: set[str] = set()  # paths with an event since the last scan
        self._next_check = self._next_scan = 0.0

    @property
    def due(self) -> float:
        """The monotonic time at which to call `check` next."""
        return min(self._next_check, self._next_scan) if self.root else self._next_check

    async def check(self, *, check_folder_now: bool = False) -> None:
        """Check whether the folder still exists, and scan its files, each when it is due.

        With `check_folder_now`, the folder is checked before its time.
        """
        if check_folder_now or monotonic() >= self._next_check:
            await self._check_folder()
        if self.root and monotonic() >= self._next_scan:
            await self._scan(self.root)

    def close(self) -> None:
        """Stop watching."""
        self._observing.close()

    async def _check_folder(self) -> None:
        """Watch the folder that is at the path now, if it is another one than before; report it if there is none.

        A folder that the system watches only in part is polled.
        """
        self._next_check = monotonic() + _FOLDER_INTERVAL
        identity = _folder_identity(self._folder)
        if identity == self._watched:
            if self._observer and self._observer.is_partial and not self._polling:
                too_many_folders = LIMIT_MESSAGES[errno.ENOSPC]
                self._start_polling(too_many_folders)
            return
        self.close()
        self.root = None
        if identity is None:
            self._watched = None
            self._report(f"{self._folder} is gone: waiting until it is back")
            return
        self._watched = _NOT_WATCHED  # if starting fails, the next check tries again
        with suppress(FileNotFoundError):  # the folder was deleted again
            await self._start()
            self._watched = identity

    async def _start(self) -> None:
        """Watch the folder by the system's events, or by polling if the system has none; set `root`.

        Raise FileNotFoundError if the folder no longer exists.
        """
        loop = asyncio.get_running_loop()
        root = self._folder.resolve(strict=True)
        self._observer = None
        self._polling = False

        def on_event(event: FileEvent) -> None:
            loop.call_soon_threadsafe(self._handle, event)

        try:
            self._observer = self._observing.enter_context(self._observe(root, on_event))
        except FileNotFoundError:
            raise
        except OSError as error:
            other_reason = f"the system does not watch the folder ({error.strerror})"
            self._start_polling(LIMIT_MESSAGES.get(error.errno or 0, other_reason))
        self._stamps = await asyncio.to_thread(scan_stamps, root)
        self._next_scan = monotonic() + self._interval
        self.root = root
        self._on_event(FileEvent(None))

    def _start_polling(self, reason: str) -> None:
        """Scan the folder from now on, and report why."""
        self._polling = True
        self._next_scan = 0.0
        self._report(f"{reason}: checking all files every second instead")

    @property
    def _interval(self) -> float:
        return _POLL_INTERVAL if self._polling else self._rescan

    async def _scan(self, root: Path) -> None:
        """Pass an event for each file that has changed without an event since the last scan."""
        reported_before = set(self._reported)
        began = monotonic()
        stamps = await asyncio.to_thread(scan_stamps, root)
        changed = {path for path, _stamp in self._stamps.items() ^ stamps.items()}
        unreported = changed - self._reported
        self._stamps = stamps
        self._reported -= reported_before  # a change reported during the scan may first be seen by the next scan
        for path in unreported:
            self._on_event(FileEvent(path))
        pause = max(self._interval, _SCAN_SHARE * (monotonic() - began))
        if unreported and self._polling:  # only another scan shows whether a file is still being written
            pause = self._quiet / 2
        self._next_scan = monotonic() + pause

    def _handle(self, event: FileEvent) -> None:
        """Pass on an event, except one with an empty path: then the folder itself was moved or deleted."""
        if event.path == "":  # a new folder may exist already, even with the same inode
            self._watched = _NOT_WATCHED  # so that the next check starts to watch again
            self._next_check = 0.0  # at once
            return
        if event.path is not None:
            self._reported.add(event.path)  # so that the next scan does not pass a second event for it
        self._on_event(event)


def scan_stamps(folder: Path) -> FileStamps:
    """Return a number for each visible file that changes with the file; a link has the number of its target."""
    stamps: FileStamps = {}
    folders = [""]
    while folders:
        inner = folders.pop()
        with suppress(OSError):  # just deleted, or not readable
            for entry in _visible_entries(folder / inner):
                path = f"{inner}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{path}/")
                else:
                    stamps[unicodedata.normalize("NFC", path)] = _stamp(entry)
    return stamps


def _visible_entries(folder: Path) -> Iterator[DirEntry[str]]:
    """Yield the files and folders in a folder, without hidden ones. Raise OSError."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not is_hidden(entry.name):
                yield entry


def _stamp(entry: DirEntry[str]) -> int:
    """Return a number that changes with the file; 0 for a link to nothing."""
    try:
        status = entry.stat()
    except OSError:  # a dangling link
        return 0
    return hash((status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))


def _folder_identity(folder: Path) -> tuple[int, ...] | None:
    """Return numbers that differ for another folder at the same path; None if no folder is there."""
    try:
        status = folder.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
