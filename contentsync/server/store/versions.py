"""What every change of a collection leaves behind: its version, which an ETag stands for, and its size."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, case, insert, select, update

from ...model import Kind
from .memory import MEMORY, Memory, remembered
from .schema import collections
from .statement import Statement


class Collection(NamedTuple):
    """The records of one kind in a directory."""

    total: int
    version: int  # of the last change
    shifted: int  # of the last change that moved records to other places in the list
    fields_changed: int = 0  # of the last change of the custom fields of all records
    links_changed: int = 0  # of the last delete of a record that some were linked to

    def moved(self, moment: int, added: int) -> "Collection":
        """The collection after a change at a moment, in microseconds since 1970."""
        version = max(moment, self.version + 1)  # the clock may stand still, or go back
        shifted = version if added < 0 else self.shifted
        return Collection(self.total + added, version, shifted, self.fields_changed, self.links_changed)


States = Mapping[Kind, Collection]  # of all collections of a directory


def begin(connection: Connection, directory_id: int) -> None:
    """Give a new directory its collections."""
    rows = [{"directory_id": directory_id, "kind": kind.value, "total": 0, "version": 0, "shifted": 0} for kind in Kind]
    connection.execute(insert(collections), rows)


def moved(connection: Connection, directory_id: int, kind: Kind, *, added: int = 0) -> None:
    """Note a change of the collection, and by how many records it grew.

    The caller has kept other writers out of the directory (`Database.write_in`).
    """
    moment = time.time_ns() // 1000
    of_kind = {"directory": directory_id, "of_kind": kind.value}
    memory: Memory | None = connection.info.get(MEMORY)
    if memory is None:
        statement = _REMOVED if added < 0 else _CHANGED
        statement.run(connection, {**of_kind, "moment": moment, "added": added})
        return
    before = states(connection, directory_id)
    after = before[kind].moved(moment, added)
    _MOVED.run(connection, {**of_kind, **after._asdict()})
    if kind in _UNREFERRED:
        memory.keep((_states, directory_id), {**before, kind: after})
    else:
        memory.forget()


def note_deferred(connection: Connection, directory_id: int, kind: Kind, what: str) -> int:
    """Set `fields_changed` or `links_changed` of the collection to a moment after every `updated_at` in it."""
    before = states(connection, directory_id)[kind]
    after = max(time.time_ns() // 1000, before.version + 1, before.fields_changed + 1, before.links_changed + 1)
    parameters = {"directory": directory_id, "of_kind": kind.value, **before._asdict(), what: after}
    _MOVED.run(connection, parameters)
    memory: Memory | None = connection.info.get(MEMORY)
    if memory is not None:
        memory.forget()
    return after


def besides(connection: Connection) -> set[Kind]:
    """The kinds of which a write has changed other records than the one that it is about, since this was cleared."""
    kinds: set[Kind] = connection.info.setdefault(_BESIDES, set())
    return kinds


def _states(connection: Connection, directory_id: int) -> States:
    """The states of all collections of the directory."""
    rows = _STATES.tuples(connection, {"directory": directory_id})
    return {_KINDS[kind]: Collection(*state) for kind, *state in rows}


states = remembered(_states)

_BESIDES = "changed besides"
_UNREFERRED = (Kind.LISTING, Kind.PAGE, Kind.ARTICLE)  # kinds of which nothing is remembered but the state
_KINDS = {kind.value: kind for kind in Kind}  # in which one is found sooner than by a call of the class
_HERE = collections.c.directory_id == bindparam("directory")
_STATES = Statement(select(collections.c.kind, *(collections.c[name] for name in Collection._fields)).where(_HERE))
_OF_KIND = update(collections).where(_HERE, collections.c.kind == bindparam("of_kind"))
# Where the state is known, it is written; elsewhere the database makes it of its own, as `Collection.moved` does.
_MOVED = Statement(_OF_KIND.values({name: bindparam(name) for name in Collection._fields}))
_NEXT = case((collections.c.version < bindparam("moment"), bindparam("moment")), else_=collections.c.version + 1)
_CHANGE = _OF_KIND.values(total=collections.c.total + bindparam("added"), version=_NEXT)
_CHANGED = Statement(_CHANGE)
_REMOVED = Statement(_CHANGE.values(shifted=_NEXT))
