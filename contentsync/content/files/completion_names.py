"""The names of a folder's entries on disk, for completion in a shell: `page/about`, one per line.

This module needs only the standard library until names are saved, so that the Tab key is answered at once.
"""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from .cache_file import pack, read_with_stamp, unpack
from .content_folder import CACHE_FOLDER, make_private_folder

NAMES_FILE = f"{CACHE_FOLDER}/names"

_MAX_KEYS = 100_000  # a table of a million rows must not need much more memory


class CompletionNames:
    """The names of the entries that a run has read; those beyond `_MAX_KEYS` of a kind are left out."""

    def __init__(self) -> None:
        self._keys: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, kind: str, keys: Iterable[str]) -> None:
        """Add entries of a kind by their keys."""
        known = self._keys[kind]
        if len(known) < _MAX_KEYS:
            known.extend(keys)

    def save(self, folder: Path) -> None:
        """Write the names into the cache of a content folder, unless they are there already.

        Ignore a folder that cannot be written, as on a read-only disk.
        """
        # Imported here, because reading the names does not need it.
        from ...file_writes import write_file

        names = "".join(f"{kind}/{key}\n" for kind, keys in self._keys.items() for key in keys)
        data = b"".join(pack([names.encode(errors="replace")]))
        stored, _stamp = read_with_stamp(folder, NAMES_FILE)
        if data != stored:
            with suppress(OSError):
                write_file(make_private_folder(folder, CACHE_FOLDER) / Path(NAMES_FILE).name, data)


def read_names(folder: Path) -> list[str]:
    """Return the names of the entries at the last load without errors; none if the file is missing or damaged."""
    data, _stamp = read_with_stamp(folder, NAMES_FILE)
    return unpack(data).decode(errors="replace").split("\n")[:-1]
