"""Listings that visitors see at the time `now`: featured listings first, then the newest.

`now` is a timestamp in wire form, one per request.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Connection, Row, Select, bindparam, func, or_, select

from ..access import Directory
from .listing_store import LISTINGS
from .statements import Statement
from .tables import listing_categories, listing_organizers, listing_tags, listings

_ADDRESS = (listings.c.slug, listings.c.links, listings.c.updated_at)
_CARD = (listings.c.id, *_ADDRESS, listings.c.data, listings.c.field_ids)
_WHOLE = (*_CARD, listings.c.created_at)
_ORDER = (listings.c.is_featured.desc(), listings.c.id.desc())


class ListingFilter(NamedTuple):
    """The filters of a visitor; a listing must meet all of them."""

    categories: tuple[int, ...] = ()  # ids; a listing must be in one of them; (): no filter
    tag: int | None = None
    organizer: int | None = None
    patterns: tuple[str, ...] = ()  # from `search_patterns`


def find(
    connection: Connection, directory: Directory, now: str, wanted: ListingFilter, *, limit: int, offset: int
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the number of visible listings that meet the filter, and a page of them with id, slug, links and data.

    Only this page's rows leave the database. With a filter, the number is 0 after the last page.
    """
    parameters: dict[str, Any] = {"directory": directory.id, "now": now}
    if any(wanted):  # a filter may read all listings, so one query counts them and finds the page
        query = _filtered(select(listings.c.id, func.count().over()), directory, wanted).order_by(*_ORDER)
        page = connection.execute(query.limit(limit).offset(offset), parameters).all()
        total = page[0][1] if page else 0
        rows = _BY_IDS.all(connection, {"ids": [listing_id for listing_id, _ in page]}) if page else []
    else:  # the index alone answers the count and finds the page
        total = count(connection, directory, now)
        rows = _page(directory.expired).all(connection, {**parameters, "limit": limit, "offset": offset})
    return total, LISTINGS.apply_deferred(connection, directory.id, rows)


def count(connection: Connection, directory: Directory, now: str) -> int:
    """Count the visible listings."""
    number: int = _count(directory.expired).scalar(connection, {"directory": directory.id, "now": now})
    return number


def find_by_slug(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """Return the visible listing with the slug, with its timestamps, or None."""
    rows = _one(directory.expired).all(connection, {"directory": directory.id, "now": now, "slug": slug})
    return next(iter(LISTINGS.apply_deferred(connection, directory.id, rows)), None)


def addresses(connection: Connection, directory: Directory, now: str, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return slug, links and updated_at of visible listings, featured listings first, then the newest."""
    parameters = {"directory": directory.id, "now": now, "limit": limit, "offset": offset}
    rows = _addresses(directory.expired).all(connection, parameters)
    return LISTINGS.apply_deferred(connection, directory.id, rows)


_BY_IDS = Statement(select(*_CARD).where(listings.c.id.in_(bindparam("ids", expanding=True))).order_by(*_ORDER))


def _shown(expired: str) -> tuple[ColumnElement[bool], ...]:
    """Return the SQL conditions of a visible listing (docs/contract.md 3, 14): active, started and not hidden.

    `expired` is the directory's setting: "hide" hides expired listings. `model.dates.visibility` has the same rules.
    """
    columns = listings.c
    now: BindParameter[str] = bindparam("now")
    conditions: tuple[ColumnElement[bool], ...] = (
        columns.directory_id == bindparam("directory"),
        columns.is_active,
        or_(columns.starts_at.is_(None), columns.starts_at <= now),
    )
    if expired == "badge":
        return conditions
    return *conditions, or_(columns.ends_at.is_(None), columns.ends_at >= now)


@cache
def _count(expired: str) -> Statement:
    return Statement(select(func.count()).select_from(listings).where(*_shown(expired)))


@cache
def _page(expired: str) -> Statement:
    query = select(*_CARD).where(*_shown(expired)).order_by(*_ORDER)
    return Statement(query.limit(bindparam("limit")).offset(bindparam("offset")))


@cache
def _one(expired: str) -> Statement:
    return Statement(select(*_WHOLE).where(*_shown(expired), listings.c.slug == bindparam("slug")))


@cache
def _addresses(expired: str) -> Statement:
    # The index finds the ids of the page, and only the rows of these ids are read.
    page = select(listings.c.id).where(*_shown(expired)).order_by(*_ORDER)
    page = page.limit(bindparam("limit")).offset(bindparam("offset"))
    return Statement(select(*_ADDRESS).where(listings.c.id.in_(page)).order_by(*_ORDER))


def _filtered(query: Select[Any], directory: Directory, wanted: ListingFilter) -> Select[Any]:
    query = query.where(*_shown(directory.expired))
    if wanted.categories:
        query = query.where(_has_link(listing_categories.c.category_id.in_(wanted.categories), listing_categories))
    if wanted.tag is not None:
        query = query.where(_has_link(listing_tags.c.tag_id == wanted.tag, listing_tags))
    if wanted.organizer is not None:
        query = query.where(_has_link(listing_organizers.c.organizer_id == wanted.organizer, listing_organizers))
    for pattern in wanted.patterns:
        query = query.where(listings.c.words.like(pattern, escape="\\"))
    return query


def _has_link(condition: ColumnElement[bool], table: Any) -> ColumnElement[bool]:
    return listings.c.id.in_(select(table.c.listing_id).where(condition))
