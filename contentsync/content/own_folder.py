"""Folders beside the content that are this program's own, and that git is to leave alone."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path


def own_folder(folder: Path, path: str) -> Path:
    """Make `path` below a content folder. Raises OSError, also where something else has the name of a part of it.

    A link counts as something else: a checkout may hold one, and it may lead anywhere.
    """
    place = folder
    for part in path.split("/"):
        place /= part
        with suppress(FileExistsError):
            place.mkdir()
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    with suppress(FileExistsError), (place / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")
    return place
