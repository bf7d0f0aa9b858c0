"""The last seen state of a list, on disk: what an ETag stands for.

A line that says what it is, a record a line, and a line that seals them:

    {"contentsync": "snapshot", "version": 1, "source": "https://... 42", "kind": "tag", "etag": ..., "translated": ...}
    {"id": 7, "slug": "open", ...}
    {"records": 1, "sha256": "..."}
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from ..model import Kind
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
    digest = hashlib.sha256()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
                for value in chain([head], listed.records):
                    line = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
                    digest.update(line)
                    file.write(line)
                file.write(orjson.dumps(_seal(digest.hexdigest(), len(listed.records))))
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def _head(source: str, kind: Kind) -> dict[str, Any]:
    return {"contentsync": "snapshot", "version": VERSION, "source": source, "kind": kind}


def _seal(digest: str, count: int) -> dict[str, Any]:
    return {"records": count, "sha256": digest}
