"""Writing into a content folder: never over what is there, and whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...errors import Unwritable


def create(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make new files, and the folders that they need.

    Raises Unwritable, which names the file, where one cannot be written or is there already; those made
    before it are then taken away again.
    """
    made: list[Path] = []
    try:
        for path, data in files.items():
            try:
                _make(folder / path, data, made)
            except OSError as error:
                raise _unwritable(path, error) from error
    except BaseException:
        for file in reversed(made):
            file.rmdir() if file.is_dir() else file.unlink()
        raise


def replace(folder: Path, path: str, data: bytes) -> None:
    """Put another text into a file, or leave it as it is. Raises Unwritable."""
    try:
        put((folder / path).resolve(), data)
    except OSError as error:
        raise _unwritable(path, error) from error


def put(file: Path, data: bytes) -> None:
    """Replace a file as a whole, or make it; it keeps its mode. Raises OSError, and then it is as it was."""
    descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        if file.exists():
            shutil.copymode(file, temporary)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink()
        raise


def _make(file: Path, data: bytes, made: list[Path]) -> None:
    missing = [parent for parent in file.parents if not parent.exists()]
    for folder in reversed(missing):
        folder.mkdir()
        made.append(folder)
    with file.open("xb") as stream:
        made.append(file)
        stream.write(data)


def _unwritable(path: str, error: OSError) -> Unwritable:
    message = f"{path} cannot be written: {os.strerror(error.errno) if error.errno else error}"
    return Unwritable(message, "nothing was changed; make room or correct the permissions")
