"""What the model must know of a directory to judge an entry."""

from collections.abc import Iterable

import orjson
from sqlalchemy import Connection, select

from ...model import FIELDABLE, Context, Definition, Kind
from ..access import Directory
from .schema import custom_fields


def context_for(connection: Connection, directory: Directory, kind: Kind) -> Context:
    """The directory's languages, and its custom fields for the kind."""
    definitions: dict[Kind, dict[str, Definition]] = {}
    if kind in FIELDABLE:
        columns = custom_fields.c
        query = (
            select(columns.name, columns.data)
            .where(columns.directory_id == directory.id, columns.fieldable_type == kind.value)
            .order_by(columns.order, columns.id)
        )
        definitions[kind] = {row.name: orjson.loads(row.data) for row in connection.execute(query)}
    return Context(locales=directory.locales, custom_fields=definitions)


def extra_fields(context: Context, kind: Kind) -> Iterable[str]:
    """The names of the kind's custom fields."""
    return context.custom_fields.get(kind, {})
