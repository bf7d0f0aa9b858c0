"""PL-01, PL-02"""

from dataclasses import replace

import pytest

from contentsync.model import Kind
from contentsync.sync.planning.consents import Consents, NeededConsent
from contentsync.sync.planning.gates import (
    PendingDeletes,
    clear_gate,
    delete_gate,
    unknown_base_gate,
)
from contentsync.sync.planning.plan import Limits, Policy, Refusal, UnreadFile
from contentsync.sync.planning.plan_builder import make_plan

from ..entries import actual, desired


def refusals(
    deletes: int,
    managed: int,
    left: int = 1,
    *,
    limits: Limits = Limits(),  # noqa: B008  # a value
    allowed: int | None = None,
    is_folder_empty: bool = False,
    losing: int = 0,
) -> list[Refusal]:
    """Return the refusals of the gate for a number of deletes among `managed` pages, of which `left` remain."""
    doomed = {
        Kind.PAGE: PendingDeletes(
            tuple(f"p{number}" for number in range(deletes)), managed, left, dangling_listings=losing
        )
    }
    return list(delete_gate(doomed, limits, allowed=allowed, is_folder_empty=is_folder_empty))


@pytest.mark.parametrize(("deletes", "managed"), [(1, 2), (3, 4), (4, 20), (10, 50), (10, 1000), (0, 5)])
def test_a_few_deletes_are_allowed(deletes: int, managed: int) -> None:
    assert refusals(deletes, managed) == []


@pytest.mark.parametrize(("deletes", "managed"), [(4, 19), (11, 1000), (10, 49), (4, 4)])
def test_more_than_three_deletes_over_a_limit_are_refused(deletes: int, managed: int) -> None:
    (refusal,) = refusals(deletes, managed)
    assert (refusal.code, refusal.flag) == ("deletes", f"--allow-deletes {deletes}")


@pytest.mark.parametrize("number", [1, 2, 50])
def test_deleting_the_last_entry_of_a_kind_is_refused(number: int) -> None:
    (refusal,) = refusals(number, number, left=0)
    assert (refusal.code, refusal.flag) == ("emptied", f"--allow-deletes {number}")


def test_replacing_all_entries_of_a_kind_is_allowed() -> None:
    assert refusals(2, 2, left=2) == []


def test_a_refusal_names_the_count_the_limits_and_the_first_entries() -> None:
    (refusal,) = refusals(12, 40)
    assert refusal.message == (
        "12 of 40 managed pages would be deleted (30 %; the limits are 20 % and 10): p0, p1, p2, p3, p4 and 7 more"
    )


def test_a_consent_must_equal_the_number_in_the_plan() -> None:
    assert refusals(12, 40, allowed=12) == []
    assert [refusal.flag for refusal in refusals(12, 40, allowed=13)] == ["--allow-deletes 12"]
    (refusal,) = refusals(1, 40, allowed=2)
    assert (refusal.message, refusal.flag) == (
        "the plan has 1 delete, but --allow-deletes allows 2",
        "--allow-deletes 1",
    )


def test_an_empty_folder_deletes_nothing_even_with_consent() -> None:
    (refusal,) = refusals(1, 40, left=0, allowed=1, is_folder_empty=True)
    assert (refusal.code, refusal.flag) == ("empty-folder", "")


def test_a_limit_below_three_applies_from_the_first_delete_over_it() -> None:
    assert [refusal.code for refusal in refusals(1, 40, limits=Limits(count=0))] == ["deletes"]
    assert refusals(1, 40, limits=Limits(count=1)) == []


def test_listings_that_lose_a_reference_count_as_deletes() -> None:
    (refusal,) = refusals(1, 100, losing=30)
    assert refusal.message == (
        "1 of 100 managed pages would be deleted, and 30 would lose something by deletes of other kinds "
        "(together 31 %; the limits are 20 % and 10): p0"
    )


def test_a_refusal_without_deletes_of_the_kind_names_the_lost_references() -> None:
    doomed = {Kind.LISTING: PendingDeletes((), 43, 43, dangling_listings=30), Kind.TAG: PendingDeletes(("t",), 9, 8)}
    (refusal,) = delete_gate(doomed, Limits(), allowed=None)
    assert refusal.message == (
        "30 of 43 managed listings would lose something, as categories, tags or custom fields that they have "
        "are deleted (70 %; the limits are 20 % and 10)"
    )


def clear_refusals(clears: int, managed: int, allowed: int | None = None, deletes: int = 0) -> list[Refusal]:
    cleared = {Kind.PAGE: {f"p{number}": ["markdown"] for number in range(clears)}}
    doomed = (
        {Kind.PAGE: PendingDeletes(tuple(f"d{number}" for number in range(deletes)), managed, 1)} if deletes else {}
    )
    return list(clear_gate(cleared, doomed, {Kind.PAGE: managed}, Limits(), allowed))


@pytest.mark.parametrize(("clears", "managed", "deletes"), [(1, 1, 0), (3, 4, 0), (10, 50, 0), (5, 50, 5), (0, 5, 4)])
def test_a_few_entries_may_lose_values(clears: int, managed: int, deletes: int) -> None:
    assert clear_refusals(clears, managed, deletes=deletes) == []


@pytest.mark.parametrize(("clears", "managed", "deletes"), [(4, 19, 0), (11, 1000, 0), (6, 1000, 5)])
def test_clearing_values_over_the_delete_limits_is_refused(clears: int, managed: int, deletes: int) -> None:
    (refusal,) = clear_refusals(clears, managed, deletes=deletes)
    assert (refusal.code, refusal.flag) == ("clears", f"--allow-clears {clears}")
    assert clear_refusals(clears, managed, clears, deletes) == []
    assert [each.flag for each in clear_refusals(clears, managed, clears + 1, deletes)] == [refusal.flag]


def test_a_refusal_names_the_fields_that_would_be_cleared() -> None:
    (refusal,) = clear_refusals(12, 40)
    assert refusal.message == (
        "12 of 40 managed pages would lose values (markdown of 12; the limits are 20 % and 10): "
        "p0, p1, p2, p3, p4 and 7 more"
    )


def unknown(*records: str, prune: bool = True, allowed: int | None = None) -> list[Refusal]:
    """Return the refusals of a plan whose base lacks a file of pages, if only the server has these pages."""
    policy = Policy(prune=prune, allowed=Consents(unknown_base=allowed))
    unread = UnreadFile("pages/a.md", "pages/a.md", "no filter", frozenset({Kind.PAGE}))
    server = [actual(Kind.PAGE, record, number, title=record) for number, record in enumerate(records, 1)]
    plan = make_plan([desired(Kind.TAG, "t", name="T")], server, policy=policy)
    return list(unknown_base_gate(replace(plan, unread=(unread,)), policy))


def test_foreign_records_are_refused_if_a_base_file_could_not_be_read() -> None:
    (refusal,) = unknown("one", "two")
    assert refusal == Refusal(
        "unknown-base",
        "2 records that only the server has may be deleted entries of files that could not be read at the base: "
        "one, two; make git read pages/a.md (no filter)",
        NeededConsent("unknown_base", 2),
    )


def test_an_unread_base_file_without_foreign_records_is_accepted() -> None:
    assert unknown() == []


def test_an_unread_base_file_is_accepted_without_prune() -> None:
    assert unknown("one", prune=False) == []


def test_a_consent_to_an_unknown_base_must_equal_the_number_of_records() -> None:
    assert unknown("one", "two", allowed=2) == []
    assert [refusal.flag for refusal in unknown("one", "two", allowed=1)] == ["--allow-unknown-base 2"]
