"""Organizers, and the changes that a submitter may not make (docs/contract.md 4.4, 13, 19)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from sqlalchemy import Connection, Row, bindparam, select

from ...model import Kind, Values, Violation
from ...model.field_types import MAX_INTEGER
from ..access import Access
from ..service_errors import Forbidden
from .accounts import is_member
from .caching import cached
from .listing_links import remove_links_to
from .record_drafts import RecordDraft
from .record_store import RecordStore
from .statements import Statement
from .tables import organizers

IMAGES = {"logo": "logo_url", "cover_image": "cover_image_url"}  # uploaded images, and the fields of their URLs

_OWNER_FIELDS = ("is_featured", "head_html")  # of a listing


class OrganizerStore(RecordStore):
    """Organizers: upserted by slug; a user manages at most one organizer of a directory."""

    kind: ClassVar = Kind.ORGANIZER
    table: ClassVar = organizers
    columns: ClassVar = ("name", "user_id", "order", "is_active")
    json_columns: ClassVar = ("translations",)
    deferred_columns: ClassVar = ("data",)

    def authorise(self, access: Access, row: Row[Any] | None) -> None:
        """Raise Forbidden unless the user owns the directory or manages the organizer; submitters may create one."""
        if not access.is_owner and row is not None and row.user_id != access.user_id:
            raise Forbidden

    def without_echoes(self, access: Access, body: Mapping[str, Any], stored: Values) -> Mapping[str, Any]:
        """Return the body without image URLs that only repeat the address of an uploaded image."""
        echoes = uploaded_image_urls(stored, access.site)
        return {name: value for name, value in body.items() if name not in echoes or value != echoes[name]}

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Set the user of a submitter's organizer; yield violations, or raise Forbidden (docs/contract.md 13)."""
        yield from self.assign_key(connection, access.directory.id, draft)
        if not access.is_owner:
            draft.values["user_id"] = draft.values["user_id"] or access.user_id
            if draft.row is not None and draft.values["slug"] != draft.before["slug"]:
                yield _owner_only_violation("slug")  # the address belongs to the directory
        user_id = draft.values["user_id"]
        if user_id is None or (draft.row is not None and draft.row.user_id == user_id):  # no user, or the same one
            return
        if not access.is_owner and user_id != access.user_id:
            raise Forbidden
        directory_id = access.directory.id
        is_storable = 0 < user_id <= MAX_INTEGER
        if not is_storable or not is_member(connection, directory_id=directory_id, user_id=user_id):
            yield Violation("unknown-reference", ("user_id",), f"user_id {user_id} is no user of this directory")
        elif managed_organizer(connection, directory_id, user_id) is not None:
            yield Violation("taken", ("user_id",), f"user_id {user_id} manages another organizer of this directory")

    def before_delete(self, connection: Connection, row: Row[Any]) -> None:
        """Remove the links of listings to the organizer."""
        remove_links_to(connection, row.directory_id, "organizers", row.id)


ORGANIZERS = OrganizerStore()


def uploaded_image_urls(values: Values, site: str) -> dict[str, str]:
    """Return the URLs of uploaded images by URL field, for the URL fields that are empty (docs/contract.md 16)."""
    return {
        url_field: f"{site}/storage/{quote(values[image])}"
        for image, url_field in IMAGES.items()
        if values[image] and not values[url_field]
    }


_MANAGED = Statement(
    select(organizers.c.id).where(
        organizers.c.directory_id == bindparam("directory"), organizers.c.user_id == bindparam("user")
    )
)


@cached
def managed_organizer(connection: Connection, directory_id: int, user_id: int) -> int | None:
    """Return the id of the organizer that the user manages in the directory, or None."""
    organizer_id: int | None = _MANAGED.scalar(connection, {"directory": directory_id, "user": user_id})
    return organizer_id


def submitter_violations(draft: RecordDraft, organizer_id: int | None) -> Iterator[Violation]:
    """Yield a violation for each change of a listing that a submitter may not make (docs/contract.md 19).

    A value that is equal to the stored one is not a change. `organizer_id` is the organizer that the submitter manages,
    or None.
    """
    for name in _OWNER_FIELDS:
        # False, an empty text and null all mean that nothing is set.
        if name in draft.body and (draft.body[name] or None) != (draft.before.get(name) or None):
            yield _owner_only_violation(name)
    if organizer_id in draft.before.get("organizers", ()) and organizer_id not in draft.values["organizers"]:
        message = f"organizers must keep {organizer_id}, the organizer that you manage"
        yield Violation("not-allowed", ("organizers",), message)


def _owner_only_violation(name: str) -> Violation:
    return Violation("not-allowed", (name,), f"{name} can be changed only by the owner of the directory")
