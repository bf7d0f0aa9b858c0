"""Write files of a content folder atomically, and never over a change that was not read."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..errors import Unwritable


def create_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Create new files, and the folders that they need.

    Raises Unwritable, which names the file, if one cannot be written or exists already; then none is left.
    """
    made: list[Path] = []
    try:
        for path, data in files.items():
            try:
                _create_file(folder / path, data, made)
            except OSError as error:
                raise _write_error(path, error) from error
    except BaseException:
        for file in reversed(made):
            file.rmdir() if file.is_dir() else file.unlink()
        raise


def rewrite_file(folder: Path, path: str, data: bytes) -> None:
    """Replace the content of a file, or leave it as it is. Raises Unwritable."""
    try:
        write_file((folder / path).resolve(), data)
    except OSError as error:
        raise _write_error(path, error) from error


def write_file(file: Path, *data: bytes, durable: bool = False) -> None:
    """Replace or create a file atomically, from parts; an existing file keeps its mode.

    Raises OSError, and then the file is unchanged. With `durable`, the file and its name are on disk on return.
    """
    descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        if file.exists():
            shutil.copymode(file, temporary)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink()
        raise
    if durable:
        _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def swap_files(folder: Path, files: Mapping[str, tuple[bytes | None, bytes | None]]) -> None:
    """Replace, create or delete files, all or none: each with its bytes before and after, None for no file.

    Everything is first written beside its target, so that a full disk changes nothing. Raises Unwritable, which
    names the file, and then everything is as before: also if a file does not have the bytes `before`, or is outside
    of the folder.
    """
    made: list[Path] = []  # new folders and temporary files
    done: list[str] = []
    path = ""
    try:
        ready: dict[str, Path | None] = {}
        for path, (before, after) in files.items():
            ready[path] = _write_beside(folder, path, before, after, made)
        for path, temporary in ready.items():
            if temporary:
                temporary.replace(folder / path)
                made.remove(temporary)
            done.append(path)
        for path, temporary in ready.items():
            if temporary is None:
                (folder / path).unlink()
    except BaseException as error:
        for path_done in reversed(done):
            _restore(folder / path_done, files[path_done][0])
        for file in reversed(made):
            file.rmdir() if file.is_dir() else file.unlink()
        if isinstance(error, OSError):
            raise _write_error(path, error) from error
        raise


def _write_beside(folder: Path, path: str, before: bytes | None, after: bytes | None, made: list[Path]) -> Path | None:
    """Write a temporary file beside its target; None if the target is to be deleted.

    Raises OSError, and Unwritable if the target is not as expected.
    """
    file = folder / path
    missing = [parent for parent in file.parents if not os.path.lexists(parent)]
    for parent in reversed(missing):
        parent.mkdir()
        made.append(parent)
    if not file.parent.resolve().is_relative_to(folder.resolve()) or file.is_symlink():
        raise Unwritable(f"{path} is a link, or lies behind one", "nothing was changed; put the file itself there")
    if (file.read_bytes() if os.path.lexists(file) else None) != before:
        raise Unwritable(f"{path} has changed meanwhile", "nothing was changed; run again")
    if after is None:
        return None
    temporary = file.parent / f".{file.name[:100]}.{secrets.token_hex(4)}"
    with temporary.open("xb") as stream:
        made.append(temporary)
        stream.write(after)
    if before is not None:
        shutil.copymode(file, temporary)
    return temporary


def _restore(file: Path, before: bytes | None) -> None:
    if before is None:
        file.unlink(missing_ok=True)
    else:
        write_file(file, before)


def _create_file(file: Path, data: bytes, made: list[Path]) -> None:
    missing = [parent for parent in file.parents if not parent.exists()]
    for folder in reversed(missing):
        folder.mkdir()
        made.append(folder)
    with file.open("xb") as stream:
        made.append(file)
        stream.write(data)


def _write_error(path: str, error: OSError) -> Unwritable:
    message = f"{path} cannot be written: {os.strerror(error.errno) if error.errno else error}"
    return Unwritable(message, "nothing was changed; make room or correct the permissions")
