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
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from ..model import RECORDS, Kind
from .list_reader import RecordList
from .response import Answer
from .wire import id_of

VERSION = 1

ChangedRecords = Mapping[int, bytes | None]  # JSON by id; None for a deleted record


@dataclass(frozen=True, slots=True)
class ListDelta:
    """How a list differs from an earlier state of it: its new ETag and the changed records."""

    etag: str
    records: ChangedRecords


@dataclass(frozen=True, slots=True)
class _Write:
    """One write: the ETag of a list after it, and what it changed there."""

    after: str
    records: ChangedRecords = field(default_factory=dict)
    translated: frozenset[bool] = frozenset()  # whether the records have their translations, where they can


class WriteLog:
    """The writes of a client, linked by the ETags of each list."""

    def __init__(self) -> None:
        self._writes: dict[Kind, dict[str, _Write]] = {kind: {} for kind in Kind}

    def record_write(self, kind: Kind, answer: Answer, records: Iterable[Mapping[str, Any]]) -> None:
        """Record a write that the service answered with these records."""
        written = {identity: record for record in records if (identity := id_of(record)) is not None}
        translated = {"translations" in record for record in written.values()} if RECORDS[kind].translated else set()
        lines = {identity: orjson.dumps(record) for identity, record in written.items()}
        self._add(answer, kind, lines, frozenset(translated))

    def record_delete(self, kind: Kind, answer: Answer, identity: int) -> None:
        """Record a delete."""
        self._add(answer, kind, {identity: None}, frozenset())

    def since(self, kind: Kind, etag: str, translated: bool) -> ListDelta:
        """Return what the recorded writes changed in the list that had the ETag.

        The delta ends where another client wrote in between. With `translated` (the records of the list have their
        translations) it also ends before a write whose record has none, and the reverse.
        """
        writes = dict(self._writes[kind])
        records: dict[int, bytes | None] = {}
        while (write := writes.pop(etag.removeprefix("W/"), None)) and not write.translated - {translated}:
            etag = write.after
            records |= write.records
        return ListDelta(etag, records)

    def _add(self, answer: Answer, written: Kind, records: ChangedRecords, translated: frozenset[bool]) -> None:
        for kind in Kind:
            before, after = answer.list_etags.get(kind.collection, ("", ""))
            if before != after:
                write = _Write(after, records, translated) if kind is written else _Write(after)
                self._writes[kind][before] = write


def read_cached_list(path: Path, source: str, kind: Kind) -> RecordList | None:
    """Return the cached list of the source; None if there is none, or if it is damaged or of another source."""
    try:
        with path.open("rb") as file:
            first = file.readline()
            header = orjson.loads(first)
            if {**header, **_header(source, kind)} != header:
                return None
            digest, records, last = hashlib.sha256(first), list[dict[str, Any]](), next(file)
            for line in file:
                digest.update(last)
                records.append(orjson.loads(last))
                last = line
            if orjson.loads(last) != _footer(digest.hexdigest(), len(records)):
                return None
            return RecordList(str(header["etag"]), records, translated=header["translated"] is True)
    except (OSError, ValueError, TypeError, KeyError, StopIteration):
        return None


def write_cached_list(path: Path, source: str, kind: Kind, listed: RecordList) -> None:
    """Cache a list that has an ETag. If the file cannot be written, the next command reads the list again."""
    header = {**_header(source, kind), "etag": listed.etag, "translated": listed.translated}
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, header, map(orjson.dumps, listed.records))


def apply_deltas(path: Path, source: str, kind: Kind, since: Callable[[str, bool], ListDelta]) -> None:
    """Bring a cached list up to date with the writes since its ETag; leave a damaged one as it is.

    `since` takes the ETag, and whether the list is translated.
    """
    with suppress(OSError, ValueError, TypeError, KeyError), path.open("rb") as file:
        first = file.readline()
        header = orjson.loads(first)
        delta = since(str(header["etag"]), header["translated"] is True)
        if {**header, **_header(source, kind)} == header and delta.etag != header["etag"]:
            _write(path, header | {"etag": delta.etag}, _updated(file, first, delta))


def _updated(file: Iterator[bytes], first: bytes, delta: ListDelta) -> Iterator[bytes]:
    """Yield the records of a cached list with the delta applied. Raise ValueError at the end if it is damaged."""
    digest, count, last = hashlib.sha256(first), 0, next(file, b"")
    for line in file:
        digest.update(last)
        count += 1
        if orjson.loads(last)["id"] not in delta.records:
            yield last.rstrip(b"\n")
        last = line
    if orjson.loads(last) != _footer(digest.hexdigest(), count):
        raise ValueError("the cached list is not complete")
    yield from filter(None, delta.records.values())


def _write(path: Path, header: dict[str, Any], records: Iterator[bytes]) -> None:
    """Replace the file. Raise OSError, and what `records` raises."""
    digest, count = hashlib.sha256(), 0
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            line = orjson.dumps(header) + b"\n"
            file.write(line)
            digest.update(line)
            for record in records:
                line = record + b"\n"
                file.write(line)
                digest.update(line)
                count += 1
            file.write(orjson.dumps(_footer(digest.hexdigest(), count)))
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _header(source: str, kind: Kind) -> dict[str, Any]:
    return {"contentsync": "snapshot", "version": VERSION, "source": source, "kind": kind}


def _footer(digest: str, count: int) -> dict[str, Any]:
    return {"records": count, "sha256": digest}
