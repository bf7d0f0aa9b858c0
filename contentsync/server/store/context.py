"""What the model must know of a directory to judge an entry."""

from collections.abc import Iterable, Mapping

import orjson
from sqlalchemy import Connection, bindparam, select

from ...model import FIELDABLE, Context, Definition, Kind
from ..access import Directory
from .memory import remembered
from .schema import custom_fields
from .statement import Statement

_FIELDS = custom_fields.c
_DEFINITIONS = Statement(
    select(_FIELDS.name, _FIELDS.data)
    .where(_FIELDS.directory_id == bindparam("directory"), _FIELDS.fieldable_type == bindparam("of_kind"))
    .order_by(_FIELDS.order, _FIELDS.id)
)


def context_for(connection: Connection, directory: Directory, kind: Kind, told: int | None = None) -> Context:
    """The directory's languages, and its custom fields for the kind; `told` as in the context."""
    return _context(connection, directory.id, directory.locales, kind, told)


@remembered
def _context(
    connection: Connection, directory_id: int, locales: tuple[str, ...], kind: Kind, told: int | None
) -> Context:
    known = {kind: _definitions(connection, directory_id, kind)} if kind in FIELDABLE else {}
    return Context(locales=locales, custom_fields=known, max_violations=told)


def _definitions(connection: Connection, directory_id: int, kind: Kind) -> Mapping[str, Definition]:
    rows = _DEFINITIONS.tuples(connection, {"directory": directory_id, "of_kind": kind.value})
    return {name: orjson.loads(data) for name, data in rows}


def extra_fields(context: Context, kind: Kind) -> Iterable[str]:
    """The names of the kind's custom fields."""
    return context.custom_fields.get(kind, {})
