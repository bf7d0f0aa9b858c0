"""Entries of one identity, found among any number of them in a few bytes each."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ..errors import Problem
from ..model import Kind
from .draft import Draft
from .identity import Identity, duplicate, located_identities

_BUCKETS = 64
_LINES = 1 << 32  # an entry's place is its unit's number and its line in one integer

LookUp = Callable[[int, frozenset[int]], Iterable[Draft]]


class Clashes:
    """Remembers a hash of every identity; what it looks like is read again in the rare case that two are equal.

    100,000 entries as objects would fill the memory that a table of a million rows may take.
    """

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(_BUCKETS)]
        self._places = [array("Q") for _ in range(_BUCKETS)]

    def add(self, kind: Kind, name: str, value: str, unit: int, line: int) -> None:
        """Remember an identity of the entry at a line of a unit."""
        mark = hash((kind, name, value))
        self._hashes[mark % _BUCKETS].append(mark)
        self._places[mark % _BUCKETS].append(unit * _LINES + line)

    def found(self, look_up: LookUp) -> Iterator[tuple[Draft, Problem]]:
        """Each entry but the first of one identity, and the problem, in the order of places.

        `look_up` reads the entries at some lines of a unit again.
        """
        wanted: dict[int, set[int]] = {}
        for unit, line in self._suspects():
            wanted.setdefault(unit, set()).add(line)
        first: dict[tuple[Kind, str, str], Identity] = {}
        for unit in sorted(wanted):
            for draft in look_up(unit, frozenset(wanted[unit])):
                for identity in located_identities(draft):
                    earlier = first.setdefault((identity.kind, identity.name, identity.value), identity)
                    if earlier is not identity:
                        yield draft, duplicate(identity, earlier, draft.key)
                        break

    def _suspects(self) -> Iterator[tuple[int, int]]:
        for hashes, places in zip(self._hashes, self._places, strict=True):
            if len(set(hashes)) == len(hashes):
                continue
            twice = {mark for mark, times in Counter(hashes).items() if times > 1}
            for mark, place in zip(hashes, places, strict=True):
                if mark in twice:
                    yield divmod(place, _LINES)
