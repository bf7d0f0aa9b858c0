"""Listings like another one: those that share most of its categories and tags."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select, union_all

from ..access import Directory
from .listing_store import LISTINGS
from .public_listings import shown
from .statements import Statement
from .tables import listing_categories, listing_tags, listings

# The bounds of the query: it looks at the newest listings of the first categories and tags.
MAX_CATEGORIES = 3
MAX_TAGS = 5
MAX_CANDIDATES = 50  # of each category and tag


def related(
    connection: Connection,
    directory: Directory,
    now: str,
    listing_id: int,
    categories: Sequence[int],
    tags: Sequence[int],
    *,
    limit: int,
) -> Sequence[Row[Any]]:
    """Return visible listings that have not expired and share a category or a tag, those that share most first."""
    some_categories, some_tags = categories[:MAX_CATEGORIES], tags[:MAX_TAGS]
    if not some_categories and not some_tags:
        return []
    parameters: dict[str, Any] = {"directory": directory.id, "now": now, "listing": listing_id, "limit": limit}
    parameters |= {f"category_{index}": id_ for index, id_ in enumerate(some_categories)}
    parameters |= {f"tag_{index}": id_ for index, id_ in enumerate(some_tags)}
    rows = _related(len(some_categories), len(some_tags)).all(connection, parameters)
    return LISTINGS.apply_deferred(connection, directory.id, rows)


@cache
def _related(category_count: int, tag_count: int) -> Statement:
    """Return the statement for these numbers of categories and tags, which are parameters: `category_0`, `tag_0`, ...

    A candidate is one listing of one of them. A listing is a candidate as often as it shares a category or tag.
    """
    candidates = [
        select(table.c.listing_id)
        .where(column == bindparam(f"{name}_{index}"))
        .order_by(table.c.listing_id.desc())
        .limit(MAX_CANDIDATES)
        .subquery()
        for name, table, column, count in (
            ("category", listing_categories, listing_categories.c.category_id, category_count),
            ("tag", listing_tags, listing_tags.c.tag_id, tag_count),
        )
        for index in range(count)
    ]
    every = union_all(*(select(each.c.listing_id) for each in candidates)).subquery()
    shared = select(every.c.listing_id, func.count().label("shared")).group_by(every.c.listing_id).subquery()
    columns = listings.c
    return Statement(
        select(columns.id, columns.slug, columns.links, columns.updated_at, columns.data, columns.field_ids)
        .join(shared, shared.c.listing_id == columns.id)
        .where(*shown("hide"), columns.id != bindparam("listing"))
        .order_by(shared.c.shared.desc(), columns.is_featured.desc(), columns.id.desc())
        .limit(bindparam("limit"))
    )
