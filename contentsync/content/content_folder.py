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
    """The nearest folder upwards that holds a contentsync.toml; raises UsageError when there is none."""
    for folder in (start.absolute(), *start.absolute().parents):
        config = folder / CONFIG
        if os.path.isfile(config) or os.path.islink(config):  # noqa: PTH113, PTH114  # a Path raises without permission
            return folder
    raise UsageError(
        f"no {CONFIG} in {start} or in any folder above it",
        f"name the content folder: it holds a {CONFIG}, which may be empty; contentsync init makes a new one",
    )


def may_hold_secret(text: str) -> bool:
    """Whether a line of the config, or a key, looks as if a token or a password stood there, which is never shown."""
    return _SECRET.search(text) is not None


PRIVATE_FOLDER = ".contentsync"


def hide_from_git(path: Path) -> None:
    """Make the `.contentsync` that a path is in, if it is in one, with a `.gitignore` that keeps all of it from git.

    A `.gitignore` that is there stays. Where nothing can be written, nothing is: what is to be written next reports it.
    """
    own = next((part for part in (path, *path.parents) if part.name == PRIVATE_FOLDER), None)
    if own is None or own.is_symlink():
        return
    with suppress(OSError):
        own.mkdir(exist_ok=True)
        with (own / ".gitignore").open("x", encoding="ascii") as file:
            file.write("*\n")


def make_private_folder(folder: Path, path: str) -> Path:
    """Make `path` below a content folder. Raises OSError, also where something else has the name of a part of it.

    A link counts as something else: a checkout may hold one, and it may lead anywhere.
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
