"""Undoing a run after other users or later runs have changed the same entries."""

from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.comparing.change import Action, Status
from contentsync.sync.planning.plan import Policy
from contentsync.sync.state.run_history import Run, Step
from contentsync.sync.undo.undo_plan import undo_plan

from ..bases import codes
from ..entries import actual
from ..site import Site
from .undoing import one_of_each_kind, page, undo


def test_an_undo_does_not_overwrite_a_later_change_of_another_user(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    assert codes(undo(site)[0]) == ["conflict"]
    undo(site, policy=Policy(prune=True, on_conflict="ours"))
    assert site.there(Kind.PAGE)["a"].fields["title"] == "Before"


def test_an_undo_does_not_overwrite_the_change_of_a_later_run(site: Site) -> None:
    site.synced([page("a", "One")])
    site.synced([page("a", "Two")])
    site.synced([page("a", "Three")])
    assert codes(undo(site, "run-001")[0]) == ["conflict"]


def test_an_undo_does_not_delete_a_created_entry_changed_by_another_user(site: Site) -> None:
    site.synced(one_of_each_kind())
    site.synced([*one_of_each_kind(), page("one")])
    site.edit(Kind.PAGE, "one", title="Theirs", slug="one")
    assert codes(undo(site)[0]) == ["conflict"]


def test_an_undo_keeps_fields_that_the_run_did_not_write(site: Site) -> None:
    site.synced([page("a", "Before", order=1)])
    site.synced([page("a", "After", order=1)])
    site.edit(Kind.PAGE, "a", order=7)
    undo(site)
    there = site.there(Kind.PAGE)["a"].fields
    assert (there["title"], there["order"]) == ("Before", 7)


@pytest.mark.parametrize("by_a_run", [True, False])
def test_an_undo_keeps_a_slug_that_the_run_did_not_set(site: Site, *, by_a_run: bool) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    if by_a_run:
        site.synced([replace(page("b", "Two"), source=Source("pages/a.md")), page("z")])
    else:
        site.edit(Kind.PAGE, "a", title="Two", slug="b")
    undo(site, "run-001")
    assert {key: entry.fields["title"] for key, entry in site.there(Kind.PAGE).items()} == {"b": "One", "z": "T"}


def test_an_undo_does_not_recreate_an_entry_that_the_run_only_changed(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    site.sync([page("z")])
    assert codes(undo(site, "run-001")[0]) == ["conflict"]
    undo(site, "run-001", Policy(prune=True, on_conflict="theirs"))
    assert site.there(Kind.PAGE).keys() == {"z"}


def test_an_undo_finds_an_entry_that_was_deleted_and_restored(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    site.sync([page("z")])
    undo(site)
    undo(site, "run-001")
    assert site.there(Kind.PAGE)["a"].fields["title"] == "One"
    assert site.planned([page("a", "One"), page("z")]).changes == ()


def test_an_undo_does_not_take_a_slug_from_another_entry(site: Site) -> None:
    site.synced([page("old", "Title", order=1)])
    renamed = Entry(Kind.PAGE, "new", {"slug": "new", "title": "Title", "order": 1}, Source("pages/old.md"))
    site.synced([renamed])
    site.synced([renamed, page("old", "Another")])
    assert codes(undo(site, "run-001")[0]) == ["conflict"]
    undo(site, "run-001", Policy(prune=True, on_conflict="theirs"))
    there = site.there(Kind.PAGE)
    assert {key: entry.fields["title"] for key, entry in there.items()} == {"new": "Title", "old": "Another"}


def test_an_undo_reports_what_conflicts_prevent_from_being_restored(site: Site) -> None:
    site.synced([page("a", "Before", order=1), page("b", "Before"), page("z")])
    site.synced([page("a", "After", order=2), page("b", "After"), page("z")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    site.remove(Kind.PAGE, "b")
    plan, _ = undo(site, policy=Policy(prune=True, on_conflict="theirs"))
    assert plan.left_as_on_server == (
        "page b (it is no longer on the server)",
        "page a (title: changed on the server since)",
    )
    there = site.there(Kind.PAGE)["a"].fields
    assert (there["title"], there["order"]) == ("Theirs", 1)


def test_a_refused_undo_names_the_values_before_the_run_as_its_side(site: Site) -> None:
    """The folder has the values that the run has sent, so it is no side of the conflict."""
    site.synced([page("a", "Before"), page("z")])
    site.synced([page("a", "After"), page("new", "New"), page("z")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    site.edit(Kind.PAGE, "new", title="Theirs", slug="new")
    (refusal,) = undo(site)[0].refusals
    assert refusal.message == (
        'changed on the server since the run: page a (title: "Before" before the run, "Theirs" on the server); '
        "page new (created by the run, title changed on the server)"
    )
    assert refusal.flag == "--on-conflict ours (as before the run) or --on-conflict theirs (the server's)"


def test_an_undo_does_not_delete_a_foreign_record_with_a_reused_id(tmp_path: Path) -> None:
    """A server that was restored from a backup assigns the ids of lost records again."""
    lost = replace(actual(Kind.PAGE, "lost", 7, slug="lost", title="T"), created="2026-03-02T09:00:00.000000Z")
    foreign = replace(actual(Kind.PAGE, "theirs", 7, slug="theirs", title="T"), created="2026-03-03T09:00:00.000000Z")
    written = applied_entry(page("lost"), lost)
    create = Step(
        Action.CREATE,
        Kind.PAGE,
        "lost",
        id=None,
        previous=None,
        before=None,
        fields=written.fields,
        intended=written,
        status=Status.DONE,
        applied=written,
    )
    run = Run("run-001", tmp_path / "run-001.jsonl", "", has_ended=True, steps=[create], is_complete=True)
    base = Base.from_entries([applied_entry(page("theirs"), foreign)])
    plan = undo_plan(run, [foreign], base, Policy(prune=True, on_drift="overwrite"))
    assert (plan.changes, plan.refusals) == ((), ())
