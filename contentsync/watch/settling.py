"""When a burst of notices is over. Pure: every moment is given, in seconds of any clock that never goes back."""

from .change import Change
from .notice import Notice

_PATIENCE = 5  # times `longest`, for who does not close his file


class Settling:
    """Collects notices until nothing more comes for `quiet` seconds and no file is open for writing.

    `longest` seconds after the first one the quiet is waited for no more, as somebody may write without end, and five
    times as long after it also not for files to be closed: before that what is read would often be half of it.
    """

    def __init__(self, quiet: float, longest: float) -> None:
        self._quiet = quiet
        self._longest = longest
        self._paths: set[str] = set()
        self._writing: set[str] = set()
        self._everything = False
        self._first: float | None = None
        self._last = 0.0

    def heard(self, notice: Notice, now: float) -> None:
        """Takes a notice in."""
        if self._first is None:
            self._first = now
        self._last = now
        if notice.path is None:
            self._everything = True
            return
        self._paths.add(notice.path)
        if notice.writing:
            self._writing.add(notice.path)
        else:
            self._writing.discard(notice.path)

    @property
    def due(self) -> float | None:
        """The moment at which it is over if nothing more comes; None where nothing has come."""
        if self._first is None:
            return None
        if self.is_writing:
            return self._first + _PATIENCE * self._longest
        return min(self._last + self._quiet, self._first + self._longest)

    @property
    def is_writing(self) -> bool:
        """Whether somebody has a file open that he has written to."""
        return bool(self._writing)

    def take(self, now: float) -> Change:
        """What has changed, which is then forgotten."""
        settled = not self._writing and now >= self._last + self._quiet
        change = Change(frozenset(() if self._everything else self._paths), self._everything, settled)
        self.forget()
        return change

    def go_on(self, now: float) -> None:
        """As if all of it had come just now."""
        self._first = self._last = now

    def forget(self) -> None:
        """As if nothing had come."""
        self._paths, self._writing, self._everything, self._first = set(), set(), False, None
