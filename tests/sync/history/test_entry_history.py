"""The history of an entry: commits and runs, with the values on both sides of each change."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contentsync.content.config.config_tables import Target
from contentsync.model import Entry, Kind, Notes, Reference, Source
from contentsync.sync.comparing.change import Action, Status
from contentsync.sync.comparing.diff import FieldChange
from contentsync.sync.comparing.fingerprint import fingerprint
from contentsync.sync.history.commit_log import Commit
from contentsync.sync.history.entry_commits import CommitChange
from contentsync.sync.history.entry_history import EntryRuns, HistoryItem, RunChange, entry_history, read_entry_runs
from contentsync.sync.state.run_history import Run, Step, list_journals

from ..entries import desired, page
from ..site import TARGET, Site


def version(**fields: Any) -> Entry:
    """Return a page with these fields, as a commit has it."""
    return Entry(Kind.PAGE, str(fields.get("slug", "a")), fields, Source("pages/a.md"))


def commit(hour: int, before: Entry | None, after: Entry | None) -> CommitChange:
    """Return a commit at an hour that has changed an entry; None: the entry does not exist."""
    moment = datetime(2026, 3, 1, hour, tzinfo=UTC)
    return CommitChange(Commit(f"{hour:040}", (), moment, "Ada", f"At {hour}"), before, after)


def run(hour: int, before: dict[str, Any] | None, kind: Kind = Kind.PAGE, **written: Any) -> RunChange:
    """Return a run at an hour that has written these values; "a__b" is the dotted name a.b."""
    action = Action.CREATE if before is None else Action.UPDATE if written else Action.DELETE
    fields = {name.replace("__", "."): fingerprint(kind, name, value) for name, value in written.items()}
    id_ = None if before is None else 1
    step = Step(action, kind, "a", id_, previous=None, before=before, fields=fields, intended=None, status=Status.DONE)
    return RunChange(Run(f"20260301T{hour:02}0000Z-000000-{hour}", Path("run.jsonl"), ""), step)


def history(commits: list[CommitChange], runs: list[RunChange], kind: Kind = Kind.PAGE) -> list[HistoryItem]:
    return list(entry_history(kind, commits, runs))


def test_commits_and_runs_are_sorted_by_time() -> None:
    old, new = version(title="Old"), version(title="New")
    items = history(
        [commit(12, old, new), commit(10, None, old)],
        [run(13, {"title": "Old"}, title="New"), run(11, None, title="Old")],
    )
    assert [item.action for item in items] == ["updated", "changed", "created", "added"]


def test_commits_with_wrong_times_keep_the_order_of_git() -> None:
    items = history([commit(9, version(title="Old"), version(title="New")), commit(12, None, version(title="Old"))], [])
    assert [item.action for item in items] == ["changed", "added"]


def test_a_run_shows_values_found_by_their_fingerprints() -> None:
    """The values are in a commit, in the previous values of a later run, or missing."""
    runs = [run(14, {"title": "Third"}), run(13, {"title": "Second"}, title="Third"), run(12, {}, title="Second")]
    runs += [run(11, {"title": "Zero", "order": 3}, title="First", order=None, placement="footer")]
    deleted, third, second, first = history([commit(10, None, version(title="First"))], runs)[:4]
    assert deleted.fields == {"title": FieldChange("Third", None)}
    assert (third.fields["title"].after, second.fields["title"].after) == ("Third", "Second")
    assert first.fields["title"] == FieldChange("Zero", "First")
    assert first.fields["order"] == FieldChange(3, None)
    assert first.unrecorded == {"placement"}


def test_references_are_resolved_by_the_ids_in_the_journals() -> None:
    listing = Entry(Kind.LISTING, "a", {"tags": ["wood"]}, Source("listings/a.csv"))
    written = run(12, {"tags": []}, Kind.LISTING, tags=[Reference("wood", 7)])
    ids = {Kind.TAG: {"wood": 7}}
    (item, _) = history(
        [commit(11, None, listing)], [written._replace(step=replace(written.step, ids=ids))], Kind.LISTING
    )
    assert item.fields == {"tags": FieldChange([], ["wood"])}
    assert item.unrecorded == frozenset()


def test_objects_are_compared_by_field_without_derived_values() -> None:
    before = version(title="A", seo={"title": "One", "description": "Same"})
    after = version(title="A", seo={"title": "Two", "description": "Same"}, is_markdown=True)
    (item,) = history([commit(11, before, after)], [])
    assert item.fields == {"seo.title": FieldChange("One", "Two")}


def test_each_change_of_a_commit_has_a_name() -> None:
    a, b = version(slug="a", title="T"), version(slug="b", title="T")
    moved = replace(a, source=Source("pages/other.md"))
    changes = [commit(13, b, None), commit(12, a, b), commit(11, moved, a), commit(10, None, moved)]
    items = history(changes, [])
    assert [(item.action, item.previous_key) for item in items] == [
        ("removed", None),
        ("renamed", "a"),
        ("moved", None),
        ("added", None),
    ]


def runs_of(site: Site, key: str, limit: int = 50, target: Target = TARGET) -> EntryRuns:
    return read_entry_runs(site.state_dir, target, Kind.PAGE, [key], limit)


def written(found: EntryRuns) -> list[tuple[str, Action, str]]:
    """Return the run, the action and the key of each write of an entry."""
    return [(change.run.name, change.step.action, change.step.key) for change in found.changes]


def test_the_writes_of_an_entry_are_listed_newest_first(site: Site) -> None:
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
    assert [change.step.key for change in runs_of(site, "z").changes] == ["z", "a"]


def test_the_history_reads_only_the_newest_journals(site: Site) -> None:
    site.synced([page("a")])
    site.synced([desired(Kind.PAGE, "a", slug="a", title="New")])
    found = runs_of(site, "a", limit=1)
    assert (written(found), found.has_more) == ([("run-001", Action.UPDATE, "a")], True)


def test_a_damaged_journal_is_reported_and_the_others_are_read(site: Site) -> None:
    site.synced([page("a")])
    site.synced([desired(Kind.PAGE, "a", slug="a", title="New")])
    newest = list_journals(site.state_dir)[-1]
    newest.write_bytes(newest.read_bytes().replace(b'"action":"update"', b'"action":"delete"'))
    found = runs_of(site, "a")
    assert (written(found), found.unreadable) == ([("run-000", Action.CREATE, "a")], ("run-001",))
    elsewhere = Target(name="local", url="embedded:other.db")
    assert runs_of(site, "a", target=elsewhere).unreadable == ("run-001", "run-000")
