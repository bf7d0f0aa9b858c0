"""The survey of the last run, if nothing has changed since: told before what makes surveys is imported.

So this module imports little, and nothing that imports pydantic. What is believed, and why: docs/decisions/0006.
"""

import json
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from importlib.machinery import PathFinder
from pathlib import Path

from .files.file_names import names_in
from .signatures import names_digest, signatures
from .survey import Survey, problem_of

FOLDER = ".contentsync/cache"
SURVEY, SEAL = f"{FOLDER}/survey.json", f"{FOLDER}/survey.seal"

_FORMAT = "contentsync cache 3"
_MAX_BYTES = 1024 * 1024 * 1024
_PACKAGE = Path(__file__).parent.parent
_PROGRAM = ("*.py", "content/**/*.py", "model/**/*.py")  # all that content/ may import
_LIBRARIES = ("frontmatter", "idna", "markdown_it", "pydantic", "pydantic_core", "text_unidecode", "tzdata", "yaml")

_ZONES = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")  # as zoneinfo looks


def _flags(*names: str) -> int:
    return sum(getattr(os, name, 0) for name in names)


# As files/source_file.py opens: through no link, and never waiting for a pipe's other end.
_FILE = _flags("O_RDONLY", "O_CLOEXEC", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
_FOLDER = _flags("O_RDONLY", "O_CLOEXEC", "O_DIRECTORY")
_INNER_FOLDER = _FOLDER | _flags("O_NOFOLLOW")


def recall(folder: Path) -> Survey | None:
    """The survey that was kept, if nothing that it depends on has changed since."""
    data, seal = read_stamped(folder, SURVEY)
    if not seal or read_stamped(folder, SEAL)[0] != seal:
        return None
    try:
        stored = json.loads(unpacked(data))
        if stored["program"] != program_digest() or stored["survey"]["names"] != names_digest(names_in(folder)):
            return None
        before, kept = stored["signatures"], stored["survey"]
        problems = tuple(map(problem_of, kept["problems"]))
        now = signatures(folder, list(before), kept["files"])
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):  # of this format, and not written by us
        return None
    if any(now[path].digest != digest for path, digest in before.items()):
        return None
    return Survey(folder, problems, kept["files"], kept["counts"])


def program_digest() -> str:
    """What results depend on besides the files: this program, its interpreter, its libraries' folders, time zones."""
    specs = [PathFinder.find_spec(library) for library in _LIBRARIES]
    places = {str(Path(spec.origin).parent.parent) for spec in specs if spec and spec.origin}
    places |= {str(module) for part in _PROGRAM for module in _PACKAGE.glob(part)}
    places |= set(filter(os.path.isdir, _ZONES))
    stamps = [sys.version, *(f"{place} {_stamp(os.stat(place))}" for place in sorted(places))]  # noqa: PTH116
    return blake2b("\n".join(stamps).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def packed(parts: Sequence[bytes]) -> list[bytes]:
    """A document of the cache, in parts, with its format and its digest before it."""
    return [_head(parts), b"\n", *parts]


def unpacked(data: bytes) -> bytes:
    """The document that was packed; empty if one bit is not as it was written."""
    head, _, body = data.partition(b"\n")
    return body if head == _head([body]) else b""


def read_stamped(folder: Path, path: str) -> tuple[bytes, bytes]:
    """A file's bytes and stamp, never through a link below the folder and never waiting; empty if that gives none."""
    try:
        with open(_open(folder, path), "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size <= _MAX_BYTES:
                return file.read(status.st_size), _stamp(status).encode()
    except OSError:
        pass
    return b"", b""


def _open(folder: Path, path: str) -> int:
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(folder / path, _FILE)
    *inner, name = path.split("/")
    descriptor = os.open(folder, _FOLDER)
    try:
        for part in inner:
            outer, descriptor = descriptor, os.open(part, _INNER_FOLDER, dir_fd=descriptor)
            os.close(outer)
        return os.open(name, _FILE, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _head(parts: Iterable[bytes]) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return f"{_FORMAT} {digest.hexdigest()}".encode()
