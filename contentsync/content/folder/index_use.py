"""Which results of unchanged files a load may take from the index of the folder."""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from ...model import Kind

if TYPE_CHECKING:
    from .translations import Unit  # which imports the readers of formats

UnitRef = tuple[Kind, str]  # `Unit.ref`


class IndexUse(NamedTuple):
    """The use of the index: for all files that are unchanged, without those that are doubted."""

    doubted_units: Collection[UnitRef] = frozenset()
    doubted_kinds: Collection[Kind] = frozenset()
    is_read_only: bool = False  # uses an index that exists, and writes nothing

    def doubts(self, unit: "Unit") -> bool:
        """Return whether the files of a unit are read although they are unchanged."""
        return unit.kind in self.doubted_kinds or unit.ref in self.doubted_units


WHOLE_INDEX = IndexUse()
PRESENT_INDEX = IndexUse(is_read_only=True)
