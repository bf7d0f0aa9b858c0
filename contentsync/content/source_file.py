"""From bytes on the disk to text with `\\n` line ends, or the reason why not."""

import os
import re
import stat
from pathlib import Path

from ..errors import Problem, Where
from .draft import Unreadable, mark_at

MAX_BYTES = 10 * 1024 * 1024

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
_MERGE_MARKER = "<<<<<<< "
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# Never through a link that was put there since the scan, and never waiting for a pipe's other end.
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def is_hidden(name: str) -> bool:
    """Whether a file or folder is none of the authors' content: hidden, a backup, or a package folder."""
    return name.startswith(".") or name.endswith("~") or name == "node_modules"


def follow(root: Path, link: Path, path: str) -> Path:
    """Where a link leads, if that is visible in the folder `root`, which is resolved. Raises Unreadable."""
    try:
        real = link.resolve(strict=True)
    except (OSError, RuntimeError):  # a loop is a RuntimeError before Python 3.13
        reason = "nowhere"
    else:
        if not real.is_relative_to(root):
            reason = "out of the content folder"
        elif any(map(is_hidden, real.relative_to(root).parts)):
            reason = "to a hidden file"
        else:
            return real
    raise Unreadable(Problem("bad-link", f"the link leads {reason}", Where(path), "put the file itself here"))


def read_text(file: str, path: str) -> str:
    """The text of a file without byte order mark; `path` is its name in problems. Raises Unreadable."""
    text = _decoded(_bytes(file, path), path)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    control = _CONTROL.search(text)
    if control:
        raise Unreadable(
            Problem(
                "control-character",
                f"the file holds the control character U+{ord(control[0]):04X}",
                Where(path, *mark_at(text, control.start())),
                "delete it; most editors can show invisible characters",
            )
        )
    _refuse_leftovers(text, path)
    return text


def _refuse_leftovers(text: str, path: str) -> None:
    """What git leaves in the place of content."""
    if text.startswith(_LFS_POINTER):
        message = "the file is a pointer to its content, which Git LFS has not fetched"
        raise Unreadable(Problem("lfs-pointer", message, Where(path), "run git lfs pull"))
    marker = f"\n{text}".find(f"\n{_MERGE_MARKER}")
    if marker >= 0:
        hint = "merge the two versions by hand; where the line is meant, put a space before it"
        where = Where(path, *mark_at(text, marker))
        raise Unreadable(Problem("merge-marker", "git left a merge conflict here", where, hint))


def _bytes(file: str, path: str) -> bytes:
    try:
        descriptor = os.open(file, _FLAGS)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable(special_file(path))
            if status.st_size > MAX_BYTES:
                raise Unreadable(
                    Problem(
                        "too-large",
                        f"the file has {status.st_size:,} bytes, at most {MAX_BYTES:,} are read",
                        Where(path),
                        "split it",
                    )
                )
            data = os.read(descriptor, status.st_size + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise Unreadable(unreadable(path, error)) from error
    if len(data) != status.st_size:
        raise Unreadable(Problem("file-changed", "the file changed while it was read", Where(path), "run again"))
    return data


def unreadable(path: str, error: OSError) -> Problem:
    """The problem of a file or folder that the system does not let us read."""
    return Problem("unreadable", f"cannot be read: {error.strerror}", Where(path), "check its permissions")


def special_file(path: str) -> Problem:
    """The problem of a pipe, socket or device."""
    return Problem("special-file", "is not a regular file", Where(path), "move it out of the content folder")


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith(_UTF16):
            raise Unreadable(_not_utf8("the file is UTF-16", Where(path))) from error
        before = data[: error.start].decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        line, column = mark_at(before, len(before))
        byte = data[error.start]
        raise Unreadable(_not_utf8(f"the byte 0x{byte:02X} is not UTF-8", Where(path, line, column))) from error


def _not_utf8(message: str, where: Where) -> Problem:
    return Problem("not-utf8", message, where, "save the file as UTF-8")
