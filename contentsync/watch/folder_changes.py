"""The changes of a content folder, each reported when a burst of events is over and git is not busy."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Self

from .file_events import FileEvent, ObserveFolder, observe_folder
from .folder_monitor import FolderMonitor

_GIT_INTERVAL = 0.02  # seconds between two checks whether git has finished
_OPEN_FILE_FACTOR = 5  # times `longest`, for a file that stays open for writing
# The lock exists while git writes files, the other files from the start to the end of a multi-step operation.
_MARKERS = ("index.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_LINK = "gitdir: "


@dataclass(frozen=True, slots=True)
class FolderChange:
    """Files and folders that changed. Ignored paths (hidden files, editor backups) are never included."""

    paths: frozenset[str] = frozenset()  # relative to the folder, with forward slashes, NFC
    everything: bool = False  # any file may have changed; `paths` is empty
    is_settled: bool = True  # False: a file was still being written after the longest wait


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
            until = min(until, monotonic() + _GIT_INTERVAL)
        elif self._debouncer.due is not None:  # while git is busy, a change that is due waits
            until = min(until, self._debouncer.due)
        with suppress(TimeoutError):
            async with asyncio.timeout(until - monotonic()):
                await self._wake_up.wait()
        self._wake_up.clear()


class Debouncer:
    """Collects file events until nothing happens for `quiet` seconds and no file is open for writing.

    The caller passes the time, in seconds of any monotonic clock.

    `longest` seconds after the first event it stops waiting for quiet, because a program may write without end. For a
    file that is still open for writing it waits five times as long: until then, a read would often see half of it.
    """

    def __init__(self, quiet: float, longest: float) -> None:
        self._quiet = quiet
        self._longest = longest
        self._paths: set[str] = set()
        self._writing: set[str] = set()
        self._any_file_may_have_changed = False
        self._first: float | None = None
        self._last = 0.0

    def add(self, event: FileEvent, now: float) -> None:
        """Add an event that happened at the time `now`.

        After an event without a path, any file may have changed. A file counts as open for writing until it has an
        event without `is_writing`.
        """
        if self._first is None:
            self._first = now
        self._last = now
        if event.path is None:
            self._any_file_may_have_changed = True
            return
        self._paths.add(event.path)
        if event.is_writing:
            self._writing.add(event.path)
        else:
            self._writing.discard(event.path)

    @property
    def due(self) -> float | None:
        """The time at which the burst is over if no more events arrive; None without events."""
        if self._first is None:
            return None
        if self.is_writing:  # a pause in the events does not show that the writer has finished
            return self._first + _OPEN_FILE_FACTOR * self._longest
        return min(self._last + self._quiet, self._first + self._longest)

    @property
    def is_writing(self) -> bool:
        """Whether a file that was written to is still open."""
        return bool(self._writing)

    def take_change(self, now: float) -> FolderChange:
        """Return the collected events as one change, and clear them; `now` is as in `add`."""
        change = FolderChange(
            paths=frozenset() if self._any_file_may_have_changed else frozenset(self._paths),
            everything=self._any_file_may_have_changed,
            is_settled=not self._writing and now >= self._last + self._quiet,
        )
        self.clear()
        return change

    def restart(self, now: float) -> None:
        """Start waiting again, as if all events had happened at the time `now`."""
        self._first = self._last = now

    def clear(self) -> None:
        """Drop all events."""
        self._paths, self._writing, self._any_file_may_have_changed, self._first = set(), set(), False, None


class GitActivity:
    """Detects unfinished git operations in a checkout, whose files may then belong to no commit.

    Without a checkout (None), there are none.
    """

    def __init__(self, git_dir: Path | None) -> None:
        self._git_dir = git_dir
        self._ignored: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def for_folder(cls, folder: Path) -> "GitActivity":
        """Return the activity in the checkout that contains the folder; a linked worktree is a checkout too."""
        for parent in (folder, *folder.parents):
            git = parent / ".git"
            try:
                if git.is_dir():
                    return cls(git)
                text = git.read_text(encoding="utf-8", errors="surrogateescape")  # a linked worktree: "gitdir: PATH"
            except OSError:
                continue
            if not text.startswith(_LINK):
                return cls(git_dir=None)
            return cls(parent / text.removeprefix(_LINK).strip())
        return cls(git_dir=None)

    def is_busy(self) -> bool:
        """Return whether git is busy with an operation that is not ignored."""
        return bool(self._markers() - self._ignored)

    def ignore_current(self) -> None:
        """Ignore the current operation: a merge may stay open for days, and a killed git leaves its lock behind."""
        self._ignored = self._markers()

    def _markers(self) -> frozenset[tuple[str, int]]:
        return frozenset(_existing_markers(self._git_dir)) if self._git_dir else frozenset()


def _existing_markers(git_dir: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and inode of each file that git has only while it works."""
    for name in _MARKERS:
        with suppress(OSError):
            yield name, (git_dir / name).lstat().st_ino
