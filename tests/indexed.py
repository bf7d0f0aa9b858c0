"""Write the index of a folder with new files: a command leaves out those that changed less than three seconds ago."""

from collections.abc import Sequence
from pathlib import Path

from contentsync.content.files.folder_signatures import STAMP_MARGIN
from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.index_use import WHOLE_INDEX
from contentsync.content.folder.unit_cache import UnitCache


class _Indexing(FolderReader):
    """A reader that also stores the results of new files."""

    margin = 0  # nanoseconds, in place of the seconds that users wait

    def _open_cache(self, watched: Sequence[str], elapsed: int) -> UnitCache | None:
        return super()._open_cache(watched, elapsed - STAMP_MARGIN + self.margin)


def store_index(folder: Path, margin: int) -> None:
    """Write the index of a folder, of all files that were last changed at least `margin` nanoseconds ago."""
    reader = _Indexing(FolderView(folder), with_values=True, index=WHOLE_INDEX)
    reader.margin = margin
    reader.read()
