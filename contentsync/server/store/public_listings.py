"""Listings that visitors see at the time `now`: current listings before expired ones, then in the order of a `Sort`.

`now` is a timestamp in wire form, one per request.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Connection, Row, Select, bindparam, case, func, or_, select

from ..access import Directory
from .field_conditions import FieldChoice, has_value
from .listing_rules import like_pattern
from .listing_store import LISTINGS
from .statements import Statement
from .tables import listing_categories, listing_organizers, listing_tags, listings

_ADDRESS = (listings.c.slug, listings.c.links, listings.c.updated_at)
_CARD = (listings.c.id, *_ADDRESS, listings.c.data, listings.c.field_ids)
_WHOLE = (*_CARD, listings.c.created_at)
_NOW: BindParameter[str] = bindparam("now")
_FEATURED_FIRST = (listings.c.is_featured.desc(), listings.c.id.desc())
_IS_CURRENT = or_(listings.c.ends_at.is_(None), listings.c.ends_at >= _NOW)
_EXPIRED_LAST = case((listings.c.ends_at < _NOW, 1), else_=0)


class Sort(StrEnum):
    """The orders of lists."""

    FEATURED = "featured"  # featured listings first, then the newest
    NEWEST = "newest"
    NAME = "name"


_ORDERS: Mapping[Sort, Sequence[ColumnElement[Any]]] = {
    Sort.FEATURED: _FEATURED_FIRST,
    Sort.NEWEST: (listings.c.id.desc(),),
    Sort.NAME: (listings.c.words, listings.c.id),  # the search text begins with the name
}


class SearchTerm(NamedTuple):
    """A word of a search: in a listing's name or description, or in the title of one of its categories or tags."""

    word: str  # normalised
    categories: tuple[int, ...] = ()  # ids of categories whose title contains the word
    tags: tuple[int, ...] = ()


class ListingFilter(NamedTuple):
    """The filters of a visitor; a listing must meet all of them."""

    categories: tuple[int, ...] = ()  # ids; a listing must be in one of them; (): no filter
    tag: int | None = None
    organizer: int | None = None
    terms: tuple[SearchTerm, ...] = ()
    fields: tuple[FieldChoice, ...] = ()


def find(
    connection: Connection,
    directory: Directory,
    now: str,
    wanted: ListingFilter,
    sort: Sort = Sort.FEATURED,
    *,
    limit: int,
    offset: int,
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the number of visible listings that meet the filter, and a page of them with id, slug, links and data.

    Only this page's rows leave the database. With a filter or another sort, the number is 0 after the last page.
    """
    has_filter = any(wanted)
    if has_filter or sort is not Sort.FEATURED:
        total, rows = _search(connection, directory, now, wanted, sort, limit=limit, offset=offset)
    else:
        total, rows = _list_all(connection, directory, now, limit=limit, offset=offset)
    return total, LISTINGS.apply_deferred(connection, directory.id, rows)


def _search(
    connection: Connection,
    directory: Directory,
    now: str,
    wanted: ListingFilter,
    sort: Sort,
    *,
    limit: int,
    offset: int,
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the result of `find`, which must still apply deferred changes to the rows.

    One query counts the listings and finds the page. Without a row, it has no count: after the last page, return 0.
    """
    query = _filtered(connection, select(listings.c.id, func.count().over()), directory, wanted)
    query = query.order_by(_EXPIRED_LAST, *_ORDERS[sort]).limit(limit).offset(offset)
    page = connection.execute(query, {"directory": directory.id, "now": now}).all()
    total = page[0][1] if page else 0
    return total, _by_ids(connection, [listing_id for listing_id, _total in page])


def _list_all(
    connection: Connection, directory: Directory, now: str, *, limit: int, offset: int
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the result of `find` without a filter and in the order FEATURED; it must still apply deferred changes.

    The current listings and the expired ones, which follow them, are two queries, so that an index has their order.
    """
    parameters: dict[str, Any] = {"directory": directory.id, "now": now}
    total = count(connection, directory, now)
    rows = [*_current(is_current=True).all(connection, {**parameters, "limit": limit, "offset": offset})]
    if directory.expired == "badge" and len(rows) < min(limit, total - offset):
        current: int = _count("hide").scalar(connection, parameters)  # the number of listings that have not expired
        rest = {"limit": limit - len(rows), "offset": max(0, offset - current)}
        rows += _current(is_current=False).all(connection, {**parameters, **rest})
    return total, rows


def matching_ids(connection: Connection, directory: Directory, now: str, terms: tuple[SearchTerm, ...]) -> set[int]:
    """Return the ids of all visible listings that a search finds."""
    query = _filtered(connection, select(listings.c.id), directory, ListingFilter(terms=terms))
    return {*connection.execute(query, {"directory": directory.id, "now": now}).scalars()}


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


def shown(expired: str) -> tuple[ColumnElement[bool], ...]:
    """Return the SQL conditions of a visible listing (docs/contract.md 3, 14): active and started.

    The parameters are `directory` and `now`. `expired` is the directory's setting: with "badge", expired
    listings are visible too.
    `model.dates.visibility` has the same rules.
    """
    columns = listings.c
    conditions: tuple[ColumnElement[bool], ...] = (
        columns.directory_id == bindparam("directory"),
        columns.is_active,
        or_(columns.starts_at.is_(None), columns.starts_at <= _NOW),
    )
    return conditions if expired == "badge" else (*conditions, _IS_CURRENT)


_BY_IDS = Statement(select(*_CARD).where(listings.c.id.in_(bindparam("ids", expanding=True))))


def _by_ids(connection: Connection, ids: Sequence[int]) -> Sequence[Row[Any]]:
    """Return the listings in the order of the ids."""
    rows = {row.id: row for row in _BY_IDS.all(connection, {"ids": ids})} if ids else {}
    return [rows[listing_id] for listing_id in ids]


@cache
def _count(expired: str) -> Statement:
    return Statement(select(func.count()).select_from(listings).where(*shown(expired)))


@cache
def _current(*, is_current: bool) -> Statement:
    """Return the statement for a page of the listings that have not expired, or of those that have."""
    conditions = shown("hide") if is_current else (*shown("badge"), listings.c.ends_at < _NOW)
    query = select(*_CARD).where(*conditions).order_by(*_FEATURED_FIRST)
    return Statement(query.limit(bindparam("limit")).offset(bindparam("offset")))


@cache
def _one(expired: str) -> Statement:
    return Statement(select(*_WHOLE).where(*shown(expired), listings.c.slug == bindparam("slug")))


@cache
def _addresses(expired: str) -> Statement:
    # The index finds the ids of the page, and only the rows of these ids are read.
    page = select(listings.c.id).where(*shown(expired)).order_by(*_FEATURED_FIRST)
    page = page.limit(bindparam("limit")).offset(bindparam("offset"))
    return Statement(select(*_ADDRESS).where(listings.c.id.in_(page)).order_by(*_FEATURED_FIRST))


def _filtered(connection: Connection, query: Select[Any], directory: Directory, wanted: ListingFilter) -> Select[Any]:
    """Return the query with the conditions of visible listings that meet the whole filter."""
    query = query.where(*shown(directory.expired))
    if wanted.categories:
        query = query.where(_is_in(wanted.categories))
    if wanted.tag is not None:
        query = query.where(_has_tag((wanted.tag,)))
    if wanted.organizer is not None:
        query = query.where(_has_link(listing_organizers.c.organizer_id == wanted.organizer, listing_organizers))
    for term in wanted.terms:
        matches: list[ColumnElement[bool]] = [listings.c.words.like(like_pattern(term.word), escape="\\")]
        if term.categories:
            matches.append(_is_in(term.categories))
        if term.tags:
            matches.append(_has_tag(term.tags))
        query = query.where(or_(*matches))
    for number, choice in enumerate(wanted.fields):
        query = query.where(has_value(connection, choice, number))
    return query


def _is_in(categories: tuple[int, ...]) -> ColumnElement[bool]:
    return _has_link(listing_categories.c.category_id.in_(categories), listing_categories)


def _has_tag(tags: tuple[int, ...]) -> ColumnElement[bool]:
    return _has_link(listing_tags.c.tag_id.in_(tags), listing_tags)


def _has_link(condition: ColumnElement[bool], table: Any) -> ColumnElement[bool]:
    return listings.c.id.in_(select(table.c.listing_id).where(condition))
