"""The writes of a change to many records are as many as those of a change to a few."""

import json
from typing import Any

import pytest

from contentsync.server.store import Connection
from contentsync.server.store.deferred_changes import data_update
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import ARTICLES, CATEGORIES, CUSTOM_FIELDS, ORGANIZERS, TAGS
from contentsync.server.store.record_store import RecordStore

from .conftest import Owned
from .test_record_store import made, watched

LINKED = {"tags": (TAGS, "title"), "categories": (CATEGORIES, "title"), "organizers": (ORGANIZERS, "name")}
CARRIERS: dict[str, tuple[RecordStore, dict[str, Any]]] = {
    "listing": (LISTINGS, {"name": "Lathe"}),
    "organizer": (ORGANIZERS, {"name": "Atelier"}),
    "article": (ARTICLES, {"title": "News", "content": "A"}),
}


class Work:
    """The work of a write: the statements that it runs, and the rows that it changes."""

    def __init__(self, owned: Owned) -> None:
        self._owned = owned

    def of(self, change: Any, *arguments: Any) -> tuple[int, int]:
        def measured(connection: Connection) -> tuple[int, int]:
            before = connection.driver.total_changes
            with watched(connection) as statements:
                change(connection, self._owned.access, *arguments)
            return len(statements), connection.driver.total_changes - before

        return self._owned.database.run_write(measured)


def fill(owned: Owned, count: int, links: dict[str, list[int]], **values: Any) -> None:
    items = [{"name": f"Listing {number}", **links, **values} for number in range(count)]
    for start in range(0, count, 100):
        owned.database.run_write(LISTINGS.create_many, owned.access, items[start : start + 100])


@pytest.mark.parametrize("field", LINKED)
def test_a_delete_writes_the_same_for_any_number_of_linked_listings(owned: Owned, field: str) -> None:
    records, title = LINKED[field]
    work, first, second = Work(owned), made(owned, records, **{title: "One"}), made(owned, records, **{title: "Two"})
    fill(owned, 5, {field: [first, second]})
    few = work.of(records.delete, first)
    fill(owned, 200, {field: [second]})
    assert work.of(records.delete, second) == few


@pytest.mark.parametrize("kind", CARRIERS)
def test_a_custom_field_change_writes_the_same_for_any_number_of_records(owned: Owned, kind: str) -> None:
    records, fields = CARRIERS[kind]
    work, title = Work(owned), next(iter(fields))

    def found(label: str) -> list[tuple[int, int]]:
        body = {"label": label, "type": "text", "fieldable_type": kind, "name": label}
        costs = [work.of(CUSTOM_FIELDS.create, body)]
        number = owned.database.run_read(CUSTOM_FIELDS.by_key, 1, label).id  # type: ignore[union-attr]
        costs.append(work.of(CUSTOM_FIELDS.update, number, {"name": f"{label}_renamed"}))
        costs.append(work.of(CUSTOM_FIELDS.delete, number))
        return costs

    made(owned, records, **fields)
    few = found("one")
    for number in range(60):
        made(owned, records, **{**fields, title: f"{fields[title]} {number}"})
    assert found("two") == few


def test_a_custom_field_move_writes_the_same_for_any_number_of_records(owned: Owned) -> None:
    work = Work(owned)
    number = made(owned, CUSTOM_FIELDS, label="Form", type="text")
    made(owned, ORGANIZERS, name="Atelier")
    fill(owned, 5, {})
    few = work.of(CUSTOM_FIELDS.update, number, {"fieldable_type": "organizer"})
    owned.database.run_write(CUSTOM_FIELDS.update, owned.access, number, {"fieldable_type": "listing"})
    fill(owned, 200, {})
    assert work.of(CUSTOM_FIELDS.update, number, {"fieldable_type": "organizer"}) == few


def test_a_rewritten_record_is_stored_without_deferred_changes(owned: Owned) -> None:
    tag = made(owned, TAGS, title="Free")
    field = made(owned, CUSTOM_FIELDS, label="Fee", type="number")
    listing = made(owned, LISTINGS, name="Lathe", tags=[tag], fee=3)
    owned.database.run_write(TAGS.delete, owned.access, tag)
    owned.database.run_write(CUSTOM_FIELDS.delete, owned.access, field)
    owned.database.run_write(LISTINGS.update, owned.access, listing, {"name": "Old lathe"})

    def stored(connection: Connection) -> Any:
        linked = "(SELECT count(*) FROM listing_tags)"
        return connection.one(f"SELECT data, links, field_ids, {linked} AS linked FROM listings")

    row = owned.database.run_read(stored)
    assert row.linked == 0
    assert "fee" not in json.loads(row.data)
    assert (json.loads(row.links)["tags"], row.field_ids) == ([], "{}")


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({}, {}, {"url": None, "schema": {"fee": 1}, "fee": 3, "size": "S"}),
        ({"fee": 1}, {"fee": 1, "form": 3}, {"url": None, "schema": {"fee": 1}, "fee": 3, "size": "S", "form": None}),
        ({"fee": 1, "size": 2}, {"size": 2}, {"url": None, "schema": {"fee": 1}, "size": "S"}),
        ({"fee": 1, "size": 2}, {"size": 1, "fee": 2}, {"url": None, "schema": {"fee": 1}, "size": 3, "fee": "S"}),
        ({"fee": 1, "size": 2}, {"fee": 2}, {"url": None, "schema": {"fee": 1}, "fee": "S"}),
        ({"fee": 1, "size": 2}, {"fee": 4}, {"url": None, "schema": {"fee": 1}, "fee": None}),
    ],
    ids=["the same", "added", "deleted", "names exchanged", "renamed to a deleted one", "deleted and made again"],
)
def test_values_follow_the_ids_of_their_custom_fields(
    before: dict[str, int], after: dict[str, int], changed: dict[str, Any]
) -> None:
    data = '{"url":null,"schema":{"fee":1},"fee":3,"size":"S"}'
    assert json.loads(data_update(json.dumps(before), json.dumps(after))(data)) == changed


@pytest.mark.parametrize(
    "data",
    [
        '{"url":null,"fee":3,"size":"S"}',
        '{"url":"a","size":",\\"fee\\":9}","fee":{"x":[1,{"fee":2,"size":3}]}}',
        '{"fee":3,"url":null,"schema":{"a":1,"size":2},"size":"S"}',
        '{"fee":3,"size":"S","url":null,"schema":{"size":1,"fee":2}}',
        '{"fee":3,"size":"S"}',
    ],
    ids=["at the end", "names in values", "apart", "at the beginning, and in the end inside another", "alone"],
)
def test_values_are_found_anywhere_in_the_json(data: str) -> None:
    before = json.loads(data)
    renamed = json.loads(data_update('{"fee":1,"size":2}', '{"cost":1,"size":2}')(data))
    assert renamed == {**{name: value for name, value in before.items() if name != "fee"}, "cost": before["fee"]}
    emptied = json.loads(data_update('{"fee":1,"size":2}', "{}")(data))
    assert emptied == {name: value for name, value in before.items() if name not in ("fee", "size")}
