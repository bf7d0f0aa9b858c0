"""What the last run found, by the stamps of the files: safe to delete, and not believed where there is a doubt.

A stamp (size, modification, change, inode) says that a file is as it was only if the file was left alone for a
while when it was read: a later change within one tick of the file system's clock would have the same stamp. So what
is newer than the run itself, less a margin, is read again, as git does with its index.
"""

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from .authoring.writing import put
from .files.scan import ContentFile
from .outline import Rest, Row
from .signatures import Signature, signatures
from .unit import Unit

FOLDER = Path(".contentsync", "cache")
PAYS_FROM = 500  # files; fewer are read as fast as the cache

_MARGIN = 3 * 10**9  # nanoseconds; FAT keeps times of two seconds
_HEAD = "contentsync cache 1 "
_SURVEY, _UNITS = "survey.json", "units.json"
_PACKAGE = Path(__file__).parent.parent

MAX_ENTRIES = 100  # of a unit that is kept: a table is read again

Kept = tuple[list[Row], Row]  # outlines of entries, and the rest


@dataclass(slots=True)
class Cache:
    """The cache of one content folder, for one run."""

    folder: Path
    now: Mapping[str, Signature]  # of what the run looks at
    settled: int  # nanoseconds by the file system's own clock: what is older had been left alone for a while
    _before: Mapping[str, str]  # digests of the signatures when the units were kept
    _groups: Mapping[str, dict[str, Kept]]
    _keep: dict[str, dict[str, Kept]] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, paths: Sequence[str], files: int) -> "Cache | None":
        """The cache of a folder that looks at these paths and about so many files; None on a read-only disk."""
        place = folder / FOLDER
        try:
            place.mkdir(parents=True, exist_ok=True)
            (place / ".gitignore").write_text("*\n", encoding="ascii")
            with tempfile.TemporaryFile(dir=place) as file:
                settled = os.fstat(file.fileno()).st_mtime_ns - _MARGIN
        except OSError:
            return None
        now = signatures(folder, paths, files)
        stored = _read(place / _UNITS)
        if stored.get("program") != program():
            stored = {}
        return cls(folder, now, settled, stored.get("signatures", {}), stored.get("groups", {}))

    def unit(self, knowledge: str, unit: Unit) -> Kept | None:
        """What the unit held when the last run, with the same knowledge of the rest of the folder, read it."""
        kept = self._groups.get(knowledge, {}).get(unit.files[0].path)
        if kept is None:
            return None
        stamps = kept[1][2]
        if len(stamps) != len(unit.files) or not all(map(self._is_same, unit.files, stamps)):
            return None
        self._keep.setdefault(knowledge, {})[unit.files[0].path] = kept
        return kept

    def keep(self, knowledge: str, unit: Unit, rows: list[Row], rest: Rest) -> None:
        """Keep what a unit holds for the next run, if all its files had been left alone for a while."""
        whole = len(rest.stamps) == len(unit.files) and len(rows) <= MAX_ENTRIES
        if whole and all(max(stamp[1], stamp[2]) < self.settled for stamp in rest.stamps):
            self._keep.setdefault(knowledge, {})[unit.files[0].path] = (rows, list(rest))

    def save(self, survey: Mapping[str, Any]) -> None:
        """Write what was kept; and the survey, unless something is so new that it may yet change unseen."""
        place = self.folder / FOLDER
        settled = {path: signature.digest for path, signature in self.now.items() if signature.is_settled(self.settled)}
        document = {"program": program(), "signatures": settled}
        _write(place / _UNITS, {**document, "groups": self._keep})
        if len(settled) == len(self.now):
            _write(place / _SURVEY, {**document, "config": _digest_of_config(self.folder), "survey": survey})

    def _is_same(self, file: ContentFile, stamp: Row) -> bool:
        folder = file.location.rpartition("/")[0]
        if folder in self.now and self.now[folder].digest == self._before.get(folder):
            return True
        try:
            status = os.lstat(self.folder / file.location)
        except OSError:
            return False
        return stamp == [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def recall(folder: Path) -> dict[str, Any] | None:
    """The survey that `save` was given, if nothing in the folder has changed since; a few hundred times as fast."""
    stored = _read(folder / FOLDER / _SURVEY)
    if not stored or stored.get("program") != program() or stored.get("config") != _digest_of_config(folder):
        return None
    before: dict[str, str] = stored["signatures"]
    now = signatures(folder, list(before), stored["survey"]["files"])
    if any(now[path].digest != digest for path, digest in before.items()):
        return None
    survey: dict[str, Any] = stored["survey"]
    return survey


def program() -> str:
    """What the results depend on besides the files: this very program."""
    stamps = []
    for file in sorted([*_PACKAGE.glob("*.py"), *_PACKAGE.glob("content/**/*.py"), *_PACKAGE.glob("model/*.py")]):
        status = file.stat()
        stamps.append(f"{file.name} {status.st_size} {status.st_mtime_ns}")
    return blake2b("\n".join(stamps).encode(), digest_size=16).hexdigest()


def _digest_of_config(folder: Path) -> str:
    try:
        return blake2b((folder / "contentsync.toml").read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def _read(file: Path) -> dict[str, Any]:
    """The document in a file; empty if there is none, or if one bit of it is not as it was written."""
    try:
        head, _, body = file.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if head.decode("ascii", "replace") != _head(body):
        return {}
    document: dict[str, Any] = orjson.loads(body)
    return document


def _write(file: Path, document: Mapping[str, Any]) -> None:
    """Replace a file as a whole, or leave it: a full disk costs nothing but the next run's time."""
    body = orjson.dumps(document)
    with suppress(OSError):
        put(file, _head(body).encode("ascii") + b"\n" + body)


def _head(body: bytes) -> str:
    return _HEAD + blake2b(body, digest_size=16).hexdigest()
