"""What can be seen of all files of a folder without opening one: finds what no notice told of."""

import os
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from os import DirEntry
from pathlib import Path

from ..content.file_names import is_hidden

Stamps = dict[str, int]  # by path, relative, with forward slashes, NFC


def stamps(folder: Path) -> Stamps:
    """A number for each file that is not hidden; of a link that of the file it leads to."""
    found: Stamps = {}
    folders = [""]
    while folders:
        inner = folders.pop()
        with suppress(OSError):  # it has just gone, or may not be read
            for entry in _entries(folder / inner):
                path = f"{inner}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{path}/")
                else:
                    found[unicodedata.normalize("NFC", path)] = _stamp(entry)
    return found


def differing(before: Stamps, now: Stamps) -> set[str]:
    """The paths of files that have come, gone or changed."""
    return {path for path, _ in before.items() ^ now.items()}


def _entries(folder: Path) -> Iterator[DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not is_hidden(entry.name):
                yield entry


def _stamp(entry: DirEntry[str]) -> int:
    try:
        status = entry.stat()
    except OSError:  # a link to nothing
        return 0
    return hash((status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
