"""Listings that visitors see at the time `now`: current listings before expired ones, then in the order of a `Sort`.

Of each listing, `related` finds those like it. `now` is a timestamp in wire form, one per request.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple

from ...model import Kind
from ..access import Directory
from .listing_filter import ListingFilter, filter_conditions, text_conditions, whole_condition
from .listing_store import LISTINGS
from .search_documents import key_range, record_id
from .search_expression import all_of
from .search_index import MANY, DocumentSelection, Time, count_keys, keys_by_name, keys_in_tiers, select_keys
from .sql import Connection, Row
from .versions import collection_states

# The bounds of `related`, which looks at the newest listings of the first categories and tags.
MAX_CATEGORIES = 3
MAX_TAGS = 5
MAX_CANDIDATES = 50  # of each category and tag

MAX_FOUND = 1_000  # listings that a text finds: those after them are hardly what its visitor looks for
MAX_COUNTED = 10_000  # listings that a filter by custom fields finds

_ADDRESS = "slug, links, updated_at"
_CARD = f"id, {_ADDRESS}, data, field_ids"
_FEATURED_FIRST = "is_featured DESC, id DESC"
_IS_CURRENT = "(ends_at IS NULL OR ends_at >= :now)"


class Sort(StrEnum):
    """The orders of lists."""

    FEATURED = "featured"  # featured listings first, then the newest
    NEWEST = "newest"
    NAME = "name"


class Total(NamedTuple):
    """The number of listings in a list; with `has_more`, there are more."""

    number: int
    has_more: bool = False


def find(
    connection: Connection,
    directory: Directory,
    now: str,
    wanted: ListingFilter,
    *,
    sort: Sort = Sort.FEATURED,
    total: Total | None = None,
    limit: int,
    offset: int,
) -> tuple[Total, Sequence[Row]]:
    """Return the number of visible listings that meet the filter, and a page of them with id, slug, links and data.

    With a text or a custom field, at most `max_counted` listings are counted and shown. `total` is their number, if it
    is known. A page after the last one has no rows.
    """
    if wanted == ListingFilter() and sort is Sort.FEATURED:
        number, rows = _list_all(connection, directory, now, limit=limit, offset=offset)
        return Total(number), LISTINGS.apply_deferred_changes(connection, directory.id, rows)
    selection = selected_listings(connection, directory, now, wanted)
    is_search = bool(wanted.text.words or wanted.fields or wanted.numbers)
    if total is None or not is_search:
        total = _total(connection, selection, max_counted(wanted) if is_search else None)
    if offset >= total.number:
        return total, []
    limit = min(limit, total.number - offset)
    keys = list(islice(_in_order(connection, directory, selection, wanted, sort, offset + limit), offset, None))
    rows = _by_ids(connection, [record_id(key) for key in keys[:limit]])
    return total, LISTINGS.apply_deferred_changes(connection, directory.id, rows)


def max_counted(wanted: ListingFilter) -> int:
    """Return how many listings are counted for a filter with a text or custom fields."""
    return MAX_FOUND if wanted.text.words else MAX_COUNTED


def selected_listings(
    connection: Connection, directory: Directory, now: str, wanted: ListingFilter
) -> DocumentSelection:
    """Return the visible listings that meet the filter."""
    time = Time.ALL if directory.expired == "badge" else Time.CURRENT
    condition = whole_condition(wanted.text, filter_conditions(wanted))
    keys = key_range(directory.id, Kind.LISTING)
    is_large = collection_states(connection, directory.id)[Kind.LISTING].total > MANY
    return DocumentSelection(keys, now, time, condition, wanted.numbers, is_large)


def _total(connection: Connection, selection: DocumentSelection, most: int | None) -> Total:
    number = count_keys(connection, selection, limit=None if most is None else most + 1)
    return Total(number) if most is None or number <= most else Total(most, has_more=True)


def _in_order(
    connection: Connection,
    directory: Directory,
    selection: DocumentSelection,
    wanted: ListingFilter,
    sort: Sort,
    number: int,
) -> Iterator[int]:
    """Yield at least `number` keys of the selection in their order, or all of them: expired listings are the last."""
    tiers = text_conditions(wanted.text)
    for time in (Time.CURRENT,) if directory.expired == "hide" else (Time.CURRENT, Time.EXPIRED):
        part = selection._replace(time=time)
        if sort is Sort.NAME:
            found = keys_by_name(connection, part, limit=number)
        elif sort is Sort.NEWEST:
            ranges = [key_range(directory.id, Kind.LISTING, is_featured=each) for each in (True, False)]
            both = [select_keys(connection, part._replace(keys=keys), limit=number) for keys in ranges]
            found = [*merge(*both, key=record_id, reverse=True)]
        elif tiers:
            filters = [*filter_conditions(wanted)]
            found = keys_in_tiers(connection, part, (all_of((*filters, tier)) for tier in tiers), limit=number)
        else:
            found = select_keys(connection, part, limit=number)
        yield from found
        number -= len(found)
        if number <= 0:
            return


def _list_all(
    connection: Connection, directory: Directory, now: str, *, limit: int, offset: int
) -> tuple[int, Sequence[Row]]:
    """Return the number and the rows for `find` without a filter, in the order FEATURED, without deferred changes.

    The current listings and the expired ones, which follow them, are two queries, so that an index has their order.
    """
    parameters: dict[str, Any] = {"directory": directory.id, "now": now}
    total = count(connection, directory, now)
    rows = connection.all(_current(is_current=True), {**parameters, "limit": limit, "offset": offset})
    if directory.expired == "badge" and len(rows) < min(limit, total - offset):
        current: int = connection.scalar(_count("hide"), parameters)  # the number of listings that have not expired
        rest = {"limit": limit - len(rows), "offset": max(0, offset - current)}
        rows += connection.all(_current(is_current=False), {**parameters, **rest})
    return total, rows


_BY_IDS = f"SELECT {_CARD} FROM listings WHERE id IN :ids"


def _by_ids(connection: Connection, ids: Sequence[int]) -> Sequence[Row]:
    """Return the listings in the order of the ids."""
    rows = {row.id: row for row in connection.all(_BY_IDS, {"ids": ids})} if ids else {}
    return [rows[listing_id] for listing_id in ids]


def _current(*, is_current: bool) -> str:
    """Return the statement for a page of the listings that have not expired, or of those that have."""
    condition = shown("hide") if is_current else f"{shown('badge')} AND ends_at < :now"
    return f"SELECT {_CARD} FROM listings WHERE {condition} ORDER BY {_FEATURED_FIRST} LIMIT :limit OFFSET :offset"


def count(connection: Connection, directory: Directory, now: str) -> int:
    """Count the visible listings."""
    number: int = connection.scalar(_count(directory.expired), {"directory": directory.id, "now": now})
    return number


def _count(expired: str) -> str:
    return f"SELECT count(*) FROM listings WHERE {shown(expired)}"


def find_by_slug(connection: Connection, directory: Directory, now: str, slug: str) -> Row | None:
    """Return the visible listing with the slug, with its timestamps, or None."""
    one = f"SELECT {_CARD}, created_at FROM listings WHERE {shown(directory.expired)} AND slug = :slug"
    rows = connection.all(one, {"directory": directory.id, "now": now, "slug": slug})
    return next(iter(LISTINGS.apply_deferred_changes(connection, directory.id, rows)), None)


def addresses(connection: Connection, directory: Directory, now: str, *, limit: int, offset: int) -> Sequence[Row]:
    """Return slug, links and updated_at of visible listings, featured listings first, then the newest."""
    parameters = {"directory": directory.id, "now": now, "limit": limit, "offset": offset}
    # The index finds the ids of the page, and only the rows of these ids are read.
    statement = f"""
SELECT {_ADDRESS} FROM listings WHERE id IN (
    SELECT id FROM listings WHERE {shown(directory.expired)}
    ORDER BY {_FEATURED_FIRST} LIMIT :limit OFFSET :offset
) ORDER BY {_FEATURED_FIRST}"""
    rows = connection.all(statement, parameters)
    return LISTINGS.apply_deferred_changes(connection, directory.id, rows)


def shown(expired: str) -> str:
    """Return the SQL condition of a visible listing (docs/contract.md 3, 14): active and started.

    The parameters are `directory` and `now`. `expired` is the directory's setting: with "badge", expired
    listings are visible too.
    `model.directory_settings.visibility` has the same rules.
    """
    has_started = "directory_id = :directory AND is_active = TRUE AND (starts_at IS NULL OR starts_at <= :now)"
    return has_started if expired == "badge" else f"{has_started} AND {_IS_CURRENT}"


def related(
    connection: Connection,
    directory: Directory,
    now: str,
    listing_id: int,
    categories: Sequence[int],
    tags: Sequence[int],
    *,
    limit: int,
) -> Sequence[Row]:
    """Return visible listings that have not expired and share a category or a tag, those that share most first."""
    some_categories, some_tags = categories[:MAX_CATEGORIES], tags[:MAX_TAGS]
    if not some_categories and not some_tags:
        return []
    parameters: dict[str, Any] = {"directory": directory.id, "now": now, "listing": listing_id, "limit": limit}
    parameters |= {f"category_{index}": id_ for index, id_ in enumerate(some_categories)}
    parameters |= {f"tag_{index}": id_ for index, id_ in enumerate(some_tags)}
    rows = connection.all(_related(len(some_categories), len(some_tags)), parameters)
    return LISTINGS.apply_deferred_changes(connection, directory.id, rows)


def _related(category_count: int, tag_count: int) -> str:
    """Return the statement for these numbers of categories and tags, which are parameters: `category_0`, `tag_0`, ...

    The newest listings of each category and tag are candidates. How often a listing is one is how many it shares.
    """
    newest = "SELECT listing_id FROM {table} WHERE {name}_id = :{name}_{index} ORDER BY listing_id DESC LIMIT {limit}"
    candidates = " UNION ALL ".join(
        f"SELECT * FROM ({newest.format(table=table, name=name, index=index, limit=MAX_CANDIDATES)}) AS {name}_{index}"
        for name, table, number in (
            ("category", "listing_categories", category_count),
            ("tag", "listing_tags", tag_count),
        )
        for index in range(number)
    )
    return f"""
SELECT {_CARD} FROM listings JOIN (
    SELECT listing_id, count(*) AS shared FROM ({candidates}) AS candidates GROUP BY listing_id
) AS sharing ON sharing.listing_id = listings.id
WHERE {shown("hide")} AND id <> :listing
ORDER BY shared DESC, {_FEATURED_FIRST} LIMIT :limit"""
