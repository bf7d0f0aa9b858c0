"""The sliding window over time, with a clock that the test sets."""

import random

import pytest

from contentsync.server.edge.rate_limit import WINDOW
from contentsync.server.quota import SlidingWindow


class Clock:
    """A clock that the test advances."""

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("limit", [1, 2, 10, 120, 600])
@pytest.mark.parametrize("jitter", [0, 0.5, 2])
def test_a_client_that_paces_itself_is_never_refused(limit: int, jitter: float) -> None:
    """docs/contract.md 12: at any start, and with a varying latency."""
    rng = random.Random(limit)
    clock = Clock()
    for _ in range(20):
        window = SlidingWindow(limit, WINDOW, clock)
        begin = rng.uniform(0, 2 * WINDOW)
        sent = (begin + number * 60 / limit + rng.uniform(0, jitter) for number in range(5 * limit))
        for clock.now in sorted(sent):
            assert window.count("token").allowed


@pytest.mark.parametrize("begin", [0, 1, 30, WINDOW - 0.5, WINDOW + 1])
def test_the_quota_recovers_gradually_after_a_burst(begin: float) -> None:
    """docs/contract.md 12: bursts up to the limit, and no second burst at the end of a window."""
    clock = Clock(begin)
    window = SlidingWindow(120, WINDOW, clock)
    let_through = []
    for clock.now in (begin + tenth / 10 for tenth in range(1200)):
        while window.count("token").allowed:
            let_through.append(clock.now)
    assert sum(moment == begin for moment in let_through) == 120
    first_minute = sum(moment < begin + 60 for moment in let_through)
    assert 120 <= first_minute <= 120 + 2.07 * 60 + 1  # the burst, and what comes back in a minute
    assert 236 <= len(let_through) <= 120 + 2.07 * 120 + 1
    edge = (begin // WINDOW + 1) * WINDOW
    assert sum(edge - 0.2 < moment < edge + 1 for moment in let_through if moment != begin) <= 5


@pytest.mark.parametrize("begin", [0, 17.3, WINDOW - 0.01])
@pytest.mark.parametrize("limit", [1, 5, 120])
def test_a_client_that_waits_for_retry_after_is_accepted(limit: int, begin: float) -> None:
    """docs/contract.md 11: Retry-After."""
    clock = Clock(begin)
    window = SlidingWindow(limit, WINDOW, clock)
    for _ in range(5):
        while (quota := window.count("token")).allowed:
            pass
        assert 1 <= quota.retry_after <= WINDOW + 1
        clock.now += quota.retry_after
        assert window.count("token").allowed


def test_remaining_is_the_number_of_allowed_requests() -> None:
    clock = Clock(20)
    window = SlidingWindow(10, WINDOW, clock)
    assert [window.count("token").remaining for _ in range(10)] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    clock.now += WINDOW
    remaining = window.count("token").remaining
    assert [window.count("token").allowed for _ in range(remaining + 1)] == [True] * remaining + [False]


def test_keys_have_separate_counts_that_expire() -> None:
    """AU-14, I7: memory is bounded by the keys of two windows."""
    clock = Clock()
    window = SlidingWindow(1, WINDOW, clock)
    assert all(window.count(("peer", number)).allowed for number in range(1000))
    assert not window.count(("peer", 1)).allowed
    clock.now += 2 * WINDOW
    assert window.count(("peer", 1)).allowed
    assert len(window._counts) == 1
