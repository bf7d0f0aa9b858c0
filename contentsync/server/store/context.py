"""What the model must know of a directory to judge an entry, and how an upsert is judged."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from sqlalchemy import Connection, select

from ...model import FIELDABLE, Context, Definition, Invalid, Kind, Values, Violation, check
from ..principal import Directory
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


def judge_upsert(kind: Kind, body: Mapping[str, Any], context: Context, stored: Values) -> Values:
    """The values of a create that finds a record: an update, for which the required fields of a create hold."""
    missing: list[Violation] = []
    try:
        check(kind, body, context)
    except Invalid as invalid:
        missing = [violation for violation in invalid.violations if violation.code == "required"]
    try:
        values = check(kind, body, context, stored=stored)
    except Invalid as invalid:
        raise Invalid(list(dict.fromkeys([*invalid.violations, *missing]))) from invalid
    if missing:
        raise Invalid(missing)
    return values
