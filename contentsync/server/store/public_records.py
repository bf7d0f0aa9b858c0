"""Articles, organizers and custom pages that visitors see.

Articles are visible at the time `now`, in wire form, one per request. Organizers have no pages if the directory has
disabled them.
"""

from collections.abc import Sequence
from typing import Any

from ..access import Directory
from .accounts import NO_DIRECTORY
from .record_kinds import ARTICLES, ORGANIZERS, PAGES
from .sql import Connection, Row
from .tables import articles, organizers, pages

UNLISTED = "unlisted"  # the placement of a custom page for readers who know its address

# Active and published; an article without a date is published (docs/contract.md 14).
_SHOWN_ARTICLES = "directory_id = :directory AND active = TRUE AND (published_at IS NULL OR published_at <= :now)"
_SHOWN_ORGANIZERS = "directory_id = :directory AND is_active = TRUE"
_SHOWN_PAGES = "directory_id = :directory AND is_published = TRUE"


def count_articles(connection: Connection, directory: Directory, now: str, category: str | None = None) -> int:
    """Count the visible articles, all or those of a category; its exact name must not contain NUL."""
    statement = f"SELECT count(*) FROM articles WHERE {_SHOWN_ARTICLES}{_in(category)}"
    number: int = connection.scalar(statement, _of_articles(directory, now, category))
    return number


def has_articles(connection: Connection, directory: Directory, now: str) -> bool:
    """Return whether the directory has a visible article."""
    any_article = f"SELECT id FROM articles WHERE {_SHOWN_ARTICLES} LIMIT 1"
    return connection.first(any_article, _of_articles(directory, now)) is not None


def list_articles(
    connection: Connection, directory: Directory, now: str, category: str | None = None, *, limit: int, offset: int
) -> Sequence[Row]:
    """Return whole rows of visible articles, newest first, all or those of a category."""
    parameters = {**_of_articles(directory, now, category), "limit": limit, "offset": offset}
    page = f"{_ALL_ARTICLES}{_in(category)} ORDER BY {ARTICLES.order_by} LIMIT :limit OFFSET :offset"
    rows = connection.all(page, parameters)
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def find_article(connection: Connection, directory: Directory, now: str, slug: str) -> Row | None:
    """Return the visible article with the slug, or None."""
    rows = connection.all(f"{_ALL_ARTICLES} AND slug = :slug", {**_of_articles(directory, now), "slug": slug})
    return next(iter(ARTICLES.apply_deferred_changes(connection, directory.id, rows)), None)


def list_article_categories(connection: Connection, directory: Directory, now: str, limit: int) -> list[str]:
    """Return the names of the categories of visible articles, in alphabetical order, at most `limit`."""
    return connection.column(_CATEGORIES_OF_ARTICLES, {**_of_articles(directory, now), "limit": limit})


def article_addresses(
    connection: Connection, directory: Directory, now: str, *, limit: int, offset: int
) -> Sequence[Row]:
    """Return slug, updated_at, translations and seo of visible articles, in the order of ids."""
    rows = connection.all(_ARTICLE_ADDRESSES, {**_of_articles(directory, now), "limit": limit, "offset": offset})
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def _of_articles(directory: Directory, now: str, category: str | None = None) -> dict[str, Any]:
    """Return the parameters of the statements that follow."""
    parameters = {"directory": directory.id, "now": now}
    return parameters if category is None else {**parameters, "category": category}


def _in(category: str | None) -> str:
    """Return the condition that an article is in the category of the parameters, if there is one."""
    in_category = " AND id IN (SELECT article_id FROM article_categories WHERE name = :category)"
    return "" if category is None else in_category


_ALL_ARTICLES = f"{articles.select} WHERE {_SHOWN_ARTICLES}"
_CATEGORIES_OF_ARTICLES = f"""
SELECT DISTINCT article_categories.name FROM article_categories
JOIN articles ON articles.id = article_categories.article_id
WHERE {_SHOWN_ARTICLES} ORDER BY article_categories.name LIMIT :limit"""
_ARTICLE_ADDRESSES = f"""
SELECT slug, updated_at, translations, seo FROM articles
WHERE {_SHOWN_ARTICLES} ORDER BY id LIMIT :limit OFFSET :offset"""


def count_organizers(connection: Connection, directory: Directory) -> int:
    """Count the visible organizers; 0 if the directory has no organizer pages."""
    statement = f"SELECT count(*) FROM organizers WHERE {_SHOWN_ORGANIZERS}"
    number: int = connection.scalar(statement, _of_organizers(directory))
    return number


def has_organizers(connection: Connection, directory: Directory) -> bool:
    """Return whether the directory has a visible organizer."""
    any_organizer = f"SELECT id FROM organizers WHERE {_SHOWN_ORGANIZERS} LIMIT 1"
    return connection.first(any_organizer, _of_organizers(directory)) is not None


def list_organizers(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row]:
    """Return whole rows of visible organizers, in the directory's order."""
    page = f"{_ALL_ORGANIZERS} ORDER BY {ORGANIZERS.order_by} LIMIT :limit OFFSET :offset"
    rows = connection.all(page, {**_of_organizers(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def organizers_by_ids(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row]:
    """Return whole rows of the visible organizers with these ids, in the directory's order."""
    some = f"{_ALL_ORGANIZERS} AND id IN :ids ORDER BY {ORGANIZERS.order_by}"
    rows = connection.all(some, {**_of_organizers(directory), "ids": ids}) if ids else []
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def find_organizer(connection: Connection, directory: Directory, slug: str) -> Row | None:
    """Return the visible organizer with the slug, or None."""
    rows = connection.all(f"{_ALL_ORGANIZERS} AND slug = :slug", {**_of_organizers(directory), "slug": slug})
    return next(iter(ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)), None)


def organizer_addresses(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row]:
    """Return slug, updated_at and translations of visible organizers, in the order of ids."""
    rows = connection.all(_ORGANIZER_ADDRESSES, {**_of_organizers(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred_changes(connection, directory.id, rows)


def _of_organizers(directory: Directory) -> dict[str, Any]:
    """Return the directory's id, or NO_DIRECTORY if it has no organizer pages (docs/contract.md 4.4.7)."""
    return {"directory": directory.id if directory.organizers_enabled else NO_DIRECTORY}


_ALL_ORGANIZERS = f"{organizers.select} WHERE {_SHOWN_ORGANIZERS}"
_ORGANIZER_ADDRESSES = f"""
SELECT slug, updated_at, translations FROM organizers
WHERE {_SHOWN_ORGANIZERS} ORDER BY id LIMIT :limit OFFSET :offset"""


def pages_in_menus(connection: Connection, directory_id: int) -> Sequence[Row]:
    """Return the published pages in menus, in order; `is_external` in their data marks links to other sites."""
    return connection.all(_PAGES_IN_MENUS, {"directory": directory_id})


def articles_by_ids(connection: Connection, directory: Directory, now: str, ids: list[int]) -> Sequence[Row]:
    """Return whole rows of the visible articles with these ids, in any order."""
    rows = (
        connection.all(f"{_ALL_ARTICLES} AND id IN :ids", {**_of_articles(directory, now), "ids": ids}) if ids else []
    )
    return ARTICLES.apply_deferred_changes(connection, directory.id, rows)


def pages_by_ids(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row]:
    """Return whole rows of the published pages with these ids, in any order."""
    return connection.all(f"{_ALL_PAGES} AND id IN :ids", {"directory": directory.id, "ids": ids}) if ids else []


def find_page(connection: Connection, directory: Directory, slug: str) -> Row | None:
    """Return the published page with the slug, which may be unlisted, or None."""
    return connection.first(f"{_ALL_PAGES} AND slug = :slug", {"directory": directory.id, "slug": slug})


_ALL_PAGES = f"{pages.select} WHERE {_SHOWN_PAGES}"
_PAGES_IN_MENUS = f"{_ALL_PAGES} AND placement <> '{UNLISTED}' ORDER BY {PAGES.order_by}"
