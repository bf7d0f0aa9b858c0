"""sync.planning.pulled_deletes: which entries that were deleted on the server a pull removes, and its gate."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Entry, EntryKey, Kind, Notes
from contentsync.sync.comparing.base import Base
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import DEFAULT_POLICY, Limits, Policy, Selection
from contentsync.sync.planning.pull import PullPlan, plan_pull
from contentsync.sync.planning.pulled_deletes import check_deletes, with_deletes

from ..bases import synced
from ..entries import actual, desired

PAGES = [desired(Kind.PAGE, f"p{number}", title=f"P{number}") for number in range(12)]
P0, P1, P2, P3 = PAGES[:4]  # by their keys
P11 = PAGES[11]


def record(entry: Entry, id_: int) -> Entry:
    return actual(entry.kind, entry.key, id_, **entry.fields)


def base_of(entries: Sequence[Entry]) -> Base:
    return synced(*((entry, record(entry, number)) for number, entry in enumerate(entries, 1)))


def planned(
    here: Sequence[Entry], there: Iterable[Entry], base: Base, uncommitted: Mapping[EntryKey, str] | None = None
) -> PullPlan:
    """Return the plan of a pull, with deletes, into a folder that has `here` from a server that has `there`."""
    plan = plan_pull(here, [*there], base, Selection(), []).without_local_changes()
    return with_deletes(plan, here, uncommitted or {})


def records_without(entries: Sequence[Entry], *missing: Entry) -> list[Entry]:
    """Return the records of synced entries after another user deleted some."""
    return [record(entry, number) for number, entry in enumerate(entries, 1) if entry not in missing]


def deleted_keys(plan: PullPlan) -> list[str]:
    """Return the keys of the entries that the pull deletes in the folder."""
    return [key for _kind, key in plan.incoming.deleted]


def test_an_unchanged_entry_deleted_on_the_server_is_removed() -> None:
    plan = planned(PAGES, records_without(PAGES, P3), base_of(PAGES))
    assert (deleted_keys(plan), plan.kept, plan.local_only) == (["p3"], {}, ())


def test_an_entry_that_was_never_synced_is_local_only() -> None:
    plan = planned(PAGES, records_without(PAGES, P11), base_of(PAGES[:11]))
    assert (deleted_keys(plan), plan.deleted_there, plan.local_only) == ([], (), (P11,))


def test_a_pull_without_a_base_removes_nothing() -> None:
    plan = planned(PAGES, [], Base(is_known=False))
    assert (deleted_keys(plan), len(plan.local_only)) == ([], 12)


@pytest.mark.parametrize(
    "fields", [{"title": "Other"}, {"title": "P0", "order": 1}, {}], ids=["changed", "added", "removed"]
)
def test_an_entry_changed_in_the_folder_is_not_removed(fields: dict[str, Any]) -> None:
    plan = planned([replace(P0, fields=fields)], [], base_of([P0]))
    assert (deleted_keys(plan), [*plan.kept]) == ([], [(Kind.PAGE, "p0")])
    assert "changed here" in plan.kept[Kind.PAGE, "p0"]


def test_a_local_edit_and_a_delete_on_the_server_are_a_conflict() -> None:
    plan = planned([replace(P0, fields={"title": "Other"})], [], base_of([P0]))
    assert plan.conflicts == {(Kind.PAGE, "p0"): ("title",)}


def test_a_local_delete_and_an_edit_on_the_server_are_a_conflict() -> None:
    edited = actual(Kind.PAGE, "p0", 1, title="Theirs")
    plan = planned([], [edited], base_of([P0]))
    assert (plan.conflicts, plan.incoming.new) == ({(Kind.PAGE, "p0"): ("title",)}, [])


def test_an_entry_renamed_in_the_folder_is_not_removed() -> None:
    new = replace(desired(Kind.PAGE, "new", title="P0"), notes=Notes(previous=("p0",)))
    plan = planned([new], [], base_of([P0]))
    assert plan.kept == {
        (Kind.PAGE, "new"): "slug changed here: contentsync sync --only page/new --on-conflict ours creates it again, "
        "or delete it here by hand"
    }


def test_a_renamed_category_is_not_a_change_of_its_listings() -> None:
    category = desired(Kind.CATEGORY, "old", title="T")
    listing = desired(Kind.LISTING, "a", name="A", categories=["old"])
    base = synced(
        (category, record(category, 1)), (listing, actual(Kind.LISTING, "a", 2, name="A", categories=["old"]))
    )
    here = [
        replace(desired(Kind.CATEGORY, "new", title="T"), notes=Notes(previous=("old",))),
        desired(Kind.LISTING, "a", name="A", categories=["new"]),
    ]
    assert deleted_keys(planned(here, [record(category, 1)], base)) == ["a"]


def test_an_uncommitted_or_protected_entry_is_not_removed() -> None:
    protected = replace(P1, notes=Notes(protect=True))
    here = [P0, protected, P2]
    plan = planned(here, [], base_of(here), {(Kind.PAGE, "p0"): "pages/p0.md"})
    assert deleted_keys(plan) == ["p2"]
    assert plan.kept == {
        (Kind.PAGE, "p0"): "git could not restore pages/p0.md: commit it, and pull again",
        (Kind.PAGE, "p1"): "its note sync.protect is set: remove the note, or the entry",
    }


@pytest.mark.parametrize("deletes", [False, True])
def test_a_pull_from_a_server_that_lost_many_entries_is_refused(deletes: bool) -> None:
    here = [desired(Kind.PAGE, f"p{number:02}", title="T") for number in range(100)]
    there = [record(entry, number) for number, entry in enumerate(here, 1)]
    gentle = Limits(100, 1_000)  # the gate of deletes lets all of it pass
    plan = plan_pull(here, there[11:], base_of(here), Selection(), [])
    if deletes:
        plan = with_deletes(plan, here, {})
    (refusal,) = check_deletes(plan, here, Policy(limits=gentle), is_server_empty=False)
    assert (refusal.code, refusal.flag) == ("recreate", "--allow-deletes 11")
    assert "11 of 100 managed pages are missing on the server" in refusal.message
    assert "contentsync sync --allow-recreate 11 creates them again" in refusal.message
    agreed = Policy(limits=gentle, allowed=Consents(deletes=11))
    assert check_deletes(plan, here, agreed, is_server_empty=False) == ()


def test_a_pull_from_an_empty_server_is_always_refused() -> None:
    plan = plan_pull(PAGES, [], base_of(PAGES), Selection(), [])  # without deletes
    (refusal,) = check_deletes(plan, PAGES, Policy(), is_server_empty=True)
    assert (refusal.code, refusal.flag) == ("empty-server", "")
    assert "contentsync sync --allow-recreate 12 creates them again" in refusal.message


def test_a_skipped_entry_is_ignored() -> None:
    here = [replace(P0, notes=Notes(skip=True))]
    assert planned(here, [], base_of([P0])).deleted_there == ()


def test_entries_that_refer_to_each_other_are_removed_or_kept_together() -> None:
    parent = desired(Kind.CATEGORY, "wood", title="Wood")
    child = desired(Kind.CATEGORY, "oak", title="Oak", parent_id="wood")
    listing = desired(Kind.LISTING, "a", name="A", categories=["oak"])
    here = [parent, child, listing]
    base = base_of(here)
    assert deleted_keys(planned(here, [], base)) == ["a", "oak", "wood"]
    changed = [parent, child, replace(listing, fields={**listing.fields, "name": "B"})]
    plan = planned(changed, [], base)
    assert deleted_keys(plan) == []
    assert [*plan.kept] == [(Kind.LISTING, "a"), (Kind.CATEGORY, "oak"), (Kind.CATEGORY, "wood")]


def test_an_entry_that_loses_its_reference_by_the_same_pull_blocks_nothing() -> None:
    tag = desired(Kind.TAG, "t", title="T")
    listing = desired(Kind.LISTING, "a", name="A", tags=["t"])
    base = base_of([tag, listing])
    assert deleted_keys(planned([tag, listing], [actual(Kind.LISTING, "a", 2, name="A", tags=[])], base)) == ["t"]
    changed_listing = replace(listing, fields={"name": "A", "tags": ["t"], "description": "D"})
    assert (
        deleted_keys(planned([tag, changed_listing], [actual(Kind.LISTING, "a", 2, name="A", tags=["t"])], base)) == []
    )


def codes(
    here: Sequence[Entry], absent: Sequence[Entry], policy: Policy = DEFAULT_POLICY, **options: bool
) -> list[str]:
    plan = planned(here, records_without(here, *absent), base_of(here))
    return [
        refusal.code
        for refusal in check_deletes(plan, here, policy, is_server_empty=options.get("is_server_empty", False))
    ]


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, []), (3, []), (4, ["deletes"]), (10, ["deletes"]), (11, ["recreate"]), (12, ["recreate"])],
)
def test_the_delete_gate_of_a_pull_equals_that_of_a_sync(count: int, expected: list[str]) -> None:
    assert codes(PAGES, PAGES[:count]) == expected


def test_the_consent_must_equal_the_number_of_deletes() -> None:
    assert codes(PAGES, PAGES, Policy(allowed=Consents(deletes=12))) == []
    assert codes(PAGES, PAGES, Policy(allowed=Consents(deletes=11))) == ["deletes"]
    assert codes(PAGES, [P0], Policy(limits=Limits(count=0))) == ["deletes"]


def test_deletes_from_an_empty_server_are_always_refused() -> None:
    """PL-21"""
    assert codes(PAGES, PAGES, Policy(allowed=Consents(deletes=12)), is_server_empty=True) == ["empty-server"]


def test_local_entries_do_not_hide_the_loss_of_all_synced_ones() -> None:
    own = [*PAGES[:2], desired(Kind.PAGE, "own", title="Own")]
    plan = planned(own, [], base_of(PAGES[:2]))
    (refusal,) = check_deletes(plan, own, Policy(), is_server_empty=False)
    assert (refusal.code, refusal.flag) == ("emptied", "--allow-deletes 2")


def test_listings_that_lose_a_deleted_category_are_counted() -> None:
    category = desired(Kind.CATEGORY, "c", title="C")
    other = desired(Kind.CATEGORY, "d", title="D")
    listings = [desired(Kind.LISTING, f"l{number}", name="L", categories=["c"]) for number in range(11)]
    here = [category, other, *listings]
    there = [
        record(other, 2),
        *(actual(each.kind, each.key, 3 + i, name="L", categories=[]) for i, each in enumerate(listings)),
    ]
    plan = planned(here, there, base_of(here))
    assert deleted_keys(plan) == ["c"]
    (refusal,) = check_deletes(plan, here, Policy(), is_server_empty=False)
    assert (refusal.code, refusal.flag) == ("deletes", "--allow-deletes 1")
