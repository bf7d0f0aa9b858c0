"""The locations of the values of entries that were read: their files are read again, because few entries need them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from .draft import Draft, Location, Locations, UnreadableFile
from .entry_reader import EntryReader, ReadLog
from .identity import EntryRef
from .source_file import ContentRoot, Proposed
from .translations import Unit
from .validation_report import JsonRow

_MAX_UNITS = 64  # whose drafts are cached after they were read again
MAX_DRAFTS = 2_500  # that are cached while they are read; all entries of their files


class LocatedDrafts:
    """The drafts of units without their values. `read` reads the drafts of a unit again; it gets the unit's number."""

    def __init__(self, read: Callable[[int], Iterable[Draft]]) -> None:
        self._cached: dict[int, list[Draft]] = {}
        self._free_places = MAX_DRAFTS
        # Not a method: the object would refer to itself, and stay in memory until the next garbage collection.
        self._read_again = lru_cache(_MAX_UNITS)(partial(_read_without_values, read))

    def cache(self, unit: int, entries: Iterable[Draft | JsonRow]) -> Iterator[Draft | JsonRow]:
        """Yield the entries of a unit; after the last one, cache them if all are drafts and there is room for them.

        The values of a draft are deleted when the caller asks for the next one.
        """
        drafts = list[Draft]()
        count = 0
        for entry in entries:
            yield entry
            count += 1
            if isinstance(entry, Draft) and len(drafts) < self._free_places:
                entry.values = {}
                drafts.append(entry)
        if len(drafts) == count:
            self._cached[unit] = drafts
            self._free_places -= count

    def of_unit(self, unit: int) -> list[Draft]:
        """Return the drafts of a unit."""
        return self._cached[unit] if unit in self._cached else self._read_again(unit)


def _read_without_values(read: Callable[[int], Iterable[Draft]], unit: int) -> list[Draft]:
    """Return the drafts of a unit, without their values, which would use much memory."""
    drafts: list[Draft] = []
    for draft in read(unit):
        draft.values = {}
        drafts.append(draft)
    return drafts


class EntryLocations(Mapping[str, Location]):
    """The locations of one entry's values by dotted name, for `Source.locations`; empty if the entry was deleted."""

    __slots__ = ("_drafts", "_ref")

    def __init__(self, drafts: LocatedDrafts, ref: EntryRef) -> None:
        self._drafts = drafts
        self._ref = ref

    def _locations(self) -> Locations:
        """The locations of the entry's fields, from its files, which are read again; {} if it no longer exists."""
        drafts = self._drafts.of_unit(self._ref.unit)
        draft = drafts[self._ref.entry] if self._ref.entry < len(drafts) else None
        return draft.value_locations | draft.body_locations if draft else {}

    def __getitem__(self, name: str) -> Location:
        return self._locations()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._locations())

    def __len__(self) -> int:
        return len(self._locations())


def read_again(
    folder: Path, proposed: Proposed, reader: EntryReader, units: Sequence[Unit], number: int
) -> Iterator[Draft]:
    """Yield the entries of a unit that was read before; nothing if the content folder was deleted in the meantime."""
    with suppress(UnreadableFile), ContentRoot(folder, proposed=proposed) as root:
        yield from reader.read_drafts(units[number], root, ReadLog())
