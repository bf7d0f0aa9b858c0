"""The places of an entry's values, found by reading its file again when somebody asks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from . import draft as drafts
from .clashes import Place
from .draft import Draft, Places, Unreadable
from .files.source_file import Root
from .reading import Found, Reader
from .unit import Unit

_UNITS = 64  # that are remembered


class Rereading:
    """Reads units a second time; most entries have nothing wrong, and nobody asks where their values stand."""

    def __init__(self, folder: Path, reader: Reader, units: Sequence[Unit]) -> None:
        self._drafts = partial(_drafts, folder, reader, units)
        # Not of a method: an object in a ring is not freed with its last user, and this one holds all units.
        self._located = lru_cache(_UNITS)(partial(_locators, self._drafts))

    def entries(self, unit: int, numbers: frozenset[int]) -> Iterator[tuple[int, Draft]]:
        """Some entries of a unit by their numbers in it."""
        return ((number, draft) for number, draft in enumerate(self._drafts(unit)) if number in numbers)

    def all_entries(self, unit: int) -> Iterator[Draft]:
        """The entries of a unit."""
        return self._drafts(unit)

    def places(self, place: Place) -> Places:
        """Where the values of an entry stand; nothing if it has gone since."""
        located = self._located(place.unit)
        draft = located[place.entry] if place.entry < len(located) else None
        return draft.marks | draft.bodies if draft else {}


def _locators(read: Callable[[int], Iterator[Draft]], unit: int) -> list[Draft]:
    """The entries of a unit without their values."""
    located: list[Draft] = []
    for draft in read(unit):
        draft.values = {}
        located.append(draft)
    return located


def _drafts(folder: Path, reader: Reader, units: Sequence[Unit], unit: int) -> Iterator[Draft]:
    try:
        with Root(folder) as root:
            yield from reader.drafts(units[unit], root, Found())
    except Unreadable:  # the whole folder has gone
        return


class Located(Mapping[str, drafts.Place]):
    """The places of one entry by dotted name, as `Source.marks`."""

    __slots__ = ("_place", "_rereading")

    def __init__(self, rereading: Rereading, place: Place) -> None:
        self._rereading = rereading
        self._place = place

    def __getitem__(self, name: str) -> drafts.Place:
        return self._rereading.places(self._place)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rereading.places(self._place))

    def __len__(self) -> int:
        return len(self._rereading.places(self._place))
