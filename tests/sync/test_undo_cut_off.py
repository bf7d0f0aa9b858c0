"""Undos that were killed, at every write: one more undo goes on with the same undo."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.sync import Journal, Plan, Policy, Result, Status, Unfinished, apply, read_state
from contentsync.sync.comparing.base import Identity
from contentsync.sync.memory.recovery import remember
from contentsync.sync.memory.runs import run_to_undo
from contentsync.sync.undo import undo_plan

from .entries import desired
from .faults import Killed, answered, killed
from .site import TARGET, Script, Site, untouched

POLICY = Policy(prune=True, on_drift="fail")


def page(key: str, path: str = "", **fields: object) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": key.upper(), **fields}, Source(path or f"pages/{key}.md"))


def category(key: str, **fields: object) -> Entry:
    return Entry(Kind.CATEGORY, key, {"slug": key, "title": key.upper(), **fields}, Source(f"{key}.yaml"))


def listing(number: int, **fields: object) -> Entry:
    url = f"https://{number}.example"
    return desired(Kind.LISTING, url, url=url, name=f"L{number}", **fields)


GOOD = [
    category("old"),
    category("z"),
    desired(Kind.TAG, "t", title="T"),
    desired(Kind.TAG, "gone", title="Gone"),
    page("about", title="About"),
    page("a", "one.md", title="One"),
    page("b", "two.md", title="Two"),
    page("gone", markdown="Gone", order=4),
    listing(1, tags=["t"], categories=["old"]),
    listing(2, categories=["old"]),
    listing(3, tags=["gone", "t"]),
]
# A create of several kinds, updates, a rename, a swap, deletes, and assignments that are lost by them.
BAD = [
    category("new"),
    category("z"),
    desired(Kind.TAG, "t", title="Tag"),
    page("about-us", "pages/about.md", title="About us"),
    page("b", "one.md", title="One"),
    page("a", "two.md", title="Two"),
    page("fresh"),
    listing(1, tags=[], categories=["new"]),
    listing(3, tags=["t"]),
    listing(4, tags=["t"]),
]
WRITES = 14


def undo(site: Site, script: Script = untouched) -> tuple[Plan, list[Result]]:
    """Undo what `contentsync undo` takes, as it does."""

    async def undone() -> tuple[Plan, list[Result]]:
        results: list[Result] = []
        async with site.remote(script) as remote:
            run = run_to_undo(site.place, TARGET, None)
            actual = await remote.fetch(set(Kind), ())
            base = Unfinished.of(site.place, TARGET).settled(read_state(site.place.state, TARGET), actual)
            plan = replace(undo_plan(run, actual, base, POLICY), undoes=run.name)
            assert not plan.refusals, plan.refusals
            remember(site.place, TARGET, plan)
            journal = Journal.open(site.place, TARGET, site.next_run(), plan)
            await apply(plan, remote, results.append, journal=journal, ours=lambda: None, concurrency=1)
            journal.close(sum(result.status is not Status.DONE for result in results))
        return plan, results

    return asyncio.run(undone())


def undo_killed(site: Site, place: int, *, stored: bool) -> None:
    with pytest.raises(Killed):
        undo(site, killed(place, stored=stored))


def contents(site: Site) -> dict[Identity, object]:
    return {identity: entry.fields for identity, entry in site.everything().items()}


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Identity, object], dict[Identity, object]]:
    """A site after a bad run, and what the server had before and after it: copying it is quicker than making it."""
    folder = tmp_path_factory.mktemp("deployed")
    site = Site(folder)
    site.synced(GOOD)
    good = contents(site)
    site.sync(BAD)
    return folder, good, contents(site)


Deployed = tuple[Path, dict[Identity, object], dict[Identity, object]]


def test_the_undo_has_as_many_writes_as_are_cut_off(deployed: Deployed, tmp_path: Path) -> None:
    site = Site(shutil.copytree(deployed[0], tmp_path / "site"))
    plan, _ = undo(site)
    assert (contents(site), plan.writes) == (deployed[1], WRITES)


@pytest.mark.parametrize("stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("place", range(WRITES))
def test_an_undo_that_was_killed_goes_on_and_can_be_undone_as_a_whole(
    deployed: Deployed, tmp_path: Path, place: int, stored: bool
) -> None:
    folder, good, bad = deployed
    site = Site(shutil.copytree(folder, tmp_path / "site"))
    undo_killed(site, place, stored=stored)
    undo(site)
    assert contents(site) == good
    assert {identity: line.id for identity, line in site.base.items()} == {
        identity: entry.id for identity, entry in site.everything().items()
    }
    undo(site)
    assert contents(site) == bad
