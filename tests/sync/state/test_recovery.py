"""Runs that were killed at every boundary: one more run completes them."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.config.config_tables import Target
from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.base import applied_entry
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.prepare import used_locales
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.recovery import UnfinishedRuns, may_be_synced, save_base_updates
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import write_state

from ...sampling import sampled
from ..entries import actual, desired
from ..faults import Killed, killed
from ..site import TARGET, Script, Site


def page(key: str, path: str = "", **fields: Any) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": key.upper(), **fields}, Source(path or f"pages/{key}.md"))


def category(key: str, **fields: Any) -> Entry:
    return Entry(Kind.CATEGORY, key, {"slug": key, "title": key.upper(), **fields}, Source(f"{key}.yaml"))


def listing(number: int, **fields: Any) -> Entry:
    url = f"https://{number}.example"
    return desired(Kind.LISTING, url, url=url, name=f"L{number}", **fields)


BEFORE = [
    category("old"),
    desired(Kind.TAG, "t", title="T"),
    page("about", title="About"),
    page("a", "one.md", title="One"),
    page("b", "two.md", title="Two"),
    page("gone"),
    listing(1, tags=["t"]),
    listing(2, categories=["old"]),
]
# A create, an update, a rename, a swap, new listings with and without a name of their own, and deletes.
AFTER = [
    category("new"),
    desired(Kind.TAG, "t", title="Tag"),
    page("about-us", "pages/about.md", title="About"),
    page("b", "one.md", title="One"),
    page("a", "two.md", title="Two"),
    page("fresh"),
    listing(1, tags=[], categories=["new"]),
    listing(3, tags=["t"], organizers=[]),
    desired(Kind.LISTING, "named", slug="named", name="Named"),
    desired(Kind.LISTING, "nameless", name="Nameless"),
]
WRITES = 12


def cut_off(site: Site, entries: list[Entry], script: Script, *, concurrency: int) -> None:
    """Run a sync that is killed: its journal is not closed, and its state is not written."""

    async def cut() -> None:
        async with site.remote(script) as remote:
            plan = await site.plan(remote, entries, Policy(prune=True, on_drift="overwrite"))
            save_base_updates(site.state_dir, TARGET, plan)
            journal = Journal(site.state_dir, TARGET, site.next_run(), plan)
            await apply(plan, remote, lambda _: None, journal=journal, concurrency=concurrency)

    with pytest.raises(Killed):
        asyncio.run(cut())


def converged(site: Site) -> None:
    """Sync once more, and assert that the server has each entry of the folder once, as a managed record."""
    ids = {entry.fields["title"]: entry.id for entry in site.there(Kind.PAGE).values()}
    site.synced(AFTER)
    there = site.everything()
    assert there.keys() == {(entry.kind, entry.key) for entry in AFTER}
    for key, title in (("about-us", "About"), ("b", "One"), ("a", "Two")):
        assert there[Kind.PAGE, key].id == ids[title]
    assert {identity: line.id for identity, line in site.base.items()} == {
        identity: entry.id for identity, entry in there.items()
    }
    assert not site.planned(AFTER)
    assert all(run.has_ended for run in site.runs)


@pytest.fixture(scope="module")
def synced_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site with the content BEFORE; a copy of it is quicker than a new one."""
    folder = tmp_path_factory.mktemp("before")
    Site(folder).synced(BEFORE)
    return folder


@pytest.fixture
def site(synced_before: Path, tmp_path: Path) -> Site:
    return Site(shutil.copytree(synced_before, tmp_path / "site"))


def test_the_plan_has_as_many_writes_as_the_interruptions_cover(site: Site) -> None:
    site.synced(AFTER)
    assert len(site.writes) == WRITES


@pytest.mark.parametrize("stored", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("place", sampled(range(WRITES), every=3))
def test_a_run_killed_at_any_request_is_completed_by_the_next(site: Site, place: int, stored: bool) -> None:
    """PL-10"""
    cut_off(site, AFTER, killed(place, stored=stored), concurrency=1 + place % 4)
    converged(site)


def test_several_killed_runs_are_completed_by_the_next(site: Site) -> None:
    """PL-10"""
    for place in range(4):
        cut_off(site, AFTER, killed(place % 2 + 1, stored=True), concurrency=2)
    converged(site)


def test_an_entry_created_by_a_killed_run_is_managed_and_deletable(site: Site) -> None:
    """PL-05, PL-10"""
    cut_off(site, [*BEFORE, page("fresh")], killed(0, stored=True), concurrency=1)
    site.synced(BEFORE)
    assert "fresh" not in site.there(Kind.PAGE)


def test_an_entry_created_by_another_user_after_a_killed_run_is_not_managed(site: Site) -> None:
    """PL-05"""
    cut_off(site, [*BEFORE, page("fresh", markdown="ours")], killed(0, stored=False), concurrency=1)
    site.foreign(Kind.PAGE, slug="fresh", title="Fresh", markdown="theirs")
    site.synced(BEFORE)
    assert "fresh" in site.there(Kind.PAGE)


def test_the_kinds_of_unfinished_writes_must_be_read(site: Site) -> None:
    cut_off(site, AFTER, killed(3, stored=True), concurrency=1)
    assert UnfinishedRuns.read(site.state_dir, TARGET).kinds == {Kind.LISTING}
    converged(site)
    assert not UnfinishedRuns.read(site.state_dir, TARGET)


def test_an_interrupted_recovery_is_completed_by_the_next(site: Site) -> None:
    """PL-10: it stops between the write of the state and the end of the journal; a second replay changes nothing."""
    cut_off(site, AFTER, killed(9, stored=True), concurrency=1)
    (journal,) = (run.file for run in UnfinishedRuns.read(site.state_dir, TARGET).runs)
    text = journal.read_bytes()
    cut_off(site, AFTER, killed(0, stored=False), concurrency=1)
    journal.write_bytes(text)
    converged(site)


def test_a_run_killed_before_its_journal_was_closed_is_completed(site: Site) -> None:
    """PL-10"""
    site.synced(AFTER)
    journal = site.runs[-1].file
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    assert UnfinishedRuns.read(site.state_dir, TARGET)
    converged(site)


def test_a_journal_with_an_incomplete_last_line_is_completed(site: Site) -> None:
    """FI-32, PL-10"""
    cut_off(site, AFTER, killed(5, stored=True), concurrency=1)
    journal = site.runs[-1].file
    journal.write_bytes(journal.read_bytes()[:-9])
    converged(site)


def test_a_late_result_in_a_closed_journal_is_harmless(site: Site) -> None:
    """CO-12: the result belongs to no run, and the next plan reads it from the server."""
    cut_off(site, AFTER, killed(5, stored=True), concurrency=1)
    (journal,) = (run.file for run in UnfinishedRuns.read(site.state_dir, TARGET).runs)
    *lines, last = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines))
    UnfinishedRuns.read(site.state_dir, TARGET).close()
    with journal.open("ab") as stream:
        stream.write(last)
    assert not UnfinishedRuns.read(site.state_dir, TARGET)
    site.synced(AFTER)
    assert not site.planned(AFTER)


def test_the_languages_of_unfinished_writes_are_requested(tmp_path: Path) -> None:
    """The file may lack a text that the run has sent."""
    site = Site(tmp_path, ("en", "fr"))
    organizer = desired(Kind.ORGANIZER, "o", slug="o", name="O", translations={"fr": {"name": "Ofr"}})
    cut_off(site, [organizer], killed(0, stored=True), concurrency=1)
    assert used_locales([], site.base.values()) == set()
    assert used_locales([], UnfinishedRuns.read(site.state_dir, TARGET).applied_entries) == {"fr"}


def test_a_plan_without_changes_still_writes_the_state(site: Site) -> None:
    site.state_dir.state.unlink()
    site.synced(BEFORE)
    assert site.writes == []
    assert len(site.base) == len(BEFORE)


TARGETS = [Target(name="production", url="https://directory.example.com", directory=42)]


def tag(slug: str, title: str, *previous: str) -> Entry:
    return Entry(Kind.TAG, slug, {"slug": slug, "title": title}, Source("tags.yaml"), Notes(previous=previous))


def sync(folder: Path, *entries: Entry) -> None:
    records = [actual(entry.kind, entry.key, number, **entry.fields) for number, entry in enumerate(entries, 1)]
    applied = [applied_entry(entry, record) for entry, record in zip(entries, records, strict=True)]
    write_state(StateDir.for_target(folder, "production").state, applied, TARGETS[0])


NEW = tag("a", "New")


def test_a_new_entry_with_the_former_key_of_a_renamed_one_is_not_synced(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"))
    assert not may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


def test_an_entry_synced_after_the_rename_is_synced(tmp_path: Path) -> None:
    sync(tmp_path, tag("b", "A", "a"), NEW)
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)
    assert may_be_synced(tmp_path, TARGETS, [tag("c", "A", "a", "b"), NEW], NEW)


def test_an_entry_renamed_to_a_former_key_is_not_synced(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"), tag("b", "B"))
    renamed = tag("b", "A", "a")
    assert not may_be_synced(tmp_path, TARGETS, [renamed], renamed)


def test_an_entry_may_be_synced_if_there_is_no_base(tmp_path: Path) -> None:
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


@pytest.mark.parametrize("damage", [b"", b"\n"])
def test_an_entry_may_be_synced_if_the_base_is_damaged(tmp_path: Path, damage: bytes) -> None:
    sync(tmp_path, tag("a", "A"))
    StateDir.for_target(tmp_path, "production").state.write_bytes(damage)
    assert may_be_synced(tmp_path, TARGETS, [tag("b", "A", "a"), NEW], NEW)


def test_an_entry_may_be_synced_to_one_of_several_targets(tmp_path: Path) -> None:
    sync(tmp_path, tag("a", "A"))
    other = Target(name="staging", url="https://staging.example.com", directory=1)
    assert may_be_synced(tmp_path, [*TARGETS, other], [tag("b", "A", "a"), NEW], NEW)
