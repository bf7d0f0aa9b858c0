"""When the next request may be sent, so that the rate limit is kept and not run into."""

import hashlib
import math
import os
import stat
import tempfile
import time
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import orjson
from filelock import FileLock, Timeout

MINUTE = 60.0  # seconds in which a server counts at most `limit` requests, however it lays its window
ALLOWANCE = 0.5  # seconds in which most requests are answered; a server counts a request at some moment before that
WINDOW = MINUTE + ALLOWANCE
RECHECK = 0.25  # seconds after which to look whether the server has reported more room
IGNORED = 0.001  # seconds of a wait
LOW = 32  # requests: where less remains, each answer is worth a change of the file
LONGEST_HOLD = 3600.0  # seconds
LOCK_TIMEOUT = 1.0  # seconds; it is held for a fraction of a millisecond
ASSUMED = 120  # requests a minute, which the contract allows, as long as the server reports no limit

UNLIMITED = "x-rate-limit"  # the header that is `none` where a server has no limit (docs/server.md)

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


class Turn(NamedTuple):
    """The answer to who wants to send."""

    at: float  # the moment of the turn, by the pacer's clock
    wait: float  # seconds after which to ask again; 0 if the turn is taken
    is_asked: bool = False  # whether the server has asked for the wait


@dataclass(slots=True)
class _Turns:
    times: list[float]  # monotonic and ascending: the turns of the last two windows
    hold: float = 0.0  # monotonic time before which nobody may send
    credit: float | None = None  # requests that the server certainly accepts now; None where it does not say


class Pacer:
    """Turns to send in, at most `limit` in any minute, shared with all processes that have the same file.

    Without a `limit`, the one that the server reports applies, and ASSUMED until it reports one. With both, the lower
    one applies. Where the server says that it has none, every turn is free and is not counted.

    A server counts a request somewhere between its turn and its answer. So the turn is free again a minute after the
    answer, while the next request counts from its own turn on: whether the server slides its window over the last
    minute or begins a new one every minute, it never counts more than `limit`.

    Some servers estimate the last minute from two fixed windows (docs/decisions/0007-rate-limit.md). To them a burst
    still counts for a while when it is a minute old, so a second burst would be refused. Where a server reports what
    remains, so many requests are sent at once; beyond that, turns keep below such an estimate too, wherever the
    server's windows begin.

    A turn that is taken and not used is lost for a minute. Where the file cannot be read or written, the process
    counts alone. `clock` is one that all processes share: the time since the machine started.
    """

    def __init__(
        self, limit: int | None = None, path: Path | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._own_limit = limit
        self._limit = ASSUMED if limit is None else limit  # requests a minute that apply now
        self._is_unlimited = False
        self.is_reported = False  # whether the server has reported its limit
        self._path = path
        self._lock = None if path is None else FileLock(f"{path}.lock", timeout=LOCK_TIMEOUT, poll_interval=0.002)
        self._clock = clock
        self._turns = _Turns([])
        self._open: dict[float, float] = {}  # turns of this process without an answer: the oldest one open at the time

    @property
    def limit(self) -> int | None:
        """The requests a minute that apply by what is known now; None if there is no limit."""
        return None if self._is_unlimited else self._limit

    def take(self) -> Turn:
        """Take a turn now if the limit allows it; else return when to ask again, and take nothing."""
        if self._is_unlimited and self._turns.hold <= (now := self._clock()):
            return Turn(now, 0.0)
        return self._change(self._take)

    def renew(self, at: float) -> float | None:
        """Return the moment to count a turn from that was taken at `at` and is used only now; None if it is lost."""
        now = self._clock()
        if self._is_unlimited or now - at <= ALLOWANCE:
            return at
        if now - at >= MINUTE:
            return None
        renewed = self._change(lambda turns, now: _move(turns, at, now))
        self._open[renewed] = self._open.pop(at, renewed)
        return renewed

    def hold(self, seconds: float) -> None:
        """Lets nobody send for so long: the server has refused a request."""

        def held(turns: _Turns, now: float) -> None:
            turns.hold = max(turns.hold, now + min(seconds, LONGEST_HOLD))

        self._change(held)

    def answered(self, at: float, headers: Mapping[str, str]) -> None:
        """Take note of the answer to the request of a turn, or of the end of the wait for it, without headers.

        The headers report the server's limit, and what remains of it after the requests of this client and others.
        """
        limit, remaining = _number(headers, "x-ratelimit-limit"), _number(headers, "x-ratelimit-remaining")
        if limit:
            self._limit = limit if self._own_limit is None else min(self._limit, limit)
            self._is_unlimited, self.is_reported = False, True
        elif headers.get(UNLIMITED) == "none":
            self._is_unlimited = self._own_limit is None
        now, oldest = self._clock(), self._open.pop(at, at)
        if self._is_unlimited:
            return
        # Whatever was sent before that has been counted before this request.
        asked = min(at - (now - at), oldest)
        if remaining is not None and (self._turns.credit is None or min(remaining, self._turns.credit) < LOW):
            self._change(lambda turns, now: self._learn(turns, now, at, asked, remaining))
        elif now - at > ALLOWANCE:
            self._change(lambda turns, now: _move(turns, at, now))

    def _take(self, turns: _Turns, now: float) -> Turn:
        if turns.hold - now >= IGNORED:
            return Turn(turns.hold, turns.hold - now, is_asked=True)
        if self._is_unlimited:
            return Turn(now, 0.0)
        at = now
        if len(turns.times) >= self._limit:
            at = max(at, turns.times[-self._limit] + WINDOW)
        if at - now < IGNORED and turns.credit is not None and turns.credit < 1:
            at = now + RECHECK if _estimate(turns.times, now) >= self._limit else now
        if at - now >= IGNORED:
            return Turn(at, at - now)
        insort(turns.times, now)
        if turns.credit is not None:
            turns.credit -= 1
        self._open = {at: oldest for at, oldest in self._open.items() if now - at < WINDOW}
        self._open[now] = min(self._open, default=now)
        return Turn(now, 0.0)

    def _learn(self, turns: _Turns, now: float, at: float, asked: float, remaining: int) -> None:
        at = _move(turns, at, now)
        turns.credit = remaining - max(0, len(turns.times) - bisect_right(turns.times, asked) - 1)
        others = math.ceil(self._limit - remaining - _estimate(turns.times, at))
        # When they were sent is not known: as if evenly over the last minute.
        turns.times += [now - WINDOW * (number + 0.5) / others for number in range(others)]
        turns.times.sort()

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
        turns.times = turns.times[bisect_right(turns.times, now - 2 * WINDOW) :]
        if turns.times and turns.times[-1] > now + ALLOWANCE:  # likewise: no turn is ahead
            turns.times, turns.credit = [], None
        return change(turns, now)

    def _read(self, path: Path) -> None:
        # A file that is missing or damaged says nothing: what this process knows stays.
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = orjson.loads(path.read_bytes())
            times, hold = sorted(map(float, found["times"])), float(found["hold"])
            credit = found.get("credit")  # the last release did not write it
            self._turns = _Turns(times, hold, None if credit is None else float(credit))

    def _write(self, path: Path) -> None:
        # In place, under the lock: to replace a file makes some file systems write it to the disk at once, which takes
        # longer than the request. A file that is cut off by a crash is one that is damaged.
        with suppress(OSError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.ftruncate(file, os.pwrite(file, orjson.dumps(self._turns), 0))
            finally:
                os.close(file)


def _estimate(times: Sequence[float], now: float) -> float:
    """The most that a server counts which adds a part of its last window to the present one, wherever that began.

    Of requests in the window before, those count that are in the part of it which the last minute still covers, as if
    they had been spread evenly over it.
    """

    def younger(age: float) -> int:
        return len(times) - bisect_left(times, now - age)

    # How long ago the window began, with what is not known of the age of a request.
    begun = (step * ALLOWANCE for step in range(int(MINUTE / ALLOWANCE)))
    counts = [(younger(into + ALLOWANCE), younger(into + ALLOWANCE + MINUTE), into) for into in begun]
    return max(here + (both - here) * (1 - into / MINUTE) for here, both, into in counts)


def _move(turns: _Turns, at: float, now: float) -> float:
    """Count the turn of `at` as one whose request the server may have counted as late as now; its new moment."""
    latest = now - ALLOWANCE
    if at >= latest:
        return at
    place = bisect_left(turns.times, at)
    if turns.times[place : place + 1] == [at]:
        del turns.times[place]
    insort(turns.times, latest)
    return latest


def _number(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
