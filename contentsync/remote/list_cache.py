"""Cached lists of the service on disk, and the client's own writes, which keep its lists current (decision 12).

A cached list has a header, a line for each record (`record_lines`), and a footer with the checksum of all before it:

    {"contentsync": "snapshot", "version": 2, "source": "https://... 42", "kind": "tag", "etag": ..., "translated": ...}
    d6c4b7cd9ac6bf9b0fd55b5c {"id": 7, "slug": "open", ...}
    {"records": 1, "sha256": "..."}

With each write the service returns the ETags of lists before and after it. The write log links them:

    e0 ──(a page is changed)──► e1 ──(two are created)──► e2        a list with e0, or e1, can be brought to e2
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from ..file_writes import replacing
from ..model import RECORDS, Kind
from .list_reader import RecordList
from .record_lines import RecordLines, stored_line
from .response import Answer
from .wire import id_of, reduce_record

VERSION = 2
UNREADABLE = (OSError, ValueError, TypeError, KeyError)  # the errors of a cached list that cannot be used
_FASTEST = 1  # level of compression; the records of a bulk create then take a tenth to a third of their memory
_LINES = 1000  # records that are written at once
_BLOCK = 1 << 18  # bytes of records that are read and added to the checksum at once


def read_cached_list(path: Path, source: str, kind: Kind, *, unless: str | None = None) -> RecordList | None:
    """Return the list cached in `path`; None if it is missing, damaged, not from `source` (server and directory).

    Return None also if its ETag is `unless`.
    """
    with suppress(*UNREADABLE), ExitStack() as stack:
        file = stack.enter_context(path.open("rb"))
        header_line = file.readline()
        header = orjson.loads(header_line)
        is_wanted = {**header, **_header(source, kind)} == header  # else one of the keys is missing, or differs
        if is_wanted and header["etag"] != unless:
            lines = RecordLines(file, len(header_line), _count_records(file, header_line))
            stack.pop_all()  # the file stays open
            return RecordList(str(header["etag"]), lines, translated=header["translated"] is True)
    return None


def _count_records(file: BinaryIO, header_line: bytes) -> int:
    """Return the number of records below the header. Raise ValueError if the last line is not the right footer.

    The checksum in the footer is that of the header and the records.
    """
    digest = hashlib.sha256(header_line)
    count = 0
    previous = file.readline()  # may be the footer, so it counts only when another line follows
    while lines := file.readlines(_BLOCK):
        digest.update(b"".join((previous, *lines[:-1])))
        count += len(lines)
        previous = lines[-1]
    if orjson.loads(previous) != _footer(digest.hexdigest(), count):
        raise ValueError("the cached list is not complete")
    return count


def write_cached_list(path: Path, source: str, kind: Kind, record_list: RecordList) -> None:
    """Cache a list that has an ETag. Ignore a write error: the next command then reads the list again."""
    _write_list(path, source, kind, record_list, record_list.lines.stored())


def _write_list(path: Path, source: str, kind: Kind, version: RecordList, lines: Iterable[bytes]) -> None:
    """Replace a cached list by one of this version with these lines. Ignore a write error."""
    header = {**_header(source, kind), "etag": version.etag, "translated": version.translated}
    digest = hashlib.sha256()
    count = 0
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:

            def write(lines: Sequence[bytes]) -> None:
                text = b"".join(lines)
                file.write(text)
                digest.update(text)

            write([orjson.dumps(header), b"\n"])
            iterator = iter(lines)
            while block := [*islice(iterator, _LINES)]:
                write(block)
                count += len(block)
            file.write(orjson.dumps(_footer(digest.hexdigest(), count)))


def _header(source: str, kind: Kind) -> dict[str, Any]:
    return {"contentsync": "snapshot", "version": VERSION, "source": source, "kind": kind}


def _footer(digest: str, count: int) -> dict[str, Any]:
    return {"records": count, "sha256": digest}


class LoggedWrite(NamedTuple):
    """The records of one write, with their JSON compressed: a run may write 100,000 records."""

    ids: tuple[int, ...]
    packed: bytes = b""  # a line for each id; empty for a delete
    # Whether the records have `translations`: {True} if all do, {False} if none does; empty if that does not matter.
    have_translations: frozenset[bool] = frozenset()

    @classmethod
    def of(cls, kind: Kind, records: Iterable[Mapping[str, Any]]) -> "LoggedWrite":
        """Return the write of these records, as the service returned them; leave out those without an id."""
        written = {
            identity: reduce_record(kind, record) for record in records if (identity := id_of(record)) is not None
        }
        packed = zlib.compress(b"\n".join(map(orjson.dumps, written.values())), _FASTEST)
        if not RECORDS[kind].translated:
            return cls((*written,), packed)
        return cls((*written,), packed, frozenset("translations" in record for record in written.values()))

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
            if not all(write.have_translations <= {translated} for write in delta.writes):
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


def apply_deltas(path: Path, source: str, kind: Kind, cached: RecordList, write_log: WriteLog) -> None:
    """Bring the list that was `cached` in `path` up to date with what this client has written."""
    delta = write_log.changes_since(kind, cached.etag or "", cached.translated)
    if delta.etag != (cached.etag or ""):
        lines = chain(cached.lines.stored(without=delta.ids), map(stored_line, delta.lines()))
        _write_list(path, source, kind, replace(cached, etag=delta.etag), lines)
