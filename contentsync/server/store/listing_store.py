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
from .record_drafts import CreateResult
from .statements import Statement
from .tables import listings
from .versions import CollectionState, version_timestamp

MAX_BULK_VIOLATIONS = 20  # broken rules that are reported of each listing of a bulk create


class ListingStore(ListingRules):
    """Listings: a create with a known URL returns that listing unchanged."""

    def create(
        self, connection: Connection, access: Access, body: Mapping[str, Any], *, new_only: bool = False
    ) -> CreateResult:
        """Create a listing, or return the one with its URL, unchanged (docs/contract.md 4.3.2)."""
        [result] = self.create_many(connection, access, [body])
        if isinstance(result, Invalid):
            raise result
        if new_only and not result.created:
            raise KeyTaken
        return result

    def create_many(self, connection: Connection, access: Access, items: Sequence[Any]) -> list[CreateResult | Invalid]:
        """Return the result of each item; one that fails leaves nothing behind (docs/contract.md 4.3.3)."""
        return ListingBulkCreate(connection, access, MAX_BULK_VIOLATIONS if len(items) > 1 else None).run(items)

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
        """Return the listings from an offset on, which must be below the total, as tuples of `LIST_COLUMNS`."""
        start, skipped = cursors.nearest(connection, directory_id, state, offset)
        parameters = {"directory": directory_id, "start": start, "limit": limit, "skipped": skipped}
        statement = _PAGE_WITH_FIELDS if state.fields_changed else _PAGE
        rows = list(map(tuple, statement.tuples(connection, parameters)))
        cursors.add(directory_id, state, offset + len(rows), rows[-1][0] + 1)
        return _apply_field_changes(connection, directory_id, state, rows) if state.fields_changed else rows


LISTINGS = ListingStore()

LIST_COLUMNS = ("id", "slug", "links", "data", "created_at", "updated_at")
# The list columns of a whole row; access by index takes a fifth of the time of access by name.
list_columns: Callable[[Row[Any]], tuple[Any, ...]] = itemgetter(*map(listings.c.keys().index, LIST_COLUMNS))


def _page(*more: str) -> Statement:
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
    """Apply deferred changes of custom fields to rows with `field_ids`; `EmbeddedRecords` omits deleted links."""
    since = version_timestamp(state.fields_changed)
    field_ids = custom_field_ids(connection, directory_id, Kind.LISTING).text
    updates = {before: data_update(before, field_ids) for before in {row[6] for row in rows if row[5] < since}}
    return [
        (listing_id, slug, links, updates[before](data), created_at, since)
        if updated_at < since
        else (listing_id, slug, links, data, created_at, updated_at)
        for listing_id, slug, links, data, created_at, updated_at, before in rows
    ]
