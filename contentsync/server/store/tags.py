"""Tags (docs/contract.md 15)."""

from typing import Any, ClassVar

from sqlalchemy import Connection, Row

from ...model import Kind
from .links import unlink
from .records import Records
from .schema import tags


class Tags(Records):
    """Tags: upserted by slug."""

    kind: ClassVar = Kind.TAG
    table: ClassVar = tags

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Drop the assignments."""
        unlink(connection, row.directory_id, "tags", row.id)


TAGS = Tags()
