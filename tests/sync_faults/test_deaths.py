"""Syncs that are killed at any moment; 2,000 of them in the long form, `make torture`."""

import random

import pytest

from ..sampling import sampled
from . import deaths
from .ground import Ground
from .stage import Stage

SAMPLE = 16
GROUPS = 8  # so that several processes share them
KILLS = 2


@pytest.fixture(scope="module")
def moments(killing_ground: Ground) -> tuple[str, ...]:
    """The moments of a run that lives."""
    return deaths.moments(killing_ground)


@pytest.mark.parametrize("group", sampled(range(GROUPS), every=2))
def test_one_more_run_makes_good_what_a_death_at_any_moment_left(
    killing_ground: Ground, moments: tuple[str, ...], group: int
) -> None:
    """PL-10, FI-32: the last line of a journal may be cut"""
    drawn = sorted(random.Random("deaths").sample(range(1, len(moments) + 1), SAMPLE))
    wrong = {moment: list(deaths.die_at(killing_ground, moment)) for moment in drawn[group::GROUPS]}
    assert {f"{moment}, {moments[moment - 1]}": found for moment, found in wrong.items() if found} == {}


@pytest.mark.parametrize("seed", range(KILLS))
def test_one_more_run_makes_good_what_a_kill_at_random_left(killing_ground: Ground, stage: Stage, seed: int) -> None:
    """PL-10"""
    killing = deaths.Killing.drawn(random.Random(seed), requests=40)
    assert list(deaths.kill(killing_ground, stage, killing)) == []


def test_the_moments_are_around_every_request_journal_and_state(moments: tuple[str, ...]) -> None:
    """PL-10"""
    assert {"before a request", "request sent", "answer there", "before fsync", "after fsync"} <= set(moments)
    assert {"before half a write", "before the other half"} <= set(moments)
    assert any(moment.startswith("before os.rename of") for moment in moments)
