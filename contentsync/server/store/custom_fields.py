"""Custom fields, and their values in the records that carry them (resolved.md, custom fields)."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import orjson
from sqlalchemy import Connection, Row, bindparam, select, update

from ...model import Kind, Values, Violation
from ..access import Access
from .clock import later
from .drafts import Draft
from .records import Records, json_text
from .schema import articles, custom_fields, listings, organizers
from .versions import besides

CARRIERS = {Kind.LISTING: listings, Kind.ORGANIZER: organizers, Kind.ARTICLE: articles}


class CustomFields(Records):
    """Custom fields: upserted by name; every record that may carry one has it, null where it has no value."""

    kind: ClassVar = Kind.CUSTOM_FIELD
    table: ClassVar = custom_fields
    columns: ClassVar = ("fieldable_type", "order")

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Bring the values where the field goes: to a new name with it, away from an old carrier."""
        violations = [
            *self.settle_key(connection, access.directory.id, draft),
            *_lost_values(connection, draft),
        ]
        if not violations:
            _bring_values(connection, access.directory.id, draft)
        yield from violations

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Remove the values."""
        _rewrite(connection, row.directory_id, row.fieldable_type, lambda values: _without(values, row.name))


CUSTOM_FIELDS = CustomFields()


def _lost_values(connection: Connection, draft: Draft) -> Iterator[Violation]:
    """A field that moves to another kind loses its values, so it must not have any.

    A change of type or options asks for nothing: values and field are changed one after the other, and whichever
    came first would wait for the other. A value is judged when it is written.
    """
    row = draft.row
    if row is None or row.fieldable_type == draft.whole["fieldable_type"]:
        return
    table = CARRIERS[Kind(row.fieldable_type)]
    query = select(table.c.data).where(table.c.directory_id == row.directory_id)
    held = sum(orjson.loads(data).get(row.name) is not None for data in connection.execute(query).scalars())
    if held:
        holders = f"{held} {row.fieldable_type} has" if held == 1 else f"{held} {row.fieldable_type}s have"
        message = f"fieldable_type cannot change: {holders} a value of the field"
        yield Violation("values-in-use", ("fieldable_type",), message, "clear these values first")


def _bring_values(connection: Connection, directory_id: int, draft: Draft) -> None:
    name, carrier, row = draft.whole["name"], draft.whole["fieldable_type"], draft.row
    if row is not None and row.fieldable_type == carrier:
        if row.name != name:
            _rewrite(connection, directory_id, carrier, lambda values: _renamed(values, row.name, name))
        return
    if row is not None:
        _rewrite(connection, directory_id, row.fieldable_type, lambda values: _without(values, row.name))
    _rewrite(connection, directory_id, carrier, lambda values: {**values, name: None})


def _without(values: Values, name: str) -> Values:
    return {key: value for key, value in values.items() if key != name}


def _renamed(values: Values, old: str, new: str) -> Values:
    return {new if key == old else key: value for key, value in values.items()}


def _rewrite(connection: Connection, directory_id: int, carrier: str, change: Callable[[Values], Values]) -> None:
    """Change the fields of every record of the directory that may carry the field."""
    table = CARRIERS[Kind(carrier)]
    query = select(table.c.id, table.c.data, table.c.updated_at).where(table.c.directory_id == directory_id)
    changes = [
        {"carrier": row.id, "data": json_text(change(orjson.loads(row.data))), "updated_at": later(row.updated_at)}
        for row in connection.execute(query)
    ]
    if changes:
        besides(connection).add(Kind(carrier))
        connection.execute(update(table).where(table.c.id == bindparam("carrier")), changes)
