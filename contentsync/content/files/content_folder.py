"""The content folder on disk: its config file, the program's private folder in it, and how its files are opened."""

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ...errors import UsageError
from ...lazy_pattern import lazy_pattern

CONFIG = "contentsync.toml"

_SECRET = lazy_pattern(r"token|secret|passw|api_?key|://.*@", re.IGNORECASE)


def find_folder(start: Path) -> Path:
    """Return `start` or the nearest folder above it with a contentsync.toml. Raises UsageError if there is none."""
    for folder in (start.absolute(), *start.absolute().parents):
        config = folder / CONFIG
        if os.path.isfile(config) or os.path.islink(config):  # noqa: PTH113, PTH114  # a Path raises without permission
            return folder
    raise UsageError(
        f"no {CONFIG} in {start} or in any folder above it",
        f"name the content folder: it holds a {CONFIG}, which may be empty; contentsync init makes a new one",
    )


def default_site_name(folder: Path) -> str:
    """Return the site's name if the config sets none: the folder's name, or "site" if that is not printable."""
    name = folder.absolute().name
    return name if name.strip() and name.isprintable() else "site"


def may_contain_secret(text: str) -> bool:
    """Return whether a key or a line of the config may contain a secret, so that messages must not show it."""
    return _SECRET.search(text) is not None


PRIVATE_FOLDER = ".contentsync"
CACHE_FOLDER = f"{PRIVATE_FOLDER}/cache"


def make_private_root_of(path: Path) -> None:
    """Create the `.contentsync` folder that a path is in, with a `.gitignore` that excludes all of it from git.

    Does nothing for a path outside of such a folder, and never replaces a `.gitignore`. Ignores write errors: the
    caller's next write raises them.
    """
    private_folder = next((part for part in (path, *path.parents) if part.name == PRIVATE_FOLDER), None)
    if private_folder is None or private_folder.is_symlink():
        return
    with suppress(OSError):
        private_folder.mkdir(exist_ok=True)
        with (private_folder / ".gitignore").open("x", encoding="ascii") as file:
            file.write("*\n")


def make_private_folder(folder: Path, path: str) -> Path:
    """Create the folder `path` in a content folder, with a `.gitignore` that excludes everything, and return it.

    Raises OSError, also if a part of `path` is a symbolic link: one in a checkout may lead anywhere.
    """
    make_private_root_of(folder / path)  # creates nothing if it is a symbolic link, which the loop refuses
    inner = folder
    for part in path.split("/"):
        inner /= part
        with suppress(FileExistsError):
            inner.mkdir()
        if not stat.S_ISDIR(os.lstat(inner).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(inner))
    # The user may have changed the `.gitignore` in `.contentsync`, so this folder has its own.
    with suppress(FileExistsError), (inner / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")
    return inner


def _flags(*names: str) -> int:
    """Return the flags of `os.open` that this system has."""
    return sum(getattr(os, name, 0) for name in names)


# Without following links, and without waiting for the other end of a pipe.
OPEN_FILE = _flags("O_RDONLY", "O_CLOEXEC", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
OPEN_TOP_FOLDER = _flags("O_RDONLY", "O_CLOEXEC", "O_DIRECTORY")  # the content folder itself may be a link
OPEN_INNER_FOLDER = OPEN_TOP_FOLDER | _flags("O_NOFOLLOW")


class FileStamp(NamedTuple):
    """The metadata of a file at one moment: another stamp shows that the file has changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def from_status(cls, status: os.stat_result) -> "FileStamp":
        """Return the stamp of a file with this status."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def __str__(self) -> str:
        return f"{self.size} {self.mtime_ns} {self.ctime_ns} {self.inode}"
