"""How many requests a sync takes, beside the least that the contract allows (CO-04: at exactly 0, 100 and more)."""

from copy import deepcopy
from dataclasses import replace
from math import ceil
from pathlib import Path

import pytest

from ..sampling import sampled
from ..simulator import LIKE_OURS, STRICT, Manners
from . import wire
from .faults import KINDS
from .scenario import AFTER, BEFORE, Entries
from .simulated import Simulated
from .stage import Stage
from .test_other_services import checkout_on, done, sync
from .workspace import Workspace

LISTS = 7  # one a kind
FOREIGN = {"pages": 1, "articles": 1, "projects": 1}  # that every workspace has

WITHOUT_ETAGS = replace(STRICT, per_minute=None)


def listings(count: int) -> Entries:
    """So many listings, and nothing else."""
    return {
        "listings": [
            {"name": f"Tool {number:03d}", "slug": f"tool-{number}", "url": f"https://tool-{number}.example.org/"}
            for number in range(count)
        ]
    }


class Counted:
    """The requests of a sync from one folder to the next: those of reading, and those of writing."""

    def __init__(self, home: Path, manners: Manners, before: Entries, after: Entries) -> None:
        simulated = Simulated(manners)
        checkout = checkout_on(simulated, home, (before, after))
        for _ in range(2):  # the first one may read what others have changed, the second one finds it in the cache
            simulated.simulator.requests.clear()
            sync(checkout, simulated, dry=True)
        planning = len(simulated.simulator.requests)
        simulated.simulator.requests.clear()
        plan = done(sync(checkout, simulated)).plan
        assert plan is not None
        self.requests = simulated.simulator.requests
        self.foretold = plan.request_count
        self.reading = self.requests[:planning]
        self.applying = self.requests[len(self.reading) :]

    def of(self, collection: str) -> int:
        """Return how many requests read the collection before anything was written."""
        return sum(path.partition("?")[0].endswith(f"/{collection}") for _, path in self.reading)


@pytest.mark.parametrize("count", sampled([100, 0, 250], every=3))
def test_an_empty_plan_takes_one_request_per_kind_at_any_size(tmp_path: Path, count: int) -> None:
    """CO-04: also after a run that wrote, and whatever its size."""
    simulated = Simulated()
    more = listings(count)["listings"]
    before, after = ({**entries, "listings": [*entries["listings"], *more]} for entries in (BEFORE, AFTER))
    checkout = checkout_on(simulated, tmp_path, (before, after))
    assert len(done(sync(checkout, simulated)).results) == 17
    simulated.simulator.requests.clear()
    assert not done(sync(checkout, simulated)).plan
    assert len(simulated.simulator.requests) == LISTS <= 8


@pytest.mark.parametrize("count", sampled([100, 250], every=2))
def test_written_lists_without_etags_are_read_again_once(tmp_path: Path, count: int) -> None:
    """CO-04"""
    simulated = Simulated(replace(LIKE_OURS, list_etags=False))
    checkout = checkout_on(simulated, tmp_path, (listings(count), listings(count)))
    pages = ceil((count + FOREIGN["projects"]) / 100)
    for expected in (LISTS - 1 + pages, LISTS, LISTS):
        simulated.simulator.requests.clear()
        assert not done(sync(checkout, simulated)).plan
        assert len(simulated.simulator.requests) == expected


@pytest.mark.parametrize("count", sampled([99, 0, 100, 250], every=2))
def test_an_empty_plan_without_etags_takes_one_request_per_hundred_records(tmp_path: Path, count: int) -> None:
    """CO-04"""
    counted = Counted(tmp_path, WITHOUT_ETAGS, listings(count), listings(count))
    pages = ceil((count + FOREIGN["projects"]) / 100)
    assert counted.of("projects") == pages
    assert len(counted.requests) == LISTS - 1 + pages


@pytest.mark.parametrize("manners", [LIKE_OURS, WITHOUT_ETAGS], ids=["etags", "no-etags"])
@pytest.mark.parametrize("count", sampled([100, 1, 250], every=3))
def test_new_listings_take_one_request_per_hundred(tmp_path: Path, manners: Manners, count: int) -> None:
    counted = Counted(tmp_path, manners, listings(0), listings(count))
    assert len(counted.reading) == LISTS
    assert len(counted.applying) == counted.foretold == ceil(count / 100)


def test_translations_are_read_only_in_the_languages_that_are_used(tmp_path: Path) -> None:
    translated: Entries = {"articles": BEFORE["articles"], "organizers": BEFORE["organizers"]}
    counted = Counted(tmp_path, WITHOUT_ETAGS, translated, translated)
    assert {path.rpartition("?")[2] for _, path in counted.requests if "locale" in path} <= {
        "locale=fr&page=1",
        "locale=fr",
    }
    assert (counted.of("organizers"), counted.of("articles")) == (2, 2)
    assert len(counted.requests) == LISTS + 2


@pytest.mark.parametrize(("manners", "pages"), [(LIKE_OURS, 1), (WITHOUT_ETAGS, 2)], ids=["etags", "no-etags"])
def test_only_lists_with_deletes_are_read_again_before_them(tmp_path: Path, manners: Manners, pages: int) -> None:
    """CO-01"""
    counted = Counted(tmp_path, manners, listings(102), listings(100))
    looks = [path for method, path in counted.requests if method == "GET"][-pages:]
    assert all("/projects" in path for path in looks)
    deletes = [path for method, path in counted.requests if method == "DELETE"]
    assert len(deletes) == 2
    assert len(counted.requests) == len(counted.reading) + pages + 2
    assert counted.foretold == pages + 2


@pytest.mark.parametrize("manners", [LIKE_OURS, WITHOUT_ETAGS], ids=["etags", "no-etags"])
def test_a_plan_predicts_its_number_of_requests(tmp_path: Path, manners: Manners) -> None:
    counted = Counted(tmp_path, manners, BEFORE, AFTER)
    assert len(counted.applying) == counted.foretold


def test_flags_are_written_by_updates_and_nothing_is_toggled(tmp_path: Path) -> None:
    """PL-13"""
    hidden = deepcopy(BEFORE)
    hidden["pages"][0]["is_published"] = False
    hidden["articles"][0]["active"] = False
    counted = Counted(tmp_path, LIKE_OURS, BEFORE, hidden)
    assert [method for method, _ in counted.applying] == ["PUT", "PUT"]


@pytest.mark.parametrize(("name", "more"), [("answer-lost", 1), ("closed-before-the-answer", 2)])
def test_a_write_whose_outcome_is_unclear_is_read_back_with_one_request(
    workspace: Workspace, stage: Stage, name: str, more: int
) -> None:
    """HT-02: and one more sends it again, if it was not done."""
    requests = wire.clean(workspace, stage)
    update = next(number for number, (method, _) in enumerate(requests, 1) if method == "PUT")
    kind = next(kind for kind in KINDS if kind.name == name)
    counts: list[int] = []
    assert list(wire.meet(workspace, stage, kind, update, forever=False, counted=counts.append)) == []
    assert counts == [len(requests) + more]
