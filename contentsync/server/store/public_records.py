"""Articles, organizers and custom pages that visitors see.

Articles are visible at the time `now`, in wire form, one per request. Organizers have no pages if the directory has
disabled them.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, or_, select

from ..access import Directory
from .accounts import NO_DIRECTORY
from .record_kinds import ARTICLES, ORGANIZERS, PAGES
from .statements import Statement
from .tables import article_categories, articles, organizers, pages

UNLISTED = "unlisted"  # the placement of a custom page for readers who know its address

# Active and published; an article without a date is published (docs/contract.md 14).
_SHOWN_ARTICLES = (
    articles.c.directory_id == bindparam("directory"),
    articles.c.active,
    or_(articles.c.published_at.is_(None), articles.c.published_at <= bindparam("now")),
)
_SHOWN_ORGANIZERS = (organizers.c.directory_id == bindparam("directory"), organizers.c.is_active)
_SHOWN_PAGES = (pages.c.directory_id == bindparam("directory"), pages.c.is_published)


def count_articles(connection: Connection, directory: Directory, now: str, category: str | None = None) -> int:
    """Count the visible articles, all or those of a category; its exact name must not contain NUL."""
    statement = _ARTICLE_COUNTS[category is not None]
    number: int = statement.scalar(connection, _of_articles(directory, now, category))
    return number


def has_articles(connection: Connection, directory: Directory, now: str) -> bool:
    """Return whether the directory has a visible article."""
    return _ANY_ARTICLE.first(connection, _of_articles(directory, now)) is not None


def list_articles(
    connection: Connection, directory: Directory, now: str, category: str | None = None, *, limit: int, offset: int
) -> Sequence[Row[Any]]:
    """Return whole rows of visible articles, newest first, all or those of a category."""
    parameters = {**_of_articles(directory, now, category), "limit": limit, "offset": offset}
    rows = _ARTICLE_PAGES[category is not None].all(connection, parameters)
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def find_article(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """Return the visible article with the slug, or None."""
    rows = _ARTICLE_BY_SLUG.all(connection, {**_of_articles(directory, now), "slug": slug})
    return next(iter(ARTICLES.apply_deferred_changes(connection, directory.id, rows)), None)


def list_article_categories(connection: Connection, directory: Directory, now: str, limit: int) -> list[str]:
    """Return the names of the categories of visible articles, in alphabetical order, at most `limit`."""
    return _CATEGORIES_OF_ARTICLES.column(connection, {**_of_articles(directory, now), "limit": limit})


def article_addresses(
    connection: Connection, directory: Directory, now: str, *, limit: int, offset: int
) -> Sequence[Row[Any]]:
    """Return slug, updated_at, translations and seo of visible articles, in the order of ids."""
    rows = _ARTICLE_ADDRESSES.all(connection, {**_of_articles(directory, now), "limit": limit, "offset": offset})
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def _of_articles(directory: Directory, now: str, category: str | None = None) -> dict[str, Any]:
    """Return the parameters of the statements that follow."""
    parameters = {"directory": directory.id, "now": now}
    return parameters if category is None else {**parameters, "category": category}


_IN_CATEGORY = articles.c.id.in_(
    select(article_categories.c.article_id).where(article_categories.c.name == bindparam("category"))
)
_ARTICLE_COUNT = select(func.count()).select_from(articles).where(*_SHOWN_ARTICLES)
_ARTICLE_PAGE = (
    select(articles)
    .where(*_SHOWN_ARTICLES)
    .order_by(*ARTICLES.order_by())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
# By whether they are for the articles of one category.
_ARTICLE_COUNTS = {False: Statement(_ARTICLE_COUNT), True: Statement(_ARTICLE_COUNT.where(_IN_CATEGORY))}
_ARTICLE_PAGES = {False: Statement(_ARTICLE_PAGE), True: Statement(_ARTICLE_PAGE.where(_IN_CATEGORY))}
_ARTICLES_BY_IDS = Statement(
    select(articles).where(*_SHOWN_ARTICLES, articles.c.id.in_(bindparam("ids", expanding=True)))
)
_ANY_ARTICLE = Statement(select(articles.c.id).where(*_SHOWN_ARTICLES).limit(1))
_ARTICLE_BY_SLUG = Statement(select(articles).where(*_SHOWN_ARTICLES, articles.c.slug == bindparam("slug")))
_CATEGORIES_OF_ARTICLES = Statement(
    select(article_categories.c.name)
    .distinct()
    .join(articles, articles.c.id == article_categories.c.article_id)
    .where(*_SHOWN_ARTICLES)
    .order_by(article_categories.c.name)
    .limit(bindparam("limit"))
)
_ARTICLE_ADDRESSES = Statement(
    select(articles.c.slug, articles.c.updated_at, articles.c.translations, articles.c.seo)
    .where(*_SHOWN_ARTICLES)
    .order_by(articles.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def count_organizers(connection: Connection, directory: Directory) -> int:
    """Count the visible organizers; 0 if the directory has no organizer pages."""
    number: int = _ORGANIZER_COUNT.scalar(connection, _of_organizers(directory))
    return number


def has_organizers(connection: Connection, directory: Directory) -> bool:
    """Return whether the directory has a visible organizer."""
    return _ANY_ORGANIZER.first(connection, _of_organizers(directory)) is not None


def list_organizers(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return whole rows of visible organizers, in the directory's order."""
    rows = _ORGANIZER_PAGE.all(connection, {**_of_organizers(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def organizers_by_ids(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row[Any]]:
    """Return whole rows of the visible organizers with these ids, in the directory's order."""
    rows = _ORGANIZERS_BY_IDS.all(connection, {**_of_organizers(directory), "ids": ids}) if ids else []
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def find_organizer(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """Return the visible organizer with the slug, or None."""
    rows = _ORGANIZER_BY_SLUG.all(connection, {**_of_organizers(directory), "slug": slug})
    return next(iter(ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)), None)


def organizer_addresses(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return slug, updated_at and translations of visible organizers, in the order of ids."""
    rows = _ORGANIZER_ADDRESSES.all(connection, {**_of_organizers(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def _of_organizers(directory: Directory) -> dict[str, Any]:
    """Return the directory's id, or NO_DIRECTORY if it has no organizer pages (docs/contract.md 4.4.7)."""
    return {"directory": directory.id if directory.organizers_enabled else NO_DIRECTORY}


_ALL_ORGANIZERS = select(organizers).where(*_SHOWN_ORGANIZERS).order_by(*ORGANIZERS.order_by())
_ORGANIZER_COUNT = Statement(select(func.count()).select_from(organizers).where(*_SHOWN_ORGANIZERS))
_ANY_ORGANIZER = Statement(select(organizers.c.id).where(*_SHOWN_ORGANIZERS).limit(1))
_ORGANIZER_PAGE = Statement(_ALL_ORGANIZERS.limit(bindparam("limit")).offset(bindparam("offset")))
_ORGANIZERS_BY_IDS = Statement(_ALL_ORGANIZERS.where(organizers.c.id.in_(bindparam("ids", expanding=True))))
_ORGANIZER_BY_SLUG = Statement(select(organizers).where(*_SHOWN_ORGANIZERS, organizers.c.slug == bindparam("slug")))
_ORGANIZER_ADDRESSES = Statement(
    select(organizers.c.slug, organizers.c.updated_at, organizers.c.translations)
    .where(*_SHOWN_ORGANIZERS)
    .order_by(organizers.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def pages_in_menus(connection: Connection, directory_id: int) -> Sequence[Row[Any]]:
    """Return the published pages in menus, in order; `is_external` in their data marks links to other sites."""
    return _PAGES_IN_MENUS.all(connection, {"directory": directory_id})


def articles_by_ids(connection: Connection, directory: Directory, now: str, ids: list[int]) -> Sequence[Row[Any]]:
    """Return whole rows of the visible articles with these ids, in any order."""
    rows = _ARTICLES_BY_IDS.all(connection, {**_of_articles(directory, now), "ids": ids}) if ids else []
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def pages_by_ids(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row[Any]]:
    """Return whole rows of the published pages with these ids, in any order."""
    return _PAGES_BY_IDS.all(connection, {"directory": directory.id, "ids": ids}) if ids else []


def find_page(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """Return the published page with the slug, which may be unlisted, or None."""
    return _PAGE_BY_SLUG.first(connection, {"directory": directory.id, "slug": slug})


_PAGES_IN_MENUS = Statement(
    select(pages).where(*_SHOWN_PAGES, pages.c.placement != UNLISTED).order_by(*PAGES.order_by())
)
_PAGES_BY_IDS = Statement(select(pages).where(*_SHOWN_PAGES, pages.c.id.in_(bindparam("ids", expanding=True))))
_PAGE_BY_SLUG = Statement(select(pages).where(*_SHOWN_PAGES, pages.c.slug == bindparam("slug")))
