"""The history of an entry: commits and runs, with the values on both sides of each change."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contentsync.model import Entry, Kind, Reference, Source
from contentsync.sync import Action, FieldChange, Status
from contentsync.sync.comparing.fingerprint import fingerprint
from contentsync.sync.entry_history import HistoryItem, entry_history
from contentsync.sync.state.entry_commits import Commit, CommitChange
from contentsync.sync.state.entry_runs import RunChange
from contentsync.sync.state.run_history import Run, Step


def page(**fields: Any) -> Entry:
    return Entry(Kind.PAGE, str(fields.get("slug", "a")), fields, Source("pages/a.md"))


def commit(hour: int, before: Entry | None, after: Entry | None) -> CommitChange:
    moment = datetime(2026, 3, 1, hour, tzinfo=UTC)
    return CommitChange(Commit(f"{hour:040}", (), moment, "Ada", f"At {hour}"), before, after)


def run(hour: int, before: dict[str, Any] | None, kind: Kind = Kind.PAGE, **written: Any) -> RunChange:
    action = Action.CREATE if before is None else Action.UPDATE if written else Action.DELETE
    fields = {name.replace("__", "."): fingerprint(kind, name, value) for name, value in written.items()}
    step = Step(action, kind, "a", None if before is None else 1, None, before, fields, None, Status.DONE)
    return RunChange(Run(f"20260301T{hour:02}0000Z-000000-{hour}", Path("run.jsonl"), ""), step)


def history(commits: list[CommitChange], runs: list[RunChange], kind: Kind = Kind.PAGE) -> list[HistoryItem]:
    return list(entry_history(kind, commits, runs))


def test_commits_and_runs_are_in_the_order_of_their_times() -> None:
    old, new = page(title="Old"), page(title="New")
    items = history(
        [commit(12, old, new), commit(10, None, old)],
        [run(13, {"title": "Old"}, title="New"), run(11, None, title="Old")],
    )
    assert [item.action for item in items] == ["updated", "changed", "created", "added"]


def test_git_decides_on_the_order_of_commits_whose_times_are_wrong() -> None:
    items = history([commit(9, page(title="Old"), page(title="New")), commit(12, None, page(title="Old"))], [])
    assert [item.action for item in items] == ["changed", "added"]


def test_a_run_shows_the_value_that_has_the_fingerprint_in_its_journal() -> None:
    """From a commit, from the previous values of a later run, or none."""
    runs = [run(14, {"title": "Third"}), run(13, {"title": "Second"}, title="Third"), run(12, {}, title="Second")]
    runs += [run(11, {"title": "Zero", "order": 3}, title="First", order=None, placement="footer")]
    deleted, third, second, first = history([commit(10, None, page(title="First"))], runs)[:4]
    assert deleted.fields == {"title": FieldChange("Third", None)}
    assert (third.fields["title"].after, second.fields["title"].after) == ("Third", "Second")
    assert first.fields["title"] == FieldChange("Zero", "First")
    assert first.fields["order"] == FieldChange(3, None)
    assert first.unrecorded == {"placement"}


def test_references_are_found_by_the_ids_that_the_journals_have() -> None:
    listing = Entry(Kind.LISTING, "a", {"tags": ["wood"]}, Source("listings/a.csv"))
    written = run(12, {"tags": []}, Kind.LISTING, tags=[Reference("wood", 7)])
    ids = {Kind.TAG: {"wood": 7}}
    (item, _) = history(
        [commit(11, None, listing)], [written._replace(step=replace(written.step, ids=ids))], Kind.LISTING
    )
    assert item.fields == {"tags": FieldChange([], ["wood"])}
    assert item.unrecorded == frozenset()


def test_objects_are_compared_field_by_field_and_derived_values_are_left_out() -> None:
    before = page(title="A", seo={"title": "One", "description": "Same"})
    after = page(title="A", seo={"title": "Two", "description": "Same"}, is_markdown=True)
    (item,) = history([commit(11, before, after)], [])
    assert item.fields == {"seo.title": FieldChange("One", "Two")}


def test_each_change_of_a_commit_has_a_name() -> None:
    a, b = page(slug="a", title="T"), page(slug="b", title="T")
    moved = replace(a, source=Source("pages/other.md"))
    changes = [commit(13, b, None), commit(12, a, b), commit(11, moved, a), commit(10, None, moved)]
    items = history(changes, [])
    assert [(item.action, item.previous_key) for item in items] == [
        ("removed", None),
        ("renamed", "a"),
        ("moved", None),
        ("added", None),
    ]
