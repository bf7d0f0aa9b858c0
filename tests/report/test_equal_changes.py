from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Entry, Kind
from contentsync.report.plan_document import group_changes
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan import Plan
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import actual, desired


def plan_of(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Plan:
    """Return a plan of entries that were synced with the values before."""
    there: list[Entry] = [actual(Kind.PAGE, f"k{number}", number, **fields) for number, fields in enumerate(before)]
    base = Base.from_entries(applied_entry(record, record) for record in there)
    return make_plan(
        [desired(Kind.PAGE, f"k{number}", **fields) for number, fields in enumerate(after)], there, base=base
    )


def test_three_equal_changes_are_grouped_and_two_are_not() -> None:
    plan = plan_of([{"order": 1}] * 3 + [{"order": 5}] * 2, [{"order": 2}] * 3 + [{"order": 6}] * 2)
    _, (equal,), updates, _ = group_changes(plan, full=False)
    assert [entry.key for entry in equal.entries] == ["k0", "k1", "k2"]
    assert [change.key for change in updates] == ["k3", "k4"]


def test_a_grouped_update_keeps_the_fields_that_are_not_shared() -> None:
    before = [{"order": 1, "title": f"T{number}"} for number in range(3)]
    plan = plan_of(before, [{"order": 2, "title": "New"}, *({**each, "order": 2} for each in before[1:])])
    _, _equal, (update,), _ = group_changes(plan, full=False)
    assert [*update.fields] == ["title"]


def test_the_most_frequent_change_comes_first() -> None:
    plan = plan_of([{"order": 1}] * 3 + [{"order": 5}] * 4, [{"order": 2}] * 7)
    equal = group_changes(plan, full=False).equal
    assert [len(each.entries) for each in equal] == [4, 3]


@pytest.mark.parametrize("field", ["seo", "title"])
def test_different_values_of_a_field_are_not_grouped(field: str) -> None:
    plan = plan_of([{field: None}] * 3, [{field: {"title": f"T{number}"}} for number in range(3)])
    assert group_changes(plan, full=False).equal == []


def test_adopted_records_are_shown_separately() -> None:
    plan = plan_of([{"order": 1}] * 3, [{"order": 2}] * 3)
    adopting = replace(plan, adopted=plan.actual)
    assert len(group_changes(adopting, full=False).updates) == 3
