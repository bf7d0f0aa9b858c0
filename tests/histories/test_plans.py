"""A plan is the same with and without shortcuts (decision 18); 2,000 longer histories in `make torture`."""

import pytest

from ..sampling import sampled
from ..sync_faults.proxy import Exchange, passed_on
from ..sync_faults.wrong_lists import unchanged
from .engine import beginning
from .plans import PLANS
from .server import Server
from .troubles import Trouble, meeting


@pytest.mark.parametrize("seeds", sampled([range(1, 4), range(4, 24)], every=2), ids=str)
def test_plans_are_the_same_with_and_without_shortcuts(server: Server, seeds: range) -> None:
    played = [PLANS.play(server, seed, length=(4, 4)) for seed in seeds]
    assert [each.report for each in played if each.report] == []
    assert sum(each.counts["recalled"] for each in played) > len(seeds)
    assert sum(each.counts["indexed"] for each in played) > 0


def test_a_changed_listing_is_found_although_no_other_list_has_changed(server: Server) -> None:
    """The list of organizers, which contain their listings, has a version of its own on another service."""

    async def organizers_are_unchanged(exchange: Exchange) -> None:
        await (unchanged if "/organizers" in exchange.path else passed_on)(exchange)

    with beginning(server, "folder", 0) as history:
        PLANS.take(history, PLANS.begin)
        planned = history.notes["planned"]
        planned.plan()
        planned.served.create("projects", {"name": "Theirs", "url": "https://theirs.example.org/"})
        with meeting(server, Trouble.of("unchanged organizers", organizers_are_unchanged)):
            assert "theirs.example.org" in planned.plan()
        assert history.wrong == []
