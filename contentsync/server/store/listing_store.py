"""Listings: pages of long lists, and creates that find a listing by its URL (docs/contract.md 4.3, 14)."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from ...model import Invalid, Kind
from ..access import Access
from ..service_errors import KeyTaken
from .deferred_changes import custom_field_ids, data_update
from .listing_bulk_create import ListingBulkCreate
from .listing_rules import ListingRules
from .page_cursors import PageCursors
from .record_drafts import CreatedRecord
from .statements import Statement
from .tables import listings
from .versions import CollectionState, version_timestamp

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
        has_field_changes = state.fields_changed > 0
        statement = _PAGE_WITH_FIELDS if has_field_changes else _PAGE
        rows = list(map(tuple, statement.tuples(connection, parameters)))
        cursors.add(directory_id, state, offset + len(rows), rows[-1][0] + 1)  # the next page begins after the last id
        return _apply_field_changes(connection, directory_id, state, rows) if has_field_changes else rows


LISTINGS = ListingStore()

LIST_COLUMNS = ("id", "slug", "links", "data", "created_at", "updated_at")
# Returns the LIST_COLUMNS of a whole row; access by index takes a fifth of the time of access by name.
list_columns: Callable[[Row[Any]], tuple[Any, ...]] = itemgetter(*map(listings.c.keys().index, LIST_COLUMNS))


def _page(*more: str) -> Statement:
    """Return the statement for a page: LIST_COLUMNS and the columns `more` of at most `limit` listings.

    The parameters `start` (an id) and `skipped` (a count) are the results of `PageCursors.nearest`: the database begins
    at the first listing whose id is not below `start`, and skips `skipped` listings to the first one of the page.
    """
    return Statement(
        select(*(listings.c[name] for name in (*LIST_COLUMNS, *more)))
        .where(listings.c.directory_id == bindparam("directory"), listings.c.id >= bindparam("start"))
        .order_by(listings.c.id)
        .limit(bindparam("limit"))
        .offset(bindparam("skipped"))
    )


_PAGE, _PAGE_WITH_FIELDS = _page(), _page("field_ids")


def _apply_field_changes(
    connection: Connection, directory_id: int, state: CollectionState, rows: list[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Apply deferred changes of custom fields to rows of `_PAGE_WITH_FIELDS`; return tuples of `LIST_COLUMNS`.

    Only rows that were written before the last change differ. The time of that change becomes their `updated_at`.
    """
    changed_at = version_timestamp(state.fields_changed)
    field_ids = custom_field_ids(connection, directory_id, Kind.LISTING).text
    old_field_ids = {stored_ids for *_rest, updated_at, stored_ids in rows if updated_at < changed_at}
    updates = {stored_ids: data_update(stored_ids, field_ids) for stored_ids in old_field_ids}
    return [
        (listing_id, slug, links, updates[stored_ids](data), created_at, changed_at)
        if updated_at < changed_at
        else (listing_id, slug, links, data, created_at, updated_at)
        for listing_id, slug, links, data, created_at, updated_at, stored_ids in rows
    ]
