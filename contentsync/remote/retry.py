"""When a failed request is sent again, and how long a run waits for a server.

| what happened                                           | a read | a write |
|---|---|---|
| UNSENT: no connection; nothing left this machine        | retry  | retry   |
| LIMITED: 429; the server did not look at the request    | retry  | retry   |
| AMBIGUOUS: it was sent, and no answer shows its outcome | retry  | unknown |
| REFUSED: any other answer; a retry would get it again   | no     | no      |

A write with an unknown outcome is not sent again here: the caller reads the record back first.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

BACKOFF = 0.25  # seconds before the second try; doubled for each one after it
TRIES = 4
LIMITED_TRIES = 10  # other clients may use up the limit during the wait
WINDOW = 60.0  # seconds; rate limits are per minute

RETRY_SECONDS = 600.0  # that a run may lose to retries

SILENCE = 110.0  # seconds in all that a run waits; with the pauses between tries less than two minutes
OVERDUE = 10.0  # seconds after which the wait is reported
INSTANT = 0.05  # seconds; too short to send anything
_REPORTS = (OVERDUE, 30.0, 60.0, 90.0)

WaitCallback = Callable[[float], None]  # called with the seconds of a wait


class Failure(Enum):
    """What is known of a request that did not succeed."""

    UNSENT = auto()
    LIMITED = auto()
    AMBIGUOUS = auto()
    REFUSED = auto()


class NoRetry(Enum):
    """Why a request is not sent again."""

    GIVE_UP = auto()  # it changed nothing
    UNKNOWN = auto()  # it may have been applied


def decide_retry(
    failure: Failure, *, safe: bool, tries: int, retry_after: float | None = None, jitter: float = 1.0
) -> float | NoRetry:
    """Return the seconds to wait before the request is sent again, or why it is not.

    `safe` requests change nothing on the server. `tries` counts those made so far, `retry_after` is the server's own
    wish in seconds, and `jitter`, 0 to 1, keeps several clients from returning at the same time.
    """
    if failure is Failure.AMBIGUOUS and not safe:
        return NoRetry.UNKNOWN
    if failure is Failure.REFUSED or tries >= (LIMITED_TRIES if failure is Failure.LIMITED else TRIES):
        return NoRetry.GIVE_UP
    if failure is Failure.LIMITED:
        return WINDOW if retry_after is None else max(1.0, retry_after)
    return max(retry_after or 0.0, BACKOFF * float(2 ** (tries - 1)) * (1 + jitter) / 2)


class RetryBudget:
    """The seconds that a run may lose to failed tries and the waits after them."""

    def __init__(self, seconds: float = RETRY_SECONDS) -> None:
        self._remaining = seconds

    def spend(self, seconds: float) -> bool:
        """Spend the seconds if that many remain; return whether they did."""
        if seconds > self._remaining:
            return False
        self._remaining -= seconds
        return True


class SilenceTimer:
    """The seconds since the last complete answer during which at least one request was waiting.

    Only a complete answer ends a silence: one that arrives byte by byte may never end. `on_overdue` is called with the
    seconds so far, after 10 seconds and a few times more. Time is that of the event loop.
    """

    def __init__(self, limit: float = SILENCE, on_overdue: WaitCallback = lambda seconds: None) -> None:
        self._limit = limit
        self._on_overdue = on_overdue
        self._before = 0.0  # seconds, until the present requests
        self._since = 0.0  # when the first of the present requests began, or the last answer came
        self._waiting = 0
        self._reported = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.requests = 0  # sent since the last answer

    @property
    def seconds(self) -> float:
        """How long the silence has lasted."""
        return self._before + (_now() - self._since if self._waiting else 0.0)

    @property
    def remaining(self) -> float:
        """The seconds that the silence may still last; 0 once the limit is reached."""
        remaining = self._limit - self.seconds
        return remaining if remaining > INSTANT else 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time inside as waiting for an answer."""
        if not self._waiting:
            self._since = _now()
        self._waiting += 1
        self.requests += 1
        self._arm()
        try:
            yield
        finally:
            self._before = self.seconds if self._waiting == 1 else self._before
            self._waiting -= 1

    def reset(self) -> None:
        """Begin again, after a complete answer."""
        self._before, self._since, self._reported = 0.0, _now(), 0.0
        self.requests = self._waiting - 1

    def close(self) -> None:
        """Stop reporting."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        """Start a timer unless one runs. Answers do not stop it, because most requests are answered at once."""
        due = next((after for after in _REPORTS if after > self._reported), None)
        if self._timer is None and due is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.seconds), self._report, due)

    def _report(self, due: float) -> None:
        self._timer = None
        if not self._waiting:
            return
        if self.seconds >= max(due, self._reported):
            self._reported = due
            self._on_overdue(self.seconds)
        self._arm()


def _now() -> float:
    return asyncio.get_running_loop().time()
