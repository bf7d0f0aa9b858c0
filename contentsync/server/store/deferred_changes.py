"""Deferred changes: a change that concerns many records is recorded once, and applied to each record when it is read.

Adding, renaming or deleting a custom field changes every record that carries it, and deleting a tag changes every
listing that has it. Their rows stay as they are until each is written again. A row notes the names and ids of the
custom fields that it was written with; `lost_links` has the deleted records that listings were linked to. Ids are
never used again, so both stay true (decision 16).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from ...model import FIELDABLE, Kind, Values
from .caching import cached
from .statements import Columns, Statement
from .tables import custom_fields, lost_links
from .versions import CollectionState, also_changed, collection_states, set_deferred_version, version_timestamp

MAX_IDS = 500  # in one statement; databases limit them

DataUpdate = Callable[[str], str]  # of the `data` column
LinkSet = Set[tuple[str, int]]  # each link by its field and the id of the other record
DeletionTimes = Mapping[tuple[str, int], str]  # when the other record was deleted, in wire form

_FIELDS = custom_fields.c
_FIELD_IDS = Statement(
    select(_FIELDS.name, _FIELDS.id)
    .where(_FIELDS.directory_id == bindparam("directory"), _FIELDS.fieldable_type == bindparam("of_kind"))
    .order_by(_FIELDS.order, _FIELDS.id)
)
_ADD_FILLED = Statement(
    update(custom_fields).where(_FIELDS.id == bindparam("field")).values(filled=_FIELDS.filled + bindparam("more"))
)
_DELETED_LINKS = Statement(
    select(lost_links.c.field, lost_links.c.other_id, lost_links.c.lost_at).where(
        lost_links.c.directory_id == bindparam("directory"), lost_links.c.other_id.in_(bindparam("ids", expanding=True))
    )
)


class FieldIds(NamedTuple):
    """The ids of a kind's custom fields in a directory."""

    ids: Mapping[str, int]  # by name
    text: str  # the same as JSON, for the column `field_ids`


_NO_FIELDS = FieldIds({}, "{}")


def custom_field_ids(connection: Connection, directory_id: int, kind: Kind) -> FieldIds:
    """Return the ids of a kind's custom fields, in the order of the fields."""
    return _custom_field_ids(connection, directory_id, kind) if kind in FIELDABLE else _NO_FIELDS


@cached
def _custom_field_ids(connection: Connection, directory_id: int, kind: Kind) -> FieldIds:
    rows = _FIELD_IDS.tuples(connection, {"directory": directory_id, "of_kind": kind.value})
    ids: dict[str, int] = dict(map(tuple, rows))
    return FieldIds(ids, orjson.dumps(ids).decode())


def update_filled_counts(
    connection: Connection, fields: FieldIds, before: Iterable[Values], after: Iterable[Values]
) -> None:
    """Count the values that records gain or lose; a field with values cannot move to another kind."""
    old, new = list(before), list(after)
    for name, field_id in fields.ids.items():
        more = _count_filled(new, name) - _count_filled(old, name)
        if more:
            _ADD_FILLED.run(connection, {"field": field_id, "more": more})


def _count_filled(records: Iterable[Values], name: str) -> int:
    return sum(values.get(name) is not None for values in records)


def defer_field_change(connection: Connection, directory_id: int, kind: Kind) -> None:
    """Record that the custom fields of all records of a kind are about to change; call this before they do."""
    if collection_states(connection, directory_id)[kind].total:
        also_changed(connection).add(kind)
        set_deferred_version(connection, directory_id, kind, "fields_changed")


def defer_link_removal(connection: Connection, directory_id: int, field: str, other_id: int) -> None:
    """Record that all listings lose their link to a record that is about to be deleted."""
    also_changed(connection).add(Kind.LISTING)
    deleted_at = set_deferred_version(connection, directory_id, Kind.LISTING, "links_changed")
    row = {"field": field, "other_id": other_id, "directory_id": directory_id, "lost_at": deleted_at}
    connection.execute(insert(lost_links), row)


def apply_deferred(
    connection: Connection, directory_id: int, kind: Kind, rows: Sequence[Row[Any]]
) -> Sequence[Row[Any]]:
    """Return the rows with all deferred changes. They must have `updated_at`, and `field_ids` if they have `data`."""
    if not rows:
        return rows
    state = collection_states(connection, directory_id)[kind]
    since = version_timestamp(max(state.fields_changed, state.links_changed))
    if all(row.updated_at >= since for row in rows):
        return rows
    fields_since = version_timestamp(state.fields_changed)
    field_ids = custom_field_ids(connection, directory_id, kind).text
    deletions = _deletions_in(connection, directory_id, state, rows)
    return [_apply(row, fields_since, field_ids, deletions) if row.updated_at < since else row for row in rows]


def data_update(before: str, after: str) -> DataUpdate:
    """Return the function that brings `data` from the custom fields in one `field_ids` to those in another."""
    return _data_update(before, after) if before != after else _unchanged


def link_deletion_times(connection: Connection, directory_id: int, links: LinkSet) -> DeletionTimes:
    """Return the links whose other record was deleted."""
    deletions: dict[tuple[str, int], str] = {}
    ids = list({other for _, other in links})
    for start in range(0, len(ids), MAX_IDS):
        parameters = {"directory": directory_id, "ids": ids[start : start + MAX_IDS]}
        rows = _DELETED_LINKS.tuples(connection, parameters)
        deletions |= {(field, other): version_timestamp(at) for field, other, at in rows if (field, other) in links}
    return deletions


def _apply(row: Row[Any], fields_since: str, field_ids: str, deletions: DeletionTimes) -> Row[Any]:
    names = tuple(row._fields)
    values = dict(zip(names, row, strict=True))
    updated_at: str = max(row.updated_at, fields_since)
    if "data" in values:
        values |= {"data": data_update(row.field_ids, field_ids)(row.data), "field_ids": field_ids}
    if deletions:
        links = orjson.loads(row.links)
        deleted = [(field, other) for field, ids in links.items() for other in ids if (field, other) in deletions]
        for field, other in deleted:
            links[field].remove(other)
            updated_at = max(updated_at, deletions[field, other])
        if deleted:
            values["links"] = orjson.dumps(links).decode()
    return _columns(names).row(values | {"updated_at": updated_at})


def _deletions_in(
    connection: Connection, directory_id: int, state: CollectionState, rows: Sequence[Row[Any]]
) -> DeletionTimes:
    """Return the deletions among the links of the rows."""
    since = version_timestamp(state.links_changed)
    texts = {row.links for row in rows if row.updated_at < since}  # empty for kinds without links
    links = {(field, other) for text in texts for field, ids in orjson.loads(text).items() for other in ids}
    return link_deletion_times(connection, directory_id, links)


@lru_cache(maxsize=1024)
def _data_update(before: str, after: str) -> DataUpdate:
    old_ids: dict[str, int] = orjson.loads(before)
    new_names = {field_id: name for name, field_id in orjson.loads(after).items()}
    renamed = {name: new_names.get(field_id) for name, field_id in old_ids.items()}  # None: the field was deleted
    added = "".join([f',"{name}":null' for field_id, name in new_names.items() if field_id not in old_ids.values()])

    def append(data: str) -> str:
        return f"{data[:-1]}{added}}}"

    def rewrite(data: str) -> str:
        start, values = _values_at_end(data, old_ids)
        remaining = {renamed.get(name, name): value for name, value in values.items()}
        remaining.pop(None, None)
        members = filter(None, [data[1:start], orjson.dumps(remaining).decode()[1:-1]])
        return append(f"{{{','.join(members)}}}")

    return append if all(name == new for name, new in renamed.items()) else rewrite


def _values_at_end(data: str, names: Mapping[str, int]) -> tuple[int, dict[str, Any]]:
    """Return where the values of the custom fields begin, and the values; 0 and all fields if that is not certain.

    They are at the end of the text, and parsing the rest takes longer. A name is also found inside the object that
    another field holds, but what follows it there is not JSON.
    """
    start = max(0, min([data.rfind(f',"{name}":') for name in names]))
    try:
        values: dict[str, Any] = orjson.loads(f"{{{data[start + 1 :]}")
    except orjson.JSONDecodeError:
        values = {}
    return (start, values) if values.keys() == names.keys() else (0, orjson.loads(data))


def _unchanged(data: str) -> str:
    return data


@lru_cache(maxsize=64)
def _columns(names: tuple[str, ...]) -> Columns:
    return Columns(names)
