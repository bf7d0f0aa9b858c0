"""After an undo, the same entries and fields are managed as before the run."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from contentsync.model import Entry, Kind, Notes
from contentsync.sync.planning.plan import Policy
from contentsync.sync.state.state_file import write_state

from ..bases import reported
from ..site import TARGET, Site
from .undoing import page, undo

KEPT = page("kept", "Kept", markdown="Text", order=2)
RUNS = {
    "changed": [page("kept", "Other", markdown="Text", order=5, placement="navbar")],
    "taken-out": [page("kept", "Kept", markdown="Text")],
    "deleted": [],
    "renamed": [replace(page("new", "Other", markdown="Text"), source=KEPT.source)],
}


@pytest.mark.parametrize("after", RUNS.values(), ids=RUNS)
def test_a_plan_is_empty_after_an_undo_and_a_reverted_folder(site: Site, after: Sequence[Entry]) -> None:
    """A value that another user set, and the folder did not contain, is not managed afterwards."""
    before = [KEPT, page("z")]
    site.synced(before)
    site.edit(Kind.PAGE, "kept", placement="footer", seo={"description": "theirs"})
    there, line = site.there(Kind.PAGE)["kept"].fields, site.base[Kind.PAGE, "kept"]
    site.sync([*after, page("z")], policy=Policy(prune=True, on_drift="overwrite", on_conflict="ours"))
    undo(site)
    assert site.there(Kind.PAGE)["kept"].fields == there
    plan = site.planned(before)
    assert (plan.changes, plan.base_updates, plan.refusals) == ((), (), ())
    now = site.base[Kind.PAGE, "kept"]
    assert now._replace(id=line.id, created=line.created) == line


def test_an_adopted_entry_is_unmanaged_after_an_undo(site: Site) -> None:
    site.synced([page("z")])
    site.foreign(Kind.PAGE, slug="theirs", title="Theirs", markdown="Text", order=3)
    adopted = [page("z"), page("theirs", "Ours", order=1)]
    site.synced(adopted)
    undo(site)
    there = site.there(Kind.PAGE)["theirs"].fields
    assert (there["title"], there["order"], (Kind.PAGE, "theirs") in site.base) == ("Theirs", 3, False)
    assert reported(site.planned([page("z")])) == []
    undo(site)
    assert (site.there(Kind.PAGE)["theirs"].fields["title"], site.planned(adopted).changes) == ("Ours", ())


def test_a_field_managed_by_a_later_run_stays_managed(site: Site) -> None:
    site.synced([page("a", "One")])
    site.synced([page("a", "Two")])
    site.synced([page("a", "Two", order=4)])
    undo(site, "run-001")
    assert site.there(Kind.PAGE)["a"].fields["title"] == "One"
    assert site.planned([page("a", "One", order=4)]).changes == ()
    assert [list(change.fields) for change in site.planned([page("a", "One")]).changes] == [["order"]]


def test_an_entry_removed_from_the_base_stays_removed(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    write_state(site.state_dir.state, site.base.with_updates(removals=[(Kind.PAGE, "a")]).values(), TARGET)
    undo(site)
    assert (site.there(Kind.PAGE)["a"].fields["title"], (Kind.PAGE, "a") in site.base) == ("One", False)


def test_an_undo_restores_the_keys_of_a_renamed_and_a_deleted_entry(site: Site) -> None:
    before = [page("a", "One", markdown="One"), page("b", "Two", markdown="Two")]
    site.synced(before)
    site.edit(Kind.PAGE, "b", slug="theirs")
    there = {key: entry.fields for key, entry in site.there(Kind.PAGE).items()}
    renamed = [replace(page("b", "One", markdown="One"), notes=Notes(previous=("a",)))]
    site.sync(renamed, policy=Policy(prune=True, on_drift="overwrite", on_conflict="ours"))
    assert [*site.there(Kind.PAGE)] == ["b"]
    undo(site)
    assert {key: entry.fields for key, entry in site.there(Kind.PAGE).items()} == there
    assert {key for _kind, key in site.base} == {"a", "b"}
    undo(site)
    assert [*site.there(Kind.PAGE)] == ["b"]
