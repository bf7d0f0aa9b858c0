"""Deferred changes: a change that concerns many records is recorded once, and applied to each record when it is read.

Adding, renaming or deleting a custom field changes every record of its kind, and deleting a tag changes every listing
that has it. The rows of these records do not change until their next write. A row stores the names and ids of the
custom fields at its last write; `lost_links` stores the deleted records that listings were linked to. Ids are never
reused, so both stay correct (decision 16).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from ...model import FIELDABLE, Kind, Values
from .caching import cached_until_commit
from .sql import Connection, Row, columns_of
from .versions import CollectionState, also_changed_kinds, collection_states, set_deferred_version, version_as_timestamp

DataUpdate = Callable[[str], str]  # returns a new text of the `data` column
LinkSet = Set[tuple[str, int]]  # each link as its field and the id of the linked record
DeletionTimes = Mapping[tuple[str, int], str]  # by link: when the linked record was deleted, in wire form

_FIELD_IDS = (
    "SELECT name, id FROM custom_fields WHERE directory_id = :directory AND fieldable_type = :of_kind"
    ' ORDER BY "order", id'
)
_ADD_FILLED = "UPDATE custom_fields SET filled = filled + :more WHERE id = :field"
_DELETED_LINKS = "SELECT field, other_id, lost_at FROM lost_links WHERE directory_id = :directory AND other_id IN :ids"


class FieldIds(NamedTuple):
    """The ids of a kind's custom fields in a directory."""

    ids: Mapping[str, int]  # by name
    text: str  # `ids` as JSON, for the column `field_ids`


@cached_until_commit
def custom_field_ids(connection: Connection, directory_id: int, kind: Kind) -> FieldIds:
    """Return the ids of a kind's custom fields, in the order of the fields."""
    if kind not in FIELDABLE:
        return FieldIds({}, "{}")
    ids: dict[str, int] = dict(connection.tuples(_FIELD_IDS, {"directory": directory_id, "of_kind": kind.value}))
    return FieldIds(ids, orjson.dumps(ids).decode())


def update_filled_counts(
    connection: Connection, fields: FieldIds, before: Iterable[Values], after: Iterable[Values]
) -> None:
    """Update the number of records that have a value of each field, from the values before and after a write."""
    old, new = list(before), list(after)
    for name, field_id in fields.ids.items():
        difference = _count_filled(new, name) - _count_filled(old, name)
        if difference:
            connection.run(_ADD_FILLED, {"field": field_id, "more": difference})


def _count_filled(records: Iterable[Values], name: str) -> int:
    return sum(values.get(name) is not None for values in records)


def defer_field_change(connection: Connection, directory_id: int, kind: Kind) -> None:
    """Record a change of the custom fields of all records of a kind; call this before the fields are written."""
    if collection_states(connection, directory_id)[kind].total:
        also_changed_kinds(connection).add(kind)
        set_deferred_version(connection, directory_id, kind, "fields_version")


def defer_link_removal(connection: Connection, directory_id: int, field: str, other_id: int) -> None:
    """Record that all listings lose their link to a record; call this before the record is deleted."""
    also_changed_kinds(connection).add(Kind.LISTING)
    deleted_at = set_deferred_version(connection, directory_id, Kind.LISTING, "links_version")
    row = {"field": field, "other_id": other_id, "directory_id": directory_id, "lost_at": deleted_at}
    connection.insert("lost_links", row)


def apply_deferred_changes(connection: Connection, directory_id: int, kind: Kind, rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows with the changes of custom fields and deletes of linked records since each row was written.

    A row must have `updated_at`, and `field_ids` if it has `data`.
    """
    if not rows:
        return rows
    state = collection_states(connection, directory_id)[kind]
    changed_at = version_as_timestamp(max(state.fields_version, state.links_version))  # of the last deferred change
    if all(row.updated_at >= changed_at for row in rows):
        return rows
    fields_changed_at = version_as_timestamp(state.fields_version)
    field_ids = custom_field_ids(connection, directory_id, kind).text
    deletions = _link_deletions(connection, directory_id, state, rows)
    return [
        _apply_to_row(row, fields_changed_at, field_ids, deletions) if row.updated_at < changed_at else row
        for row in rows
    ]


def data_update(before: str, after: str) -> DataUpdate:
    """Return a function that turns the custom fields `before` in `data` into `after`; both are texts of `field_ids`."""
    return _data_update(before, after) if before != after else _unchanged


def link_deletion_times(connection: Connection, directory_id: int, links: LinkSet) -> DeletionTimes:
    """Return the time of deletion for each link whose linked record was deleted."""
    ids = list({other_id for _field, other_id in links})
    rows = connection.tuples(_DELETED_LINKS, {"directory": directory_id, "ids": ids}) if ids else ()
    return {(field, id_): version_as_timestamp(at) for field, id_, at in rows if (field, id_) in links}


def _apply_to_row(row: Row, fields_changed_at: str, field_ids: str, deletions: DeletionTimes) -> Row:
    """Return the row with the custom fields of `field_ids` and without deleted links.

    `updated_at` becomes the time of the last of these changes.
    """
    names = tuple(row._fields)
    values = dict(zip(names, row, strict=True))
    updated_at: str = max(row.updated_at, fields_changed_at)
    if "data" in values:
        update_data = data_update(row.field_ids, field_ids)
        values |= {"data": update_data(row.data), "field_ids": field_ids}
    if deletions:
        links = orjson.loads(row.links)
        deleted = [(field, id_) for field, ids in links.items() for id_ in ids if (field, id_) in deletions]
        for field, other_id in deleted:
            links[field].remove(other_id)
            updated_at = max(updated_at, deletions[field, other_id])
        if deleted:
            values["links"] = orjson.dumps(links).decode()
    return columns_of(names).row(values | {"updated_at": updated_at})


def _link_deletions(
    connection: Connection, directory_id: int, state: CollectionState, rows: Sequence[Row]
) -> DeletionTimes:
    """Return the times at which linked records of the rows were deleted."""
    links_changed_at = version_as_timestamp(state.links_version)
    texts = {row.links for row in rows if row.updated_at < links_changed_at}  # empty for kinds without links
    links = {(field, id_) for text in texts for field, ids in orjson.loads(text).items() for id_ in ids}
    return link_deletion_times(connection, directory_id, links)


@lru_cache(maxsize=1024)
def _data_update(before: str, after: str) -> DataUpdate:
    """Return the function for `data_update`: it appends new fields as null, and parses only if a name has changed.

    `before` and `after` are JSON objects of the fields' ids by name.
    """
    old_ids: dict[str, int] = orjson.loads(before)
    new_ids: dict[str, int] = orjson.loads(after)
    new_name_by_id = {field_id: name for name, field_id in new_ids.items()}
    new_names = {name: new_name_by_id.get(field_id) for name, field_id in old_ids.items()}  # None: a deleted field
    added = "".join([f',"{name}":null' for name, field_id in new_ids.items() if field_id not in old_ids.values()])

    def append(data: str) -> str:
        """Return a record's JSON with the new custom fields as null."""
        return f"{data[:-1]}{added}}}"

    def rewrite(data: str) -> str:
        """Return a record's JSON with renamed custom fields, without deleted ones, and with new ones as null."""
        start, values = _values_at_end(data, old_ids)
        remaining = {new_names.get(name, name): value for name, value in values.items()}
        remaining.pop(None, None)  # the deleted fields
        other_members = data[1:start]  # before the comma at `start`
        remaining_members = orjson.dumps(remaining).decode()[1:-1]
        members = ",".join(filter(None, [other_members, remaining_members]))  # each may be empty
        return append(f"{{{members}}}")

    return append if all(old == new for old, new in new_names.items()) else rewrite


def _values_at_end(data: str, names: Mapping[str, int]) -> tuple[int, dict[str, Any]]:
    """Return the index where the custom fields begin, and their values; 0 and all fields if the index is not certain.

    Custom fields are at the end of the text; to parse only them is faster. If a name is found inside the object of
    another field, the rest of the text has a brace too many, so it is not JSON.
    """
    start = max(0, min([data.rfind(f',"{name}":') for name in names]))
    try:
        values: dict[str, Any] = orjson.loads("{" + data[start + 1 :])  # the rest ends with the closing brace
    except orjson.JSONDecodeError:
        values = {}
    return (start, values) if values.keys() == names.keys() else (0, orjson.loads(data))


def _unchanged(data: str) -> str:
    return data
