"""contentsync.model.references: the references of an entry, in fields with one and in lists."""

from contentsync.model import Entry, Kind
from contentsync.model.references import map_references, references_in

LISTING = Entry(Kind.LISTING, "a", {"name": "old", "categories": ["old", "other"], "tags": None, "organizers": ["old"]})


def test_references_of_lists_and_of_single_fields_are_found() -> None:
    assert [*references_in(Kind.LISTING, LISTING.fields)] == [
        (Kind.CATEGORY, "old"),
        (Kind.CATEGORY, "other"),
        (Kind.ORGANIZER, "old"),
    ]
    assert [*references_in(Kind.CATEGORY, {"parent_id": "old"})] == [(Kind.CATEGORY, "old")]


def test_only_references_are_replaced() -> None:
    renamed = map_references(LISTING, lambda kind, key: "new" if (kind, key) == (Kind.CATEGORY, "old") else key)
    assert renamed.fields == {**LISTING.fields, "categories": ["new", "other"]}
