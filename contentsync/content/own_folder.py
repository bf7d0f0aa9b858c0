"""Folders beside the content that are this program's own, and that git is to leave alone."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

OWN = ".contentsync"


def hide_from_git(path: Path) -> None:
    """Make the `.contentsync` that a path is in, if it is in one, with a `.gitignore` that keeps all of it from git.

    A `.gitignore` that is there stays. Where nothing can be written, nothing is: what is to be written next reports it.
    """
    own = next((part for part in (path, *path.parents) if part.name == OWN), None)
    if own is None or own.is_symlink():
        return
    with suppress(OSError):
        own.mkdir(exist_ok=True)
        with (own / ".gitignore").open("x", encoding="ascii") as file:
            file.write("*\n")


def own_folder(folder: Path, path: str) -> Path:
    """Make `path` below a content folder. Raises OSError, also where something else has the name of a part of it.

    A link counts as something else: a checkout may hold one, and it may lead anywhere.
    """
    place = folder
    hide_from_git(folder / path)
    for part in path.split("/"):
        place /= part
        with suppress(FileExistsError):
            place.mkdir()
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    with suppress(FileExistsError), (place / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")
    return place
