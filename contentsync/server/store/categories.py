"""Categories, in a tree (docs/contract.md 15)."""

from collections.abc import Iterator
from typing import Any, ClassVar

from sqlalchemy import Connection, Row, select, update

from ...model import Kind, Values, Violation
from ..access import Access
from .drafts import Draft
from .links import known, unlink
from .records import Records, touch
from .schema import categories
from .versions import besides


class Categories(Records):
    """Categories: upserted by slug; a parent is of the same directory, and nobody's own child."""

    kind: ClassVar = Kind.CATEGORY
    table: ClassVar = categories
    columns: ClassVar = ("title", "parent_id", "order")
    apart: ClassVar = frozenset({"parent_id"})

    def values(self, row: Row[Any]) -> Values:
        """The fields of a stored category."""
        return super().values(row) | {"parent_id": row.parent_id}

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Hold the tree a tree."""
        yield from self.settle_key(connection, access.directory.id, draft)
        parent = draft.given.get("parent_id")
        if parent is None:
            return
        if parent not in known(connection, "categories", access.directory.id, [parent]):
            yield Violation("unknown-reference", ("parent_id",), f"parent_id {parent} is no category of this directory")
        elif draft.row is not None and draft.row.id in _upwards(connection, parent):
            yield Violation("cycle", ("parent_id",), "parent_id must not be the category itself or one below it")

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Lift the children to the parent, and drop the assignments."""
        if touch(connection, categories, categories.c.parent_id == row.id):
            besides(connection).add(Kind.CATEGORY)
        connection.execute(update(categories).where(categories.c.parent_id == row.id).values(parent_id=row.parent_id))
        unlink(connection, row.directory_id, "categories", row.id)


CATEGORIES = Categories()


def titles(connection: Connection, directory_id: int) -> dict[int, str]:
    """The titles of the directory's categories by id."""
    query = select(categories.c.id, categories.c.title).where(categories.c.directory_id == directory_id)
    return {row.id: row.title for row in connection.execute(query)}


def _upwards(connection: Connection, category_id: int | None) -> Iterator[int]:
    """The category and all above it; the stored tree has no cycles."""
    while category_id is not None:
        yield category_id
        category_id = connection.execute(
            select(categories.c.parent_id).where(categories.c.id == category_id)
        ).scalar_one()
