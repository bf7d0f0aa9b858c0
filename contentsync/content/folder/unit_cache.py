"""Caches of the results of reading units, on disk and in memory, so that only changed files are read again.

A file stamp (size, time of modification, time of change, inode) proves that a file is unchanged only if the file was
older than a few seconds when it was read: two changes within one tick of the file system's clock have the same stamp.
Files newer than the run minus a margin are read again, as git does with its index (docs/decisions/0006).
"""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ...file_writes import write_file
from ..files.cache_file import pack, read_with_stamp, unpack, write_sealed
from ..files.content_folder import CACHE_FOLDER, FileStamp
from ..files.folder_signatures import STAMP_MARGIN, SignatureJob, compute_signatures, settled_time, with_parents
from ..files.validation_report import (
    REPORT_FILE,
    program_digest,
)
from .translations import Unit
from .unit_results import UnitResults

_UNITS = f"{CACHE_FOLDER}/units.json"  # a head, then a batch per line
_SMALL_BATCH, _LARGE_BATCH = 64, 512  # units; smaller batches are combined into batches of up to the larger size


class UnitCache(ABC):
    """The results of the last run in a folder. A result is valid in one context (`EntryReader.context_digest`)."""

    max_entries = sys.maxsize  # of a unit; larger units are not cached
    _folder: Path
    _settled_before: int  # nanoseconds, by the file system's own clock; anything older is settled

    @abstractmethod
    def has(self, context: str) -> bool:
        """Return whether the last run has results in a context."""

    def load(self, context: str, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """Yield the results of those `units` (by name) that are unchanged. Call it once for each context."""
        for batch, data in self._pop(context):
            unchanged = batch.select_unchanged(units, self._is_unchanged)
            self._add(context, unchanged, data if unchanged is batch else None)  # the same batch: all are unchanged
            yield unchanged

    def store(self, context: str, batch: UnitResults, data: bytes | None) -> None:
        """Cache the units of a batch whose files were last changed a few seconds before the run (settled).

        The results are valid in the `context` that `EntryReader.context_digest` returned. `data` is the JSON of the
        whole batch; None if it is not known.
        """
        settled = batch.select_settled(self._settled_before)  # the batch itself if all its units are settled
        self._add(context, settled, data if settled is batch else None)

    @abstractmethod
    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        """Finish the run, and save its results. If the report is None, as after a temporary problem, save nothing.

        The report also depends on the file names in the `looked_into` folders. Without `with_report`, save only the
        results of units: the report depends on more than files.
        """

    @abstractmethod
    def _pop(self, context: str) -> Iterator[tuple[UnitResults, bytes | None]]:
        """Yield the batches of the last run in a context, each with its JSON if that is known."""

    @abstractmethod
    def _add(self, context: str, batch: UnitResults, data: bytes | None) -> None:
        """Add a batch to the results of this run. `data` is its JSON; None if it is not known."""

    def _is_unchanged(self, unit: Unit, stamps: str) -> bool:
        """Return whether the files of a unit exist and have these stamps, one per line."""
        try:
            # building a Path is slower than lstat
            statuses = [os.lstat(f"{self._folder}/{file.location}") for file in unit.files]
        except OSError:
            return False
        return stamps == "\n".join([str(FileStamp.from_status(status)) for status in statuses])


class DiskCache(UnitCache):
    """The cache of one content folder on disk, during one run. It also stores the report of the run."""

    max_entries = 100  # larger tables are read again

    def __init__(self, folder: Path, paths: Sequence[str], *, files: int, elapsed: int) -> None:
        """Open the cache for a run that depends on `paths`, has `files` files, and began `elapsed` nanoseconds ago.

        Creates the cache's folder. Raises OSError if it cannot be written, as on a read-only disk, or if it is reached
        through a link, which a checkout may contain.
        """
        self._folder = folder
        self._settled_before = settled_time(folder, elapsed)  # creates the cache's folder
        self._signing = SignatureJob(folder, with_parents(paths), files)  # of everything that the run reads
        self._program = program_digest()
        stored, _stamp = read_with_stamp(folder, _UNITS)
        head, *lines = unpack(stored).split(b"\n")
        old_digests = _stored_signatures(head, self._program)
        if old_digests is None:  # without a cache of this version of the program
            old_digests, lines = {}, []
        # Without old digests, there is nothing to compare, and only `save` waits for the signatures. A signature may
        # belong to a newer file than the run reads: `save` stores no signature of a path that changed during the run.
        signatures = self._signing.result() if old_digests else {}
        self._unchanged_paths = {
            path for path, signature in signatures.items() if old_digests.get(path) == signature.digest
        }
        self._previous: dict[bytes, list[bytes]] = {}  # JSON of the batches of the last run, by context
        self._current: dict[bytes, list[bytes]] = {}  # JSON of the large batches of this run
        self._units_of_small_batches: dict[bytes, UnitResults] = {}  # of this run
        for line in lines:
            context, _, data = line.partition(b"\t")
            self._previous.setdefault(context, []).append(data)

    def has(self, context: str) -> bool:
        return context.encode() in self._previous

    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        """Write the results, and the report if all signatures are settled: nothing changed after the run began.

        If the report is None, write nothing.
        """
        signatures = self._signing.result()  # also without a report: this ends the processes
        if report is None:
            return
        # If one of these folders has changed during the run, its signature is not settled.
        added = [path for path in with_parents(looked_into) if path not in signatures]
        signatures = signatures | compute_signatures(self._folder, added, files=0)  # which starts no process
        settled = {
            path: signature.digest
            for path, signature in signatures.items()
            if signature.is_settled(self._settled_before)
        }
        document = {"program": self._program, "signatures": settled}
        for context, units in self._units_of_small_batches.items():
            batches_of_units = (batch.to_json() for batch in units.split(_LARGE_BATCH))
            self._current.setdefault(context, []).extend(batches_of_units)
        parts = [orjson.dumps(document)]
        for context, batches in self._current.items():
            for data in batches:
                parts += (b"\n", context, b"\t", data)
        with suppress(OSError):  # a full disk only makes the next run slower
            write_file(self._folder / _UNITS, *pack(parts))
            if with_report and len(settled) == len(signatures):
                document["survey"] = report
                write_sealed(self._folder, REPORT_FILE, [orjson.dumps(document)])

    def _pop(self, context: str) -> Iterator[tuple[UnitResults, bytes | None]]:
        for data in self._previous.pop(context.encode(), ()):
            yield UnitResults.from_json(data), data

    def _add(self, context: str, batch: UnitResults, data: bytes | None) -> None:
        if data and len(batch.names) >= _SMALL_BATCH:
            self._current.setdefault(context.encode(), []).append(data)
        else:
            self._units_of_small_batches.setdefault(context.encode(), UnitResults.empty()).extend(batch)

    def _is_unchanged(self, unit: Unit, stamps: str) -> bool:
        if all(file.location.rpartition("/")[0] in self._unchanged_paths for file in unit.files):
            return True  # their folders are unchanged, and so are all stamps in them
        return super()._is_unchanged(unit, stamps)


class InMemoryCache(UnitCache):
    """The results of the last `load` in this process, with the values of all entries."""

    def __init__(self, margin: int = STAMP_MARGIN) -> None:
        self._margin = margin  # nanoseconds
        self._previous: dict[str, UnitResults] = {}  # by context
        self._current: dict[str, UnitResults] = {}

    def begin(self, folder: Path, elapsed: int) -> "InMemoryCache":
        """Start a run that began `elapsed` nanoseconds ago. Raises OSError if the cache's folder cannot be created."""
        self._folder = folder
        self._settled_before = settled_time(folder, elapsed, self._margin)
        self._current = {}
        return self

    def has(self, context: str) -> bool:
        return context in self._previous

    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        self._previous = {} if report is None else self._current

    def _pop(self, context: str) -> Iterator[tuple[UnitResults, bytes | None]]:
        yield self._previous.pop(context), None

    def _add(self, context: str, batch: UnitResults, data: bytes | None) -> None:
        self._current.setdefault(context, UnitResults.empty()).extend(batch)


def _stored_signatures(head: bytes, program: str) -> dict[str, str] | None:
    """Return the digests by path in the first line of the units file; None if another program wrote it."""
    try:
        stored = orjson.loads(head)
        signatures = stored["signatures"] if stored["program"] == program else None
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
    return signatures if isinstance(signatures, dict) else None
