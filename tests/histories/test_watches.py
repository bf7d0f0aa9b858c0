"""A watch is the same with and without shortcuts (decision 18); 1,000 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .server import Server
from .watches import WATCHES


@pytest.mark.parametrize("seeds", sampled([range(2), range(2, 12)], every=2), ids=str)
def test_watches_are_the_same_with_and_without_shortcuts(server: Server, seeds: range) -> None:
    played = [WATCHES.play(server, seed, length=(4, 4)) for seed in seeds]
    assert [each.report for each in played if each.report] == []
    assert sum(each.counts["reduced"] for each in played) > len(seeds)
