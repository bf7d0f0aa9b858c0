"""What every change of a collection leaves behind: its version, which an ETag stands for, and its size."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, insert, select, update

from ...model import Kind
from .schema import collections


class Collection(NamedTuple):
    """The records of one kind in a directory."""

    total: int
    version: int  # of the last change
    shifted: int  # of the last change that moved records to other places in the list


def begin(connection: Connection, directory_id: int) -> None:
    """Give a new directory its collections."""
    rows = [{"directory_id": directory_id, "kind": kind.value, "total": 0, "version": 0, "shifted": 0} for kind in Kind]
    connection.execute(insert(collections), rows)


def moved(connection: Connection, directory_id: int, kind: Kind, *, added: int = 0) -> None:
    """Note a change of the collection, and by how many records it grew.

    The caller has kept other writers out of the directory (`Database.write_in`).
    """
    moment = time.time_ns() // 1000
    connection.execute(
        _REMOVED if added < 0 else _CHANGED,
        {"directory": directory_id, "of_kind": kind.value, "moment": moment, "added": added},
    )


def states(connection: Connection, directory_id: int) -> Mapping[Kind, Collection]:
    """The states of all collections of the directory."""
    rows = connection.execute(_STATES, {"directory": directory_id})
    return {Kind(kind): Collection(total, version, shifted) for kind, total, version, shifted in rows}


_HERE = collections.c.directory_id == bindparam("directory")
_STATES = select(collections.c.kind, collections.c.total, collections.c.version, collections.c.shifted).where(_HERE)
_NEXT = case(
    (collections.c.version < bindparam("moment"), bindparam("moment")), else_=collections.c.version + 1
)  # the clock may stand still, or go back
_CHANGED = (
    update(collections)
    .where(_HERE, collections.c.kind == bindparam("of_kind"))
    .values(total=collections.c.total + bindparam("added"), version=_NEXT)
)
_REMOVED = _CHANGED.values(shifted=_NEXT)
