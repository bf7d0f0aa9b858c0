"""Changes that concern many records: noted once when they are made, and applied to each record when it is read.

A custom field that is added, renamed or deleted changes every record that carries it, and a deleted tag every listing
that has it. Their rows stay as they were written until each is written again. A row notes the custom fields that it was
written with, by name and id, and `lost_links` the records that no listing is linked to any more. Ids are never given
again, so both stay true (decision 16).
"""

from collections.abc import Callable, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import Connection, Row, bindparam, insert, select

from ...model import Kind
from ...model.dates import instant_text
from .carried import carried
from .schema import lost_links
from .statement import Columns, Statement
from .versions import Collection, besides, note_deferred, states

MOST_IDS = 500  # in one statement; databases limit them

Change = Callable[[str], str]  # of `data`
Links = Set[tuple[str, int]]  # each by its field and the other id
Lost = Mapping[tuple[str, int], str]  # when such a link was lost, in wire form

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOST = Statement(
    select(lost_links.c.field, lost_links.c.other_id, lost_links.c.lost_at).where(
        lost_links.c.directory_id == bindparam("directory"), lost_links.c.other_id.in_(bindparam("ids", expanding=True))
    )
)


def change_fields(connection: Connection, directory_id: int, kind: Kind) -> None:
    """Note that the custom fields of all records of a kind change; to be called before they do."""
    if states(connection, directory_id)[kind].total:
        besides(connection).add(kind)
        note_deferred(connection, directory_id, kind, "fields_changed")


def lose_links(connection: Connection, directory_id: int, field: str, other_id: int) -> None:
    """Note that all listings lose their link to a record that is about to be deleted."""
    besides(connection).add(Kind.LISTING)
    lost_at = note_deferred(connection, directory_id, Kind.LISTING, "links_changed")
    row = {"field": field, "other_id": other_id, "directory_id": directory_id, "lost_at": lost_at}
    connection.execute(insert(lost_links), row)


def up_to_date(connection: Connection, directory_id: int, kind: Kind, rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """Return the rows as they are now. They have `updated_at`, and `field_ids` wherever they have `data`."""
    if not rows:
        return rows
    state = states(connection, directory_id)[kind]
    since = moment(max(state.fields_changed, state.links_changed))
    if all(row.updated_at >= since for row in rows):
        return rows
    fields_since = moment(state.fields_changed)
    now = carried(connection, directory_id, kind).text
    lost = _lost_links(connection, directory_id, state, rows)
    return [_applied(row, fields_since, now, lost) if row.updated_at < since else row for row in rows]


def change_between(before: str, after: str) -> Change:
    """Return what makes the `data` of a row that was written with other custom fields right for those of now."""
    return _change_between(before, after) if before != after else _same


def lost_at(connection: Connection, directory_id: int, links: Links) -> Lost:
    """Return those of the links that were lost."""
    found: dict[tuple[str, int], str] = {}
    ids = list({other for _, other in links})
    for start in range(0, len(ids), MOST_IDS):
        some = {"directory": directory_id, "ids": ids[start : start + MOST_IDS]}
        rows = _LOST.tuples(connection, some)
        found |= {(field, other): moment(at) for field, other, at in rows if (field, other) in links}
    return found


@lru_cache(maxsize=4096)
def moment(microseconds: int) -> str:
    """Return the wire form of a version, which is counted in microseconds; "" for 0, which is before all."""
    return instant_text(_EPOCH + timedelta(microseconds=microseconds)) if microseconds else ""


def _applied(row: Row[Any], fields_since: str, now: str, lost: Lost) -> Row[Any]:
    names = tuple(row._fields)
    values = dict(zip(names, row, strict=True))
    updated_at: str = max(row.updated_at, fields_since)
    if "data" in values:
        values |= {"data": change_between(row.field_ids, now)(row.data), "field_ids": now}
    if lost:
        links = orjson.loads(row.links)
        gone = [(field, other) for field, ids in links.items() for other in ids if (field, other) in lost]
        for field, other in gone:
            links[field].remove(other)
            updated_at = max(updated_at, lost[field, other])
        if gone:
            values["links"] = orjson.dumps(links).decode()
    return _columns(names).row(values | {"updated_at": updated_at})


def _lost_links(connection: Connection, directory_id: int, state: Collection, rows: Sequence[Row[Any]]) -> Lost:
    """Return the lost links among those of the rows."""
    since = moment(state.links_changed)
    texts = {row.links for row in rows if row.updated_at < since}  # none where the kind has no links
    links = {(field, other) for text in texts for field, ids in orjson.loads(text).items() for other in ids}
    return lost_at(connection, directory_id, links)


@lru_cache(maxsize=1024)
def _change_between(before: str, after: str) -> Change:
    had: dict[str, int] = orjson.loads(before)
    names = {number: name for name, number in orjson.loads(after).items()}
    renamed = {name: names.get(number) for name, number in had.items()}  # None where the field was deleted
    added = "".join([f',"{name}":null' for number, name in names.items() if number not in had.values()]) + "}"

    def append(data: str) -> str:
        return data[:-1] + added

    def rewrite(data: str) -> str:
        start, values = _values_at_end(data, had)
        kept = {renamed.get(name, name): value for name, value in values.items()}
        kept.pop(None, None)
        members = filter(None, [data[1:start], orjson.dumps(kept).decode()[1:-1]])
        return append(f"{{{','.join(members)}}}")

    return append if all(name == new for name, new in renamed.items()) else rewrite


def _values_at_end(data: str, names: Mapping[str, int]) -> tuple[int, dict[str, Any]]:
    """Return the values of the custom fields, and where they begin; all fields and 0 where that is not sure.

    They stand at the end of the text, of which to read the rest takes longer. A name is also found inside the object
    that another field holds, but what follows it there is no JSON.
    """
    start = max(0, min([data.rfind(f',"{name}":') for name in names]))
    try:
        values: dict[str, Any] = orjson.loads(f"{{{data[start + 1 :]}")
    except orjson.JSONDecodeError:
        values = {}
    return (start, values) if values.keys() == names.keys() else (0, orjson.loads(data))


def _same(data: str) -> str:
    return data


@lru_cache(maxsize=64)
def _columns(names: tuple[str, ...]) -> Columns:
    return Columns(names)
