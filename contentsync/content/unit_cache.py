"""Caches of what reading each file gave, on disk and in memory: only changed files are read again.

A file stamp (size, time of modification, time of change, inode) proves that a file is unchanged only if the file was
older than a few seconds when it was read: two changes within one tick of the file system's clock have the same stamp.
Files newer than the run minus a margin are read again, as git does with its index (docs/decisions/0006).
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import orjson

from ..model import Kind
from .content_folder import make_private_folder
from .file_writes import write_file
from .folder_signatures import SignatureJob, compute_signatures
from .translations import Unit
from .unit_result import UnitResults, stamp_text
from .validation_report import (
    CACHE_FOLDER,
    REPORT_FILE,
    SEAL_FILE,
    pack,
    program_digest,
    read_with_stamp,
    unpack,
)

MIN_FILES = 500  # files; fewer are read as fast as the cache
STAMP_MARGIN = 3 * 10**9  # nanoseconds; FAT keeps times of two seconds

_UNITS = f"{CACHE_FOLDER}/units.json"  # a head, then a batch a line
_SMALL_BATCH, _LARGE_BATCH = 64, 512  # units of a batch: of fewer a new one is made, of up to so many


@dataclass(slots=True)
class DiskCache:
    """The cache of one content folder, for one run."""

    folder: Path
    now: SignatureJob  # of what the run looks at
    settled: int  # nanoseconds by the file system's own clock: what is older had been left alone for a while
    _program: str
    _unchanged: Set[str]  # folders in which nothing has changed since the units were kept
    _kept: dict[bytes, list[bytes]]  # batches of the last run, by knowledge and kind
    _keep: dict[bytes, list[bytes]] = field(default_factory=dict)  # and of this one
    _few: dict[bytes, UnitResults] = field(default_factory=dict)  # the units of small batches, together
    most: ClassVar[int] = 100  # entries of a unit that is kept: a table is read again

    @classmethod
    def open(cls, folder: Path, paths: Sequence[str], *, files: int, elapsed: int) -> "DiskCache | None":
        """The cache of a folder of so many files, for a run that looks at `paths` and began `elapsed` nanoseconds ago.

        Makes the cache's folder. None where it cannot be written, as on a read-only disk, and where a link leads
        elsewhere, as a checkout may hold one.
        """
        try:
            settled = settled_before(folder, elapsed + STAMP_MARGIN)
        except OSError:
            return None
        now = SignatureJob(folder, _with_parents(paths), files)
        program = program_digest()
        head, *lines = unpack(read_with_stamp(folder, _UNITS)[0]).split(b"\n")
        stored = _parse_head(head)
        if stored.get("program") != program:
            stored, lines = {}, []
        before = stored.get("signatures", {})
        # A first run needs none of them before its end, and reads meanwhile: what is settled has not changed since.
        unchanged = {path for path, it in now.result().items() if before.get(path) == it.digest} if before else set()
        kept: dict[bytes, list[bytes]] = {}
        for line in lines:
            group, _, data = line.partition(b"\t")
            kept.setdefault(group, []).append(data)
        return cls(folder, now, settled, program, unchanged, kept)

    @property
    def remembers(self) -> bool:
        """Whether there are units of the last run."""
        return bool(self._kept)

    def knows(self, knowledge: str, kind: Kind) -> bool:
        """Whether the last run, with the same knowledge of the rest of the folder, read units of a kind."""
        return _group(knowledge, kind) in self._kept

    def batches(self, knowledge: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """What units of a kind, by name, held when the last run, with the same knowledge of the rest, read them."""
        group = _group(knowledge, kind)
        for data in self._kept.pop(group, ()):
            batch = UnitResults.of(data)
            pairs = zip(batch.names, batch.stamps, strict=True)
            same = batch.only([name in units and self._is_same(units[name], stamps) for name, stamps in pairs])
            self._add(group, same, data if same is batch else None)
            yield same

    def keep(self, knowledge: str, kind: Kind, batch: UnitResults, data: bytes | None) -> None:
        """Keep the units of a batch whose files had all been left alone for a while for the next run.

        `data` is the batch's JSON if that is there already.
        """
        pairs = zip(batch.changed, batch.stamps, strict=True)
        settled = batch.only([changed < self.settled and stamps != "" for changed, stamps in pairs])
        self._add(_group(knowledge, kind), settled, data if settled is batch else None)

    def _add(self, group: bytes, batch: UnitResults, data: bytes | None) -> None:
        if data and len(batch.names) >= _SMALL_BATCH:
            self._keep.setdefault(group, []).append(data)
        else:
            self._few.setdefault(group, UnitResults.empty()).extend(batch)

    def save(self, survey: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """Write what was kept; and the survey, unless something is so new that it may yet change unseen.

        The survey also depends on what there is in the folders that were `looked_into`. Without a survey, as after a
        run that has to be repeated, nothing is written.
        """
        now = self.now.result()
        if survey is None:
            return
        # What has changed since these were looked into is too new to be settled.
        more = [path for path in _with_parents([*looked_into]) if path not in now]
        now = now | compute_signatures(self.folder, more, files=0)
        settled = {path: signature.digest for path, signature in now.items() if signature.is_settled(self.settled)}
        document = {"program": self._program, "signatures": settled}
        for group, batch in self._few.items():
            self._keep.setdefault(group, []).extend(part.dumps() for part in batch.parts(_LARGE_BATCH))
        units = [orjson.dumps(document)]
        for group, batches in self._keep.items():
            for data in batches:
                units += (b"\n", group, b"\t", data)
        with suppress(OSError):  # a full disk costs nothing but the next run's time
            write_file(self.folder / _UNITS, *pack(units))
            if len(settled) == len(now):
                document["survey"] = survey
                write_file(self.folder / REPORT_FILE, *pack([orjson.dumps(document)]))
                write_file(self.folder / SEAL_FILE, read_with_stamp(self.folder, REPORT_FILE)[1])

    def _is_same(self, unit: Unit, stamps: str) -> bool:
        if all(file.location.rpartition("/")[0] in self._unchanged for file in unit.files):
            return True
        return has_stamps(self.folder, unit, stamps)


def settled_before(folder: Path, ago: int) -> int:
    """The moment so many nanoseconds ago, by the clock of the folder's file system. Makes the cache's folder.

    Raises OSError where it cannot, as on a read-only disk.
    """
    with tempfile.TemporaryFile(dir=make_private_folder(folder, CACHE_FOLDER)) as file:
        return os.fstat(file.fileno()).st_mtime_ns - ago


def has_stamps(folder: Path, unit: Unit, stamps: str) -> bool:
    """Whether the files of a unit are those of the stamps."""
    try:
        found = [os.lstat(f"{folder}/{file.location}") for file in unit.files]  # a Path takes longer than the system
    except OSError:
        return False
    texts = [stamp_text((it.st_size, it.st_mtime_ns, it.st_ctime_ns, it.st_ino)) for it in found]
    return stamps == "\n".join(texts)


def _with_parents(paths: Sequence[str]) -> list[str]:
    """The paths and the folders above them: a link in the place of one leads elsewhere."""
    found = set(paths)
    for path in paths:
        while path := path.rpartition("/")[0]:
            found.add(path)
    return sorted(found)


def _parse_head(data: bytes) -> dict[str, Any]:
    """What is kept besides units; empty for what somebody made up: a checkout may hold it, with a right digest."""
    try:
        stored = orjson.loads(data)
    except orjson.JSONDecodeError:
        return {}
    return stored if isinstance(stored, dict) else {}


def _group(knowledge: str, kind: Kind) -> bytes:
    return f"{knowledge} {kind}".encode()


class InMemoryCache:
    """The units of the last `load`, with the values of their entries, in memory.

    A unit is believed as the cache on disk believes one: by the stamps of files that had been left alone for a while.
    """

    remembers = True
    most = sys.maxsize  # entries of a unit that is kept

    def __init__(self, margin: int = STAMP_MARGIN) -> None:
        self._margin = margin  # nanoseconds
        self._folder = Path()
        self._settled = 0  # nanoseconds, as in Cache
        self._before: dict[tuple[str, Kind], UnitResults] = {}  # by knowledge and kind
        self._now: dict[tuple[str, Kind], UnitResults] = {}

    def begin(self, folder: Path, elapsed: int) -> "InMemoryCache":
        """Itself, for a run that began `elapsed` nanoseconds ago. Raises OSError where the folder has no cache."""
        self._folder = folder
        self._settled = settled_before(folder, elapsed + self._margin)
        self._now = {}
        return self

    def knows(self, knowledge: str, kind: Kind) -> bool:
        """As Cache."""
        return (knowledge, kind) in self._before

    def batches(self, knowledge: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """As Cache."""
        batch = self._before.pop((knowledge, kind))
        pairs = zip(batch.names, batch.stamps, strict=True)
        same = batch.only([name in units and has_stamps(self._folder, units[name], stamps) for name, stamps in pairs])
        self._add(knowledge, kind, same)
        yield same

    def keep(self, knowledge: str, kind: Kind, batch: UnitResults, data: bytes | None) -> None:
        """As Cache."""
        pairs = zip(batch.changed, batch.stamps, strict=True)
        self._add(knowledge, kind, batch.only([changed < self._settled and stamps != "" for changed, stamps in pairs]))

    def save(self, survey: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """As Cache."""
        self._before = {} if survey is None else self._now

    def _add(self, knowledge: str, kind: Kind, batch: UnitResults) -> None:
        self._now.setdefault((knowledge, kind), UnitResults.empty()).extend(batch)
