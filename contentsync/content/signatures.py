"""Whether anything in a folder may have changed, from what the system says of its files, without opening one."""

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from .files.file_names import is_hidden

PAYS_FROM = 20_000  # files; below it a process costs more than it saves

_UNCLEAR = ""


class Signature(NamedTuple):
    """What the visible names, sizes, times and inodes in one folder (or of one file) come to."""

    digest: str  # equal digests, equal stamps; empty where links make that unclear
    newest: int  # nanoseconds: the latest modification or change of a file

    def is_settled(self, before: int) -> bool:
        """Whether every file was changed before a moment, so that a later change has another stamp."""
        return self.digest != _UNCLEAR and self.newest < before


def signatures(root: Path, paths: Sequence[str], files: int) -> dict[str, Signature]:
    """The signature of each path, a folder's without the folders in it; `files` says how many files to expect."""
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if files < PAYS_FROM or workers == 1 or sys.platform != "linux":
        return {path: _signature(os.path.join(root, path)) for path in paths}  # noqa: PTH118  # a hundred thousand
    parts = [paths[worker::workers] for worker in range(workers)]
    found: dict[str, Signature] = {}
    for part, lines in zip(parts, _forked(root, parts), strict=True):
        rows = (line.split() for line in lines.splitlines())
        found |= {
            path: Signature(digest.strip("-"), int(newest)) for path, (digest, newest) in zip(part, rows, strict=True)
        }
    return found


def _forked(root: Path, parts: Iterable[Sequence[str]]) -> list[str]:
    """The signatures of each part as text, from a process each: a pool takes longer to start than this to run."""
    children: list[tuple[int, int]] = []
    for part in parts:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reader)
                with open(writer, "w", encoding="ascii") as pipe:  # noqa: PTH123
                    for path in part:
                        signature = _signature(os.path.join(root, path))  # noqa: PTH118
                        pipe.write(f"{signature.digest or '-'} {signature.newest}\n")
            finally:
                os._exit(0)
        os.close(writer)
        children.append((child, reader))
    texts: list[str] = []
    for child, reader in children:
        with open(reader, encoding="ascii") as pipe:  # noqa: PTH123
            texts.append(pipe.read())
        os.waitpid(child, 0)
    return texts


def _signature(location: str) -> Signature:
    try:
        status = os.lstat(location)
        if stat.S_ISDIR(status.st_mode):
            return _of_folder(location)
    except FileNotFoundError:
        return Signature("absent", 0)
    except OSError:
        return Signature(_UNCLEAR, 0)
    if not stat.S_ISREG(status.st_mode):
        return Signature(_UNCLEAR, 0)
    return _signed([_line("", status)], _newest(status))


def _of_folder(location: str) -> Signature:
    lines: list[str] = []
    newest = 0
    with os.scandir(location) as entries:
        for entry in entries:
            if is_hidden(entry.name):
                continue
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                lines.append(f"{entry.name!r} folder")
            elif stat.S_ISREG(status.st_mode):
                lines.append(_line(entry.name, status))
                newest = max(newest, _newest(status))
            else:
                return Signature(_UNCLEAR, 0)
    return _signed(lines, newest)


def _line(name: str, status: os.stat_result) -> str:
    return f"{name!r} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _newest(status: os.stat_result) -> int:
    return max(status.st_mtime_ns, status.st_ctime_ns)


def _signed(lines: list[str], newest: int) -> Signature:
    text = "\n".join(sorted(lines)).encode("utf-8", "backslashreplace")
    return Signature(blake2b(text, digest_size=16).hexdigest(), newest)
