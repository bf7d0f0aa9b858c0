"""The fingerprints of an applied entry in little memory: the base of 100,000 listings has a million of them."""

from collections.abc import ItemsView, Iterator, Mapping
from functools import lru_cache

_SEPARATOR = " "


class PackedFields(Mapping[str, str]):
    """A copy of an applied entry's fields, unpacked each time one of its values is read.

    Raise TypeError or ValueError for values other than texts without a space, which are no fingerprints.
    """

    __slots__ = ("_names", "_pairs")

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._names = _shared((*fields,))
        self._pairs = _SEPARATOR.join(fields.values())
        if fields and self._pairs.count(_SEPARATOR) != len(self._names) - 1:
            raise ValueError("a fingerprint has a space")

    def __getitem__(self, name: str) -> str:
        return self._unpacked()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, str]:
        """Return all items, unpacked once."""
        return self._unpacked().items()

    def _unpacked(self) -> dict[str, str]:
        return dict(zip(self._names, self._pairs.split(_SEPARATOR), strict=False))  # "" has one part and no name


@lru_cache
def _shared(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return equal names as one object, as most entries of a kind have the same fields."""
    return names
