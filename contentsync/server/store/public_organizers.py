"""Organizers that visitors see: the active ones, in the directory's order."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from ..access import Directory
from .accounts import NO_DIRECTORY
from .record_kinds import ORGANIZERS
from .statements import Statement
from .tables import organizers

_SHOWN = (organizers.c.directory_id == bindparam("directory"), organizers.c.is_active)
_ALL = select(organizers).where(*_SHOWN).order_by(*ORGANIZERS.order_by())
_COUNT = Statement(select(func.count()).select_from(organizers).where(*_SHOWN))
_PAGE = Statement(_ALL.limit(bindparam("limit")).offset(bindparam("offset")))
_BY_IDS = Statement(_ALL.where(organizers.c.id.in_(bindparam("ids", expanding=True))))
_BY_SLUG = Statement(select(organizers).where(*_SHOWN, organizers.c.slug == bindparam("slug")))
_ANY = Statement(select(organizers.c.id).where(*_SHOWN).limit(1))
_ADDRESSES = Statement(
    select(organizers.c.slug, organizers.c.updated_at, organizers.c.translations)
    .where(*_SHOWN)
    .order_by(organizers.c.id)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def count(connection: Connection, directory: Directory) -> int:
    """Count the visible organizers; 0 if the directory has no organizer pages."""
    number: int = _COUNT.scalar(connection, _parameters(directory))
    return number


def has_visible(connection: Connection, directory: Directory) -> bool:
    """Return whether the directory has a visible organizer."""
    return _ANY.first(connection, _parameters(directory)) is not None


def page(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return whole rows of visible organizers, in the directory's order."""
    rows = _PAGE.all(connection, {**_parameters(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred(connection, directory.id, rows)


def by_ids(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row[Any]]:
    """Return whole rows of the visible organizers with these ids, in the directory's order."""
    rows = _BY_IDS.all(connection, {**_parameters(directory), "ids": ids}) if ids else []
    return ORGANIZERS.apply_deferred(connection, directory.id, rows)


def find_by_slug(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """Return the visible organizer with the slug, or None."""
    rows = _BY_SLUG.all(connection, {**_parameters(directory), "slug": slug})
    return next(iter(ORGANIZERS.apply_deferred(connection, directory.id, rows)), None)


def addresses(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Return slug, updated_at and translations of visible organizers, in the order of ids."""
    rows = _ADDRESSES.all(connection, {**_parameters(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.apply_deferred(connection, directory.id, rows)


def _parameters(directory: Directory) -> dict[str, Any]:
    """Return the directory's id, or NO_DIRECTORY if it has no organizer pages (docs/contract.md 4.4.7)."""
    return {"directory": directory.id if directory.organizers_enabled else NO_DIRECTORY}
