"""A plan is the same with and without shortcuts (decision 18); 2,000 longer histories in `make torture`."""

import pytest

from .plans import PLANS
from .server import Server


@pytest.mark.parametrize("seeds", [range(30), range(30, 60)], ids=str)
def test_plans_are_the_same_with_and_without_shortcuts(server: Server, seeds: range) -> None:
    played = [PLANS.play(server, seed, length=(2, 2)) for seed in seeds]
    assert [each.report for each in played if each.report] == []
    assert sum(each.counts["recalled"] for each in played) > len(seeds) / 2
    assert sum(each.counts["indexed"] for each in played) > 0
