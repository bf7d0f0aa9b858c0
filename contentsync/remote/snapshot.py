"""The last seen state of a list, on disk: what an ETag stands for.

A line that says what it is, a record a line, and a line that seals them:

    {"contentsync": "snapshot", "version": 1, "source": "https://... 42", "kind": "tag", "etag": ..., "translated": ...}
    {"id": 7, "slug": "open", ...}
    {"records": 1, "sha256": "..."}
"""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ..model import Kind
from .carried import Way
from .listing import Listed

VERSION = 1


def read_snapshot(path: Path, source: str, kind: Kind) -> Listed | None:
    """The list that was last seen at the source; None where there is none, or not one that is whole and ours."""
    try:
        with path.open("rb") as file:
            first = file.readline()
            head = orjson.loads(first)
            if {**head, **_head(source, kind)} != head:
                return None
            digest, records, last = hashlib.sha256(first), list[dict[str, Any]](), next(file)
            for line in file:
                digest.update(last)
                records.append(orjson.loads(last))
                last = line
            if orjson.loads(last) != _seal(digest.hexdigest(), len(records)):
                return None
            return Listed(str(head["etag"]), records, translated=head["translated"] is True)
    except (OSError, ValueError, TypeError, KeyError, StopIteration):
        return None


def write_snapshot(path: Path, source: str, kind: Kind, listed: Listed) -> None:
    """Keeps a list that has an ETag; where it cannot be written, the next one is read from the server."""
    head = {**_head(source, kind), "etag": listed.etag, "translated": listed.translated}
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, head, map(orjson.dumps, listed.records))


def carry_snapshot(path: Path, source: str, kind: Kind, since: Callable[[str, bool], Way]) -> None:
    """Brings what is kept to where the way leads that begins at its ETag; `since` is told whether it is translated.

    What is not whole stays as it is.
    """
    with suppress(OSError, ValueError, TypeError, KeyError), path.open("rb") as file:
        first = file.readline()
        head = orjson.loads(first)
        way = since(str(head["etag"]), head["translated"] is True)
        if {**head, **_head(source, kind)} == head and way.etag != head["etag"]:
            _write(path, head | {"etag": way.etag}, _carried(file, first, way))


def _carried(file: Iterator[bytes], first: bytes, way: Way) -> Iterator[bytes]:
    """The records of a snapshot, with those of the way. Raises ValueError if it turns out to be none."""
    digest, count, last = hashlib.sha256(first), 0, next(file, b"")
    for line in file:
        digest.update(last)
        count += 1
        if orjson.loads(last)["id"] not in way.records:
            yield last.rstrip(b"\n")
        last = line
    if orjson.loads(last) != _seal(digest.hexdigest(), count):
        raise ValueError("the snapshot is not whole")
    yield from filter(None, way.records.values())


def _write(path: Path, head: dict[str, Any], records: Iterator[bytes]) -> None:
    """Replaces the file. Raises OSError, and what `records` raises."""
    digest, count = hashlib.sha256(), 0
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            line = orjson.dumps(head) + b"\n"
            file.write(line)
            digest.update(line)
            for record in records:
                line = record + b"\n"
                file.write(line)
                digest.update(line)
                count += 1
            file.write(orjson.dumps(_seal(digest.hexdigest(), count)))
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _head(source: str, kind: Kind) -> dict[str, Any]:
    return {"contentsync": "snapshot", "version": VERSION, "source": source, "kind": kind}


def _seal(digest: str, count: int) -> dict[str, Any]:
    return {"records": count, "sha256": digest}
