"""contentsync.cli.progress: how much of a run remains, and that it waits for the rate limit."""

import io

import pytest
from rich.console import Console

from contentsync.cli.progress import LINE_SECONDS, ApplyProgress, remaining_text
from contentsync.model import Kind
from contentsync.sync import Result, Status, make_plan

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
def test_the_rest_of_a_run_is_estimated_at_its_pace(done: int, total: int, seconds: float, text: str) -> None:
    assert remaining_text(done, total, seconds) == text


def test_a_log_gets_a_line_about_the_rest_now_and_then() -> None:
    clock = 0.0
    is_paced = False
    console = Console(file=io.StringIO(), width=100)
    progress = ApplyProgress(PLAN, console, quiet=False, is_paced=lambda: is_paced, clock=lambda: clock)
    for number, change in enumerate(PLAN.changes):
        clock += LINE_SECONDS / 2
        is_paced = number == 3
        progress.add_result(Result(change, Status.DONE))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().splitlines() == [
        "  7 left, about 2 min",
        "  5 left, about 1 min, waiting for the rate limit",
        "  3 left, less than a minute",
        "  1 left, less than a minute",
        "  pages: 9 of 9",
    ]


def test_a_terminal_shows_the_wait_beside_the_bar() -> None:
    console = Console(file=io.StringIO(), width=200, force_terminal=True)
    with ApplyProgress(PLAN, console, quiet=False, is_paced=lambda: True) as progress:
        progress.add_result(Result(PLAN.changes[0], Status.DONE))
    assert isinstance(console.file, io.StringIO)
    assert "8 left · waiting for the rate limit" in console.file.getvalue()
