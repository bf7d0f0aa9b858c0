"""When the next request may be sent, so that the client stays below the rate limit."""

import hashlib
import math
import os
import stat
import tempfile
import time
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import orjson

if TYPE_CHECKING:
    from filelock import FileLock

MINUTE = 60.0  # seconds in which a server accepts at most `limit` requests, whenever its window begins
ANSWER_MARGIN = 0.5  # seconds within which most requests are answered; the server counts a request before it answers
WINDOW = MINUTE + ANSWER_MARGIN
HISTORY = 2 * WINDOW  # seconds for which slots are stored: `_estimate` counts those of two windows
RECHECK_SECONDS = 0.25  # seconds after which to check whether the server has reported more remaining requests
MIN_WAIT = 0.001  # seconds
LOW_CREDIT = 32  # if fewer requests remain, each answer updates the file
MAX_BACKOFF = 3600.0  # seconds
LOCK_TIMEOUT = 1.0  # seconds; each process locks for a fraction of a millisecond
DEFAULT_LIMIT = 120  # requests a minute, as the contract allows, until the server reports a limit

UNLIMITED_HEADER = "x-rate-limit"  # this header is `none` if a server has no limit (docs/server.md)

Returned = TypeVar("Returned")  # what a change of the state returns


def pacing_file(url: str, directory: int) -> Path | None:
    """Return the file in which this user's processes on this machine count their requests to a directory.

    Return None if its folder cannot be created, or belongs or is writable to other users.
    """
    folder = Path(tempfile.gettempdir()) / f"contentsync-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
        return None
    name = f"{url.rstrip('/')} {directory}".encode()
    return folder / f"{hashlib.sha256(name).hexdigest()[:16]}.json"


class Slot(NamedTuple):
    """The permission to send one request, or the seconds to wait before asking again."""

    at: float  # the time when the request may be sent, by the pacer's clock
    wait_seconds: float  # seconds; 0 if the slot is taken
    is_requested: bool = False  # whether the server requested the wait


@dataclass(slots=True)
class _PacingState:
    # The names are the keys of the file.
    times: list[float]  # monotonic and ascending: the slots of the last HISTORY seconds
    hold: float = 0.0  # monotonic time before which no process may send
    credit: float | None = None  # requests that the server certainly accepts now; None if it does not report them


class Pacer:
    """Slots for requests, at most `limit` in any minute, shared by all processes that have the same file.

    `limit` and the limit that the server reports both apply; without either, DEFAULT_LIMIT applies. If the server
    reports that it has no limit, and `limit` is None, every request may be sent and is not counted.

    A server counts a request at some time between the taking of its slot and the answer. So a slot counts from the
    time when it was taken until a minute after the answer. Therefore no server counts more than `limit` requests,
    whether its window slides or begins again every minute.

    Some servers estimate the last minute from two fixed windows (docs/decisions/0007-rate-limit.md). They still count
    a part of a burst that is more than a minute old, and would refuse a second burst. If a server reports the remaining
    requests, that many are sent at once. Before it gives further slots, the pacer computes the same estimate
    for each possible start of the server's windows, and uses the highest one.

    A slot that is taken and not used is lost for a minute. If the file cannot be read or written, the process counts
    only its own requests. `clock` must be the same for all processes: the time since the machine started.
    """

    def __init__(
        self, limit: int | None = None, path: Path | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._configured_limit = limit
        self._limit = DEFAULT_LIMIT if limit is None else limit  # requests a minute that apply now
        self._is_unlimited = False
        self.is_reported = False  # whether the server has reported its limit
        self.is_waiting = False  # whether a request of this process waits for its slot now
        self.has_answer = False  # whether the server has answered, with a limit or without
        self.taken = 0  # slots that this process has taken; those of a server without a limit do not count
        self._path = path
        self._lock = _open_lock(path) if path else None
        self._clock = clock
        self._state = _PacingState([])
        # A slot of this process without an answer -> the oldest slot without an answer when this one was taken.
        self._oldest_unanswered: dict[float, float] = {}

    @property
    def limit(self) -> int | None:
        """The limit that applies now, in requests a minute; None if the server has no limit."""
        return None if self._is_unlimited else self._limit

    def seconds_for(self, requests: float) -> float:
        """Return about how many seconds the limit needs for further requests; 0 if they may be sent at once."""
        if self._is_unlimited:
            return 0.0
        times = self._state.times
        counted = len(times) - bisect_left(times, self._clock() - WINDOW)
        return max(0.0, requests - max(0, self._limit - counted)) / self._limit * MINUTE

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Show other code that a request waits for its slot: `is_waiting` is True while the block runs.

        The progress reads it. Only one request may wait at a time: the end of the first block resets it.
        """
        self.is_waiting = True
        try:
            yield
        finally:
            self.is_waiting = False

    def try_acquire(self) -> Slot:
        """Take a slot if the limit allows a request now; else return a Slot with the seconds to wait."""
        if self._is_unlimited and self._state.hold <= (now := self._clock()):
            return Slot(now, 0.0)
        return self._change(self._acquire)

    def renew(self, slot_time: float) -> float | None:
        """Return the new time of the slot that was taken at `slot_time` and is used only now; None if it expired."""
        now = self._clock()
        if self._is_unlimited or now - slot_time <= ANSWER_MARGIN:
            return slot_time
        if now - slot_time >= MINUTE:
            return None
        renewed = self._change(lambda state, now: _postpone(state, slot_time, now))
        oldest = self._oldest_unanswered.pop(slot_time, renewed)
        self._oldest_unanswered[renewed] = oldest
        return renewed

    def back_off(self, seconds: float) -> None:
        """Stop all processes from sending for the seconds (at most MAX_BACKOFF), after the server refused a request."""

        def set_hold(state: _PacingState, now: float) -> None:
            state.hold = max(state.hold, now + min(seconds, MAX_BACKOFF))

        self._change(set_hold)

    def record_answer(self, slot_time: float, headers: Mapping[str, str]) -> None:
        """Record the answer to the request of the slot `slot_time`; without headers, that no answer arrived.

        The headers report the server's limit, and the requests that remain after those of all clients.
        """
        limit = _header_number(headers, "x-ratelimit-limit")
        remaining = _header_number(headers, "x-ratelimit-remaining")
        if limit:
            self._limit = limit if self._configured_limit is None else min(self._limit, limit)
            self._is_unlimited = False
            self.is_reported = True
        elif headers.get(UNLIMITED_HEADER) == "none":
            self._is_unlimited = self._configured_limit is None
        self.has_answer = self.has_answer or bool(headers)
        now = self._clock()
        oldest_unanswered = self._oldest_unanswered.pop(slot_time, slot_time)
        if self._is_unlimited:
            return
        duration = now - slot_time
        # Requests sent before this time were answered, and so counted, when this request was sent: those of this
        # process certainly, those of others if they took no longer than this one.
        counted_until = min(slot_time - duration, oldest_unanswered)
        credit = self._state.credit
        # A high credit need not be exact, so it saves writing the file.
        if remaining is not None and (credit is None or min(remaining, credit) < LOW_CREDIT):
            self._change(lambda state, now: self._update_credit(state, now, slot_time, counted_until, remaining))
        elif duration > ANSWER_MARGIN:
            self._change(lambda state, now: _postpone(state, slot_time, now))

    def _acquire(self, state: _PacingState, now: float) -> Slot:
        """Take a slot in the state, or return the wait for it.

        Wait until `hold`, and while the last minute has as many slots as the limit. Wait also while `credit`, the
        remaining requests that the server reported, is used up and the server may still count `limit` requests.
        """
        if state.hold - now >= MIN_WAIT:
            return Slot(state.hold, state.hold - now, is_requested=True)
        if self._is_unlimited:
            return Slot(now, 0.0)
        at = now
        if len(state.times) >= self._limit:
            at = max(at, state.times[-self._limit] + WINDOW)
        may_send = at - now < MIN_WAIT
        has_no_credit = state.credit is not None and state.credit < 1
        if may_send and has_no_credit and _estimate(state.times, now) >= self._limit:
            at = now + RECHECK_SECONDS
        if at - now >= MIN_WAIT:
            return Slot(at, at - now)
        insort(state.times, now)
        self.taken += 1
        if state.credit is not None:
            state.credit -= 1
        unanswered = {slot: oldest for slot, oldest in self._oldest_unanswered.items() if now - slot < WINDOW}
        self._oldest_unanswered = {**unanswered, now: min(unanswered, default=now)}
        return Slot(now, 0.0)

    def _update_credit(
        self, state: _PacingState, now: float, slot_time: float, counted_until: float, remaining: int
    ) -> None:
        """Set the credit from the server's `remaining` requests, and add slots for the requests of other clients.

        `remaining` is from the answer to the request with the slot `slot_time`. It certainly includes the requests that
        were sent until `counted_until`.
        """
        counted_at = _postpone(state, slot_time, now)  # the latest time at which the server counted this request
        later_count = len(state.times) - bisect_right(state.times, counted_until)
        uncounted = max(0, later_count - 1)  # all later requests except the answered one
        state.credit = remaining - uncounted
        foreign_count = math.ceil(self._limit - remaining - _estimate(state.times, counted_at))  # none if not positive
        # The times of foreign requests are not known: assume that they were spread evenly over the last minute.
        state.times += [now - WINDOW * (number + 0.5) / foreign_count for number in range(foreign_count)]
        state.times.sort()

    def _change(self, change: Callable[[_PacingState, float], Returned]) -> Returned:
        """Apply a change to the state, in the shared file if it can be used, and return the change's result."""
        if self._lock is None or self._path is None:
            return self._apply(change)
        try:
            self._lock.acquire()
        except OSError:  # also filelock's Timeout
            return self._apply(change)
        try:
            self._read(self._path)
            outcome = self._apply(change)
            self._write(self._path)
        finally:
            self._lock.release()
        return outcome

    def _apply(self, change: Callable[[_PacingState, float], Returned]) -> Returned:
        """Drop the times that no longer count, apply a change to the state, and return the change's result."""
        now = self._clock()
        state = self._state
        if state.hold > now + MAX_BACKOFF:  # the clock has restarted since the hold was set
            state.hold = 0.0
        state.times = state.times[bisect_right(state.times, now - HISTORY) :]
        if state.times and state.times[-1] > now + ANSWER_MARGIN:
            # No slot is taken for a future time, so the clock has restarted since the slots were taken.
            state.times = []
            state.credit = None
        return change(state, now)

    def _read(self, path: Path) -> None:
        """Replace the state by that in the file; if the file is missing or damaged, keep the state of this process."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            saved = orjson.loads(path.read_bytes())
            times = sorted(map(float, saved["times"]))
            hold = float(saved["hold"])
            credit = saved.get("credit")  # the last release did not write this key
            self._state = _PacingState(times, hold, None if credit is None else float(credit))

    def _write(self, path: Path) -> None:
        """Write the state to the file, and ignore an error; then other processes count only their own requests."""
        # In place, under the lock: some file systems write a replaced file to the disk at once, which takes longer than
        # the request. A file that a crash cuts off counts as damaged.
        with suppress(OSError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                length = os.pwrite(file, orjson.dumps(self._state), 0)
                os.ftruncate(file, length)
            finally:
                os.close(file)


def _open_lock(path: Path) -> "FileLock":
    from filelock import FileLock  # an embedded target has no pacer

    return FileLock(f"{path}.lock", timeout=LOCK_TIMEOUT, poll_interval=0.002)


def _estimate(times: Sequence[float], now: float) -> float:
    """Return the most requests that a server may count if it estimates the last minute from two fixed windows.

    Such a server adds to the requests of the current window those of the previous window, in proportion to its part
    in the last minute. The result is the maximum over all possible starts of the window.
    """

    def count_in_last(seconds: float) -> int:
        return len(times) - bisect_left(times, now - seconds)

    window_ages = (step * ANSWER_MARGIN for step in range(int(MINUTE / ANSWER_MARGIN)))  # seconds since its start

    def estimate(window_age: float) -> float:
        # A request that was sent up to ANSWER_MARGIN before a window may count in it: the server counts it later.
        in_current = count_in_last(window_age + ANSWER_MARGIN)
        in_previous = count_in_last(window_age + ANSWER_MARGIN + MINUTE) - in_current
        return in_current + in_previous * (1 - window_age / MINUTE)

    return max(map(estimate, window_ages))


def _postpone(state: _PacingState, slot_time: float, now: float) -> float:
    """Move a slot, if necessary, so that it counts until a minute after `now`, and return its time.

    The server may have counted its request as late as `now`. A slot counts for a minute and ANSWER_MARGIN.
    """
    latest = now - ANSWER_MARGIN
    if slot_time >= latest:
        return slot_time
    index = bisect_left(state.times, slot_time)
    if index < len(state.times) and state.times[index] == slot_time:  # else the state was lost meanwhile
        del state.times[index]
    insort(state.times, latest)
    return latest


def _header_number(headers: Mapping[str, str], name: str) -> int | None:
    """Return the whole number in a header; None without a plausible one."""
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
