"""Organizers (docs/contract.md 4.4)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from sqlalchemy import Connection, Row, bindparam, select

from ...model import Kind, Values, Violation
from ...model.field_types import MAX_INTEGER
from ..access import Access
from ..errors import Forbidden
from .accounts import is_member
from .drafts import Draft
from .links import unlink
from .memory import remembered
from .records import Records
from .schema import organizers
from .statement import Statement
from .submitters import submitted_organizer

IMAGES = {"logo": "logo_url", "cover_image": "cover_image_url"}  # uploaded, and hosted elsewhere


class Organizers(Records):
    """Organizers: upserted by slug; the user that one is assigned to manages it, and no other of the directory."""

    kind: ClassVar = Kind.ORGANIZER
    table: ClassVar = organizers
    columns: ClassVar = ("name", "user_id", "order", "is_active")
    objects: ClassVar = ("translations",)
    deferrable: ClassVar = ("data",)

    def authorise(self, access: Access, row: Row[Any] | None) -> None:
        """The owner may change every organizer, a submitter makes and edits its own."""
        if not access.is_owner and row is not None and row.user_id != access.user_id:
            raise Forbidden

    def named(self, access: Access, body: Mapping[str, Any], stored: Values) -> Mapping[str, Any]:
        """What the body names; the address that stood in for a missing one is an echo."""
        echoed = image_addresses(stored, access.site)
        return {name: value for name, value in body.items() if name not in echoed or value != echoed[name]}

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Hold the assignment to a user single and inside the directory (docs/contract.md 13)."""
        yield from self.settle_key(connection, access.directory.id, draft)
        if not access.is_owner:
            draft.whole["user_id"] = draft.whole["user_id"] or access.user_id
            yield from submitted_organizer(draft)
        user_id = draft.whole["user_id"]
        if user_id is None or (draft.row is not None and draft.row.user_id == user_id):
            return
        if not access.is_owner and user_id != access.user_id:
            raise Forbidden
        directory_id = access.directory.id
        if not 0 < user_id <= MAX_INTEGER or not is_member(connection, directory_id=directory_id, user_id=user_id):
            yield Violation("unknown-reference", ("user_id",), f"user_id {user_id} is no user of this directory")
        elif managed_by(connection, directory_id, user_id) is not None:
            yield Violation("taken", ("user_id",), f"user_id {user_id} manages another organizer of this directory")

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Drop the links of listings."""
        unlink(connection, row.directory_id, "organizers", row.id)


ORGANIZERS = Organizers()


def image_addresses(values: Values, site: str) -> dict[str, str]:
    """The addresses of uploaded images that have no URL of their own (docs/contract.md 16)."""
    return {
        address: f"{site}/storage/{quote(values[image])}"
        for image, address in IMAGES.items()
        if values[image] and not values[address]
    }


_MANAGED = Statement(
    select(organizers.c.id).where(
        organizers.c.directory_id == bindparam("directory"), organizers.c.user_id == bindparam("user")
    )
)


@remembered
def managed_by(connection: Connection, directory_id: int, user_id: int) -> int | None:
    """The id of the organizer that the user manages in the directory."""
    found: int | None = _MANAGED.scalar(connection, {"directory": directory_id, "user": user_id})
    return found
