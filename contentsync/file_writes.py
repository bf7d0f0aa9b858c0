"""Write files atomically, and those of a content folder without overwriting changes that were not read."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import Unwritable


def create_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Create new files, and the folders that they need.

    Raises Unwritable with the file's name if a file cannot be written or already exists; then no file is created.
    """
    created: list[Path] = []
    try:
        for path, data in files.items():
            try:
                _create_file(folder / path, data, created)
            except OSError as error:
                raise _write_error(path, error) from error
    except BaseException:
        _delete_created(created)
        raise


def _delete_created(created: Sequence[Path]) -> None:
    """Delete files and folders in the reverse order of their creation, so that each folder is empty.

    A temporary file that has replaced another one is no longer there.
    """
    for path in reversed(created):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def rewrite_file(folder: Path, path: str, data: bytes) -> None:
    """Replace the content of a file atomically. Raises Unwritable, and then the file is unchanged."""
    try:
        write_file((folder / path).resolve(), data)
    except OSError as error:
        raise _write_error(path, error) from error


def write_file(file: Path, *data: bytes, durable: bool = False) -> None:
    """Replace or create a file atomically with the concatenated `data`; an existing file keeps its mode.

    Raises OSError, and then the file is unchanged. With `durable`, wait until the disk has stored it.
    """
    with replacing(file, durable=durable) as stream:
        stream.writelines(data)


@contextmanager
def replacing(file: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces or creates `file` when the block ends; after an error, `file` is unchanged.

    An existing file keeps its mode. With `durable`, wait until the disk has stored the file and its name.
    """
    with replacing_path(file) as temporary, temporary.open("wb", buffering=1 << 20) as stream:
        yield stream
        if durable:
            stream.flush()
            os.fsync(stream.fileno())
    if durable:
        _sync_folder(file.parent)


@contextmanager
def replacing_path(file: Path) -> Iterator[Path]:
    """Yield the path of an empty temporary file, which the block fills and closes, and then do as `replacing` does."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        if file.exists():
            shutil.copymode(file, temporary)
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Wait until the disk has stored the names in a folder. Raise OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def swap_files(folder: Path, files: Mapping[str, tuple[bytes | None, bytes | None]]) -> None:
    """Replace, create or delete several files. `files` contains (before, after) bytes; None means no file.

    Either all files change or none: new content is first written beside its target, so that a full disk changes
    nothing. Raises Unwritable with a file's name if it cannot be written, does not have its `before` bytes, or is
    outside of the folder. Folders without files stay.
    """
    created: list[Path] = []  # new folders and temporary files
    changed: list[str] = []  # the files to restore after an error
    path = ""
    try:
        temporaries: dict[str, Path | None] = {}  # the new content of each file; None if it is to be deleted
        parents: set[Path] = set()  # the folders that exist now
        for path, (before, after) in files.items():
            if (parent := (folder / path).parent) not in parents:
                _make_parent(folder, path, created)
                parents.add(parent)
            temporaries[path] = _write_beside(folder / path, path, before, after, created)
        for path, temporary in temporaries.items():
            if temporary:
                temporary.replace(folder / path)
                changed.append(path)
        for path, temporary in temporaries.items():
            if temporary is None:
                changed.append(path)
                (folder / path).unlink()
    except BaseException as error:
        for changed_path in reversed(changed):
            before, _after = files[changed_path]
            _restore(folder / changed_path, before)
        _delete_created(created)
        if isinstance(error, OSError):
            raise _write_error(path, error) from error
        raise


def _make_parent(folder: Path, path: str, added: list[Path]) -> None:
    """Create the folders of a file that do not exist, and add them to `added`.

    Raises Unwritable if the file is outside of `folder`, and OSError for any other failure.
    """
    file = folder / path
    missing = [parent for parent in file.parents if not os.path.lexists(parent)]
    for parent in reversed(missing):
        parent.mkdir()
        added.append(parent)
    if not file.parent.resolve().is_relative_to(folder.resolve()):
        raise _link_error(path)


def move_files(folder: Path, moves: Mapping[str, str]) -> None:
    """Move files to new paths in the folder, and delete the folders that are empty then, if the system allows it.

    Either all files move or none. Raises Unwritable with a file's name if a new path exists already, or if it is
    outside of the folder.
    """
    created: list[Path] = []  # new folders
    moved: list[str] = []
    old = ""
    try:
        for old, new in moves.items():
            _prepare_move(folder, new, created)
            moved.append(old)  # before the move, which may be interrupted
            (folder / old).rename(folder / new)
        for old in moves:
            _remove_empty_folders(folder, (folder / old).parent)
    except BaseException as error:
        for path in reversed(moved):
            if os.path.lexists(folder / moves[path]):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / moves[path]).rename(folder / path)
        for parent in reversed(created):
            parent.rmdir()
        if isinstance(error, OSError):
            raise _write_error(old, error) from error
        raise


def _prepare_move(folder: Path, new: str, created: list[Path]) -> None:
    """Create the folders of a new path, and add them to `created`. Raises Unwritable if it exists, or OSError."""
    _make_parent(folder, new, created)
    if os.path.lexists(folder / new):
        raise Unwritable(f"{new} exists already", "nothing was changed; run again")


def _remove_empty_folders(folder: Path, inner: Path) -> None:
    """Delete a folder, and those that it is in, below `folder`. Stop at the first that cannot be deleted."""
    with suppress(OSError):
        while inner != folder:
            if inner.is_dir():
                inner.rmdir()
            inner = inner.parent


def _write_beside(file: Path, path: str, before: bytes | None, after: bytes | None, added: list[Path]) -> Path | None:
    """Write a temporary file beside `file` and return its path; return None if `after` is None.

    Add the new file to `added`. Raises Unwritable for a link, and if the bytes of `file` are not `before`; or OSError.
    """
    if file.is_symlink():
        raise _link_error(path)
    present = file.read_bytes() if os.path.lexists(file) else None
    if present != before:
        raise Unwritable(f"{path} has changed meanwhile", "nothing was changed; run again")
    if after is None:
        return None
    temporary = file.parent / f".{file.name[:100]}.{secrets.token_hex(4)}"  # not too long for the system
    with temporary.open("xb") as stream:
        added.append(temporary)
        stream.write(after)
    if before is not None:
        shutil.copymode(file, temporary)
    return temporary


def _link_error(path: str) -> Unwritable:
    return Unwritable(f"{path} is a link, or lies behind one", "nothing was changed; put the file itself there")


def _restore(file: Path, before: bytes | None) -> None:
    """Give a file its bytes before the change; None: it did not exist, so delete it."""
    if before is None:
        file.unlink(missing_ok=True)
    else:
        write_file(file, before)


def _create_file(file: Path, data: bytes, created: list[Path]) -> None:
    """Create a file and its missing folders, and add each of them to `created`. Raise OSError if it exists."""
    missing = [parent for parent in file.parents if not parent.exists()]
    for folder in reversed(missing):
        folder.mkdir()
        created.append(folder)
    with file.open("xb") as stream:
        created.append(file)
        stream.write(data)


def _write_error(path: str, error: OSError) -> Unwritable:
    message = f"{path} cannot be written: {os.strerror(error.errno) if error.errno else error}"
    return Unwritable(message, "nothing was changed; make room or correct the permissions")
