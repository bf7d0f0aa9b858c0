"""When an address is dead, and when it has moved: by the days of its results alone."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from contentsync.linkcheck.link_history import NO_HISTORY, LinkHistory
from contentsync.linkcheck.link_results import LinkResult, Outcome

START = date(2026, 11, 2)
FAILED = LinkResult(Outcome.FAILED, "404 Not Found")
UNKNOWN = LinkResult(Outcome.UNKNOWN, "503")
SKIPPED = LinkResult(Outcome.SKIPPED)
WORKS = LinkResult(Outcome.WORKS)
MOVED = LinkResult(Outcome.WORKS, moved_to="https://new.dev/")
MOVED_ELSEWHERE = LinkResult(Outcome.WORKS, moved_to="https://other.dev/")


def after(*results: tuple[int, LinkResult]) -> LinkHistory:
    """Return the history after results, each with its day."""
    history = NO_HISTORY
    for number, result in results:
        history = history.after(result, day(number))
    return history


def day(number: int) -> date:
    return START + timedelta(days=number)


def failing(*numbers: int) -> LinkHistory:
    return after(*((number, FAILED) for number in numbers))


@pytest.mark.parametrize("days", [(0, 1, 7), (0, 7, 14), (0, 3, 6, 9), (0, 1, 2, 3, 4, 5, 6, 7), (0, 40, 80)])
def test_three_failures_a_week_apart_are_dead(days: Sequence[int]) -> None:
    assert failing(*days).is_dead
    assert not failing(*days[:-1]).is_dead


@pytest.mark.parametrize("days", [(), (0,), (0, 7), (0, 30), (0, 3, 6), (0, 0, 0, 7), (0, 7, 7, 7)])
def test_fewer_days_or_a_shorter_time_are_not_dead(days: Sequence[int]) -> None:
    assert not failing(*days).is_dead


@pytest.mark.parametrize("result", [UNKNOWN, SKIPPED])
def test_an_unknown_result_neither_counts_nor_forgets(result: LinkResult) -> None:
    assert after((0, FAILED), (3, result), (5, FAILED), (6, result)) == failing(0, 5)
    assert after((0, result), (7, result), (14, result)) == NO_HISTORY


def test_days_far_in_the_future_are_forgotten() -> None:
    assert after((900, FAILED), (0, FAILED), (1, FAILED)) == failing(0, 1)
    assert after((900, FAILED), (907, FAILED), (914, FAILED), (0, FAILED)) == failing(0)
    assert after((900, FAILED), (0, UNKNOWN)) == NO_HISTORY
    assert not after((900, MOVED), (0, MOVED)).proposal


def test_a_success_forgets_all_failures() -> None:
    assert after((0, FAILED), (3, FAILED), (5, WORKS)) == NO_HISTORY
    assert after((0, FAILED), (7, FAILED), (14, FAILED), (15, WORKS)) == NO_HISTORY
    assert not after((0, FAILED), (3, FAILED), (5, WORKS), (6, FAILED), (12, FAILED)).is_dead


def test_the_history_of_a_dead_address_stays_the_same_while_it_fails() -> None:
    assert after((0, FAILED), (1, FAILED), (7, FAILED), (9, LinkResult(Outcome.FAILED, "410"))) == failing(0, 1, 7)


def test_the_same_permanent_redirect_on_two_days_is_a_proposal() -> None:
    assert after((0, MOVED)).proposal == ""
    assert after((0, MOVED), (0, MOVED)).proposal == ""
    moved = after((0, MOVED), (7, MOVED))
    assert moved.proposal == "https://new.dev/"
    assert moved.after(MOVED, day(14)) == moved


def test_another_target_begins_again() -> None:
    assert after((0, MOVED), (7, MOVED_ELSEWHERE)).proposal == ""
    assert after((0, MOVED), (7, MOVED_ELSEWHERE), (8, MOVED_ELSEWHERE)).proposal == "https://other.dev/"
    assert after((0, MOVED), (7, WORKS), (8, MOVED)).proposal == ""


def test_an_address_that_fails_is_not_replaced() -> None:
    moved = after((0, MOVED), (1, MOVED), (2, FAILED))
    assert moved.proposal == ""
    assert moved.after(MOVED, day(3)).proposal == "https://new.dev/"


def test_a_redirect_is_a_success() -> None:
    assert after((0, FAILED), (3, FAILED), (4, MOVED)).failed == ()


def test_two_branches_become_one_history() -> None:
    merged = failing(0, 7).merged(failing(1, 3))
    assert merged == failing(0, 1, 7)
    assert after((0, MOVED)).merged(after((5, MOVED))) == after((0, MOVED), (5, MOVED))
    assert after((0, MOVED)).merged(after((5, MOVED_ELSEWHERE))) == after((5, MOVED_ELSEWHERE))
    assert NO_HISTORY.merged(failing(0, 7, 14)) == failing(0, 7, 14)


def test_a_clock_that_is_set_back_changes_no_verdict() -> None:
    assert failing(7, 0, 3) == failing(0, 3, 7)
