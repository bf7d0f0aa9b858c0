"""Custom pages that visitors see."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from ...access import Directory
from ..pages import PAGES
from ..schema import pages
from ..statement import Statement
from .shown import page_shown

UNLISTED = "unlisted"

_HERE = (pages.c.directory_id == bindparam("directory"), page_shown())
_ALL = select(pages).where(*_HERE).order_by(*PAGES.sorting())
_PLACED = Statement(_ALL.where(pages.c.placement != UNLISTED))
_ONE = Statement(select(pages).where(*_HERE, pages.c.slug == bindparam("slug")))


def placed(connection: Connection, directory_id: int) -> Sequence[Row[Any]]:
    """The pages that a menu shows, in order: those that are not unlisted, links to other sites among them."""
    return _PLACED.all(connection, {"directory": directory_id})


def one(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """The page with the slug, unlisted or not."""
    return _ONE.first(connection, {"directory": directory.id, "slug": slug})


def addresses(connection: Connection, directory: Directory) -> Iterable[Row[Any]]:
    """The rows of pages that others may find: not those that are unlisted; their data says which are links."""
    return placed(connection, directory.id)
