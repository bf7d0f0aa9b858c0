"""Proposals that are killed: a sample of `python -m tests.exchange.proposal`."""

import random
from pathlib import Path

import pytest

from ...sampling import sampled
from ...served import Served
from .killed import SCENES, Scene

SAMPLE = 4


@pytest.mark.parametrize("name", sampled(SCENES, every=3))
def test_one_more_run_recovers_from_a_crash_at_any_moment(tmp_path: Path, served: Served, name: str) -> None:
    scene = Scene(served, tmp_path, name)
    moments = scene.moments()
    drawn = sorted(random.Random(name).sample(range(1, len(moments) + 1), SAMPLE))
    wrong = {f"{moment}, {moments[moment - 1]}": list(scene.die(moment)) for moment in drawn}
    assert {moment: found for moment, found in wrong.items() if found} == {}
