"""The content folder on disk: its config file, and the program's private folder in it."""

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from ..errors import UsageError

CONFIG = "contentsync.toml"

_SECRET = re.compile(r"token|secret|passw|api_?key|://.*@", re.IGNORECASE)


def find_folder(start: Path) -> Path:
    """Return the nearest folder upwards that contains a contentsync.toml. Raises UsageError if there is none."""
    for folder in (start.absolute(), *start.absolute().parents):
        config = folder / CONFIG
        if os.path.isfile(config) or os.path.islink(config):  # noqa: PTH113, PTH114  # a Path raises without permission
            return folder
    raise UsageError(
        f"no {CONFIG} in {start} or in any folder above it",
        f"name the content folder: it holds a {CONFIG}, which may be empty; contentsync init makes a new one",
    )


def may_hold_secret(text: str) -> bool:
    """Return whether a key or a line of the config may contain a token or a password, which is never shown."""
    return _SECRET.search(text) is not None


PRIVATE_FOLDER = ".contentsync"


def hide_from_git(path: Path) -> None:
    """Create the `.contentsync` folder above a path, with a `.gitignore` that excludes all of it from git.

    Does nothing for a path outside of such a folder, and never replaces a `.gitignore`. Ignores write errors: the
    next write reports them.
    """
    own = next((part for part in (path, *path.parents) if part.name == PRIVATE_FOLDER), None)
    if own is None or own.is_symlink():
        return
    with suppress(OSError):
        own.mkdir(exist_ok=True)
        with (own / ".gitignore").open("x", encoding="ascii") as file:
            file.write("*\n")


def make_private_folder(folder: Path, path: str) -> Path:
    """Create the folder `path` below a content folder. Raises OSError, also if a part of it is not a folder.

    A link is not a folder: a checkout may contain one, and it may lead anywhere.
    """
    inner = folder
    hide_from_git(folder / path)
    for part in path.split("/"):
        inner /= part
        with suppress(FileExistsError):
            inner.mkdir()
        if not stat.S_ISDIR(os.lstat(inner).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(inner))
    with suppress(FileExistsError), (inner / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")
    return inner
