"""Listings that visitors see: featured ones first, then the newest."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, func, select

from ...access import Directory
from ..schema import listing_categories, listing_organizers, listing_tags, listings
from ..statement import Statement
from .shown import listing_shown

_CARD = (listings.c.id, listings.c.slug, listings.c.links, listings.c.data)
_WHOLE = (*_CARD, listings.c.created_at, listings.c.updated_at)
_ORDER = (listings.c.is_featured.desc(), listings.c.id.desc())


class Filter(NamedTuple):
    """What a visitor asks for; all of it holds."""

    categories: tuple[int, ...] = ()  # ids, of which a listing has at least one; () asks for none
    tag: int | None = None
    organizer: int | None = None
    patterns: tuple[str, ...] = ()  # as `words.patterns_of` makes them


class Found(NamedTuple):
    """What a visitor's wish comes to: how many, and by limit and offset some of them, with id, slug, links and data."""

    total: int
    rows: Callable[[int, int], Sequence[Row[Any]]]


def find(connection: Connection, directory: Directory, now: str, wanted: Filter) -> Found:
    """The listings that are wanted; their rows are to be read in the same transaction."""
    parameters: dict[str, Any] = {"directory": directory.id, "now": now}
    if not any(wanted):  # the index has what they are counted by, and leads to a page of them
        page = _page(directory.expired)
        return Found(
            _count(directory.expired).scalar(connection, parameters),
            lambda limit, offset: page.all(connection, {**parameters, "limit": limit, "offset": offset}),
        )
    # A filter may have to look at all, so it does it once, for their number and for the page.
    query = _filtered(select(listings.c.id), directory, wanted).order_by(*_ORDER)
    ids = list(connection.execute(query, parameters).scalars())
    return Found(len(ids), lambda limit, offset: _BY_IDS.all(connection, {"ids": ids[offset : offset + limit]}))


def one(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """The listing with the slug, with its stamps besides."""
    return _one(directory.expired).first(connection, {"directory": directory.id, "now": now, "slug": slug})


def addresses(connection: Connection, directory: Directory, now: str) -> Iterable[Row[Any]]:
    """The slug and updated_at of each, in the order of ids."""
    return _addresses(directory.expired).all(connection, {"directory": directory.id, "now": now})


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
    return Statement(select(listings.c.slug, listings.c.updated_at).where(*_here(expired)).order_by(listings.c.id))


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
