"""When a failed request is sent again, and how long a run waits for a server.

| what happened                                           | a read | a write |
|---|---|---|
| UNSENT: no connection; the request was not sent         | retry  | retry   |
| LIMITED: 429; the server did not look at the request    | retry  | retry   |
| AMBIGUOUS: it was sent, and no answer shows its outcome | retry  | unknown |
| REFUSED: any other answer; a retry would get it again   | no     | no      |

A write with an unknown outcome is not sent again here: the caller reads the record back first.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto

FIRST_BACKOFF = 0.25  # seconds before the second try; doubled for each later try
MAX_TRIES = 4  # of one request, with the first
MAX_LIMITED_TRIES = 10  # other clients may use up the limit during the wait
WINDOW = 60.0  # seconds; rate limits are per minute

RETRY_SECONDS = 600.0  # that a run may spend on failed tries and the waits after them

MAX_SILENCE = 110.0  # seconds that requests may wait without an answer; with pauses, less than two minutes in all
OVERDUE = 10.0  # seconds after which the wait is reported
INSTANT_SECONDS = 0.05  # seconds; too short to send anything
_REPORTS = (OVERDUE, 30.0, 60.0, 90.0)

# Seconds for one try, however slowly the answer arrives. It is less than MAX_SILENCE, so that the outcome of a write
# can still be read back.
DEADLINE = 80.0

WaitCallback = Callable[[float], None]  # called with the seconds of a wait


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The seconds that the requests of a run may take."""

    retries: float = RETRY_SECONDS  # of failed tries and the waits after them, in all
    one_try: float = DEADLINE
    silence: float = MAX_SILENCE  # without an answer; then requests raise Unreachable


@dataclass(frozen=True, slots=True)
class WaitReports:
    """Callbacks that report waits."""

    on_wait: WaitCallback = lambda seconds: None  # a wait that the server requests
    on_pacing: Callable[[], None] = lambda: None  # the first wait for the rate limit
    on_overdue: WaitCallback = lambda seconds: None  # the time that requests have waited for an answer so far


DEFAULT_TIME_LIMITS = TimeLimits()
NO_REPORTS = WaitReports()


class Failure(Enum):
    """How a request failed; the table at the top of the module explains the members."""

    UNSENT = auto()
    LIMITED = auto()
    AMBIGUOUS = auto()
    REFUSED = auto()


class NoRetry(Enum):
    """Why a request is not sent again."""

    GIVE_UP = auto()  # the request changed nothing
    UNKNOWN = auto()  # the request may have been applied


def decide_retry(
    failure: Failure, *, safe: bool, tries: int, retry_after: float | None = None, jitter: float = 1.0
) -> float | NoRetry:
    """Return the seconds to wait before a failed request is sent again, or the reason not to send it.

    A `safe` request changes nothing on the server. `tries` is the number of tries so far, and `retry_after` the
    server's `Retry-After` in seconds. `jitter`, from 0 to 1, keeps several clients from retrying at the same time.
    """
    if failure is Failure.AMBIGUOUS and not safe:
        return NoRetry.UNKNOWN
    max_tries = MAX_LIMITED_TRIES if failure is Failure.LIMITED else MAX_TRIES
    if failure is Failure.REFUSED or tries >= max_tries:
        return NoRetry.GIVE_UP
    if failure is Failure.LIMITED:
        return WINDOW if retry_after is None else max(1.0, retry_after)
    backoff = FIRST_BACKOFF * float(2 ** (tries - 1))
    return max(retry_after or 0.0, backoff * (1 + jitter) / 2)  # from half of the backoff to all of it


class RetryBudget:
    """The seconds that a run may still spend on failed tries and the waits after them."""

    def __init__(self, seconds: float = RETRY_SECONDS) -> None:
        self._remaining = seconds

    def try_spend(self, seconds: float) -> bool:
        """Spend the seconds and return True; if fewer remain, spend nothing and return False."""
        if seconds > self._remaining:
            return False
        self._remaining -= seconds
        return True


class SilenceTimer:
    """The seconds since the last complete answer during which at least one request was waiting.

    An incomplete answer does not end the silence, because it may arrive byte by byte without end. `on_overdue` is
    called with the seconds so far, after 10, 30, 60 and 90 seconds. Times are those of the event loop's clock.
    """

    def __init__(self, limit: float = MAX_SILENCE, on_overdue: WaitCallback = lambda seconds: None) -> None:
        self._limit = limit
        self._on_overdue = on_overdue
        self._past = 0.0  # seconds of silence until `_since`
        self._since = 0.0  # when the first waiting request began, or the time of the last answer
        self._waiting = 0  # requests
        self._reported = 0.0  # seconds of silence at the last report
        self._timer: asyncio.TimerHandle | None = None
        self.requests = 0  # the number of requests that were sent or waiting since the last answer

    @property
    def seconds(self) -> float:
        """The seconds that the silence has lasted so far."""
        return self._past + (_now() - self._since if self._waiting else 0.0)

    @property
    def remaining(self) -> float:
        """The seconds that the silence may still last; 0 once the limit is reached."""
        remaining = self._limit - self.seconds
        return remaining if remaining > INSTANT_SECONDS else 0.0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time inside the `with` block as waiting for an answer."""
        if not self._waiting:
            self._since = _now()
        self._waiting += 1
        self.requests += 1
        self._arm()
        try:
            yield
        finally:
            if self._waiting == 1:  # the clock of the silence stops until the next request
                self._past = self.seconds
            self._waiting -= 1

    def reset(self) -> None:
        """Set the silence to 0 seconds, after a complete answer."""
        self._past, self._since, self._reported = 0.0, _now(), 0.0
        self.requests = self._waiting - 1

    def close(self) -> None:
        """Cancel the next report to `on_overdue`."""
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        """Start the timer of the next report unless it runs. Answers do not stop it, because most arrive at once."""
        due = next((seconds for seconds in _REPORTS if seconds > self._reported), None)
        if self._timer is None and due is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.seconds), self._report, due)

    def _report(self, due: float) -> None:
        """Report the silence if it has lasted `due` seconds, and start the timer of the next report."""
        self._timer = None
        if not self._waiting:
            return
        if self.seconds >= due:
            self._reported = due
            self._on_overdue(self.seconds)
        self._arm()


def _now() -> float:
    return asyncio.get_running_loop().time()
