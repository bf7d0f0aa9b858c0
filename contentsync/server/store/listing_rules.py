"""The rules of listings: permissions, unique URLs, references and columns."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, ClassVar

import orjson

from ...model import Kind, Values, Violation, dotted
from ...model.urls import url_key
from ..access import Access
from ..service_errors import Forbidden
from .listing_links import LINKS, existing_ids, replace_links
from .record_drafts import RecordDraft
from .record_kinds import managed_organizer, owner_only_violation
from .record_store import RecordStore, json_text
from .sql import Connection, Row
from .tables import listings
from .versions import collection_states, version_as_timestamp
from .words import normalise

IdLookup = Callable[[Connection, str, int, Sequence[int]], set[int]]  # a function like `existing_ids`
OrganizerLookup = Callable[[Connection, int, int], int | None]  # a function like `managed_organizer`

MAX_URL_KEY = 2500  # characters, all of them ASCII

_OWNER_FIELDS = ("is_featured", "head_html")  # of a listing

_BY_URL = "SELECT id FROM listings WHERE directory_id = :directory AND url_key = :url_key"


class ListingRules(RecordStore):
    """The rules of listings. Functions that cache can replace the lookups `existing_ids` and `managed_organizer`."""

    kind: ClassVar = Kind.LISTING
    table: ClassVar = listings
    columns: ClassVar = ("name", "is_active", "is_featured", "starts_at", "ends_at")
    not_in_data: ClassVar = frozenset({"category_id", *LINKS})
    deferred_columns: ClassVar = ("data", "links")

    def __init__(
        self, existing_ids: IdLookup = existing_ids, managed_organizer: OrganizerLookup = managed_organizer
    ) -> None:
        self._existing_ids = existing_ids
        self._managed_organizer = managed_organizer

    def authorise(self, access: Access, row: Row | None) -> None:
        """Raise Forbidden unless the user owns the directory or the listing.

        `row` is None for a new listing: a submitter may create one.
        """
        if not access.is_owner and row is not None and row.user_id != access.user_id:
            raise Forbidden

    def authorise_delete(self, access: Access, row: Row) -> None:
        """Raise Forbidden unless the user owns the directory or the listing."""
        self.authorise(access, row)

    def by_url(self, connection: Connection, directory_id: int, url: str) -> int | None:
        """Return the id of the listing whose URL is equivalent to this one, or None."""
        listing_id: int | None = connection.scalar(_BY_URL, {"directory": directory_id, "url_key": url_column(url)})
        return listing_id

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Link a new listing to the user's organizer; yield violations of slug, URL, references and permissions."""
        directory_id = access.directory.id
        yield from self.assign_key(connection, directory_id, draft)
        # Only an update may name the URL of another listing: a create with this URL returns that listing.
        if draft.row is not None and draft.body.get("url"):
            listing_id = self.by_url(connection, directory_id, draft.body["url"])
            if listing_id not in (None, draft.row.id):
                yield Violation("taken", ("url",), "url is already that of another listing")
        yield from _resolve_references(connection, directory_id, draft, self._existing_ids)
        if draft.row is None or not access.is_owner:
            organizer_id = self._managed_organizer(connection, directory_id, access.user_id)
            if draft.row is None and organizer_id is not None:
                draft.values["organizers"] = list(dict.fromkeys([*draft.values["organizers"], organizer_id]))
            if not access.is_owner:
                yield from _submitter_violations(draft, organizer_id)

    def values(self, row: Row) -> Values:
        """Return the fields of a stored listing, with the ids of linked records."""
        links: Values = orjson.loads(row.links)
        return super().values(row) | links

    def immutable_columns(self, access: Access) -> dict[str, Any]:
        """Return the user who creates the listing, as a column."""
        return {"user_id": access.user_id}

    def to_columns(self, values: Values) -> dict[str, Any]:
        """Return the columns of the fields, of the URL's key, of the links and of the order by name."""
        columns = super().to_columns(values)
        columns["url_key"] = url_column(values["url"]) if values["url"] else None
        columns["links"] = json_text({field: values[field] for field in LINKS})
        columns["sort_name"] = sort_name(values["name"])
        return columns

    def write_links(self, connection: Connection, record_id: int, draft: RecordDraft) -> None:
        """Write the listing's links into the link tables."""
        has_extra = draft.row is not None and _may_have_extra_links(connection, draft.row)
        for field in LINKS:
            stored = None if has_extra else draft.before.get(field, [])  # None: not all are known
            replace_links(connection, field, record_id, draft.values[field], stored)


def _may_have_extra_links(connection: Connection, row: Row) -> bool:
    """Return whether the listing may still have links to deleted records, which its next write removes."""
    state = collection_states(connection, row.directory_id)[Kind.LISTING]
    # `apply_deferred_changes` has advanced the `updated_at` of such a row, but at most to the last deferred change.
    last_change = version_as_timestamp(max(state.fields_version, state.links_version))
    return state.links_version > 0 and row.updated_at <= last_change


def _resolve_references(
    connection: Connection, directory_id: int, draft: RecordDraft, existing_ids: IdLookup
) -> Iterator[Violation]:
    """Set the draft's linked ids, without duplicates and with `category_id`; yield a violation for each unknown id."""
    body, values = draft.body, draft.values
    for field, kind in (("categories", "category"), ("tags", "tag")):
        if field in body:
            existing = existing_ids(connection, field, directory_id, body[field])
            for index, linked_id in enumerate(body[field]):
                if linked_id not in existing:
                    yield _unknown_reference((field, index), linked_id, kind)
            values[field] = list(dict.fromkeys(body[field]))
    if "organizers" in body:
        # Organizers of other directories are ignored (docs/contract.md 4.3.1).
        existing = existing_ids(connection, "organizers", directory_id, body["organizers"])
        values["organizers"] = [id_ for id_ in dict.fromkeys(body["organizers"]) if id_ in existing]
    primary = body.get("category_id")
    if primary is not None:
        if primary not in existing_ids(connection, "categories", directory_id, [primary]):
            yield _unknown_reference(("category_id",), primary, "category")
        values["categories"] = list(dict.fromkeys([*values["categories"], primary]))


def _unknown_reference(loc: tuple[str | int, ...], unknown_id: int, kind: str) -> Violation:
    return Violation("unknown-reference", loc, f"{dotted(loc)} {unknown_id} is no {kind} of this directory")


def _submitter_violations(draft: RecordDraft, organizer_id: int | None) -> Iterator[Violation]:
    """Yield a violation for each change of a listing that a submitter may not make (docs/contract.md 19).

    A value that is equal to the stored one is not a change. `organizer_id` is the organizer that the submitter manages,
    or None.
    """
    for name in _OWNER_FIELDS:
        # False, an empty text and null all mean that nothing is set.
        if name in draft.body and (draft.body[name] or None) != (draft.before.get(name) or None):
            yield owner_only_violation(name)
    if organizer_id in draft.before.get("organizers", ()) and organizer_id not in draft.values["organizers"]:
        message = f"organizers must keep {organizer_id}, the organizer that you manage"
        yield Violation("not-allowed", ("organizers",), message)


def url_column(url: str) -> str:
    """Return a text that is equal for equivalent URLs and short enough for PostgreSQL's indexes (2,700 bytes)."""
    key = url_key(url)
    return key if len(key) <= MAX_URL_KEY else f"sha256:{sha256(key.encode()).hexdigest()}"


def sort_name(name: str) -> str:
    """Return the text by which lists are sorted by name."""
    return normalise(name)
