import pytest

from contentsync.remote.retry import MAX_LIMITED_TRIES, MAX_TRIES, WINDOW, Failure, NoRetry, RetryBudget, decide_retry


@pytest.mark.parametrize("failure", [Failure.UNSENT, Failure.LIMITED])
@pytest.mark.parametrize("safe", [True, False])
def test_an_unprocessed_request_is_sent_again(failure: Failure, safe: bool) -> None:
    """HT-01, HT-11"""
    assert isinstance(decide_retry(failure, safe=safe, tries=1), float)


def test_a_read_without_a_response_is_retried_and_a_write_is_not() -> None:
    """HT-02 to HT-05: only a read shows whether the write was done."""
    assert isinstance(decide_retry(Failure.AMBIGUOUS, safe=True, tries=1), float)
    assert decide_retry(Failure.AMBIGUOUS, safe=False, tries=1) is NoRetry.UNKNOWN


@pytest.mark.parametrize("safe", [True, False])
def test_a_refusal_is_final(safe: bool) -> None:
    """HT-14"""
    assert decide_retry(Failure.REFUSED, safe=safe, tries=1) is NoRetry.GIVE_UP


def test_the_number_of_tries_is_limited() -> None:
    assert decide_retry(Failure.UNSENT, safe=True, tries=MAX_TRIES) is NoRetry.GIVE_UP
    assert decide_retry(Failure.AMBIGUOUS, safe=True, tries=MAX_TRIES) is NoRetry.GIVE_UP
    assert decide_retry(Failure.LIMITED, safe=True, tries=MAX_LIMITED_TRIES) is NoRetry.GIVE_UP


def test_each_wait_is_twice_the_previous_one_with_jitter() -> None:
    waits = [decide_retry(Failure.UNSENT, safe=False, tries=tries, jitter=1.0) for tries in (1, 2, 3)]
    assert waits == [0.25, 0.5, 1.0]
    assert decide_retry(Failure.UNSENT, safe=False, tries=3, jitter=0.0) == 0.5


@pytest.mark.parametrize(("retry_after", "waits"), [(7.0, 7.0), (0.0, 1.0), (None, WINDOW)])
def test_a_rate_limit_is_waited_for_as_requested_or_for_a_window(retry_after: float | None, waits: float) -> None:
    """HT-11"""
    assert decide_retry(Failure.LIMITED, safe=False, tries=1, retry_after=retry_after) == waits


def test_a_busy_server_is_waited_for_as_requested() -> None:
    assert decide_retry(Failure.AMBIGUOUS, safe=True, tries=1, retry_after=9.0) == 9.0


def test_the_retry_budget_is_limited() -> None:
    patience = RetryBudget(10)
    assert patience.try_spend(6)
    assert not patience.try_spend(5)
    assert patience.try_spend(4)
