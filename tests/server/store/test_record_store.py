from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from contentsync.model import Invalid
from contentsync.server.store import Connection, Row
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import CATEGORIES, CUSTOM_FIELDS, PAGES
from contentsync.server.store.record_store import RecordStore

from .conftest import Owned

AHEAD = "2999-12-31T23:59:59.999999Z"


@contextmanager
def watched(connection: Connection) -> Iterator[list[str]]:
    """Yield the statements that run inside, with the values of their parameters."""
    ran: list[str] = []
    connection.driver.set_trace_callback(ran.append)
    yield ran
    connection.driver.set_trace_callback(None)


def made(owned: Owned, records: RecordStore, **fields: object) -> int:
    row, _ = owned.database.run_write(records.create, owned.access, fields)
    return int(row.id)


def stored(owned: Owned, records: RecordStore, record_id: int) -> Row:
    """Return the row of a record as the database has it."""
    return owned.database.run_read(records.row, 1, record_id)


def test_an_update_that_changes_nothing_keeps_updated_at(owned: Owned) -> None:
    page = made(owned, PAGES, title="About", order=3)
    before = stored(owned, PAGES, page)
    owned.database.run_write(PAGES.update, owned.access, page, {"title": "About", "order": 3, "seo": {"title": None}})
    assert stored(owned, PAGES, page) == before


def test_updated_at_increases_even_if_the_clock_was_set_back(owned: Owned) -> None:
    """docs/contract.md 18."""
    page = made(owned, PAGES, title="About")
    owned.database.run_write(lambda connection: connection.run(f"UPDATE pages SET updated_at = '{AHEAD}'"))
    owned.database.run_write(PAGES.update, owned.access, page, {"order": 1})
    assert stored(owned, PAGES, page).updated_at > AHEAD


def test_a_record_that_loses_a_reference_by_a_delete_has_changed(owned: Owned) -> None:
    """docs/contract.md 18: updated_at increases with every change of the record."""
    parent = made(owned, CATEGORIES, title="Parent")
    child = made(owned, CATEGORIES, title="Child", parent_id=parent)
    listing = made(owned, LISTINGS, name="Lathe", categories=[parent])
    before = stored(owned, CATEGORIES, child).updated_at, stored(owned, LISTINGS, listing).updated_at
    owned.database.run_write(CATEGORIES.delete, owned.access, parent)
    assert stored(owned, CATEGORIES, child).updated_at > before[0]
    assert stored(owned, LISTINGS, listing).updated_at > before[1]


def test_a_new_custom_field_changes_the_records_that_can_have_it(owned: Owned) -> None:
    listing = made(owned, LISTINGS, name="Lathe")
    before = stored(owned, LISTINGS, listing)
    made(owned, CUSTOM_FIELDS, label="Price", type="number")
    after = stored(owned, LISTINGS, listing)
    assert '"price":null' in after.data
    assert after.updated_at > before.updated_at


def test_changing_only_assignments_changes_the_listing(owned: Owned) -> None:
    category = made(owned, CATEGORIES, title="Machines")
    listing = made(owned, LISTINGS, name="Lathe")
    before = stored(owned, LISTINGS, listing).updated_at
    owned.database.run_write(LISTINGS.update, owned.access, listing, {"categories": [category]})
    linked = stored(owned, LISTINGS, listing).updated_at
    owned.database.run_write(LISTINGS.update, owned.access, listing, {"categories": [category, category]})
    assert before < linked == stored(owned, LISTINGS, listing).updated_at


def test_ids_are_never_reused(owned: Owned) -> None:
    """AU-15."""
    first = made(owned, PAGES, title="About")
    owned.database.run_write(PAGES.delete, owned.access, first)
    assert made(owned, PAGES, title="About") > first


def test_a_failed_bulk_item_leaves_no_data_and_others_are_created(owned: Owned) -> None:
    """docs/contract.md 4.3.3."""
    items = [{"name": "One"}, {"name": "Two", "categories": [99]}, "three", {"name": "Four"}]
    results = owned.database.run_write(LISTINGS.create_many, owned.access, items)
    assert [type(result) for result in results] == [tuple, Invalid, Invalid, tuple]
    assert owned.database.run_read(LISTINGS.count, 1) == 2


def test_more_references_than_a_statement_accepts_are_checked(owned: Owned) -> None:
    category = made(owned, CATEGORIES, title="Machines")
    body = {"name": "Lathe", "categories": [category, *range(1000, 1900)]}
    with pytest.raises(Invalid) as invalid:
        owned.database.run_write(LISTINGS.create, owned.access, body)
    assert len(invalid.value.violations) == 900


def test_a_number_after_a_long_slug_still_fits(owned: Owned) -> None:
    slugs = [stored(owned, LISTINGS, made(owned, LISTINGS, name="x" * 255)).slug for _ in range(3)]
    assert slugs == ["x" * 255, "x" * 253 + "-2", "x" * 253 + "-3"]


def test_the_first_free_number_is_used_despite_similar_slugs(owned: Owned) -> None:
    for name in ("Tool", "Toolbox", "Tool 3 in 1", "Tool 10", "Tool", "Too", "Tool-", "Tools 2"):
        made(owned, LISTINGS, name=name)
    slugs = [stored(owned, LISTINGS, made(owned, LISTINGS, name="Tool")).slug for _ in range(2)]
    assert slugs == ["tool-4", "tool-5"]
    owned.database.run_write(LISTINGS.delete, owned.access, 5)
    assert stored(owned, LISTINGS, made(owned, LISTINGS, name="Tool")).slug == "tool-2"


def test_the_search_for_a_free_slug_uses_the_index(owned: Owned) -> None:
    def create(connection: Connection) -> list[str]:
        with watched(connection) as ran:
            LISTINGS.create(connection, owned.access, {"name": "Tool"})
        return [
            str([*connection.tuples(f"EXPLAIN QUERY PLAN {statement}")])
            for statement in ran
            if statement.startswith("SELECT slug FROM listings")
        ]

    [first] = owned.database.run_write(create)
    [_, numbers] = owned.database.run_write(create)
    assert "(directory_id=? AND slug=?)" in first
    assert "(directory_id=? AND slug>? AND slug<?)" in numbers


def test_bulk_listings_look_up_shared_references_once(owned: Owned) -> None:
    categories = [made(owned, CATEGORIES, title=title) for title in ("Machines", "Hand tools")]
    items = [{"name": f"Tool {number}", "categories": categories} for number in range(10)]

    def create(connection: Connection) -> list[str]:
        with watched(connection) as ran:
            results = LISTINGS.create_many(connection, owned.access, items)
        assert {type(result) for result in results} == {tuple}
        return ran

    ran = owned.database.run_write(create)
    for table in ("categories", "organizers"):
        assert sum(f"FROM {table}" in statement for statement in ran) == 1
