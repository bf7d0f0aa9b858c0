"""Articles that visitors see: the newest first."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from ...access import Directory
from ..articles import ARTICLES
from ..schema import article_categories, articles
from ..statement import Statement
from .shown import article_shown

_HERE = (articles.c.directory_id == bindparam("directory"), article_shown())
_IN_CATEGORY = articles.c.id.in_(
    select(article_categories.c.article_id).where(article_categories.c.name == bindparam("category"))
)
_ALL = select(articles).where(*_HERE).order_by(*ARTICLES.sorting())
_COUNT = select(func.count()).select_from(articles).where(*_HERE)
_PAGE = _ALL.limit(bindparam("limit")).offset(bindparam("offset"))

_STATEMENTS = {  # by whether a category is asked for
    False: (Statement(_COUNT), Statement(_PAGE)),
    True: (Statement(_COUNT.where(_IN_CATEGORY)), Statement(_PAGE.where(_IN_CATEGORY))),
}
_ONE = Statement(select(articles).where(*_HERE, articles.c.slug == bindparam("slug")))
_CATEGORIES = Statement(
    select(article_categories.c.name)
    .distinct()
    .join(articles, articles.c.id == article_categories.c.article_id)
    .where(*_HERE)
    .order_by(article_categories.c.name)
    .limit(bindparam("limit"))
)
_ANY = Statement(select(articles.c.id).where(*_HERE).limit(1))
_ADDRESSES = Statement(
    select(articles.c.slug, articles.c.updated_at, articles.c.translations, articles.c.seo)
    .where(*_HERE)
    .order_by(articles.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def count(connection: Connection, directory: Directory, now: str, category: str | None = None) -> int:
    """How many there are, in a category by its exact name, which has no NUL, or in all."""
    statement, _ = _STATEMENTS[category is not None]
    number: int = statement.scalar(connection, _parameters(directory, now, category))
    return number


def any_shown(connection: Connection, directory: Directory, now: str) -> bool:
    """Whether there is one."""
    return _ANY.first(connection, _parameters(directory, now)) is not None


def page(
    connection: Connection, directory: Directory, now: str, category: str | None = None, *, limit: int, offset: int
) -> Sequence[Row[Any]]:
    """Some of them, whole."""
    _, statement = _STATEMENTS[category is not None]
    rows = statement.all(connection, {**_parameters(directory, now, category), "limit": limit, "offset": offset})
    return ARTICLES.up_to_date(connection, directory.id, rows)


def newest(connection: Connection, directory: Directory, now: str, limit: int) -> Sequence[Row[Any]]:
    """The newest of them, whole."""
    return page(connection, directory, now, limit=limit, offset=0)


def one(connection: Connection, directory: Directory, now: str, slug: str) -> Row[Any] | None:
    """The article with the slug."""
    rows = _ONE.all(connection, {**_parameters(directory, now), "slug": slug})
    return next(iter(ARTICLES.up_to_date(connection, directory.id, rows)), None)


def categories(connection: Connection, directory: Directory, now: str, limit: int) -> list[str]:
    """The names of categories in which there are some, in alphabetical order."""
    return _CATEGORIES.column(connection, {**_parameters(directory, now), "limit": limit})


def addresses(connection: Connection, directory: Directory, now: str, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """The slug, updated_at, translations and seo of some, in the order of ids."""
    rows = _ADDRESSES.all(connection, {**_parameters(directory, now), "limit": limit, "offset": offset})
    return ARTICLES.up_to_date(connection, directory.id, rows)


def _parameters(directory: Directory, now: str, category: str | None = None) -> dict[str, Any]:
    parameters = {"directory": directory.id, "now": now}
    return parameters if category is None else {**parameters, "category": category}
