"""Syncs that are killed at any moment; 2,000 of them in the long form, `make torture`."""

import random

import pytest

from ..sampling import sampled
from . import crash_points
from .stage import Stage
from .workspace import Workspace

SAMPLE = 16
GROUPS = 8  # so that several processes share them
KILLS = 2


@pytest.fixture(scope="module")
def moments(crash_workspace: Workspace) -> tuple[str, ...]:
    """The moments of a run that lives."""
    return crash_points.moments(crash_workspace)


@pytest.mark.parametrize("group", sampled(range(GROUPS), every=4))
def test_one_more_run_recovers_from_a_crash_at_any_point(
    crash_workspace: Workspace, moments: tuple[str, ...], group: int
) -> None:
    """PL-10, FI-32: the last line of a journal may be cut"""
    drawn = sorted(random.Random("deaths").sample(range(1, len(moments) + 1), SAMPLE))
    wrong = {moment: list(crash_points.crash_at_point(crash_workspace, moment)) for moment in drawn[group::GROUPS]}
    assert {f"{moment}, {moments[moment - 1]}": found for moment, found in wrong.items() if found} == {}


@pytest.mark.parametrize("seed", sampled(range(KILLS), every=KILLS))
def test_one_more_run_recovers_from_a_kill_at_random(crash_workspace: Workspace, stage: Stage, seed: int) -> None:
    """PL-10"""
    killing = crash_points.Killing.drawn(random.Random(seed), requests=40)
    assert list(crash_points.kill(crash_workspace, stage, killing)) == []


def test_the_moments_are_around_every_request_journal_and_state(moments: tuple[str, ...]) -> None:
    """PL-10"""
    assert {"before a request", "request sent", "answer there", "before fsync", "after fsync"} <= set(moments)
    assert {"before half a write", "before the other half"} <= set(moments)
    assert any(moment.startswith("before os.rename of") for moment in moments)
