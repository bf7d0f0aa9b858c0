"""Open the files of a content folder, without following links or waiting for pipes, and read them."""

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from ...errors import Problem, Where
from .content_folder import OPEN_FILE, OPEN_INNER_FOLDER, OPEN_TOP_FOLDER, FileStamp
from .file_names import is_hidden
from .file_text import BLOCK_SIZE, UnreadableFile, decode, decode_blocks

MAX_BYTES = 10 * 1024 * 1024
MAX_TABLE_BYTES = 512 * 1024 * 1024  # tables are read in blocks

_ATOMIC_READ_SIZE = 4096  # bytes: the system reads so many at once; a larger read may mix two versions of a file
_ATTEMPTS = 2  # to read a file that changes meanwhile

_NO_STAMP = FileStamp(0, 0, 0, 0)

# Files that are read as if the folder contained them, and None for those that count as missing, by location.
Proposed = Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True)
class FolderView:
    """A content folder, read as if it contained the `proposed` files.

    `moved_assets` maps the new path of each other file that counts as moved, such as a picture, to its old path.
    """

    folder: Path
    proposed: Proposed = field(default_factory=dict)
    moved_assets: Mapping[str, str] = field(default_factory=dict)

    def open(self) -> "ContentRoot":
        """Open the files of the folder. Raise UnreadableFile if it cannot be opened."""
        return ContentRoot(self.folder, proposed=self.proposed)


class ContentRoot:
    """Opens files of a content folder without following links. Raises UnreadableFile if the folder cannot be opened.

    The folder of the last file stays open, so that reading files in the order of their paths is fast. On systems that
    cannot open a file relative to a folder (Windows), files are opened by their full path. `proposed` files are read
    as if the folder contained them. Not thread-safe.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read: Callable[[int, int], bytes] = os.read,
        by_descriptor: bool = os.open in os.supports_dir_fd,
        proposed: Proposed = MappingProxyType({}),
    ) -> None:
        """Open the folder. `read` works like `os.read`; `by_descriptor`: a file can be opened relative to a folder."""
        self._path = folder
        self._proposed = proposed
        self._read = read
        self._by_descriptor = by_descriptor
        self._top: int | None = None  # the descriptor of the content folder
        self._last: tuple[str, int] | None = None  # the folder of the last file, and its descriptor
        if by_descriptor:
            try:
                self._top = os.open(folder, OPEN_TOP_FOLDER)
            except OSError as error:
                raise UnreadableFile(unreadable_problem(".", error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close_last()
        if self._top is not None:
            os.close(self._top)
            self._top = None

    def read_text(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[str, FileStamp]:
        """Return the text of a file and its stamp; `location` and `path` as for `read_bytes`. Raises UnreadableFile."""
        data, stamp = self.read_bytes(location, path, limit)
        return decode(data, path), stamp

    def read_bytes(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[bytes, FileStamp]:
        """Return the bytes of a file, and its stamp. Raises UnreadableFile.

        `location` is its path in the content folder, without links; `path` is its name in problems; `limit` is its
        maximum size in bytes. A file that changes while it is read is read a second time.
        """
        if (proposed := self._proposed.get(location)) is not None:
            return proposed, _NO_STAMP
        for _ in range(_ATTEMPTS):
            descriptor = self._open(location, path)
            try:
                stamp = _checked_stamp(descriptor, path, limit)
                data = self._read(descriptor, stamp.size + 1)  # one more, in case the file has grown
                is_complete = len(data) == stamp.size
                is_atomic = stamp.size <= _ATOMIC_READ_SIZE
                if is_complete and (is_atomic or _checked_stamp(descriptor, path, limit) == stamp):
                    return data, stamp
            except OSError as error:
                raise UnreadableFile(unreadable_problem(path, error)) from error
            finally:
                os.close(descriptor)
        raise UnreadableFile(_changed_problem(path))

    @contextmanager
    def open_blocks(
        self, location: str, path: str, encoding: str | None = None
    ) -> Iterator[tuple[Iterator[str], FileStamp]]:
        """Open a table of up to MAX_TABLE_BYTES; yield its pieces as from `decode_blocks`, and its stamp.

        `location` is its path in the content folder, without links; `path` is its name in problems. Without an
        `encoding` in the config, its mark determines it, else it is UTF-8. Raises UnreadableFile. Reading the pieces
        raises it too, at the end if the file changed in the meantime.
        """
        with self.open_bytes(location, path) as (blocks, stamp):
            yield decode_blocks(blocks, path, encoding), stamp

    @contextmanager
    def open_bytes(self, location: str, path: str) -> Iterator[tuple[Iterator[bytes], FileStamp]]:
        """Open a file of up to MAX_TABLE_BYTES; yield its bytes in blocks, and its stamp.

        `location` is its path in the content folder, without links; `path` is its name in problems. Raises
        UnreadableFile. Reading the blocks raises it too, at the end if the file changed in the meantime.
        """
        if (proposed := self._proposed.get(location)) is not None:
            yield iter([proposed]), _NO_STAMP
            return
        descriptor = self._open(location, path)
        try:
            stamp = _checked_stamp(descriptor, path, MAX_TABLE_BYTES)
            yield self._blocks(descriptor, stamp, path), stamp
        finally:
            os.close(descriptor)

    def read_head(self, location: str, path: str, size: int) -> bytes:
        """Return the first bytes of a file, `size` at most. Raises UnreadableFile."""
        if (proposed := self._proposed.get(location)) is not None:
            return proposed[:size]
        descriptor = self._open(location, path)
        try:
            _checked_stamp(descriptor, path, MAX_TABLE_BYTES)
            return self._read(descriptor, size)
        except OSError as error:
            raise UnreadableFile(unreadable_problem(path, error)) from error
        finally:
            os.close(descriptor)

    def _blocks(self, descriptor: int, stamp: FileStamp, path: str) -> Iterator[bytes]:
        """Yield the bytes of a file in blocks. Raise UnreadableFile at the end if it changed meanwhile."""
        remaining = stamp.size
        try:
            while block := self._read(descriptor, BLOCK_SIZE):
                remaining -= len(block)
                if remaining < 0:  # the file has grown
                    break
                yield block
            is_unchanged = remaining == 0 and _checked_stamp(descriptor, path, MAX_TABLE_BYTES) == stamp
        except OSError as error:
            raise UnreadableFile(unreadable_problem(path, error)) from error
        if not is_unchanged:
            raise UnreadableFile(_changed_problem(path))

    def _open(self, location: str, path: str) -> int:
        """Return a descriptor of a file, opened without following links. Raise UnreadableFile."""
        folder, _, name = location.rpartition("/")
        try:
            if not self._by_descriptor:
                return os.open(self._path / location, OPEN_FILE)
            last_folder, descriptor = self._last or (None, -1)
            if last_folder != folder:
                descriptor = self._enter(folder)
            return os.open(name, OPEN_FILE, dir_fd=descriptor)
        except OSError as error:
            # It was found a moment ago: it was deleted, or replaced by a link (of which systems say ELOOP or EMLINK).
            has_changed = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK)
            raise UnreadableFile(_changed_problem(path) if has_changed else unreadable_problem(path, error)) from error

    def _enter(self, folder: str) -> int:
        """Open a folder without following links, and return its descriptor. Closes the folder that was open before."""
        self._close_last()
        assert self._top is not None, "the content folder is closed"  # noqa: S101
        descriptor = os.dup(self._top)
        try:
            for part in folder.split("/") if folder else ():
                inner = os.open(part, OPEN_INNER_FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
        except OSError:
            os.close(descriptor)
            raise
        self._last = folder, descriptor
        return descriptor

    def _close_last(self) -> None:
        if self._last is not None:
            os.close(self._last[1])
            self._last = None


def resolve_link(folder: Path, location: str, path: str) -> str:
    """Return the path of a link's target in the folder. Raises UnreadableFile if it is missing, outside or hidden.

    `folder` is the real path of the content folder, `location` the link's path in it, `path` the link in problems.
    """
    try:
        real = (folder / location).resolve(strict=True)
    except (OSError, RuntimeError):  # a loop is a RuntimeError before Python 3.13
        reason = "to nothing"
    else:
        if not real.is_relative_to(folder):
            reason = "to a place outside of the content folder"
        elif any(map(is_hidden, real.relative_to(folder).parts)):
            reason = "to a hidden file"
        else:
            return real.relative_to(folder).as_posix()
    message, hint = f"the symbolic link points {reason}", "replace the link with the file itself"
    raise UnreadableFile(Problem("bad-link", message, Where(path), hint))


def folder_problem(folder: Path) -> Problem | None:
    """Return the problem that a content folder does not exist or cannot be read, or None."""
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises where it may not look
        return Problem("no-folder", f"there is no folder {folder}", Where("."), "pass the path of the content folder")
    try:
        os.scandir(f"{folder}/.").close()  # a listable folder is not always searchable
    except OSError as error:  # reported once, and not for each file in it
        return Problem(
            "unreadable", f"the folder cannot be read: {error.strerror}", Where("."), "check its permissions"
        )
    return None


def unreadable_problem(path: str, error: OSError) -> Problem:
    """Return the problem that the system cannot read a file or folder."""
    is_long = error.errno == errno.ENAMETOOLONG
    hint = "shorten its name, or the names of its folders" if is_long else "check its permissions"
    return Problem("unreadable", f"this cannot be read: {error.strerror}", Where(path), hint)


def special_file_problem(path: str) -> Problem:
    """Return the problem that a path is a pipe, a socket or a device."""
    message = "this is a pipe, a socket or a device, not a file"
    return Problem("special-file", message, Where(path), "move it out of the content folder")


def _changed_problem(path: str) -> Problem:
    return Problem("file-changed", "the file changed while it was read", Where(path), "run the command again")


def _checked_stamp(descriptor: int, path: str, limit: int) -> FileStamp:
    """Return the stamp of an open file. Raise UnreadableFile if it is no file, or larger than the limit."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(special_file_problem(path))
    if status.st_size > limit:
        message = f"the file has {status.st_size:,} bytes; the limit is {limit:,}"
        raise UnreadableFile(Problem("too-large", message, Where(path), "split the file"))
    return FileStamp.from_status(status)
