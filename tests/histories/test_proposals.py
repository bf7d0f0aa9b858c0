"""A merge of what `propose` proposes makes both sides equal; 1,000 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .proposals import PROPOSALS
from .server import Server


@pytest.mark.parametrize("seed", sampled(range(10), every=10))
def test_a_merge_makes_both_sides_equal_or_names_the_difference(server: Server, seed: int) -> None:
    length = (2, 2) if seed else (1, 1)
    assert PROPOSALS.play(server, seed, length=length).report == []
