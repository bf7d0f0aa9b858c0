"""What the last run found, by the stamps of the files: safe to delete, and not believed where there is a doubt.

A stamp (size, modification, change, inode) says that a file is as it was only if the file was left alone for a
while when it was read: a later change within one tick of the file system's clock would have the same stamp. So what
is newer than the run itself, less a margin, is read again, as git does with its index (docs/decisions/0006).
"""

import os
import stat
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from .config import CONFIG, DEFAULT_PATHS
from .draft import Unreadable
from .files.scan import ContentFile
from .files.source_file import Root
from .files.writing import put
from .outline import Rest, Row
from .signatures import Signature, signatures
from .unit import Unit

FOLDER = ".contentsync/cache"
PAYS_FROM = 500  # files; fewer are read as fast as the cache
MARGIN = 3 * 10**9  # nanoseconds; FAT keeps times of two seconds
MAX_ENTRIES = 100  # of a unit that is kept: a table is read again

_HEAD = "contentsync cache 2 "
_SURVEY, _UNITS = f"{FOLDER}/survey.json", f"{FOLDER}/units.json"
_MAX_BYTES = 1024 * 1024 * 1024
_PACKAGE = Path(__file__).parent.parent

Kept = tuple[list[Row], Sequence[Any]]  # outlines of entries, and the rest


@dataclass(slots=True)
class Cache:
    """The cache of one content folder, for one run."""

    folder: Path
    now: Mapping[str, Signature]  # of what the run looks at
    settled: int  # nanoseconds by the file system's own clock: what is older had been left alone for a while
    config: str  # the digest of the config that the run has read
    _program: str
    _before: Mapping[str, str]  # digests of the signatures when the units were kept
    _groups: Mapping[str, dict[str, Kept]]
    _keep: dict[str, dict[str, Kept]] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path, paths: Sequence[str], *, files: int, config: str, elapsed: int) -> "Cache | None":
        """The cache of a folder of so many files, for a run that looks at `paths` and began `elapsed` nanoseconds ago.

        Makes the cache's folder. None where it cannot be written, as on a read-only disk, and where a link leads
        elsewhere, as a checkout may hold one. `config` is `config_digest` of before the config was read.
        """
        try:
            place = _own_folder(folder)
            with tempfile.TemporaryFile(dir=place) as file:
                clock = os.fstat(file.fileno()).st_mtime_ns
        except OSError:
            return None
        now = signatures(folder, _with_parents(paths), files)
        program = program_digest()
        stored = _read(folder, _UNITS)
        if stored.get("program") != program:
            stored = {}
        before, groups = stored.get("signatures", {}), stored.get("groups", {})
        return cls(folder, now, clock - elapsed - MARGIN, config, program, before, groups)

    def unit(self, knowledge: str, unit: Unit) -> Kept | None:
        """What the unit held when the last run, with the same knowledge of the rest of the folder, read it."""
        group = self._groups.get(f"{knowledge} {unit.kind}")
        kept = group.get(_key(unit)) if group else None
        if kept is None or not all(map(self._is_same, unit.files, kept[1][2])):
            return None
        self._keep.setdefault(f"{knowledge} {unit.kind}", {})[_key(unit)] = kept
        return kept

    def keep(self, knowledge: str, unit: Unit, rows: list[Row], rest: Rest) -> None:
        """Keep what a unit holds for the next run, if all its files had been left alone for a while."""
        if len(rest.stamps) != len(unit.files) or len(rows) > MAX_ENTRIES:
            return
        for _, modified, changed, _ in rest.stamps:
            if modified >= self.settled or changed >= self.settled:
                return
        self._keep.setdefault(f"{knowledge} {unit.kind}", {})[_key(unit)] = (rows, rest[:])

    def save(self, survey: Mapping[str, Any]) -> None:
        """Write what was kept; and the survey, unless something is so new that it may yet change unseen."""
        settled = {path: signature.digest for path, signature in self.now.items() if signature.is_settled(self.settled)}
        document = {"program": self._program, "signatures": settled}
        _write(self.folder / _UNITS, {**document, "groups": self._keep})
        if len(settled) == len(self.now):
            _write(self.folder / _SURVEY, {**document, "config": self.config, "survey": survey})

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
    """The survey that `save` was given, if nothing in the folder has changed since."""
    stored = _read(folder, _SURVEY)
    try:
        if not stored or stored["program"] != program_digest() or stored["config"] != config_digest(folder):
            return None
        before: dict[str, str] = stored["signatures"]
        survey: dict[str, Any] = stored["survey"]
        if not _collections(folder) <= before.keys():
            return None
        now = signatures(folder, list(before), survey["files"])
    except (KeyError, TypeError, AttributeError, ValueError):  # of this format, and not written by us
        return None
    return survey if all(now[path].digest == digest for path, digest in before.items()) else None


def config_digest(folder: Path) -> str:
    """What the config file comes to; the empty text for none."""
    data = _data(folder, CONFIG)
    return "" if data is None else blake2b(data, digest_size=16).hexdigest()


def program_digest() -> str:
    """What results depend on besides the files: this program, its interpreter, and the folder of its libraries."""
    stamps = [sys.version, str(_PACKAGE)]
    files = [*_PACKAGE.glob("*.py"), *_PACKAGE.glob("content/**/*.py"), *_PACKAGE.glob("model/*.py")]
    for path in [Path(orjson.__file__).parent.parent, *sorted(files)]:
        status = path.stat()
        stamps.append(f"{path.name} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}")
    return blake2b("\n".join(stamps).encode(), digest_size=16).hexdigest()


def _collections(folder: Path) -> set[str]:
    """The paths of the collections. Raises errors of any kind where the config has mistakes in them."""
    tables = tomllib.loads((_data(folder, CONFIG) or b"").decode("utf-8-sig")).get("content", {})
    named = {kind: tables.get(kind.plural.replace(" ", "_"), {}) for kind in DEFAULT_PATHS}
    return {named[kind].get("path") or path for kind, path in DEFAULT_PATHS.items()}


def _with_parents(paths: Sequence[str]) -> list[str]:
    """The paths and the folders above them: a link in the place of one leads elsewhere."""
    found = set(paths)
    for path in paths:
        while path := path.rpartition("/")[0]:
            found.add(path)
    return sorted(found)


def _own_folder(folder: Path) -> Path:
    """Make the folder of the cache. Raises OSError, also where something else has its name."""
    place = folder
    for part in FOLDER.split("/"):
        place /= part
        with suppress(FileExistsError):
            place.mkdir()
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            raise NotADirectoryError(place)
    with suppress(FileExistsError), (place / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")
    return place


def _key(unit: Unit) -> str:
    """Of the unit among those of its kind; nearly always a text that is there already."""
    return unit.files[0].path if len(unit.files) == 1 else "\n".join(file.path for file in unit.files)


def _data(folder: Path, path: str) -> bytes | None:
    """A file's bytes, never through a link and never waiting for a pipe; None if that gives none."""
    try:
        with Root(folder) as root:
            return root.data(path, path, _MAX_BYTES)[0]
    except Unreadable:
        return None


def _read(folder: Path, path: str) -> dict[str, Any]:
    """The document in a file; empty if there is none, or if one bit of it is not as it was written."""
    head, _, body = (_data(folder, path) or b"").partition(b"\n")
    if head.decode("ascii", "replace") != _head(body):
        return {}
    document = orjson.loads(body)
    return document if isinstance(document, dict) else {}


def _write(file: Path, document: Mapping[str, Any]) -> None:
    """Replace a file as a whole, or leave it: a full disk costs nothing but the next run's time."""
    body = orjson.dumps(document)
    with suppress(OSError):
        put(file, _head(body).encode("ascii") + b"\n" + body)


def _head(body: bytes) -> str:
    return _HEAD + blake2b(body, digest_size=16).hexdigest()
