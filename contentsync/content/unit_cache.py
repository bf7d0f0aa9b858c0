"""Cache the results of reading units, on disk and in memory, so that only changed files are read again.

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
from typing import Any, ClassVar, Protocol

import orjson

from ..model import Kind
from .content_folder import make_private_folder
from .file_writes import write_file
from .folder_signatures import SignatureJob, compute_signatures
from .translations import Unit
from .unit_result import UnitResults, stamp_text
from .validation_report import CACHE_FOLDER, REPORT_FILE, SEAL_FILE, pack, program_digest, read_with_stamp, unpack

MIN_FILES = 500  # with fewer files, reading them is as fast as the cache
STAMP_MARGIN = 3 * 10**9  # nanoseconds; FAT stores times of two seconds

_UNITS = f"{CACHE_FOLDER}/units.json"  # a head, then a batch per line
_SMALL_BATCH, _LARGE_BATCH = 64, 512  # units; smaller batches are combined into batches of up to the larger size


class UnitCache(Protocol):
    """The cached results of the last run. A result is valid in one context (`EntryReader.context_digest`)."""

    @property
    def has_results(self) -> bool:
        """Whether there are results of an earlier run."""

    @property
    def max_entries(self) -> int:
        """The maximum number of entries of a unit; larger units are not cached."""

    def has(self, context: str, kind: Kind) -> bool:
        """Return whether the last run read units of a kind with the same context."""

    def load(self, context: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """Yield the cached results of the unchanged `units` (by name). Call it once for each context and kind."""

    def store(self, context: str, kind: Kind, batch: UnitResults, data: bytes | None) -> None:
        """Cache the units of a batch that were settled when they were read. `data` is the batch's JSON if known."""

    def save(self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """Finish the run, and save its results. If the report is None, as after a temporary problem, save nothing."""


@dataclass(slots=True)
class DiskCache:
    """The cache of one content folder on disk, during one run. It also stores the report of the run."""

    folder: Path
    signing: SignatureJob  # of everything that the run reads
    settled_before: int  # nanoseconds, by the file system's own clock; anything older is settled
    _program: str
    _unchanged: Set[str]  # folders in which nothing has changed since the results were stored
    _previous: dict[bytes, list[bytes]]  # batches of the last run, by context and kind
    _current: dict[bytes, list[bytes]] = field(default_factory=dict)  # batches of this run
    _small: dict[bytes, UnitResults] = field(default_factory=dict)  # the units of small batches, combined
    max_entries: ClassVar[int] = 100  # larger tables are read again

    @classmethod
    def open(cls, folder: Path, paths: Sequence[str], *, files: int, elapsed: int) -> "DiskCache | None":
        """Open the cache for a run that depends on `paths`, has `files` files, and began `elapsed` nanoseconds ago.

        Creates the cache's folder. Returns None if it cannot be written, as on a read-only disk, or if it is reached
        through a link, which a checkout may contain.
        """
        try:
            settled_before = now_on_disk(folder) - elapsed - STAMP_MARGIN
        except OSError:
            return None
        signing = SignatureJob(folder, _with_parents(paths), files)
        program = program_digest()
        head, *lines = unpack(read_with_stamp(folder, _UNITS)[0]).split(b"\n")
        before = _stored_signatures(head, program)
        if before is None:
            lines = []
        # Without earlier results, only `save` waits for the signatures: a settled path has not changed since.
        unchanged = (
            {path for path, it in signing.result().items() if before.get(path) == it.digest} if before else set()
        )
        previous: dict[bytes, list[bytes]] = {}
        for line in lines:
            group, _, data = line.partition(b"\t")
            previous.setdefault(group, []).append(data)
        return cls(folder, signing, settled_before, program, unchanged, previous)

    @property
    def has_results(self) -> bool:
        """Whether there are results of an earlier run."""
        return bool(self._previous)

    def has(self, context: str, kind: Kind) -> bool:
        """Return whether the last run read units of a kind with the same context."""
        return _group_key(context, kind) in self._previous

    def load(self, context: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """Yield the cached results of those `units` (by name) of a kind that are unchanged."""
        group = _group_key(context, kind)
        for data in self._previous.pop(group, ()):
            batch = UnitResults.from_json(data)
            unchanged = batch.unchanged(units, self._is_unchanged)
            self._add(group, unchanged, data if unchanged is batch else None)
            yield unchanged

    def store(self, context: str, kind: Kind, batch: UnitResults, data: bytes | None) -> None:
        """Cache the units of a batch that were settled when they were read. `data` is the batch's JSON if known."""
        settled = batch.settled(self.settled_before)
        self._add(_group_key(context, kind), settled, data if settled is batch else None)

    def save(self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """Write the results, and the report if all signatures are settled. If the report is None, write nothing.

        The report also depends on the file names in the `looked_into` folders.
        """
        signatures = self.signing.result()
        if report is None:
            return
        # If one of these folders has changed during the run, its signature is not settled.
        added = [path for path in _with_parents([*looked_into]) if path not in signatures]
        signatures = signatures | compute_signatures(self.folder, added, files=0)
        settled = {path: it.digest for path, it in signatures.items() if it.is_settled(self.settled_before)}
        document = {"program": self._program, "signatures": settled}
        for group, batch in self._small.items():
            self._current.setdefault(group, []).extend(part.to_json() for part in batch.split(_LARGE_BATCH))
        units = [orjson.dumps(document)]
        for group, batches in self._current.items():
            for data in batches:
                units += (b"\n", group, b"\t", data)
        with suppress(OSError):  # a full disk only makes the next run slower
            write_file(self.folder / _UNITS, *pack(units))
            if len(settled) == len(signatures):
                document["survey"] = report
                write_file(self.folder / REPORT_FILE, *pack([orjson.dumps(document)]))
                write_file(self.folder / SEAL_FILE, read_with_stamp(self.folder, REPORT_FILE)[1])

    def _add(self, group: bytes, batch: UnitResults, data: bytes | None) -> None:
        if data and len(batch.names) >= _SMALL_BATCH:
            self._current.setdefault(group, []).append(data)
        else:
            self._small.setdefault(group, UnitResults.empty()).extend(batch)

    def _is_unchanged(self, unit: Unit, stamps: str) -> bool:
        if all(file.location.rpartition("/")[0] in self._unchanged for file in unit.files):
            return True
        return has_stamps(self.folder, unit, stamps)


class InMemoryCache:
    """The results of the last `load` in this process, with the values of all entries."""

    has_results = True
    max_entries = sys.maxsize

    def __init__(self, margin: int = STAMP_MARGIN) -> None:
        self._margin = margin  # nanoseconds
        self._folder = Path()
        self._settled_before = 0  # as in DiskCache
        self._previous: dict[tuple[str, Kind], UnitResults] = {}  # by context and kind
        self._current: dict[tuple[str, Kind], UnitResults] = {}

    def begin(self, folder: Path, elapsed: int) -> "InMemoryCache":
        """Start a run that began `elapsed` nanoseconds ago. Raises OSError if the cache's folder cannot be created."""
        self._folder = folder
        self._settled_before = now_on_disk(folder) - elapsed - self._margin
        self._current = {}
        return self

    def has(self, context: str, kind: Kind) -> bool:
        """Return whether the last run read units of a kind with the same context."""
        return (context, kind) in self._previous

    def load(self, context: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """Yield the cached results of those `units` (by name) of a kind that are unchanged."""
        batch = self._previous.pop((context, kind))
        unchanged = batch.unchanged(units, lambda unit, stamps: has_stamps(self._folder, unit, stamps))
        self._add(context, kind, unchanged)
        yield unchanged

    def store(self, context: str, kind: Kind, batch: UnitResults, data: bytes | None) -> None:
        """Cache the units of a batch that were settled when they were read."""
        self._add(context, kind, batch.settled(self._settled_before))

    def save(self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """Finish the run, and save its results. If the report is None, as after a temporary problem, save nothing."""
        self._previous = {} if report is None else self._current

    def _add(self, context: str, kind: Kind, batch: UnitResults) -> None:
        self._current.setdefault((context, kind), UnitResults.empty()).extend(batch)


def now_on_disk(folder: Path) -> int:
    """Return the time by the clock of the folder's file system, in nanoseconds. Creates the cache folder.

    Raises OSError if the folder cannot be written, as on a read-only disk.
    """
    with tempfile.TemporaryFile(dir=make_private_folder(folder, CACHE_FOLDER)) as file:
        return os.fstat(file.fileno()).st_mtime_ns


def has_stamps(folder: Path, unit: Unit, stamps: str) -> bool:
    """Return whether the files of a unit exist and have these stamps, one per line."""
    try:
        found = [os.lstat(f"{folder}/{file.location}") for file in unit.files]  # building a Path is slower than lstat
    except OSError:
        return False
    texts = [stamp_text((it.st_size, it.st_mtime_ns, it.st_ctime_ns, it.st_ino)) for it in found]
    return stamps == "\n".join(texts)


def _with_parents(paths: Sequence[str]) -> list[str]:
    """Return the paths and all folders above them, since a link may have replaced such a folder."""
    with_parents = set(paths)
    for path in paths:
        while path := path.rpartition("/")[0]:
            with_parents.add(path)
    return sorted(with_parents)


def _stored_signatures(head: bytes, program: str) -> dict[str, str] | None:
    """Return the signatures in the first line of the units file; None if it is of another program or forged."""
    try:
        stored = orjson.loads(head)
        signatures = stored["signatures"] if stored["program"] == program else None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
    return signatures if isinstance(signatures, dict) else None


def _group_key(context: str, kind: Kind) -> bytes:
    return f"{context} {kind}".encode()
