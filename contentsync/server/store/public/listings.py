"""Listings that visitors see: featured ones first, then the newest."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, select

from ...access import Directory
from ..listings import LISTINGS
from ..schema import listing_categories, listing_organizers, listing_tags, listings
from ..statement import Statement
from .shown import listing_shown

_ADDRESS = (listings.c.slug, listings.c.links, listings.c.updated_at)
_CARD = (listings.c.id, *_ADDRESS, listings.c.data, listings.c.field_ids)
_WHOLE = (*_CARD, listings.c.created_at)
_ORDER = (listings.c.is_featured.desc(), listings.c.id.desc())


class Filter(NamedTuple):
    """What a visitor asks for; all of it holds."""

    categories: tuple[int, ...] = ()  # ids, of which a listing has at least one; () asks for none
    tag: int | None = None
    organizer: int | None = None
    patterns: tuple[str, ...] = ()  # as `words.patterns_of` makes them


class Found(NamedTuple):
    """What a visitor's wish comes to: how many, and a page of them, with id, slug, links and data.

    Behind the last page both are empty.
    """

    total: int
    rows: Sequence[Row[Any]]


def find(connection: Connection, directory: Directory, now: str, wanted: Filter, *, limit: int, offset: int) -> Found:
    """The listings that are wanted; only those of the page are brought out of the database."""
    parameters: dict[str, Any] = {"directory": directory.id, "now": now}
    if any(wanted):  # a filter may have to look at all, so it does it once, for their number and for the page
        query = _filtered(select(listings.c.id, func.count().over()), directory, wanted).order_by(*_ORDER)
        page = connection.execute(query.limit(limit).offset(offset), parameters).all()
        total = page[0][1] if page else 0
        rows = _BY_IDS.all(connection, {"ids": [number for number, _ in page]}) if page else []
    else:  # the index has what they are counted by, and leads to a page of them
        total = count(connection, directory, now)
        rows = _page(directory.expired).all(connection, {**parameters, "limit": limit, "offset": offset})
    return Found(total, LISTINGS.up_to_date(connection, directory.id, rows))


def count(connection: Connection, directory: Directory, now: str) -> int:
    """How many there are."""
    number: int = _count(directory.expired).scalar(connection, {"directory": directory.id, "now": now})
    return number


def one(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """The listing with the slug, with its stamps besides."""
    rows = _one(directory.expired).all(connection, {"directory": directory.id, "now": now, "slug": slug})
    return next(iter(LISTINGS.up_to_date(connection, directory.id, rows)), None)


def addresses(connection: Connection, directory: Directory, now: str, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """The slug and updated_at of some."""
    parameters = {"directory": directory.id, "now": now, "limit": limit, "offset": offset}
    return LISTINGS.up_to_date(connection, directory.id, _addresses(directory.expired).all(connection, parameters))


_BY_IDS = Statement(select(*_CARD).where(listings.c.id.in_(bindparam("ids", expanding=True))).order_by(*_ORDER))


def _here(expired: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return listings.c.directory_id == bindparam("directory"), listing_shown(expired)


@cache
def _count(expired: str) -> Statement:
    return Statement(select(func.count()).select_from(listings).where(*_here(expired)))


@cache
def _page(expired: str) -> Statement:
    query = select(*_CARD).where(*_here(expired)).order_by(*_ORDER)
    return Statement(query.limit(bindparam("limit")).offset(bindparam("offset")))


@cache
def _one(expired: str) -> Statement:
    return Statement(select(*_WHOLE).where(*_here(expired), listings.c.slug == bindparam("slug")))


@cache
def _addresses(expired: str) -> Statement:
    # The index leads to the page, and only its rows are looked at.
    page = select(listings.c.id).where(*_here(expired)).order_by(*_ORDER)
    page = page.limit(bindparam("limit")).offset(bindparam("offset"))
    return Statement(select(*_ADDRESS).where(listings.c.id.in_(page)).order_by(*_ORDER))


def _filtered(query: Select[Any], directory: Directory, wanted: Filter) -> Select[Any]:
    query = query.where(*_here(directory.expired))
    if wanted.categories:
        query = query.where(_linked(listing_categories.c.category_id.in_(wanted.categories), listing_categories))
    if wanted.tag is not None:
        query = query.where(_linked(listing_tags.c.tag_id == wanted.tag, listing_tags))
    if wanted.organizer is not None:
        query = query.where(_linked(listing_organizers.c.organizer_id == wanted.organizer, listing_organizers))
    for pattern in wanted.patterns:
        query = query.where(listings.c.words.like(pattern, escape="\\"))
    return query


def _linked(condition: ColumnElement[bool], table: Any) -> ColumnElement[bool]:
    return listings.c.id.in_(select(table.c.listing_id).where(condition))
