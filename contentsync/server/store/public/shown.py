"""The conditions under which visitors see a record (docs/contract.md 3, 14).

`model.visibility` says the same of one listing. Statements with these conditions have the parameter `now`.
"""

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, or_

from ..schema import articles, listings, organizers, pages

_NOW: BindParameter[str] = bindparam("now")


def listing_shown(expired: str) -> ColumnElement[bool]:
    """Active, begun, and not over where the directory hides what is (`expired` is its setting)."""
    columns = listings.c
    condition = and_(columns.is_active, or_(columns.starts_at.is_(None), columns.starts_at <= _NOW))
    if expired == "badge":
        return condition
    return and_(condition, or_(columns.ends_at.is_(None), columns.ends_at >= _NOW))


def article_shown() -> ColumnElement[bool]:
    """Active, and published by now; one without a date waits for none."""
    return and_(articles.c.active, or_(articles.c.published_at.is_(None), articles.c.published_at <= _NOW))


def organizer_shown() -> ColumnElement[bool]:
    """Active; whether the directory has organizer pages at all, the caller asks."""
    return and_(organizers.c.is_active)


def page_shown() -> ColumnElement[bool]:
    """Published; one that is unlisted too, by its address."""
    return and_(pages.c.is_published)
