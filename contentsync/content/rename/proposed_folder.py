"""Read a folder with its values, as it is or as it would be after a rename."""

from collections.abc import Mapping
from pathlib import Path

from ...model import EntryKey, Kind
from ..folder_reader import FolderReader
from ..gc_pause import gc_paused
from ..source_file import Proposed


def read_folder(folder: Path, proposed: Proposed, moved_assets: Mapping[str, str]) -> "ProposedReader":
    """Return a reader that has read the folder as if it contained the `proposed` files. Writes nothing.

    `moved_assets` has the new paths of files that are no content and count as moved, with their old paths.
    """
    with gc_paused():
        reader = ProposedReader(folder, proposed, moved_assets)
        reader.read()
    return reader


class ProposedReader(FolderReader):
    """Reads a folder with proposed files. A caller uses `read_folder`."""

    def __init__(self, folder: Path, proposed: Proposed, moved_assets: Mapping[str, str]) -> None:
        super().__init__(folder, with_values=True)
        self._proposed = proposed
        self._moved_assets = moved_assets

    def document_files(self) -> dict[str, EntryKey]:
        """Return the entry of each document and translation, by path, except listings: their addresses are unknown."""
        entries: dict[str, EntryKey] = {}
        for number, key in self._document_keys.items():
            unit = self._units[number]
            if unit.kind is not Kind.LISTING:
                entries |= {file.path: (unit.kind, key) for file in unit.files}
        return entries
