"""Custom fields; what a change of one does to the records that carry it is noted (`deferred`)."""

from collections.abc import Iterator
from typing import Any, ClassVar

from sqlalchemy import Connection, Row

from ...model import Kind, Violation
from ..access import Access
from .deferred import change_fields
from .drafts import Draft
from .records import Records
from .schema import custom_fields


class CustomFields(Records):
    """Custom fields: upserted by name; every record that may carry one has it, null where it has no value."""

    kind: ClassVar = Kind.CUSTOM_FIELD
    table: ClassVar = custom_fields
    columns: ClassVar = ("fieldable_type", "order")

    def born(self, access: Access) -> dict[str, Any]:
        """No record has a value of a new field."""
        return {"filled": 0}

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Bring the values where the field goes: to a new name with it, away from an old carrier."""
        violations = [*self.settle_key(connection, access.directory.id, draft), *_lost_values(draft)]
        if not violations:
            for kind in _changed_carriers(draft):
                change_fields(connection, access.directory.id, kind)
        yield from violations

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Remove the values."""
        change_fields(connection, row.directory_id, Kind(row.fieldable_type))


CUSTOM_FIELDS = CustomFields()


def _lost_values(draft: Draft) -> Iterator[Violation]:
    """A field that moves to another kind loses its values, so it must not have any.

    A change of type or options asks for nothing: values and field are changed one after the other, and whichever
    came first would wait for the other. A value is judged when it is written.
    """
    row = draft.row
    if row is None or row.fieldable_type == draft.whole["fieldable_type"]:
        return
    if row.filled:
        holders = f"{row.filled} {row.fieldable_type}{' has' if row.filled == 1 else 's have'}"
        message = f"fieldable_type cannot change: {holders} a value of the field"
        yield Violation("values-in-use", ("fieldable_type",), message, "clear these values first")


def _changed_carriers(draft: Draft) -> Iterator[Kind]:
    """The kinds whose records get the field, lose it, or have it under another name."""
    row, carrier = draft.row, draft.whole["fieldable_type"]
    if row is None or (row.fieldable_type, row.name) != (carrier, draft.whole["name"]):
        yield Kind(carrier)
    if row is not None and row.fieldable_type != carrier:
        yield Kind(row.fieldable_type)
