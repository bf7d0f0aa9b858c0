"""The interface of caches of the results of reading units, which save reading unchanged files; and one in memory.

A file stamp (size, time of modification, time of change, inode) proves that a file is unchanged only if the file was
older than a few seconds when it was read: two changes within one tick of the file system's clock have the same stamp.
Files newer than the run minus a margin are read again, as git does with its index (docs/decisions/0037).
"""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from ..files.content_folder import FileStamp
from ..files.folder_signatures import STAMP_MARGIN, settled_time
from .result_context import ResultContext
from .translations import Unit
from .unit_results import UnitResults


class UnitCache(ABC):
    """The results of the last run in a folder. A result is valid in one context, with the answers that it has."""

    max_entries = sys.maxsize  # of a unit; larger units are not cached
    _folder: Path
    _settled_before: int  # nanoseconds, by the file system's own clock; anything older is settled

    @abstractmethod
    def load(self, context: ResultContext, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        """Yield the results of those `units` (by name) that are unchanged. Call it once for each context."""

    def store(self, context: ResultContext, batch: UnitResults) -> None:
        """Cache the units of a batch whose files were last changed a few seconds before the run (settled)."""
        self._add(context, context.answered(batch.select_settled(self._settled_before)))

    @abstractmethod
    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        """Finish the run, and save its results. If the report is None, as after a temporary problem, save nothing.

        The report also depends on the file names in the `looked_into` folders. Without `with_report`, save only the
        results of units: the report depends on more than files.
        """

    @abstractmethod
    def _add(self, context: ResultContext, batch: UnitResults) -> None:
        """Add a batch to the results of this run."""

    def _is_unchanged(self, unit: Unit, stamps: str) -> bool:
        """Return whether the files of a unit exist and have these stamps, one per line."""
        try:
            # building a Path is slower than lstat
            statuses = [os.lstat(f"{self._folder}/{file.location}") for file in unit.files]
        except OSError:
            return False
        return stamps == "\n".join([str(FileStamp.from_status(status)) for status in statuses])


class InMemoryCache(UnitCache):
    """The results of the last `load` in this process, with the values of all entries."""

    def __init__(self, margin: int = STAMP_MARGIN) -> None:
        self._margin = margin  # nanoseconds
        self._previous: dict[str, UnitResults] = {}  # by the digest of the context
        self._current: dict[str, UnitResults] = {}

    def begin(self, folder: Path) -> "InMemoryCache":
        """Start a run. Raises OSError if the cache's folder cannot be created."""
        self._folder = folder
        self._settled_before = settled_time(folder, 0, self._margin)  # no unit is read before now
        self._current = {}
        return self

    def load(self, context: ResultContext, units: Mapping[str, Unit]) -> Iterator[UnitResults]:
        previous = self._previous.pop(context.digest, UnitResults.empty())
        rows = zip(previous.names, previous.stamps, previous.lookups, previous.answers, strict=True)
        unchanged = previous.select(
            [
                name in units and context.is_current(lookups, answers) and self._is_unchanged(units[name], stamps)
                for name, stamps, lookups, answers in rows
            ]
        )
        self._add(context, unchanged)
        yield unchanged

    def save(
        self, report: Mapping[str, Any] | None, looked_into: Set[str] = frozenset(), *, with_report: bool = True
    ) -> None:
        self._previous = {} if report is None else self._current

    def _add(self, context: ResultContext, batch: UnitResults) -> None:
        self._current.setdefault(context.digest, UnitResults.empty()).extend(batch)
