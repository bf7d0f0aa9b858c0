"""A sync converges under any policy, and changes nothing else; 1,000 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .convergence import CONVERGENCE
from .server import Server


@pytest.mark.parametrize("seed", sampled(range(4), every=4))
def test_a_sync_converges_after_edits_of_both_sides_and_changes_nothing_else(server: Server, seed: int) -> None:
    """PL-05, PL-11"""
    assert CONVERGENCE.play(server, seed, length=(1, 1)).report == []
