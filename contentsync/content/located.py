"""The places of an entry's values, found by reading its file again when somebody asks."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .draft import Draft, Place, Places, Unreadable
from .files.source_file import Root
from .reading import Found, Reader
from .unit import Unit


class Rereading:
    """Reads units a second time; most entries have nothing wrong, and nobody asks where their values stand."""

    def __init__(self, folder: Path, reader: Reader, units: Sequence[Unit]) -> None:
        self._folder = folder
        self._reader = reader
        self._units = units
        self._last: tuple[int, dict[int, Draft]] = (-1, {})

    def drafts_at(self, unit: int, lines: frozenset[int]) -> Iterator[Draft]:
        """The entries at some lines of a unit."""
        return (draft for draft in self._drafts(unit) if draft.line in lines)

    def places(self, unit: int, line: int) -> Places:
        """Where the values of the entry at a line stand; nothing if it has gone since."""
        if self._last[0] != unit:
            self._last = unit, {draft.line: draft for draft in self._drafts(unit)}
        draft = self._last[1].get(line)
        return draft.marks | draft.bodies if draft else {}

    def _drafts(self, unit: int) -> Iterator[Draft]:
        try:
            with Root(self._folder) as root:
                yield from self._reader.drafts(self._units[unit], root, Found())
        except Unreadable:  # the whole folder has gone
            return


class Located(Mapping[str, Place]):
    """The places of one entry by dotted name, as `Source.marks`."""

    __slots__ = ("_line", "_rereading", "_unit")

    def __init__(self, rereading: Rereading, unit: int, line: int) -> None:
        self._rereading = rereading
        self._unit = unit
        self._line = line

    def __getitem__(self, name: str) -> Place:
        return self._rereading.places(self._unit, self._line)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rereading.places(self._unit, self._line))

    def __len__(self) -> int:
        return len(self._rereading.places(self._unit, self._line))
