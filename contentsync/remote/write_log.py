"""The client's own writes, which keep its lists current without reading them again (docs/decisions/0012).

With each write the service returns the ETags of lists before and after it. The write log links them:

    e0 ──(a page is changed)──► e1 ──(two are created)──► e2        a list with e0, or e1, can be brought to e2
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from ..model import RECORDS, Kind
from .response import Answer
from .wire import id_of, reduce_record

_FASTEST = 1  # level of compression; the records of a bulk create then take a tenth to a third of their memory


class LoggedWrite(NamedTuple):
    """The records of one write, with their JSON compressed: a run may write 100,000 records."""

    ids: tuple[int, ...]
    packed: bytes = b""  # a line for each id; empty for a delete
    # {True} or {False}, whether the written records have `translations`; empty if that does not matter.
    translated: frozenset[bool] = frozenset()

    @classmethod
    def of(cls, kind: Kind, records: Iterable[Mapping[str, Any]]) -> "LoggedWrite":
        """Return the write of these records, as the service returned them; leave out those without an id."""
        written = {
            identity: reduce_record(kind, record) for record in records if (identity := id_of(record)) is not None
        }
        translated = frozenset("translations" in record for record in written.values())
        packed = zlib.compress(b"\n".join(map(orjson.dumps, written.values())), _FASTEST)
        return cls((*written,), packed, translated if RECORDS[kind].translated else frozenset())

    def lines(self) -> list[bytes]:
        """Return the JSON of each record; nothing for a delete."""
        return zlib.decompress(self.packed).split(b"\n") if self.packed else []


@dataclass(frozen=True, slots=True)
class ListDelta:
    """The changes of a list by one or more writes, and its ETag after them."""

    etag: str
    writes: tuple[LoggedWrite, ...] = ()  # in their order

    @property
    def ids(self) -> set[int]:
        """The ids of the changed and deleted records."""
        return {identity for write in self.writes for identity in write.ids}

    def lines(self) -> Iterator[bytes]:
        """Yield the JSON of each changed record that was not deleted, as written last."""
        last = {identity: write for write in self.writes for identity in write.ids}
        for write in self.writes:
            for identity, line in zip(write.ids, write.lines(), strict=False):  # a delete has no lines
                if last[identity] is write:
                    yield line


class WriteLog:
    """The writes of a client, linked by the ETags of each list before and after them."""

    def __init__(self) -> None:
        self._writes: dict[Kind, dict[str, ListDelta]] = {kind: {} for kind in Kind}  # by the list's ETag before

    def record_write(self, kind: Kind, answer: Answer, records: Iterable[Mapping[str, Any]]) -> None:
        """Add a write to the log; `records` are the written records as the service returned them."""
        self._add(answer, kind, LoggedWrite.of(kind, records))

    def record_delete(self, kind: Kind, answer: Answer, identity: int) -> None:
        """Add the delete of the record with the id to the log."""
        self._add(answer, kind, LoggedWrite((identity,)))

    def changes_since(self, kind: Kind, etag: str, translated: bool) -> ListDelta:
        """Return the changes of the kind's list since it had the ETag, as far as they are this client's writes.

        The delta ends before the first write of another client. It also ends before a write whose records have
        translations if the list was read without them, or the reverse; `translated` says how the list was read.
        """
        deltas = dict(self._writes[kind])
        writes: list[LoggedWrite] = []
        while delta := deltas.pop(etag.removeprefix("W/"), None):  # each one once, so that a repeated ETag ends it
            if not all(write.translated <= {translated} for write in delta.writes):
                break
            etag = delta.etag
            writes += delta.writes
        return ListDelta(etag, (*writes,))

    def _add(self, answer: Answer, written_kind: Kind, write: LoggedWrite) -> None:
        """Add the write to each list whose ETag it changed; only the list of `written_kind` has the records."""
        for kind in Kind:
            before, after = answer.list_etags.get(kind.collection, ("", ""))
            if before != after:
                self._writes[kind][before] = ListDelta(after, (write,) if kind is written_kind else ())
