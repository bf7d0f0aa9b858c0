"""Listings: pages of long lists, and creates of one or many that find a listing by its URL (docs/contract.md 4.3, 14).

A create looks up the data that all its listings need at once, and writes all rows together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from ...model import Invalid, Kind, Values, Violation, key_of_title, validate
from ..access import Access
from ..service_errors import KeyTaken
from .deferred_changes import custom_field_ids, data_update
from .listing_links import LINKS, cached_existing_ids, insert_links
from .listing_rules import ListingRules, url_column
from .page_cursors import PageCursors
from .record_drafts import CreatedRecord, RecordDraft, context_for
from .record_keys import KeyIndex
from .record_kinds import managed_organizer
from .record_store import RecordCondition, default_values
from .search_documents import insert_documents, search_document
from .sql import Columns, Connection, Row
from .tables import listings
from .versions import CollectionState, bump_version, now, version_as_timestamp

MAX_BULK_VIOLATIONS = 20  # the most violations that a bulk create reports of one listing


class ListingStore(ListingRules):
    """Listings: a create with the URL of an existing listing returns that listing unchanged."""

    def create(
        self, connection: Connection, access: Access, body: Mapping[str, Any], *, new_only: bool = False
    ) -> CreatedRecord:
        """Create a listing or return the one with its URL unchanged (docs/contract.md 4.3.2).

        Raise Invalid, and with `new_only` KeyTaken if a listing has the URL.
        """
        [result] = self.create_many(connection, access, [body])
        if isinstance(result, Invalid):
            raise result
        _row, is_new = result
        if new_only and not is_new:
            raise KeyTaken
        return result

    def create_many(
        self, connection: Connection, access: Access, items: Sequence[Any]
    ) -> list[CreatedRecord | Invalid]:
        """Create or find listings; return the result of each. A failed item writes nothing (docs/contract.md 4.3.3)."""
        max_violations = MAX_BULK_VIOLATIONS if len(items) > 1 else None  # None: all
        return ListingBulkCreate(connection, access, max_violations).run(items)

    def page(
        self,
        connection: Connection,
        directory_id: int,
        cursors: PageCursors,
        state: CollectionState,
        *,
        limit: int,
        offset: int,
    ) -> Sequence[tuple[Any, ...]]:
        """Return at most `limit` listings from the offset, which must be below the total, as tuples of LIST_COLUMNS."""
        start, skipped = cursors.nearest(connection, directory_id, state, offset)
        parameters = {"directory": directory_id, "start": start, "limit": limit, "skipped": skipped}
        may_lack_field_changes = state.fields_version > 0
        statement = _PAGE_WITH_FIELDS if may_lack_field_changes else _PAGE
        rows = list(map(tuple, connection.tuples(statement, parameters)))
        last_id = rows[-1][0]
        cursors.add(directory_id, state, offset + len(rows), start=last_id + 1)  # for the next page
        return _apply_field_changes(connection, directory_id, state, rows) if may_lack_field_changes else rows


LISTINGS = ListingStore()

LIST_COLUMNS = ("id", "slug", "links", "data", "created_at", "updated_at")
# Returns the LIST_COLUMNS of a whole row; access by index takes a fifth of the time of access by name.
list_columns: Callable[[Row], tuple[Any, ...]] = itemgetter(*map(listings.columns.index, LIST_COLUMNS))


def _page(*more: str) -> str:
    """Return the statement for a page: LIST_COLUMNS and the columns `more` of at most `limit` listings.

    The parameters `start` (an id) and `skipped` (a count) are the results of `PageCursors.nearest`: the database begins
    at the first listing whose id is not below `start`, and skips `skipped` listings to the first one of the page.
    """
    return (
        f"SELECT {', '.join((*LIST_COLUMNS, *more))} FROM listings"
        " WHERE directory_id = :directory AND id >= :start ORDER BY id LIMIT :limit OFFSET :skipped"
    )


_PAGE, _PAGE_WITH_FIELDS = _page(), _page("field_ids")


def _apply_field_changes(
    connection: Connection, directory_id: int, state: CollectionState, rows: list[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Apply deferred changes of custom fields to rows of `_PAGE_WITH_FIELDS`; return tuples of `LIST_COLUMNS`.

    Only rows that were written before the last change of the fields differ; its time becomes their `updated_at`.
    """
    changed_at = version_as_timestamp(state.fields_version)  # the time of the last change
    field_ids = custom_field_ids(connection, directory_id, Kind.LISTING).text
    old_field_ids = {stored_ids for *_rest, updated_at, stored_ids in rows if updated_at < changed_at}
    updates = {stored_ids: data_update(stored_ids, field_ids) for stored_ids in old_field_ids}
    return [
        (listing_id, slug, links, updates[stored_ids](data), created_at, changed_at)
        if updated_at < changed_at
        else (listing_id, slug, links, data, created_at, updated_at)
        for listing_id, slug, links, data, created_at, updated_at, stored_ids in rows
    ]


IdOrSlug = int | str  # the id of a stored listing, or the slug of a prepared listing, which is not inserted yet


class _ValidItem(NamedTuple):
    """A validated item of the request."""

    values: Values
    slug: str  # from the body, or made from the name
    url_key: str | None


class _BulkKeys(KeyIndex):
    """The slugs of stored listings and of the new listings of this bulk create."""

    def __init__(self) -> None:
        super().__init__(Kind.LISTING, listings)
        self._taken: set[str] = set()  # of the slugs that were looked up or passed to `mark_taken`

    def look_up(self, connection: Connection, directory_id: int, items: Iterable[_ValidItem]) -> None:
        """Query the slugs of the items and mark those of stored listings as taken."""
        slugs = [item.slug for item in items]
        self._taken.update(connection.column(_BY_SLUGS, {"directory": directory_id, "keys": slugs}))

    def mark_taken(self, slug: str) -> None:
        """Mark a slug as taken."""
        self._taken.add(slug)

    def is_taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        """Return whether a stored or new listing has the slug, which must have been looked up."""
        return key in self._taken

    def _similar(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        if key not in self._taken:
            return set()
        return super()._similar(connection, directory_id, key, row_id) | self._taken


class ListingBulkCreate(ListingRules):
    """Listings that are created in one transaction, with the directory locked.

    An item that breaks a rule writes nothing, and the others are created (docs/contract.md 4.3.3). All items are
    validated first. Then the rows of the valid items are written, which cannot fail.
    """

    def __init__(self, connection: Connection, access: Access, max_violations: int | None) -> None:
        """Prepare the creation; `max_violations` limits the reported violations of each item (None: all)."""
        # The lookups are cached, because many listings link to the same records.
        super().__init__(cached_existing_ids(connection), cache(managed_organizer))
        self.max_violations = max_violations
        self._connection = connection
        self._access = access
        self._context = context_for(connection, access.directory, self.kind, max_violations)
        self._blank = default_values(self.kind, self._context)
        self._by_url: dict[str, IdOrSlug] = {}  # stored and prepared listings, by the key of the URL
        self._new: dict[str, Values] = {}  # prepared listings, by slug

    @cached_property
    def keys(self) -> _BulkKeys:
        """Return the slugs of stored listings and of the new listings of this bulk create."""
        return _BulkKeys()

    def run(self, items: Sequence[Any]) -> list[CreatedRecord | Invalid]:
        """Create the listings; return the result of each item, in the same order."""
        validated = [self._validate(item) for item in items]
        self._fill_caches([item for item in validated if isinstance(item, _ValidItem)])
        outcomes = [self._prepare(item) if isinstance(item, _ValidItem) else item for item in validated]
        rows_by_id_or_slug = self._insert_new()
        existing_ids = [outcome for outcome in outcomes if isinstance(outcome, int)]  # others are slugs or errors
        if existing_ids:
            existing = self.rows(
                self._connection, self._access.directory.id, RecordCondition("id IN :ids", {"ids": existing_ids})
            )
            rows_by_id_or_slug |= {row.id: row for row in existing}
        results: list[CreatedRecord | Invalid] = []
        not_yet_returned = set(self._new)
        for outcome in outcomes:
            if isinstance(outcome, Invalid):
                results.append(outcome)
            else:
                was_created = outcome in not_yet_returned  # False for a second item with the same URL
                results.append((rows_by_id_or_slug[outcome], was_created))
                not_yet_returned.discard(outcome)
        return results

    def _validate(self, item: Any) -> _ValidItem | Invalid:
        """Return the validated item, or the error that is its result: it must not stop the other items."""
        if not isinstance(item, dict):
            return Invalid([Violation("not-an-object", (), "the entry must be an object of keys and values")])
        try:
            values = validate(self.kind, item, self._context)
        except Invalid as invalid:
            return invalid
        url = values.get("url")
        slug = values.get("slug") or key_of_title(self.kind, values["name"])
        return _ValidItem(values, slug, url_column(url) if url else None)

    def _fill_caches(self, items: Sequence[_ValidItem]) -> None:
        """Query the URLs, slugs and linked ids of all items at once, for the methods that look up those of one item."""
        directory_id = self._access.directory.id
        urls = {item.url_key for item in items if item.url_key is not None}
        if urls:
            self._by_url |= self._connection.tuples(_BY_URLS, {"directory": directory_id, "keys": [*urls]})
        self.keys.look_up(self._connection, directory_id, items)
        for field in LINKS:
            self._existing_ids(self._connection, field, directory_id, list(_linked_ids(items, field)))  # caches them

    def _prepare(self, item: _ValidItem) -> IdOrSlug | Invalid:
        """Return the id or slug of the listing with the item's URL (docs/contract.md 4.3.2).

        If there is none, prepare a new listing, which has the item's values and is not inserted yet; return its slug.
        """
        if item.url_key in self._by_url:
            return self._by_url[item.url_key]
        draft = RecordDraft(body=item.values, values=self._blank | item.values, before={})
        try:
            self._complete_values(self._connection, self._access, draft)
        except Invalid as invalid:
            return invalid
        slug: str = draft.values["slug"]
        self.keys.mark_taken(slug)
        self._new[slug] = draft.values
        if item.url_key is not None:
            self._by_url[item.url_key] = slug
        return slug

    def _insert_new(self) -> dict[IdOrSlug, Row]:
        """Insert the prepared listings, and return their rows by slug."""
        if not self._new:
            return {}
        directory_id = self._access.directory.id
        created_at = now()
        shared_columns = self.immutable_columns(self._access)
        shared_columns |= {"directory_id": directory_id, "created_at": created_at, "updated_at": created_at}
        # This also counts the custom field values of all new listings together.
        shared_columns |= self._field_columns(self._connection, directory_id, before=[], after=[*self._new.values()])
        values = {slug: _other_values(self.to_columns(new) | shared_columns) for slug, new in self._new.items()}
        ids = self._connection.insert_returning_ids("listings", _OTHER_COLUMNS, [*values.values()], "slug")
        for field in LINKS:
            insert_links(self._connection, field, {ids[slug]: new[field] for slug, new in self._new.items()})
        field_ids = custom_field_ids(self._connection, directory_id, Kind.LISTING).ids
        documents = [
            search_document(directory_id, Kind.LISTING, ids[slug], new, field_ids) for slug, new in self._new.items()
        ]
        insert_documents(self._connection, directory_id, [document for document in documents if document is not None])
        bump_version(self._connection, directory_id, Kind.LISTING, added=len(values))
        rows = _ID_FIRST.rows([(ids[slug], *others) for slug, others in values.items()])
        return dict(zip(values, rows, strict=True))


def _linked_ids(items: Iterable[_ValidItem], field: str) -> set[int]:
    """Return the ids of the records to which the items link."""
    ids = {linked_id for item in items for linked_id in item.values.get(field, ())}
    if field == "categories":
        ids |= {item.values["category_id"] for item in items if item.values.get("category_id")}
    return ids


_BY_URLS = "SELECT url_key, id FROM listings WHERE directory_id = :directory AND url_key IN :keys"
_BY_SLUGS = "SELECT slug FROM listings WHERE directory_id = :directory AND slug IN :keys"

_OTHER_COLUMNS = tuple(name for name in listings.columns if name != "id")
_ID_FIRST = Columns(("id", *_OTHER_COLUMNS))
_other_values = itemgetter(*_OTHER_COLUMNS)
