"""Articles that visitors see at the time `now`, the newest first. `now` is in wire form, one per request."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, or_, select

from ..access import Directory
from .record_kinds import ARTICLES
from .statements import Statement
from .tables import article_categories, articles

# Active and published; an article without a date is published (docs/contract.md 14).
_SHOWN = (
    articles.c.directory_id == bindparam("directory"),
    articles.c.active,
    or_(articles.c.published_at.is_(None), articles.c.published_at <= bindparam("now")),
)
_IN_CATEGORY = articles.c.id.in_(
    select(article_categories.c.article_id).where(article_categories.c.name == bindparam("category"))
)
_ALL = select(articles).where(*_SHOWN).order_by(*ARTICLES.order_by())
_COUNT = select(func.count()).select_from(articles).where(*_SHOWN)
_PAGE = _ALL.limit(bindparam("limit")).offset(bindparam("offset"))

# By whether they are for the articles of one category.
_COUNTS = {False: Statement(_COUNT), True: Statement(_COUNT.where(_IN_CATEGORY))}
_PAGES = {False: Statement(_PAGE), True: Statement(_PAGE.where(_IN_CATEGORY))}
_BY_SLUG = Statement(select(articles).where(*_SHOWN, articles.c.slug == bindparam("slug")))
_CATEGORIES = Statement(
    select(article_categories.c.name)
    .distinct()
    .join(articles, articles.c.id == article_categories.c.article_id)
    .where(*_SHOWN)
    .order_by(article_categories.c.name)
    .limit(bindparam("limit"))
)
_ANY = Statement(select(articles.c.id).where(*_SHOWN).limit(1))
_ADDRESSES = Statement(
    select(articles.c.slug, articles.c.updated_at, articles.c.translations, articles.c.seo)
    .where(*_SHOWN)
    .order_by(articles.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def count(connection: Connection, directory: Directory, now: str, category: str | None = None) -> int:
    """Count the visible articles, all or those of a category; its exact name must not contain NUL."""
    number: int = _COUNTS[category is not None].scalar(connection, _parameters(directory, now, category))
    return number


def has_visible(connection: Connection, directory: Directory, now: str) -> bool:
    """Return whether the directory has a visible article."""
    return _ANY.first(connection, _parameters(directory, now)) is not None


def page(
    connection: Connection, directory: Directory, now: str, category: str | None = None, *, limit: int, offset: int
) -> Sequence[Row[Any]]:
    """Return whole rows of visible articles, newest first, all or those of a category."""
    parameters = {**_parameters(directory, now, category), "limit": limit, "offset": offset}
    rows = _PAGES[category is not None].all(connection, parameters)
    return ARTICLES.apply_deferred(connection, directory.id, rows)


def find_by_slug(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """Return the visible article with the slug, or None."""
    rows = _BY_SLUG.all(connection, {**_parameters(directory, now), "slug": slug})
    return next(iter(ARTICLES.apply_deferred(connection, directory.id, rows)), None)


def categories(connection: Connection, directory: Directory, now: str, limit: int) -> list[str]:
    """Return the names of the categories of visible articles, in alphabetical order, at most `limit`."""
    return _CATEGORIES.column(connection, {**_parameters(directory, now), "limit": limit})


def addresses(connection: Connection, directory: Directory, now: str, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return slug, updated_at, translations and seo of visible articles, in the order of ids."""
    rows = _ADDRESSES.all(connection, {**_parameters(directory, now), "limit": limit, "offset": offset})
    return ARTICLES.apply_deferred(connection, directory.id, rows)


def _parameters(directory: Directory, now: str, category: str | None = None) -> dict[str, Any]:
    parameters = {"directory": directory.id, "now": now}
    return parameters if category is None else {**parameters, "category": category}
