"""Organizers that visitors see, in the order that they were given."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from ...access import Directory
from ..organizers import ORGANIZERS
from ..schema import organizers
from ..statement import Statement
from .shown import organizer_shown

_HERE = (organizers.c.directory_id == bindparam("directory"), organizer_shown())
_ALL = select(organizers).where(*_HERE).order_by(*ORGANIZERS.sorting())
_COUNT = Statement(select(func.count()).select_from(organizers).where(*_HERE))
_PAGE = Statement(_ALL.limit(bindparam("limit")).offset(bindparam("offset")))
_SOME = Statement(_ALL.where(organizers.c.id.in_(bindparam("ids", expanding=True))))
_ONE = Statement(select(organizers).where(*_HERE, organizers.c.slug == bindparam("slug")))
_ANY = Statement(select(organizers.c.id).where(*_HERE).limit(1))
_ADDRESSES = Statement(
    select(organizers.c.slug, organizers.c.updated_at, organizers.c.translations)
    .where(*_HERE)
    .order_by(organizers.c.id)
)


def count(connection: Connection, directory: Directory) -> int:
    """How many there are; none where the directory shows none."""
    if not directory.organizers_enabled:
        return 0
    number: int = _COUNT.scalar(connection, {"directory": directory.id})
    return number


def any_shown(connection: Connection, directory: Directory) -> bool:
    """Whether there is one."""
    return directory.organizers_enabled and _ANY.first(connection, {"directory": directory.id}) is not None


def page(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Some of them, whole."""
    if not directory.organizers_enabled:
        return []
    return _PAGE.all(connection, {"directory": directory.id, "limit": limit, "offset": offset})


def some(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row[Any]]:
    """Those with these ids, whole."""
    if not directory.organizers_enabled or not ids:
        return []
    return _SOME.all(connection, {"directory": directory.id, "ids": ids})


def one(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """The organizer with the slug."""
    if not directory.organizers_enabled:
        return None
    return _ONE.first(connection, {"directory": directory.id, "slug": slug})


def addresses(connection: Connection, directory: Directory) -> Iterable[Row[Any]]:
    """The slug, updated_at and translations of each, in the order of ids."""
    return _ADDRESSES.all(connection, {"directory": directory.id}) if directory.organizers_enabled else ()
