"""What the model must know of a directory to judge an entry."""

from collections.abc import Iterable

import orjson
from sqlalchemy import Connection, bindparam, select

from ...model import FIELDABLE, Context, Definition, Kind
from ..access import Directory
from .schema import custom_fields

_FIELDS = custom_fields.c
_DEFINITIONS = (
    select(_FIELDS.name, _FIELDS.data)
    .where(_FIELDS.directory_id == bindparam("directory"), _FIELDS.fieldable_type == bindparam("of_kind"))
    .order_by(_FIELDS.order, _FIELDS.id)
)


def context_for(connection: Connection, directory: Directory, kind: Kind) -> Context:
    """The directory's languages, and its custom fields for the kind."""
    definitions: dict[Kind, dict[str, Definition]] = {}
    if kind in FIELDABLE:
        rows = connection.execute(_DEFINITIONS, {"directory": directory.id, "of_kind": kind.value})
        definitions[kind] = {name: orjson.loads(data) for name, data in rows}
    return Context(locales=directory.locales, custom_fields=definitions)


def extra_fields(context: Context, kind: Kind) -> Iterable[str]:
    """The names of the kind's custom fields."""
    return context.custom_fields.get(kind, {})
