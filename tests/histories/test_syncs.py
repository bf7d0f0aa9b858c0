"""A sync is the same with and without shortcuts (decision 18); 1,000 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from .server import Server
from .syncs import SYNCS


@pytest.mark.parametrize("seeds", sampled([range(2), range(2, 12)], every=2), ids=str)
def test_syncs_are_the_same_with_and_without_shortcuts(server: Server, seeds: range) -> None:
    played = [SYNCS.play(server, seed, length=(5, 5)) for seed in seeds]
    assert [each.report for each in played if each.report] == []
    assert sum(each.counts["recalled"] for each in played) > len(seeds) / 2  # others have errors, or more has changed
    assert sum(each.counts["indexed"] for each in played) > 0
