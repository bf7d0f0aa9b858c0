"""Read and write the form of cache files: a damaged one reads as empty.

This module needs only the standard library, so that a cached result is shown before other libraries are imported.
"""

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.machinery import PathFinder
from pathlib import Path

from .content_folder import OPEN_FILE, OPEN_INNER_FOLDER, OPEN_TOP_FOLDER, FileStamp

_FORMAT = "contentsync cache 3"
_MAX_BYTES = 1024 * 1024 * 1024

_PACKAGE = Path(__file__).parents[2]
_LIBRARIES = (
    "frontmatter",
    "idna",
    "imagesize",
    "markdown_it",
    "pydantic",
    "pydantic_core",
    "text_unidecode",
    "tzdata",
    "yaml",
)
_ZONES = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")  # as zoneinfo


def pack(parts: Sequence[bytes], program: str = "") -> list[bytes]:
    """Return the parts of a cache file: a line with format and digest, and the parts of the document."""
    return [_head(parts, program), b"\n", *parts]


def unpack(data: bytes, program: str = "") -> bytes:
    """Return the document that was packed, or b"" if the data was changed, or another `program` packed it."""
    head, _, body = data.partition(b"\n")
    return body if head == _head([body], program) else b""


def read_sealed(folder: Path, path: str) -> bytes:
    """Return the document of a cache file that `write_sealed` wrote; b"" if it is missing, damaged or has no seal.

    The seal has the stamp that the file had when this machine wrote it, so a file from a checkout or a backup has none
    (docs/decisions/0037). It also has the digest of the program, so no file of another version is read.
    """
    data, stamp = read_with_stamp(folder, path)
    # Another version may have replaced the file just before this one sealed it.
    return unpack(data, program_digest()) if _is_seal(folder, path, stamp) else b""


def write_sealed(folder: Path, path: str, parts: Sequence[bytes]) -> None:
    """Write the parts of a document to a cache file, then its seal. The folder of the file exists. Raise OSError."""
    from ...file_writes import write_file  # what only reads a cached result imports as little as possible

    write_file(folder / path, *pack(parts, program_digest()))
    write_seal(folder, path)


def write_seal(folder: Path, path: str) -> None:
    """Write the seal of a file that this run has written. Raise OSError."""
    from ...file_writes import write_file

    write_file(folder / _path_of_seal(path), _seal(read_stamp(folder, path)))


def is_sealed(folder: Path, path: str) -> bool:
    """Return whether a file is as this program sealed it on this machine."""
    return _is_seal(folder, path, read_stamp(folder, path))


def _is_seal(folder: Path, path: str, stamp: bytes) -> bool:
    """Return whether a file has a stamp, and its seal has the same one, and this program."""
    expected = _seal(stamp)  # also without a file: the program may be replaced before this run writes one
    return stamp != b"" and read_with_stamp(folder, _path_of_seal(path))[0] == expected


def _seal(stamp: bytes) -> bytes:
    return b"%s %s" % (stamp, program_digest().encode())


def _path_of_seal(path: str) -> str:
    return f"{path.rpartition('.')[0]}.seal"


@cache
def program_digest() -> str:
    """Return a digest of what results depend on besides content: program, interpreter, libraries and time zones."""
    specs = [PathFinder.find_spec(library) for library in _LIBRARIES]
    # The stamp of the folder with the libraries changes when one of them is installed.
    paths = {str(Path(spec.origin).parent.parent) for spec in specs if spec and spec.origin}
    folders = os.walk(_PACKAGE)
    paths |= {f"{folder}/{name}" for folder, _, names in folders for name in names if name.endswith(".py")}
    paths |= set(filter(os.path.isdir, _ZONES))
    stamps = [sys.version, *(f"{path} {FileStamp.from_status(os.stat(path))}" for path in sorted(paths))]  # noqa: PTH116
    return blake2b("\n".join(stamps).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def read_with_stamp(folder: Path, path: str) -> tuple[bytes, bytes]:
    """Return a file's bytes and stamp, without following links below `folder`. On failure, both are b""."""
    return _read(folder, path, _MAX_BYTES)


def read_stamp(folder: Path, path: str) -> bytes:
    """Return a file's stamp, without following links below `folder`; b"" on failure."""
    return _read(folder, path, None)[1]


def _read(folder: Path, path: str, limit: int | None) -> tuple[bytes, bytes]:
    """Return a file's bytes, nothing of them without a `limit`, and its stamp."""
    with suppress(OSError), open(_open(folder, path), "rb") as file:
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode) and (limit is None or status.st_size <= limit):
            return file.read(status.st_size) if limit else b"", str(FileStamp.from_status(status)).encode()
    return b"", b""


def _open(folder: Path, path: str) -> int:
    """Return a descriptor of a file, opened without following links below the folder. Raise OSError."""
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(folder / path, OPEN_FILE)
    *folders, name = path.split("/")
    descriptor = os.open(folder, OPEN_TOP_FOLDER)
    try:
        for part in folders:
            inner = os.open(part, OPEN_INNER_FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        return os.open(name, OPEN_FILE, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _head(parts: Iterable[bytes], program: str) -> bytes:
    digest = blake2b(program.encode(), digest_size=16)
    for part in parts:
        digest.update(part)
    return f"{_FORMAT} {digest.hexdigest()}".encode()
