"""contentsync.sync.state.equal_listings: the listings that a plan can leave out while it reads the server."""

from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Notes, Reference, Source
from contentsync.remote.synced_records import NotSynced
from contentsync.sync import AppliedEntry, Base
from contentsync.sync.comparing.base import BeforePull, applied_entry
from contentsync.sync.state.equal_listings import EqualListings
from contentsync.sync.state.synced_listings import SyncedRow

FIELDS = {"name": "A", "url": "https://a.example", "tags": ["free"]}
LISTING = Entry(Kind.LISTING, "a.example", FIELDS, Source("a.csv", 2))
RECORD_FIELDS = {**FIELDS, "slug": "a", "tags": [Reference("free", 7)], "description": None}
RECORD = Entry(Kind.LISTING, "a.example", RECORD_FIELDS, id=1, created="2026")
APPLIED = applied_entry(LISTING, RECORD)
COLOUR = AppliedEntry(Kind.CUSTOM_FIELD, "colour", 3, {})


def is_equal(
    listing: Entry = LISTING, record: Entry = RECORD, applied: AppliedEntry = APPLIED, *others: AppliedEntry
) -> bool:
    return EqualListings([listing], Base.from_entries([applied, *others])).is_equal(record)


def stored(**fields: Any) -> Entry:
    """Return RECORD with these fields changed."""
    return replace(RECORD, fields={**RECORD_FIELDS, **fields})


def test_a_listing_equal_on_all_sides_is_skipped() -> None:
    assert is_equal()
    assert is_equal(record=stored(description="Theirs"))  # the folder does not set it


@pytest.mark.parametrize(
    "record",
    [stored(name="B"), stored(tags=[]), replace(RECORD, id=2), replace(RECORD, created="2027")],
    ids=["a value", "references", "another record", "created again"],
)
def test_a_record_changed_by_another_user_is_compared(record: Entry) -> None:
    assert not is_equal(record=record)


@pytest.mark.parametrize(
    "listing",
    [
        replace(LISTING, fields={**FIELDS, "description": ""}),
        replace(LISTING, fields={"name": "A", "url": "https://a.example"}),
        replace(LISTING, notes=Notes(skip=True)),
        replace(LISTING, notes=Notes(protect=True)),
        replace(LISTING, notes=Notes(previous=("b.example",))),
        replace(LISTING, source=Source("b.csv", 2)),
        replace(LISTING, key="b.example"),
    ],
    ids=["a new field", "a removed field", "skipped", "protected", "renamed", "another file", "another key"],
)
def test_a_listing_changed_in_the_folder_is_compared(listing: Entry) -> None:
    assert not is_equal(listing)


@pytest.mark.parametrize("changed", [{"moving": "b.example"}, {"before_pull": BeforePull(None, None)}], ids=str)
def test_no_listing_is_skipped_while_a_key_may_change(changed: dict[str, Any]) -> None:
    other = AppliedEntry(Kind.LISTING, "b.example", 2, {})
    assert is_equal(LISTING, RECORD, APPLIED, other)
    assert not is_equal(LISTING, RECORD, APPLIED, other._replace(**changed))


def test_custom_fields_are_matched_by_their_ids_in_the_base() -> None:
    listing = replace(LISTING, fields={**FIELDS, "colour": "red"})
    applied = applied_entry(listing, stored(colour="red"), custom_ids={"colour": 3})
    assert is_equal(listing, stored(colour="red"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="blue"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="red"), applied)


def test_the_base_of_a_plan_omits_skipped_listings() -> None:
    base = Base.from_entries([APPLIED, COLOUR])
    equal = EqualListings([LISTING], base)
    assert equal.is_equal(RECORD)
    assert equal.leave_out([], base, []) == base
    assert not equal.rows
    assert [*equal.leave_out([1], base, []).values()] == [COLOUR]
    assert equal.rows == {"a.example": SyncedRow("a.example", "a", 1)}


@pytest.mark.parametrize(
    ("listings", "records"),
    [
        ([Entry(Kind.LISTING, "b", {"slug": "a"})], []),
        ([Entry(Kind.LISTING, "b", {}, notes=Notes(previous=("a.example",)))], []),
        ([], [replace(RECORD, id=2)]),
        ([], [Entry(Kind.LISTING, "b", {"slug": "a"}, id=2)]),
    ],
    ids=["its slug in the folder", "its key in a note", "its key on the server", "its slug on the server"],
)
def test_no_equal_listing_is_skipped_if_another_one_has_its_key_or_slug(
    listings: list[Entry], records: list[Entry]
) -> None:
    base = Base.from_entries([APPLIED])
    equal = EqualListings([LISTING, *listings], base)
    assert equal.is_equal(RECORD)
    with pytest.raises(NotSynced):
        equal.leave_out([1], base, records)
