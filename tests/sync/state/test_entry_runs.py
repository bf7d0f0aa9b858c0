"""The writes of one entry, from the journals of real runs."""

from contentsync.content.config import Target
from contentsync.model import Kind, Notes
from contentsync.sync import Action
from contentsync.sync.state.entry_runs import EntryRuns, read_entry_runs
from contentsync.sync.state.run_history import list_journals

from ..entries import desired, page
from ..site import TARGET, Site


def runs_of(site: Site, key: str, limit: int = 50, target: Target = TARGET) -> EntryRuns:
    return read_entry_runs(site.state_dir, target, Kind.PAGE, [key], limit)


def written(found: EntryRuns) -> list[tuple[str, Action, str]]:
    return [(change.run.name, change.step.action, change.step.key) for change in found.changes]


def test_each_write_of_the_entry_is_found_the_newest_first(site: Site) -> None:
    site.synced([page("a"), page("b")])
    site.synced([desired(Kind.PAGE, "a", slug="a", title="New"), page("b")])
    site.synced([page("b")])
    found = runs_of(site, "a")
    assert written(found) == [
        ("run-002", Action.DELETE, "a"),
        ("run-001", Action.UPDATE, "a"),
        ("run-000", Action.CREATE, "a"),
    ]
    assert (found.changes[0].step.before or {})["title"] == "New"
    assert written(runs_of(site, "b")) == [("run-000", Action.CREATE, "b")]


def test_a_rename_leads_to_the_writes_under_the_former_key(site: Site) -> None:
    site.synced([page("a")])
    site.synced([desired(Kind.PAGE, "z", slug="z", title="A", notes=Notes(previous=("a",)))])
    assert [key for _, _, key in written(runs_of(site, "z"))] == ["z", "a"]


def test_the_work_is_limited_to_the_newest_journals(site: Site) -> None:
    site.synced([page("a")])
    site.synced([desired(Kind.PAGE, "a", slug="a", title="New")])
    found = runs_of(site, "a", limit=1)
    assert (written(found), found.has_more) == ([("run-001", Action.UPDATE, "a")], True)


def test_a_journal_that_cannot_be_trusted_is_named_and_the_others_are_read(site: Site) -> None:
    site.synced([page("a")])
    site.synced([desired(Kind.PAGE, "a", slug="a", title="New")])
    newest = list_journals(site.state_dir)[-1]
    newest.write_bytes(newest.read_bytes().replace(b'"action":"update"', b'"action":"delete"'))
    found = runs_of(site, "a")
    assert (written(found), found.unreadable) == ([("run-000", Action.CREATE, "a")], ("run-001",))
    elsewhere = Target(name="local", url="embedded:other.db")
    assert runs_of(site, "a", target=elsewhere).unreadable == ("run-001", "run-000")
