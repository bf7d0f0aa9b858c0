"""Collect file events until a burst is over. The caller passes the time, in seconds of any monotonic clock."""

from dataclasses import dataclass

from .file_events import FileEvent

_OPEN_FILE_FACTOR = 5  # times `longest`, for a file that stays open for writing


@dataclass(frozen=True, slots=True)
class FolderChange:
    """Files and folders that changed. Ignored paths (hidden files, editor backups) are never included."""

    paths: frozenset[str] = frozenset()  # relative to the folder, with forward slashes, NFC
    everything: bool = False  # any file may have changed; `paths` is empty
    is_settled: bool = True  # False: a file was still being written after the longest wait


class Debouncer:
    """Collects events until nothing happens for `quiet` seconds and no file is open for writing.

    `longest` seconds after the first event it stops waiting for quiet, because a program may write without end. For a
    file that is still open for writing it waits five times as long: until then, a read would often see half of it.
    """

    def __init__(self, quiet: float, longest: float) -> None:
        self._quiet = quiet
        self._longest = longest
        self._paths: set[str] = set()
        self._writing: set[str] = set()
        self._any_file_changed = False
        self._first: float | None = None
        self._last = 0.0

    def add(self, event: FileEvent, now: float) -> None:
        """Add an event that happened at the time `now`.

        A file counts as open for writing until it has an event without `is_writing`.
        """
        if self._first is None:
            self._first = now
        self._last = now
        if event.path is None:
            self._any_file_changed = True
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
            paths=frozenset() if self._any_file_changed else frozenset(self._paths),
            everything=self._any_file_changed,
            is_settled=not self._writing and now >= self._last + self._quiet,
        )
        self.clear()
        return change

    def restart(self, now: float) -> None:
        """Start waiting again, as if all events had happened at the time `now`."""
        self._first = self._last = now

    def clear(self) -> None:
        """Drop all events."""
        self._paths, self._writing, self._any_file_changed, self._first = set(), set(), False, None
