"""Entries of one identity, found among any number of them in a few bytes each."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..errors import Problem
from ..model import Kind
from .draft import Draft
from .identity import Identity, duplicate, located_identities

_BUCKETS = 64
_ENTRIES = 1 << 32  # more than a unit can hold


class Place(NamedTuple):
    """An entry's: the number of its unit, and its own in the unit."""

    unit: int
    entry: int


LookUp = Callable[[int, frozenset[int]], Iterable[tuple[int, Draft]]]


class Clashes:
    """Remembers a hash of every identity; what it looks like is read again in the rare case that two are equal.

    100,000 entries as objects would fill the memory that a table of a million rows may take.
    """

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(_BUCKETS)]
        self._places = [array("Q") for _ in range(_BUCKETS)]

    def add(self, kind: Kind, name: str, value: str, place: Place) -> None:
        """Remember an identity of an entry."""
        mark = hash((kind, name, value))
        self._hashes[mark % _BUCKETS].append(mark)
        self._places[mark % _BUCKETS].append(place.unit * _ENTRIES + place.entry)

    def add_documents(self, kind: Kind, name: str, values: Mapping[int, str]) -> None:
        """Remember an identity of the only entry of each unit; much quicker than one by one."""
        hashes, places = self._hashes, self._places
        for unit, value in values.items():
            mark = hash((kind, name, value))
            hashes[mark % _BUCKETS].append(mark)
            places[mark % _BUCKETS].append(unit * _ENTRIES)

    def found(self, look_up: LookUp) -> Iterator[tuple[Place, Problem]]:
        """Each entry with an identity that an earlier one has, and the problem, in the order of places.

        `look_up` reads some entries of a unit again and gives them with their numbers.
        """
        wanted: dict[int, set[int]] = {}
        for unit, entry in self._suspects():
            wanted.setdefault(unit, set()).add(entry)
        first: dict[tuple[Kind, str, str], Identity] = {}
        for unit in sorted(wanted):
            for number, draft in look_up(unit, frozenset(wanted[unit])):
                own = [(identity, first.setdefault(identity[:3], identity)) for identity in located_identities(draft)]
                clash = next(((identity, earlier) for identity, earlier in own if earlier is not identity), None)
                if clash:
                    yield Place(unit, number), duplicate(*clash, draft.key)

    def _suspects(self) -> Iterator[tuple[int, int]]:
        for hashes, places in zip(self._hashes, self._places, strict=True):
            if len(set(hashes)) == len(hashes):
                continue
            twice = {mark for mark, times in Counter(hashes).items() if times > 1}
            for mark, place in zip(hashes, places, strict=True):
                if mark in twice:
                    yield divmod(place, _ENTRIES)
