"""Organizers that visitors see, in the order that they were given."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from ...access import Directory
from ..accounts import NOBODYS
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
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)


def count(connection: Connection, directory: Directory) -> int:
    """How many there are; none where the directory shows none."""
    number: int = _COUNT.scalar(connection, _of(directory))
    return number


def any_shown(connection: Connection, directory: Directory) -> bool:
    """Whether there is one."""
    return _ANY.first(connection, _of(directory)) is not None


def page(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """Some of them, whole."""
    rows = _PAGE.all(connection, {**_of(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.up_to_date(connection, directory.id, rows)


def some(connection: Connection, directory: Directory, ids: list[int]) -> Sequence[Row[Any]]:
    """Those with these ids, whole."""
    rows = _SOME.all(connection, {**_of(directory), "ids": ids}) if ids else []
    return ORGANIZERS.up_to_date(connection, directory.id, rows)


def one(connection: Connection, directory: Directory, slug: str) -> Row[Any] | None:
    """The organizer with the slug."""
    rows = _ONE.all(connection, {**_of(directory), "slug": slug})
    return next(iter(ORGANIZERS.up_to_date(connection, directory.id, rows)), None)


def addresses(connection: Connection, directory: Directory, *, limit: int, offset: int) -> Sequence[Row[Any]]:
    """The slug, updated_at and translations of some, in the order of ids."""
    rows = _ADDRESSES.all(connection, {**_of(directory), "limit": limit, "offset": offset})
    return ORGANIZERS.up_to_date(connection, directory.id, rows)


def _of(directory: Directory) -> dict[str, Any]:
    """The parameter of a directory, which may show none of its organizers (docs/contract.md 4.4.7)."""
    return {"directory": directory.id if directory.organizers_enabled else NOBODYS}
