"""Opening the files of a content folder: never through a link, never waiting, never more than a limit."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ...errors import Problem, Where
from ..draft import Unreadable
from .file_names import is_hidden
from .source_text import BLOCK, decoded, decoded_blocks

MAX_BYTES = 10 * 1024 * 1024
MAX_TABLE_BYTES = 512 * 1024 * 1024  # tables are read in blocks

_AT_ONCE = 4096  # bytes, which the system copies in one go; of more, half may be older than a write, half newer
_ATTEMPTS = 2


def _flags(*names: str) -> int:
    """Those of the flags of `os.open` that this system has."""
    return reduce(or_, (getattr(os, name, 0) for name in names))


# O_NONBLOCK: never waiting for a pipe's other end.
_FILE = _flags("O_RDONLY", "O_CLOEXEC", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
_FOLDER = _flags("O_RDONLY", "O_CLOEXEC", "O_DIRECTORY")
_INNER_FOLDER = _FOLDER | _flags("O_NOFOLLOW")  # the content folder itself may be a link


class Stamp(NamedTuple):
    """What the system says of a file, taken before it was read."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Root:
    """An open content folder, out of which no link leads; raises Unreadable if it cannot be opened.

    It keeps the folder of the last file open, so that files in the order of their paths cost one look-up each. Where
    the system cannot open a file within an open folder (Windows), files are opened by their whole path. Not for
    several threads at once.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read: Callable[[int, int], bytes] = os.read,
        by_descriptor: bool = os.open in os.supports_dir_fd,
    ) -> None:
        self._path = folder
        self._read = read
        self._by_descriptor = by_descriptor
        self._top: int | None = None  # the descriptor of the content folder
        self._last: tuple[str, int] | None = None  # the folder of the last file, and its descriptor
        if by_descriptor:
            try:
                self._top = os.open(folder, _FOLDER)
            except OSError as error:
                raise Unreadable(unreadable(".", error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close what is held open."""
        self._leave()
        if self._top is not None:
            os.close(self._top)
            self._top = None

    def text(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[str, Stamp]:
        """The text of a file, and its stamp; `location` and `path` as for `data`. Raises Unreadable."""
        data, stamp = self.data(location, path, limit)
        return decoded(data, path), stamp

    def data(self, location: str, path: str, limit: int = MAX_BYTES) -> tuple[bytes, Stamp]:
        """The bytes of a file, and its stamp.

        `location` is where it is below the folder, links followed; `path` is its name in problems. A file that changes
        meanwhile is read a second time. Raises Unreadable.
        """
        for _ in range(_ATTEMPTS):
            descriptor = self._open(location, path)
            try:
                stamp = _stamp(descriptor, path, limit)
                data = self._read(descriptor, stamp.size + 1)
                whole = len(data) == stamp.size
                if whole and (stamp.size <= _AT_ONCE or _stamp(descriptor, path, limit) == stamp):
                    return data, stamp
            except OSError as error:
                raise Unreadable(unreadable(path, error)) from error
            finally:
                os.close(descriptor)
        raise Unreadable(_changed(path))

    @contextmanager
    def blocks(self, location: str, path: str) -> Iterator[tuple[Iterator[str], Stamp]]:
        """The text of a file of up to MAX_TABLE_BYTES in pieces, as `decoded_blocks` gives them, and its stamp.

        Raises Unreadable, and so does taking the pieces: at the end, if the file changed meanwhile.
        """
        descriptor = self._open(location, path)
        try:
            stamp = _stamp(descriptor, path, MAX_TABLE_BYTES)
            yield decoded_blocks(self._blocks(descriptor, stamp, path), path), stamp
        finally:
            os.close(descriptor)

    def head(self, location: str, path: str, size: int) -> bytes:
        """The first bytes of a file as they are, `size` at most. Raises Unreadable."""
        descriptor = self._open(location, path)
        try:
            _stamp(descriptor, path, MAX_TABLE_BYTES)
            return self._read(descriptor, size)
        except OSError as error:
            raise Unreadable(unreadable(path, error)) from error
        finally:
            os.close(descriptor)

    def _blocks(self, descriptor: int, stamp: Stamp, path: str) -> Iterator[bytes]:
        left = stamp.size
        try:
            while block := self._read(descriptor, BLOCK):
                left -= len(block)
                if left < 0:
                    break
                yield block
            same = left == 0 and _stamp(descriptor, path, MAX_TABLE_BYTES) == stamp
        except OSError as error:
            raise Unreadable(unreadable(path, error)) from error
        if not same:
            raise Unreadable(_changed(path))

    def _open(self, location: str, path: str) -> int:
        folder, _, name = location.rpartition("/")
        try:
            if not self._by_descriptor:
                return os.open(self._path / location, _FILE)
            held = self._last[1] if self._last and self._last[0] == folder else self._enter(folder)
            return os.open(name, _FILE, dir_fd=held)
        except OSError as error:
            gone = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK)
            raise Unreadable(_changed(path) if gone else unreadable(path, error)) from error

    def _enter(self, folder: str) -> int:
        """Hold a folder open, through no link on the way to it; gives its descriptor."""
        self._leave()
        assert self._top is not None, "the content folder is closed"  # noqa: S101
        descriptor = os.dup(self._top)
        try:
            for part in folder.split("/") if folder else ():
                inner = os.open(part, _INNER_FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
        except OSError:
            os.close(descriptor)
            raise
        self._last = folder, descriptor
        return descriptor

    def _leave(self) -> None:
        if self._last is not None:
            os.close(self._last[1])
            self._last = None


def follow(folder: Path, location: str, path: str) -> str:
    """Where a link below a resolved folder leads, below it too, if what is there is visible. Raises Unreadable."""
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
    raise Unreadable(
        Problem("bad-link", f"the symbolic link points {reason}", Where(path), "replace the link with the file itself")
    )


def unreadable(path: str, error: OSError) -> Problem:
    """The problem of a file or folder that the system does not let us read."""
    hint = (
        "shorten its name, or the names of its folders"
        if error.errno == errno.ENAMETOOLONG
        else "check its permissions"
    )
    return Problem("unreadable", f"this cannot be read: {error.strerror}", Where(path), hint)


def special_file(path: str) -> Problem:
    """The problem of a pipe, socket or device."""
    return Problem(
        "special-file",
        "this is a pipe, a socket or a device, not a file",
        Where(path),
        "move it out of the content folder",
    )


def _changed(path: str) -> Problem:
    return Problem("file-changed", "the file changed while it was read", Where(path), "run the command again")


def _stamp(descriptor: int, path: str, limit: int) -> Stamp:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(special_file(path))
    if status.st_size > limit:
        message = f"the file has {status.st_size:,} bytes; the limit is {limit:,}"
        raise Unreadable(Problem("too-large", message, Where(path), "split the file"))
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
