"""contentsync.cli.progress: the remaining part of a run, waits for the rate limit, and where that comes from."""

import io

import pytest
from rich.console import Console

from contentsync.cli.apply_progress import LINE_SECONDS, ApplyProgress, RequestPace, remaining_text
from contentsync.cli.progress import wait_messages
from contentsync.content.config.config_tables import Target
from contentsync.model import Kind
from contentsync.remote.pacing import Pacer
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import desired

PLAN = make_plan([desired(Kind.PAGE, f"p{number}", title="T") for number in range(9)], [])


@pytest.mark.parametrize(
    ("done", "total", "seconds", "text"),
    [
        (0, 2_000, 60.0, "2,000 left"),
        (10, 2_000, 1.0, "1,990 left"),  # too early for an estimate
        (120, 1_200, 60.0, "1,080 left, about 9 min"),
        (1_100, 1_200, 60.0, "100 left, less than a minute"),
        (1_200, 1_200, 60.0, "0 left"),
    ],
)
def test_the_remaining_time_is_estimated_from_the_pace_of_the_run(
    done: int, total: int, seconds: float, text: str
) -> None:
    assert remaining_text(done, total, seconds) == text


def test_the_estimate_is_at_least_the_time_that_the_rate_limit_needs() -> None:
    assert remaining_text(120, 1_200, 6.0, limited_seconds=540.0) == "1,080 left, about 9 min"
    assert remaining_text(120, 1_200, 90.0, limited_seconds=540.0) == "1,080 left, about 14 min"


def test_the_pace_does_not_count_requests_from_before_the_run() -> None:
    now = 0.0
    pacer = Pacer(120, clock=lambda: now)
    for _ in range(20):
        pacer.try_acquire()
    pace = RequestPace(pacer)
    for _ in range(100):
        pacer.try_acquire()
    assert pace.seconds_for(done=50, left=500) == pytest.approx(500)  # 1,000 requests, two a second
    assert RequestPace().seconds_for(done=50, left=500) == 0


def test_a_log_gets_a_progress_line_at_intervals() -> None:
    clock = 0.0
    pacer = Pacer(clock=lambda: clock)
    console = Console(file=io.StringIO(), width=100)
    progress = ApplyProgress(PLAN, console, quiet=False, pacer=pacer, clock=lambda: clock)
    for number, change in enumerate(PLAN.changes):
        clock += LINE_SECONDS / 2
        pacer.is_waiting = number == 3
        progress.add_result(Result(change, Status.DONE))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().splitlines() == [
        "  7 left, about 2 min",
        "  5 left, about 1 min, waiting for the rate limit",
        "  3 left, less than a minute",
        "  1 left, less than a minute",
        "  pages: 9 of 9",
    ]


def test_a_terminal_shows_the_rate_limit_wait_beside_the_bar() -> None:
    console = Console(file=io.StringIO(), width=200, force_terminal=True)
    pacer = Pacer()
    with pacer.waiting(), ApplyProgress(PLAN, console, quiet=False, pacer=pacer) as progress:
        progress.add_result(Result(PLAN.changes[0], Status.DONE))
    assert isinstance(console.file, io.StringIO)
    assert "8 left · waiting for the rate limit" in console.file.getvalue()


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ([], "the default, until the server reports its limit"),
        ([{"content-type": "application/json"}], "the default, as the server reports no limit"),
        ([{"x-ratelimit-limit": "60"}], "the limit that the server reports"),
    ],
)
def test_a_missing_rate_limit_is_reported_only_after_a_response(headers: list[dict[str, str]], words: str) -> None:
    console = Console(file=io.StringIO(), width=200)
    pacer = Pacer()
    for each in headers:
        pacer.record_answer(pacer.try_acquire().at, each)
    wait_messages(Target(name="x", url="https://example.org", directory=1), pacer, console).on_pacing()
    assert isinstance(console.file, io.StringIO)
    assert words in console.file.getvalue()
