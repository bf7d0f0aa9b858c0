"""Cached lists of the service on disk, and the client's own writes, which keep them current.

A cached list has a header line, one line for each record, and a footer with the checksum of all before it:

    {"contentsync": "snapshot", "version": 1, "source": "https://... 42", "kind": "tag", "etag": ..., "translated": ...}
    {"id": 7, "slug": "open", ...}
    {"records": 1, "sha256": "..."}

With each write the service returns the ETags of lists before and after it. The write log links them:

    e0 ──(a page is changed)──► e1 ──(two are created)──► e2        a list with e0, or e1, can be brought to e2
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from ..model import RECORDS, Kind
from .list_reader import RecordList
from .response import Answer
from .wire import id_of

VERSION = 1
UNREADABLE = (OSError, ValueError, TypeError, KeyError)  # the errors of a cached list that cannot be used
_BLOCK = 1 << 18  # bytes of records that are read and added to the checksum at once
_FIRST_ID = re.compile(rb'\{"id":(\d+),')

ChangedRecords = Mapping[int, bytes | None]  # JSON by id; None for a deleted record


@dataclass(frozen=True, slots=True)
class ListDelta:
    """The changes of a list by one or more writes: its ETag after them, and the changed records."""

    etag: str
    records: ChangedRecords = field(default_factory=dict)
    # Of one write: {True} or {False}, whether the written records have `translations`; empty if that does not matter.
    translated: frozenset[bool] = frozenset()


class WriteLog:
    """The writes of a client, linked by the ETags of each list before and after them."""

    def __init__(self) -> None:
        self._writes: dict[Kind, dict[str, ListDelta]] = {kind: {} for kind in Kind}  # by the list's ETag before

    def record_write(self, kind: Kind, answer: Answer, records: Iterable[Mapping[str, Any]]) -> None:
        """Add a write to the log; `records` are the written records as the service returned them."""
        written = {identity: record for record in records if (identity := id_of(record)) is not None}
        translated = frozenset("translations" in record for record in written.values())
        # Copied, because the result of `dumps` keeps a buffer of several times its length.
        changed = {identity: bytes(memoryview(orjson.dumps(record))) for identity, record in written.items()}
        self._add(answer, kind, changed, translated if RECORDS[kind].translated else frozenset())

    def record_delete(self, kind: Kind, answer: Answer, identity: int) -> None:
        """Add the delete of the record with the id to the log."""
        self._add(answer, kind, {identity: None}, frozenset())

    def changes_since(self, kind: Kind, etag: str, translated: bool) -> ListDelta:
        """Return the changes of the kind's list since it had the ETag, as far as they are this client's writes.

        The delta ends before the first write of another client. It also ends before a write whose records have
        translations if the list was read without them, or the reverse; `translated` says how the list was read.
        """
        writes = dict(self._writes[kind])
        records: dict[int, bytes | None] = {}
        while write := writes.pop(etag.removeprefix("W/"), None):  # each write once, so that a repeated ETag ends it
            if not write.translated <= {translated}:
                break
            etag = write.etag
            records |= write.records
        return ListDelta(etag, records)

    def _add(self, answer: Answer, written_kind: Kind, records: ChangedRecords, translated: frozenset[bool]) -> None:
        """Add the write to each list whose ETag it changed; only the list of `written_kind` has the records."""
        for kind in Kind:
            before, after = answer.list_etags.get(kind.collection, ("", ""))
            if before != after:
                delta = ListDelta(after, records, translated) if kind is written_kind else ListDelta(after)
                self._writes[kind][before] = delta


@contextmanager
def open_cached_list(path: Path, source: str, kind: Kind) -> Iterator[tuple[dict[str, Any], Iterator[bytes]]]:
    """Yield the header of the list cached in `path`, and the JSON of its records.

    Raise one of UNREADABLE at once if the list is missing or not from `source` (server and directory). If the list is
    damaged, the records raise it, perhaps only after the last one.
    """
    with path.open("rb") as file:
        header_line = file.readline()
        header = orjson.loads(header_line)
        if {**header, **_header(source, kind)} != header:  # one of these keys is missing or has another value
            raise ValueError("the cached list is another one")
        yield header, _record_lines(file, header_line)


def _record_lines(file: BinaryIO, header_line: bytes) -> Iterator[bytes]:
    """Yield the JSON of each record below the header. Raise ValueError if the last line is not the right footer."""
    digest = hashlib.sha256(header_line)
    count = 0
    previous = file.readline()  # may be the footer, so it is yielded only when another line follows
    while lines := file.readlines(_BLOCK):
        records = [previous, *lines[:-1]]
        digest.update(b"".join(records))
        count += len(records)
        for line in records:
            yield line[:-1]
        previous = lines[-1]
    if orjson.loads(previous) != _footer(digest.hexdigest(), count):
        raise ValueError("the cached list is not complete")


def read_cached_list(path: Path, source: str, kind: Kind, left_out: Collection[int] = ()) -> RecordList | None:
    """Return the list cached in `path`; None if it is missing, damaged, or not from `source` (server and directory).

    Records whose ids are `left_out` are not read, to save time.
    """
    with suppress(*UNREADABLE), open_cached_list(path, source, kind) as (header, lines):
        records = [orjson.loads(line) for line in lines if not (left_out and _id_of_line(line) in left_out)]
        return RecordList(str(header["etag"]), records, translated=header["translated"] is True)
    return None


def _id_of_line(line: bytes) -> int | None:
    """Return the id of a record in JSON, without parsing the whole record if the id is its first key."""
    first = _FIRST_ID.match(line)
    return int(first[1]) if first else id_of(orjson.loads(line))


def write_cached_list(path: Path, source: str, kind: Kind, record_list: RecordList) -> None:
    """Cache a list that has an ETag. Ignore a write error: the next command then reads the list again."""
    with (
        suppress(OSError),
        cached_list_writer(path, source, kind, record_list.etag, translated=record_list.translated) as write,
    ):
        for record in record_list.records:
            write(orjson.dumps(record))


@contextmanager
def cached_list_writer(
    path: Path, source: str, kind: Kind, etag: str | None, *, translated: bool
) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that adds the JSON of a record to a new cached list. Raise OSError if it cannot be written.

    The new list replaces the one in `path` when the block ends without an error.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _replacing(path, {**_header(source, kind), "etag": etag, "translated": translated}) as write:
        yield write


def apply_deltas(path: Path, source: str, kind: Kind, changes_since: Callable[[str, bool], ListDelta]) -> None:
    """Bring the list cached in `path` up to date with what this client has written; do not change a damaged file.

    `changes_since` returns the writes since an ETag; its second argument is whether the list has translations.
    """
    with suppress(*UNREADABLE), open_cached_list(path, source, kind) as (header, lines):
        delta = changes_since(str(header["etag"]), header["translated"] is True)
        if delta.etag != header["etag"]:
            with _replacing(path, header | {"etag": delta.etag}) as write:
                for line in lines:
                    if _id_of_line(line) not in delta.records:
                        write(line)
                for record in delta.records.values():
                    if record is not None:
                        write(record)


@contextmanager
def _replacing(path: Path, header: dict[str, Any]) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that adds a record to a temporary file, which replaces `path` at the end. Raise OSError."""
    digest = hashlib.sha256()
    count = -1  # the header is written like a record, and does not count
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:

            def write(data: bytes) -> None:
                nonlocal count
                line = data + b"\n"
                file.write(line)
                digest.update(line)
                count += 1

            write(orjson.dumps(header))
            yield write
            file.write(orjson.dumps(_footer(digest.hexdigest(), count)))
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _header(source: str, kind: Kind) -> dict[str, Any]:
    return {"contentsync": "snapshot", "version": VERSION, "source": source, "kind": kind}


def _footer(digest: str, count: int) -> dict[str, Any]:
    return {"records": count, "sha256": digest}
