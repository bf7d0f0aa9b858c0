"""Timestamps, and the version and size of each collection, from which the ETags of lists are made."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from ...model import Kind
from ...model.scalar import instant_text, parse_instant
from .caching import STATEMENT_CACHE, StatementCache, cached_until_commit
from .sql import Connection

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> str:
    """Return the current time in wire form."""
    return instant_text(datetime.now(UTC))


def later_timestamp(than: str) -> str:
    """Return the current time or, if the clock is not later than `than`, one microsecond after `than`."""
    current = now()
    return current if current > than else instant_text(parse_instant(than, UTC) + timedelta(microseconds=1))


@lru_cache(maxsize=4096)
def version_as_timestamp(version: int) -> str:
    """Return a version, which is a time in microseconds since 1970, in wire form; "" for 0, which sorts before all."""
    return instant_text(_EPOCH + timedelta(microseconds=version)) if version else ""


class CollectionState(NamedTuple):
    """The size and versions of one collection. Versions are microseconds since 1970 and strictly increasing."""

    total: int
    version: int  # of the last change
    deleted_at_version: int  # of the last delete, which moves the records behind it to other pages
    fields_version: int = 0  # of the last change of the custom fields of all records
    links_version: int = 0  # of the last delete of a record to which listings had links

    def after_change(self, moment: int, added: int) -> "CollectionState":
        """Return the state after a change at `moment` (microseconds) that added `added` records (-1: a delete)."""
        version = max(moment, self.version + 1)  # the clock may stand still or go back
        deleted_at_version = version if added < 0 else self.deleted_at_version
        return CollectionState(self.total + added, version, deleted_at_version, self.fields_version, self.links_version)


CollectionStates = Mapping[Kind, CollectionState]  # of all collections of a directory


def create_collections(connection: Connection, directory_id: int) -> None:
    """Insert the empty collections of a new directory."""
    columns = ("directory_id", "kind", "total", "version", "shifted")
    connection.insert_many("collections", columns, [(directory_id, kind.value, 0, 0, 0) for kind in Kind])


def bump_version(connection: Connection, directory_id: int, kind: Kind, *, added: int = 0) -> None:
    """Record a change of the collection that added `added` records (-1: a delete).

    The caller must have locked the directory against other writers (`Database.write_in_directory`).
    """
    moment = time.time_ns() // 1000  # microseconds
    collection = {"directory": directory_id, "of_kind": kind.value}
    cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
    if cache is None:  # PostgreSQL, which computes the new state itself
        statement = _BUMP_VERSION_AND_DELETED_AT if added < 0 else _BUMP_VERSION
        connection.run(statement, {**collection, "moment": moment, "added": added})
        return
    before = collection_states(connection, directory_id)
    after = before[kind].after_change(moment, added)
    connection.run(_SET_STATE, {**collection, **after._asdict()})
    if kind in _KINDS_WITHOUT_CACHED_RECORDS:
        # `collection_states` caches the result of each call of this function under the function and its argument.
        cache.put((_query_collection_states, directory_id), {**before, kind: after})
    else:
        cache.clear()  # it may contain records of this kind


def set_deferred_version(
    connection: Connection, directory_id: int, kind: Kind, field: Literal["fields_version", "links_version"]
) -> int:
    """Record a change that no record contains yet, in `field` of the collection's state; return its version.

    `deferred_changes.apply_deferred_changes` applies it when a record is read, if the record's `updated_at` is before
    the version. So the version, as a time, is later than the `updated_at` of every record, and than all versions.
    """
    before = collection_states(connection, directory_id)[kind]
    version = max(time.time_ns() // 1000, before.version + 1, before.fields_version + 1, before.links_version + 1)
    parameters = {"directory": directory_id, "of_kind": kind.value, **before._asdict(), field: version}
    connection.run(_SET_STATE, parameters)
    cache: StatementCache | None = connection.info.get(STATEMENT_CACHE)
    if cache is not None:
        cache.clear()  # it may contain this state, and records of this kind
    return version


def also_changed_kinds(connection: Connection) -> set[Kind]:
    """Return the set of kinds of which the write changes more records than the requested one; callers add to it."""
    kinds: set[Kind] = connection.info.setdefault(_ALSO_CHANGED, set())
    return kinds


def _query_collection_states(connection: Connection, directory_id: int) -> CollectionStates:
    """Return the states of all collections of the directory."""
    rows = connection.tuples(_STATES, {"directory": directory_id})
    return {_KINDS[kind]: CollectionState(*state) for kind, *state in rows}


collection_states = cached_until_commit(_query_collection_states)

_ALSO_CHANGED = "contentsync.also_changed"
_KINDS_WITHOUT_CACHED_RECORDS = (Kind.LISTING, Kind.PAGE, Kind.ARTICLE)  # no `cached_until_commit` function reads them
_KINDS = {kind.value: kind for kind in Kind}  # a lookup is faster than a call of the class
# The columns are in the order of the fields of `CollectionState`.
_STATES = (
    "SELECT kind, total, version, shifted, fields_changed, links_changed FROM collections"
    " WHERE directory_id = :directory"
)
# SQLite writes the state that Python computed from the cached one; PostgreSQL computes it as `after_change` does.
_SET_STATE = (
    "UPDATE collections SET total = :total, version = :version, shifted = :deleted_at_version,"
    " fields_changed = :fields_version, links_changed = :links_version"
    " WHERE directory_id = :directory AND kind = :of_kind"
)
_NEXT = "CASE WHEN version < :moment THEN :moment ELSE version + 1 END"
_OF_KIND = "WHERE directory_id = :directory AND kind = :of_kind"
_BUMP_VERSION = f"UPDATE collections SET total = total + :added, version = {_NEXT} {_OF_KIND}"
_BUMP_VERSION_AND_DELETED_AT = (
    f"UPDATE collections SET total = total + :added, version = {_NEXT}, shifted = {_NEXT} {_OF_KIND}"
)
