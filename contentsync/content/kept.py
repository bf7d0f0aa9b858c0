"""What one process has read of a folder, for its next look: only what has changed since is read again."""

import sys
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from ..model import Kind
from .batch import Batch
from .cache import MARGIN, has_stamps, settled_before
from .unit import Unit


class Kept:
    """The units of the last `load`, with the values of their entries, in memory.

    A unit is believed as the cache on disk believes one: by the stamps of files that had been left alone for a while.
    """

    remembers = True
    most = sys.maxsize  # entries of a unit that is kept

    def __init__(self, margin: int = MARGIN) -> None:
        self._margin = margin  # nanoseconds
        self._folder = Path()
        self._settled = 0  # nanoseconds, as in Cache
        self._before: dict[tuple[str, Kind], Batch] = {}  # by knowledge and kind
        self._now: dict[tuple[str, Kind], Batch] = {}

    def begin(self, folder: Path, elapsed: int) -> "Kept":
        """Itself, for a run that began `elapsed` nanoseconds ago. Raises OSError where the folder has no cache."""
        self._folder = folder
        self._settled = settled_before(folder, elapsed + self._margin)
        self._now = {}
        return self

    def knows(self, knowledge: str, kind: Kind) -> bool:
        """As Cache."""
        return (knowledge, kind) in self._before

    def batches(self, knowledge: str, kind: Kind, units: Mapping[str, Unit]) -> Iterator[Batch]:
        """As Cache."""
        batch = self._before.pop((knowledge, kind))
        pairs = zip(batch.names, batch.stamps, strict=True)
        same = batch.only([name in units and has_stamps(self._folder, units[name], stamps) for name, stamps in pairs])
        self._add(knowledge, kind, same)
        yield same

    def keep(self, knowledge: str, kind: Kind, batch: Batch, data: bytes | None) -> None:
        """As Cache."""
        pairs = zip(batch.changed, batch.stamps, strict=True)
        self._add(knowledge, kind, batch.only([changed < self._settled and stamps != "" for changed, stamps in pairs]))

    def save(self, survey: Mapping[str, Any] | None, looked_into: Set[str] = frozenset()) -> None:
        """As Cache."""
        self._before = {} if survey is None else self._now

    def _add(self, knowledge: str, kind: Kind, batch: Batch) -> None:
        self._now.setdefault((knowledge, kind), Batch.empty()).extend(batch)
