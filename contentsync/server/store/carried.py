"""The custom fields that records of a kind carry: their ids by name, and how many records have a value of each."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson
from sqlalchemy import Connection, bindparam, select, update

from ...model import FIELDABLE, Kind, Values
from .memory import remembered
from .schema import custom_fields
from .statement import Statement

_FIELDS = custom_fields.c
_IDS = Statement(
    select(_FIELDS.name, _FIELDS.id)
    .where(_FIELDS.directory_id == bindparam("directory"), _FIELDS.fieldable_type == bindparam("of_kind"))
    .order_by(_FIELDS.order, _FIELDS.id)
)
_FILL = Statement(
    update(custom_fields).where(_FIELDS.id == bindparam("field")).values(filled=_FIELDS.filled + bindparam("more"))
)


class Carried(NamedTuple):
    """The custom fields of a kind in a directory."""

    ids: Mapping[str, int]  # by name
    text: str  # the same as JSON, as a record's row notes what it was written with


NOTHING = Carried({}, "{}")


def carried(connection: Connection, directory_id: int, kind: Kind) -> Carried:
    """Return the custom fields of a kind, in their order."""
    return _carried(connection, directory_id, kind) if kind in FIELDABLE else NOTHING


@remembered
def _carried(connection: Connection, directory_id: int, kind: Kind) -> Carried:
    rows = _IDS.tuples(connection, {"directory": directory_id, "of_kind": kind.value})
    ids: dict[str, int] = dict(map(tuple, rows))
    return Carried(ids, orjson.dumps(ids).decode())


def count_values(connection: Connection, fields: Carried, before: Iterable[Values], after: Iterable[Values]) -> None:
    """Count the values that records gain or lose: a field may only move to another kind while it has none."""
    had, have = list(before), list(after)
    for name, number in fields.ids.items():
        more = _filled(have, name) - _filled(had, name)
        if more:
            _FILL.run(connection, {"field": number, "more": more})


def _filled(records: Iterable[Values], name: str) -> int:
    return sum(values.get(name) is not None for values in records)
