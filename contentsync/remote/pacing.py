"""When the next request may be sent, so that the rate limit is kept and not run into."""

import hashlib
import os
import stat
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import orjson
from filelock import FileLock, Timeout

WINDOW = 61.0  # seconds: a minute, and one more because some requests arrive later than others
LONGEST_HOLD = 3600.0  # seconds
LOCK_TIMEOUT = 1.0  # seconds; it is held for a fraction of a millisecond

Outcome = TypeVar("Outcome")


def pacing_file(url: str, directory: int) -> Path | None:
    """Where the processes of this user on this machine count their requests to a directory.

    None where there is no place that is this user's alone.
    """
    folder = Path(tempfile.gettempdir()) / f"contentsync-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        return None
    name = f"{url.rstrip('/')} {directory}".encode()
    return folder / f"{hashlib.sha256(name).hexdigest()[:16]}.json"


@dataclass(slots=True)
class _Turns:
    times: list[float]  # monotonic and ascending: of the last window, and those that are taken but still to come
    hold: float = 0.0  # monotonic time before which nobody may send


class Pacer:
    """Turns to send in, at most `limit` in any minute, shared with all processes that have the same file.

    A turn that is taken and not used is lost for a minute. Where the file cannot be read or written, the process
    counts alone. `clock` is one that all processes share: the time since the machine started.
    """

    def __init__(self, limit: int, path: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._path = path
        self._lock = None if path is None else FileLock(f"{path}.lock", timeout=LOCK_TIMEOUT, poll_interval=0.002)
        self._clock = clock
        self._turns = _Turns([])

    def reserve(self) -> float:
        """Takes the next turn; the seconds until it comes."""
        return self._change(self._reserve)

    def hold(self, seconds: float) -> None:
        """Lets nobody send for so long: the server has refused a request."""

        def held(turns: _Turns, now: float) -> None:
            turns.hold = max(turns.hold, now + min(seconds, LONGEST_HOLD))

        self._change(held)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Takes note of what the server says of its limit, and of requests that others have sent."""
        limit, remaining = _number(headers, "x-ratelimit-limit"), _number(headers, "x-ratelimit-remaining")
        if limit:
            self._limit = min(self._limit, limit)
        if remaining is not None and self._free(self._turns, self._clock()) > remaining:
            self._change(lambda turns, now: self._fill(turns, now, remaining))

    def _reserve(self, turns: _Turns, now: float) -> float:
        turn = max(now, turns.hold)
        if len(turns.times) >= self._limit:
            turn = max(turn, turns.times[-self._limit] + WINDOW)
        turns.times.append(turn)
        return turn - now

    def _fill(self, turns: _Turns, now: float, remaining: int) -> None:
        others = self._free(turns, now) - remaining
        # When they were sent is not known: as if evenly over the last minute.
        turns.times += [now - WINDOW * (number + 0.5) / others for number in range(others)]
        turns.times.sort()

    def _free(self, turns: _Turns, now: float) -> int:
        return self._limit - (len(turns.times) - bisect_right(turns.times, now - WINDOW))

    def _change(self, change: Callable[[_Turns, float], Outcome]) -> Outcome:
        """What a change of the turns gives, for all processes at once where that can be had."""
        if self._lock is None or self._path is None:
            return self._changed(change)
        try:
            self._lock.acquire()
        except (OSError, Timeout):
            return self._changed(change)
        try:
            self._read(self._path)
            outcome = self._changed(change)
            self._write(self._path)
        finally:
            self._lock.release()
        return outcome

    def _changed(self, change: Callable[[_Turns, float], Outcome]) -> Outcome:
        now, turns = self._clock(), self._turns
        if turns.hold > now + LONGEST_HOLD:  # of a clock that has started again since
            turns.hold = 0.0
        turns.times = turns.times[bisect_right(turns.times, now - WINDOW) :]
        if turns.times and turns.times[0] > max(now, turns.hold) + WINDOW:  # likewise: no turn is that far ahead
            turns.times = []
        return change(turns, now)

    def _read(self, path: Path) -> None:
        # A file that is missing or damaged says nothing: what this process knows stays.
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = orjson.loads(path.read_bytes())
            self._turns = _Turns(sorted(map(float, found["times"])), float(found["hold"]))

    def _write(self, path: Path) -> None:
        with suppress(OSError):
            written = path.with_suffix(".new")
            written.write_bytes(orjson.dumps({"times": self._turns.times, "hold": self._turns.hold}))
            written.replace(path)


def _number(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
