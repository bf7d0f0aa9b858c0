"""Directories as visitors name them."""

from sqlalchemy import Connection, bindparam, select

from ...access import Directory
from ..accounts import directory_of
from ..memory import remembered
from ..schema import directories
from ..statement import Statement

_BY_DOMAIN = Statement(select(directories).where(directories.c.domain == bindparam("domain")))
_BY_SLUG = Statement(select(directories).where(directories.c.slug == bindparam("slug")))


@remembered
def by_domain(connection: Connection, domain: str) -> Directory | None:
    """The directory whose domain it is, in lower case and without port and trailing dot."""
    row = _BY_DOMAIN.first(connection, {"domain": domain})
    return None if row is None else directory_of(row)


@remembered
def by_slug(connection: Connection, slug: str) -> Directory | None:
    """The directory with the slug."""
    row = _BY_SLUG.first(connection, {"slug": slug})
    return None if row is None else directory_of(row)
