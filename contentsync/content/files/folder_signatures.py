"""Compute signatures of folders from metadata: equal signatures show that no file has changed."""

import os
import stat
import struct
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, NoReturn

from .content_folder import CACHE_FOLDER, OPEN_INNER_FOLDER, FileStamp, make_private_folder
from .file_names import is_hidden, visible_names

MIN_FILES_TO_FORK = 5_000  # with fewer files, starting processes takes longer than it saves

_pack_stamp = struct.Struct("=qqqQ").pack  # raises struct.error for impossible times, such as the year 300,000

_UNCLEAR = ""  # the digest of a path whose stamps do not show every change: it is never settled, so never stored
_ABSENT = "absent"


class Signature(NamedTuple):
    """A digest of one file's stamp; or of a folder's stamp, and the stamps and visible names of its files."""

    digest: str  # equal only for equal stamps; "" for an unreadable path, or a folder with links or special files
    newest: int  # nanoseconds: the latest time of modification or change

    def is_settled(self, before: int) -> bool:
        """Return whether the last change was before a time in nanoseconds, so that a later change has another stamp."""
        return self.digest != _UNCLEAR and self.newest < before


STAMP_MARGIN = 3 * 10**9  # nanoseconds; FAT stores times of two seconds


def settled_time(folder: Path, elapsed: int, margin: int = STAMP_MARGIN) -> int:
    """Return the file system's time at the start of a run, minus a margin.

    The margin is for the clock of the file system: a file that changes twice within one tick keeps its stamp. The run
    began `elapsed` nanoseconds ago. Creates the cache folder. Raises OSError if the folder cannot be written,
    as on a read-only disk.
    """
    with tempfile.TemporaryFile(dir=make_private_folder(folder, CACHE_FOLDER)) as file:
        return os.fstat(file.fileno()).st_mtime_ns - elapsed - margin


class FolderDependencies(NamedTuple):
    """What a result depends on: the visible names in the content folder itself, and the signatures of paths in it."""

    names: str  # digest
    paths: Sequence[str]  # the config, and the folders that were read, with all folders above them
    files: int
    began: int  # when reading began, in nanoseconds of `time.monotonic_ns`

    def version(self, folder: Path, margin: int = STAMP_MARGIN) -> "FolderVersion | None":
        """Return the version that was read; None if a path has changed since `began`, or shortly (`margin`) before."""
        try:
            nanoseconds_since_began = time.monotonic_ns() - self.began
            settled_before = settled_time(folder, nanoseconds_since_began, margin)  # by the clock of the file system
        except OSError:
            return None
        signatures = compute_signatures(folder, self.paths, self.files)
        if not all(signature.is_settled(settled_before) for signature in signatures.values()):
            return None
        digests = {path: signature.digest for path, signature in signatures.items()}
        return FolderVersion(digests, self.names, self.files)


class FolderVersion(NamedTuple):
    """The state of all dependencies of a result: a folder of the same version gives the same result."""

    signatures: Mapping[str, str]  # digests by path
    names: str
    files: int

    def is_current(self, folder: Path) -> bool:
        """Return whether no path has changed since, nor the visible names in the content folder."""
        signatures = compute_signatures(folder, [*self.signatures], self.files)
        is_same = all(signatures[path].digest == digest for path, digest in self.signatures.items())
        return is_same and self.names == names_digest(visible_names(folder))


def with_parents(paths: Iterable[str]) -> list[str]:
    """Return the paths and all folders above them: their signatures show whether a symbolic link has replaced one."""
    result = set(paths)
    for path in [*result]:
        while path := path.rpartition("/")[0]:
            result.add(path)
    return sorted(result)


def names_digest(names: Sequence[str]) -> str:
    """Return a digest of names. Another order gives another digest."""
    return blake2b("/".join(names).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def compute_signatures(root: Path, paths: Sequence[str], files: int) -> dict[str, Signature]:
    """Return the signature of each path below `root`. A folder's signature ignores the content of its subfolders.

    `files` is the expected number of files, which decides whether to use other processes.
    """
    return SignatureJob(root, paths, files).result()


class SignatureJob:
    """Computes signatures, in other processes if that is faster; arguments as for `compute_signatures`."""

    def __init__(self, root: Path, paths: Sequence[str], files: int) -> None:
        workers = usable_processors() if files >= MIN_FILES_TO_FORK and sys.platform == "linux" else 1
        self._children = (
            [_SignatureProcess(root, paths[worker::workers]) for worker in range(workers)] if workers > 1 else []
        )
        self._signatures = {} if self._children else _signatures_of(root, paths)

    def result(self) -> dict[str, Signature]:
        """Return the signature of each path; wait for the other processes."""
        while self._children:
            self._signatures |= self._children.pop().answer()
        return self._signatures


class _SignatureProcess:
    """A forked process that computes some of the signatures; a process pool would take longer to start."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        """Start a process that computes the signatures of the paths, if the system allows one."""
        self._root = root
        self._paths = paths
        self._id = 0  # of the process; 0 if none was started
        self._reader = -1  # the descriptor of the pipe; -1 if there is none
        with suppress(OSError):  # without a process or a pipe, `answer` computes the signatures
            self._reader, writer = os.pipe()
            try:
                self._id = os.fork()
                if self._id == 0:
                    self._work_and_exit(writer)
            finally:
                os.close(writer)

    def _work_and_exit(self, writer: int) -> NoReturn:
        """In the new process: write the signatures into the pipe, and end the process."""
        exit_code = 1
        try:
            with open(writer, "w", encoding="ascii") as pipe:
                for signature in _signatures_of(self._root, self._paths).values():
                    pipe.write(f"{signature.digest or '-'} {signature.newest}\n")
            exit_code = 0
        finally:
            os._exit(exit_code)

    def answer(self) -> dict[str, Signature]:
        """Return the signatures from the process; if it failed, compute them in this process."""
        rows: list[list[str]] = []
        if self._reader >= 0:
            with open(self._reader, encoding="ascii") as pipe:  # noqa: PTH123
                rows = [line.split() for line in pipe]
        status = os.waitpid(self._id, 0)[1] if self._id else None
        if status != 0:  # else it has written all of them
            return _signatures_of(self._root, self._paths)
        signatures = (Signature(digest.strip("-"), int(newest)) for digest, newest in rows)
        return dict(zip(self._paths, signatures, strict=True))


def _signatures_of(root: Path, paths: Sequence[str]) -> dict[str, Signature]:
    """Return the signature of each path, computed in this process."""
    return {path: _path_signature(os.path.join(root, path)) for path in paths}  # noqa: PTH118  # a hundred thousand


def _path_signature(location: str) -> Signature:
    """Return the signature of a file or folder; one with a special digest if it is absent or unreadable."""
    try:
        status = os.lstat(location)
        if stat.S_ISDIR(status.st_mode):
            return _folder_signature(location)
        if stat.S_ISREG(status.st_mode):
            return _digest(status, stamps={}, newest=max(status.st_mtime_ns, status.st_ctime_ns))
    except FileNotFoundError:
        return Signature(_ABSENT, newest=0)
    except (OSError, struct.error):  # struct.error: a time that no stamp can have
        pass
    return Signature(_UNCLEAR, newest=0)


def _folder_signature(location: str) -> Signature:
    """Return the signature of a folder: of its names and of the stamps of its files. Raise OSError."""
    if os.scandir not in os.supports_fd:  # Windows
        return _entries_signature(location, os.lstat(location))
    # Accessing files relative to an open folder is faster than by path.
    descriptor = os.open(location, OPEN_INNER_FOLDER)
    try:
        return _entries_signature(descriptor, os.fstat(descriptor))
    finally:
        os.close(descriptor)


def _entries_signature(folder: str | int, folder_status: os.stat_result) -> Signature:
    """Return the signature of a folder, which is a path or an open descriptor, with this status. Raise OSError.

    It covers the visible files in the folder, and the names of the folders in it. A change as recent as its `newest`
    time may repeat without another signature: see `Signature.is_settled`.
    """
    newest = max(folder_status.st_mtime_ns, folder_status.st_ctime_ns)
    stamps: dict[str, bytes] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == "." or is_hidden(name):  # the first test is a fast one for most hidden names
                continue
            status = entry.stat(follow_symlinks=False)
            mode = stat.S_IFMT(status.st_mode)
            if mode == stat.S_IFREG:
                modified, changed = status.st_mtime_ns, status.st_ctime_ns
                stamps[name] = _pack_stamp(status.st_size, modified, changed, status.st_ino)
                if modified > newest or changed > newest:
                    newest = max(modified, changed)
            elif mode == stat.S_IFDIR:
                stamps[f"{name}/"] = b""
            else:  # the stamp of a link does not show a change of its target, nor that of a pipe or device its data
                return Signature(_UNCLEAR, newest=0)
    return _digest(folder_status, stamps, newest)


def _digest(status: os.stat_result, stamps: dict[str, bytes], newest: int) -> Signature:
    """Return the signature of a folder or file with this status and the stamps of its files, by name."""
    names = sorted(stamps)
    parts = [_pack_stamp(*FileStamp.from_status(status)), *map(stamps.__getitem__, names)]
    parts.append("/".join(names).encode("utf-8", "surrogateescape"))
    return Signature(blake2b(b"".join(parts), digest_size=16).hexdigest(), newest)


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
