"""Cached lists of the service on disk.

A cached list has a header line, one line for each record, and a footer with the checksum of all before it:

    {"contentsync": "snapshot", "version": 1, "source": "https://... 42", "kind": "tag", "etag": ..., "translated": ...}
    {"id": 7, "slug": "open", ...}
    {"records": 1, "sha256": "..."}
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from ..model import Kind
from .list_reader import LeftOut, RecordList, RecordTest, matches_no_record
from .wire import id_of
from .write_log import ListDelta

VERSION = 1
UNREADABLE = (OSError, ValueError, TypeError, KeyError)  # the errors of a cached list that cannot be used
_BLOCK = 1 << 18  # bytes of records that are read and added to the checksum at once
_FIRST_ID = re.compile(rb'\{"id":(\d+),')


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


def read_cached_list(
    path: Path,
    source: str,
    kind: Kind,
    ignored: Collection[int] = (),
    is_left_out: RecordTest = matches_no_record,
) -> RecordList | None:
    """Return the list cached in `path`; None if it is missing, damaged, or not from `source` (server and directory).

    Records whose ids are `ignored` are not read, to save time. `is_left_out` is called for each other record.
    """
    records: list[dict[str, Any]] = []
    left_out = LeftOut()
    with suppress(*UNREADABLE), open_cached_list(path, source, kind) as (header, lines):
        for line in lines:
            if ignored and _id_of_line(line) in ignored:
                continue
            record = orjson.loads(line)
            if is_left_out(record):
                left_out.add(record, line)
            else:
                records.append(record)
        return RecordList(str(header["etag"]), records, translated=header["translated"] is True, left_out=left_out)
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
        for line in record_list.left_out.lines():
            write(line)
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
            changed = delta.ids
            with _replacing(path, header | {"etag": delta.etag}) as write:
                for line in lines:
                    if _id_of_line(line) not in changed:
                        write(line)
                for line in delta.lines():
                    write(line)


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
