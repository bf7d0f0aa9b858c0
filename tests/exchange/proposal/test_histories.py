"""Random edits on both sides, proposed, merged and synced: a sample of `python -m tests.exchange.proposal`."""

from pathlib import Path

import pytest

from ...sampling import sampled
from ...served import Served
from .histories import play


@pytest.mark.parametrize("seed", sampled(range(10), every=10))
def test_a_merge_makes_both_sides_equal_or_names_the_difference(tmp_path: Path, served: Served, seed: int) -> None:
    assert play(served, tmp_path / "site", seed, rounds=2 if seed else 1) == []
