"""Undos that were killed, at every write: one more undo continues the same undo."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from contentsync.model import Entry, EntryKey, Kind, Notes, Source
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan import Plan, Policy
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.recovery import UnfinishedRuns, save_base_updates
from contentsync.sync.state.run_history import find_run_to_undo
from contentsync.sync.state.state_file import read_state
from contentsync.sync.undo.undo_plan import undo_plan

from ...sampling import sampled
from ..entries import desired
from ..faults import Killed, answered, killed
from ..site import TARGET, Script, Sent, Site, is_write, untouched

POLICY = Policy(prune=True, on_drift="fail")


def page(key: str, path: str = "", **fields: object) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": key.upper(), **fields}, Source(path or f"pages/{key}.md"))


def category(key: str, **fields: object) -> Entry:
    return Entry(Kind.CATEGORY, key, {"slug": key, "title": key.upper(), **fields}, Source(f"{key}.yaml"))


def listing(number: int, **fields: Any) -> Entry:
    url = f"https://{number}.example"
    return desired(Kind.LISTING, url, url=url, name=f"L{number}", **fields)


def custom_field(name: str, **fields: Any) -> Entry:
    return desired(Kind.CUSTOM_FIELD, name, name=name, label="Level", type="number", **fields)


ENTRIES_BEFORE = [
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
    listing(3, tags=["gone", "t"], level=3),
    custom_field("level"),
]
# Creates, updates, renames, a swap, deletes, assignments that are lost by them, and a value under another name.
ENTRIES_AFTER = [
    category("new"),
    category("z"),
    desired(Kind.TAG, "t", title="Tag"),
    page("about-us", "pages/about.md", title="About us"),
    page("b", "one.md", title="One"),
    page("a", "two.md", title="Two"),
    page("fresh"),
    listing(1, tags=[], categories=["new"]),
    listing(3, tags=["t"], grade=7),
    listing(4, tags=["t"]),
    custom_field("grade", notes=Notes(previous=("level",))),
]
WRITES = 17  # requests


def undo(site: Site, script: Script = untouched, *, run: str | None = None) -> tuple[Plan, list[Result]]:
    """Undo a run, or the argument of `contentsync undo`."""

    async def run_undo() -> tuple[Plan, list[Result]]:
        results: list[Result] = []
        async with site.remote(script) as remote:
            found = find_run_to_undo(site.state_dir, TARGET, run)
            actual = await remote.fetch(set(Kind), ())
            base = UnfinishedRuns.read(site.state_dir, TARGET).recover_base(
                read_state(site.state_dir.state, TARGET), actual
            )
            plan = replace(undo_plan(found, actual, base, POLICY), undone_run=found.name)
            assert not plan.refusals, plan.refusals
            save_base_updates(site.state_dir, TARGET, plan)
            journal = Journal(site.state_dir, TARGET, site.next_run(), plan)
            await apply(plan, remote, results.append, journal=journal, concurrency=1)
            journal.close(sum(result.status is not Status.DONE for result in results))
        return plan, results

    return asyncio.run(run_undo())


def undo_killed(site: Site, place: int, *, stored: bool) -> None:
    with pytest.raises(Killed):
        undo(site, killed(place, stored=stored))


def contents(site: Site) -> dict[EntryKey, object]:
    return {identity: entry.fields for identity, entry in site.everything().items()}


Contents = dict[EntryKey, object]


class Deployed(NamedTuple):
    """The folder of a site, and the server's records before and after the run that is undone."""

    folder: Path
    before_run: Contents
    after_run: Contents


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Deployed:
    """Return a site after a run that is to be undone; the tests copy its folder."""
    folder = tmp_path_factory.mktemp("deployed")
    site = Site(folder)
    site.synced(ENTRIES_BEFORE)
    before_run = contents(site)
    site.synced(ENTRIES_AFTER)
    return Deployed(folder, before_run, after_run=contents(site))


@pytest.fixture
def site(deployed: Deployed, tmp_path: Path) -> Site:
    return Site(shutil.copytree(deployed.folder, tmp_path / "site"))


@pytest.fixture
def before_run(deployed: Deployed) -> Contents:
    """Return the records before the run."""
    return deployed.before_run


@pytest.fixture
def after_run(deployed: Deployed) -> Contents:
    """Return the records after the run."""
    return deployed.after_run


def test_the_undo_has_as_many_writes_as_the_interruptions_cover(site: Site, before_run: Contents) -> None:
    sent: list[httpx.Request] = []

    async def noted(request: httpx.Request, send: Sent) -> httpx.Response:
        sent.extend([request] if is_write(request) else [])
        return await send(request)

    undo(site, noted)
    assert (contents(site), len(sent)) == (before_run, WRITES)


@pytest.mark.parametrize("stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("place", sampled(range(WRITES), every=8))
def test_a_killed_undo_is_continued_and_can_be_undone_as_a_whole(
    site: Site, before_run: Contents, after_run: Contents, place: int, stored: bool
) -> None:
    undo_killed(site, place, stored=stored)
    undo(site)
    assert contents(site) == before_run
    assert {identity: line.id for identity, line in site.base.items()} == {
        identity: entry.id for identity, entry in site.everything().items()
    }
    undo(site)
    assert contents(site) == after_run


@pytest.mark.parametrize(("first", "second"), sampled([(2, 9), (0, 0), (12, 3)], every=3))
def test_a_killed_undo_of_an_undo_is_continued_too(
    site: Site, before_run: Contents, after_run: Contents, first: int, second: int
) -> None:
    for expected in (before_run, after_run, before_run):
        undo_killed(site, first, stored=False)
        undo_killed(site, min(second, WRITES - first - 2), stored=True)
        undo(site)
        assert contents(site) == expected


def test_an_undo_with_failed_changes_is_continued(site: Site, before_run: Contents) -> None:
    """Unlike the journal of a killed undo, that of the first undo has an end line, because every outcome is known."""
    refused = answered(401, {"message": "Unauthenticated."}, lambda request: request.method == "DELETE")
    _, results = undo(site, refused)
    assert {result.status for result in results} == {Status.DONE, Status.FAILED, Status.SKIPPED}
    undo(site)
    assert contents(site) == before_run


def test_an_undo_killed_after_its_last_write_counts_as_complete(
    site: Site, before_run: Contents, after_run: Contents
) -> None:
    undo_killed(site, WRITES - 1, stored=True)
    plan, _ = undo(site)
    assert (plan.changes, contents(site)) == ((), before_run)
    undo(site)
    assert contents(site) == after_run


def test_a_named_run_is_undone_from_where_its_undo_was_killed(site: Site, before_run: Contents) -> None:
    undo_killed(site, 0, stored=True)
    undo(site, run="run-001")
    assert contents(site) == before_run


def test_an_incomplete_undo_can_be_undone_by_its_name(site: Site, after_run: Contents) -> None:
    undo_killed(site, 7, stored=True)
    undo(site, run="run-002")
    assert contents(site) == after_run


def test_a_sync_after_an_incomplete_undo_is_the_last_run(tmp_path: Path) -> None:
    site = Site(tmp_path)
    for title in ("Before", "After"):
        site.synced([page(key, title=title) for key in "abc"])
    undo_killed(site, 1, stored=False)
    site.synced([page(key, title="Third") for key in "abc"])
    undo(site)
    assert [site.there(Kind.PAGE)[key].fields["title"] for key in "abc"] == ["Before", "After", "After"]
