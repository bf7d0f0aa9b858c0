"""Custom pages that visitors see: the published pages."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from ..access import Directory
from .record_kinds import PAGES
from .statements import Statement
from .tables import pages

UNLISTED = "unlisted"

_SHOWN = (pages.c.directory_id == bindparam("directory"), pages.c.is_published)
_IN_MENUS = Statement(select(pages).where(*_SHOWN, pages.c.placement != UNLISTED).order_by(*PAGES.order_by()))
_BY_SLUG = Statement(select(pages).where(*_SHOWN, pages.c.slug == bindparam("slug")))


def pages_in_menus(connection: Connection, directory_id: int) -> Sequence[Row[Any]]:
    """Return the published pages in menus, in order; `is_external` in their data marks links to other sites."""
    return _IN_MENUS.all(connection, {"directory": directory_id})


def find_by_slug(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """Return the published page with the slug, which may be unlisted, or None."""
    return _BY_SLUG.first(connection, {"directory": directory.id, "slug": slug})
