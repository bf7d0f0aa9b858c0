"""contentsync.content.entry_locations: drafts are cached while they are read if they are few, else read again."""

from collections.abc import Iterator
from functools import partial

import pytest

from contentsync.content.draft import Draft, Locations
from contentsync.content.entry_locations import EntryLocations, LocatedDrafts
from contentsync.content.identity import EntryRef
from contentsync.model import Kind


def drafts(count: int) -> Iterator[Draft]:
    for line in range(1, count + 1):
        yield Draft(Kind.LISTING, "listings/a.csv", line, {"name": "A"}, partial(locate, line))


def locate(line: int) -> tuple[Locations, Locations]:
    return {"name": ("listings/a.csv", (line, 1))}, {}


@pytest.mark.parametrize(("count", "reads"), [(2, []), (2_500, []), (2_501, [7])])
def test_the_entries_of_a_long_table_are_read_again_for_their_locations(count: int, reads: list[int]) -> None:
    read: list[int] = []

    def read_again(unit: int) -> Iterator[Draft]:
        read.append(unit)
        return drafts(count)

    located = LocatedDrafts(read_again)
    assert {draft.values["name"] for draft in located.cache(7, drafts(count)) if isinstance(draft, Draft)} == {"A"}
    for _ in range(2):
        assert dict(EntryLocations(located, EntryRef(7, 1))) == {"name": ("listings/a.csv", (2, 1))}
    assert read == reads
    assert [draft.values for draft in located.of_unit(7)] == [{}] * count


def test_a_unit_with_an_entry_row_is_read_again() -> None:
    located = LocatedDrafts(lambda unit: drafts(3))
    assert len(list(located.cache(7, [*drafts(2), ["key", 3]]))) == 3
    assert len(located.of_unit(7)) == 3


def test_all_tables_together_have_room_for_2500_drafts() -> None:
    located = LocatedDrafts(lambda unit: drafts(1))
    for unit in range(3):
        assert len(list(located.cache(unit, drafts(1_000)))) == 1_000
    assert [len(located.of_unit(unit)) for unit in range(3)] == [1_000, 1_000, 1]


def test_an_entry_that_was_deleted_meanwhile_has_no_locations() -> None:
    assert dict(EntryLocations(LocatedDrafts(lambda unit: drafts(0)), EntryRef(0, 0))) == {}
