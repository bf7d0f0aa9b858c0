"""The former slugs of records whose addresses have moved, so that a site can redirect readers (docs/server.md)."""

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, insert, select, update

from ...model import Kind
from .statements import Statement
from .tables import articles, categories, listings, moved_addresses, organizers, pages
from .versions import now

MAX_FORMER_SLUGS = 100  # of one address; the oldest ones are forgotten

_MOVED = moved_addresses.c
# The tables of the kinds whose records have pages.
_TABLES = {
    Kind.LISTING: listings,
    Kind.CATEGORY: categories,
    Kind.ORGANIZER: organizers,
    Kind.PAGE: pages,
    Kind.ARTICLE: articles,
}


def record_move(connection: Connection, directory_id: int, kind: Kind, old: str, new: str) -> None:
    """Record that the record with the slug `old` now has the slug `new`. Kinds without pages are ignored.

    All former slugs of `old` lead to `new` afterwards, so there are no chains. `new` leads nowhere any more, so there
    are no loops, also if a record gets its old slug back.
    """
    if kind not in _TABLES or old == new:
        return
    of_kind = {"directory": directory_id, "of_kind": kind.value}
    for slug in (new, old):  # `old` has a row only if it was the former slug of another record
        _FORGET.run(connection, {**of_kind, "old": slug})
    _COLLAPSE.run(connection, {**of_kind, "old": old, "new": new})
    _INSERT.run(connection, {**of_kind, "old": old, "new": new, "moment": now()})
    _TRIM.run(connection, {**of_kind, "new": new})


def forget_moves(connection: Connection, directory_id: int, kind: Kind, slug: str) -> None:
    """Forget that the slug of a deleted record was the slug of another record before.

    The former slugs of the deleted record stay: they lead to the record that next has its slug, such as after an undo.
    """
    if kind in _TABLES:
        _FORGET.run(connection, {"directory": directory_id, "of_kind": kind.value, "old": slug})


def find_moved_slug(connection: Connection, directory_id: int, kind: Kind, slug: str) -> str | None:
    """Return the slug to which a slug has moved; None if it has not, or if a record has the slug now."""
    moved_to: str | None = _FIND[kind].scalar(
        connection, {"directory": directory_id, "of_kind": kind.value, "old": slug}
    )
    return moved_to


_OF_KIND = (_MOVED.directory_id == bindparam("directory"), _MOVED.kind == bindparam("of_kind"))
_FORMER_OF_NEW = (*_OF_KIND, _MOVED.moved_to == bindparam("new"))
_FORGET = Statement(delete(moved_addresses).where(*_OF_KIND, _MOVED.slug == bindparam("old")))
_COLLAPSE = Statement(
    update(moved_addresses).where(*_OF_KIND, _MOVED.moved_to == bindparam("old")).values(moved_to=bindparam("new"))
)
_INSERT = Statement(
    insert(moved_addresses).values(
        directory_id=bindparam("directory"),
        kind=bindparam("of_kind"),
        slug=bindparam("old"),
        moved_to=bindparam("new"),
        moved_at=bindparam("moment"),
    )
)
_NEWEST = (
    select(_MOVED.slug).where(*_FORMER_OF_NEW).order_by(_MOVED.moved_at.desc(), _MOVED.slug).limit(MAX_FORMER_SLUGS)
)
_TRIM = Statement(delete(moved_addresses).where(*_FORMER_OF_NEW, _MOVED.slug.not_in(_NEWEST)))


def _is_live(kind: Kind) -> ColumnElement[bool]:
    table = _TABLES[kind]
    return exists(
        select(table.c.id).where(table.c.directory_id == bindparam("directory"), table.c.slug == bindparam("old"))
    )


_FIND = {
    kind: Statement(select(_MOVED.moved_to).where(*_OF_KIND, _MOVED.slug == bindparam("old"), ~_is_live(kind)))
    for kind in _TABLES
}
