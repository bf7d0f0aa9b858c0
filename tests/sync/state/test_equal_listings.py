"""contentsync.sync.state.equal_listings: the listings that a plan needs nothing of, and why it may need them."""

from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Notes, Reference, Source
from contentsync.remote.synced_records import NotSynced
from contentsync.sync import AppliedEntry, Base, Policy
from contentsync.sync.comparing.base import BeforePull, applied_entry
from contentsync.sync.plan_builder import make_plan
from contentsync.sync.state.equal_listings import EqualListings, concerns_others

FIELDS = {"name": "A", "url": "https://a.example", "tags": ["free"]}
LISTING = Entry(Kind.LISTING, "a.example", FIELDS, Source("a.csv", 2))
STORED = {**FIELDS, "slug": "a", "tags": [Reference("free", 7)], "description": None}
RECORD = Entry(Kind.LISTING, "a.example", STORED, id=1, created="2026")
APPLIED = applied_entry(LISTING, RECORD)
COLOUR = AppliedEntry(Kind.CUSTOM_FIELD, "colour", 3, {})


def is_equal(
    listing: Entry = LISTING, record: Entry = RECORD, applied: AppliedEntry = APPLIED, *others: AppliedEntry
) -> bool:
    return EqualListings([listing], Base.from_entries([applied, *others])).is_equal(record)


def stored(**fields: Any) -> Entry:
    return replace(RECORD, fields={**STORED, **fields})


def test_a_listing_that_is_equal_on_all_sides_is_left_out() -> None:
    assert is_equal()
    assert is_equal(record=stored(description="Theirs"))  # the folder does not set it


@pytest.mark.parametrize(
    "record",
    [stored(name="B"), stored(tags=[]), replace(RECORD, id=2), replace(RECORD, created="2027")],
    ids=["a value", "references", "another record", "created again"],
)
def test_a_record_that_another_user_has_changed_is_compared(record: Entry) -> None:
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
def test_a_listing_that_has_changed_in_the_folder_is_compared(listing: Entry) -> None:
    assert not is_equal(listing)


@pytest.mark.parametrize("changed", [{"moving": "b.example"}, {"before_pull": BeforePull(None, None)}], ids=str)
def test_nothing_is_left_out_while_an_applied_entry_may_get_another_key(changed: dict[str, Any]) -> None:
    other = AppliedEntry(Kind.LISTING, "b.example", 2, {})
    assert is_equal(LISTING, RECORD, APPLIED, other)
    assert not is_equal(LISTING, RECORD, APPLIED, other._replace(**changed))


def test_custom_fields_are_found_by_their_ids_in_the_base() -> None:
    listing = replace(LISTING, fields={**FIELDS, "colour": "red"})
    applied = applied_entry(listing, stored(colour="red"), custom_ids={"colour": 3})
    assert is_equal(listing, stored(colour="red"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="blue"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="red"), applied)


def test_the_base_of_a_plan_lacks_what_is_left_out() -> None:
    base = Base.from_entries([APPLIED, COLOUR])
    equal = EqualListings([LISTING], base)
    assert equal.is_equal(RECORD)
    assert equal.leave_out([], base, []) == base
    assert not equal.rows
    assert [*equal.leave_out([1], base, []).values()] == [COLOUR]
    assert equal.rows == {"a.example": ("a.example", "a", 1, "")}


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
def test_nothing_is_left_out_if_another_listing_may_be_meant(listings: list[Entry], records: list[Entry]) -> None:
    base = Base.from_entries([APPLIED])
    equal = EqualListings([LISTING, *listings], base)
    assert equal.is_equal(RECORD)
    with pytest.raises(NotSynced):
        equal.leave_out([1], base, records)


TAG = Entry(Kind.TAG, "free", {"slug": "free", "title": "Free"}, Source("tags.yaml"))
ON_SERVER = replace(TAG, source=None, id=7)
RENAMED = replace(TAG, key="gratis", fields={**TAG.fields, "slug": "gratis"}, notes=Notes(previous=("free",)))


@pytest.mark.parametrize(
    ("desired", "concerned"),
    [
        ([TAG, LISTING], False),
        ([replace(TAG, fields={**TAG.fields, "title": "Gratis"}), LISTING], False),
        ([TAG], False),
        ([RENAMED, LISTING], True),
        ([LISTING], True),
    ],
    ids=["nothing", "another title", "a listing deleted", "a tag renamed", "a tag deleted"],
)
def test_a_plan_concerns_other_listings_if_it_renames_or_deletes_what_they_may_refer_to(
    desired: list[Entry], concerned: bool
) -> None:
    base = Base.from_entries([APPLIED, applied_entry(TAG, ON_SERVER)])
    plan = make_plan(desired, [ON_SERVER, RECORD], base=base, policy=Policy(prune=True))
    assert concerns_others(plan) == concerned
