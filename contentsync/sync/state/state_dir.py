"""The directory of a target's state, and the header, checksums and errors that its files have in common."""

import errno
import hashlib
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from ...content.config_tables import Target
from ...errors import Damaged, LocalFileError, Refused, Unwritable
from ...model.urls import url_key

VERSION = 1
_PERMISSIONS = "correct its permissions and those of the folders above it"
_NO_FOLDER = "it, or a folder above it, must be a folder: move away the file that is there"
_HINTS = {
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.EISDIR: "it must be a file: move away the folder that is there",
    errno.ELOOP: "remove the link that is there",
}


def file_header(what: str, target: Target, **more: Any) -> dict[str, Any]:
    """Return the header of a target's file; `what` is `state`, `journal` or `plan`."""
    return {
        "contentsync": what,
        "version": VERSION,
        "target": target.name,
        "url": _url(target),
        "directory": target.directory,
        **more,
    }


def directory_of(target: Target) -> tuple[str, int | None]:
    """Return the normalized URL of a target's server, and the id of its directory (None if not set)."""
    return _url(target), target.directory


def check_header(header: Mapping[str, Any], what: str, target: Target, file: Path) -> None:
    """Raise Damaged unless a header has the type `what`, our version and the target (docs/faults.md FI-32, PL-18)."""
    if header.get("contentsync") != what:
        raise damaged_error(file, f"it is not a {what} of contentsync")
    version = header.get("version")
    if version != VERSION:
        raise Damaged(f"{file} is in version {version}, and this is contentsync for version {VERSION}", "upgrade it")
    if (header.get("url"), header.get("directory")) != directory_of(target):
        raise Damaged(
            f"{file} is about directory {header.get('directory')} of {header.get('url')}, "
            f"and the target '{target.name}' is directory {target.directory} of {_url(target)}",
            "give the new server a target of its own, or move the file away",
        )


def damaged_error(file: Path, reason: str) -> Damaged:
    """Return the error to raise for a damaged file."""
    return Damaged(
        f"{file} is damaged: {reason}",
        "restore it, or move it away: then nothing is known of what was applied, and nothing is deleted",
    )


def unreadable_error(file: Path, error: OSError) -> LocalFileError:
    """Return the error to raise for an existing file that cannot be read."""
    return LocalFileError(f"{file} cannot be read: {_reason(error)}", _hint(error, "correct its permissions"))


def unwritable_error(file: Path, error: OSError) -> Unwritable:
    """Return the error to raise for a file or folder that cannot be written (docs/faults.md FI-24, FI-25)."""
    hint = f"{_hint(error, 'make room')}, or name another place with --state-dir"
    return Unwritable(f"{file} cannot be written: {_reason(error)}", hint)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _hint(error: OSError, default: str) -> str:
    return default if error.errno is None else _HINTS.get(error.errno, default)


def _url(target: Target) -> str:
    return target.url if target.is_embedded else url_key(target.url)


_CHECK = b'{"check":"%08x",'
_LENGTH = len(_CHECK % 0)


def encode_line(document: Mapping[str, Any]) -> bytes:
    """Return a document as one line of JSON: a checksum, then the sorted keys. It must not be empty."""
    text = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)[1:]
    return b"%b%b\n" % (_CHECK % zlib.crc32(text), text)


def decode_line(line: bytes) -> dict[str, Any]:
    """Return the document of a line. Raise ValueError if the line does not match its checksum."""
    text = line[_LENGTH:].rstrip(b"\r\n")
    if line[:_LENGTH] != _CHECK % zlib.crc32(text):
        raise ValueError("the line does not match its checksum")
    document: dict[str, Any] = orjson.loads(b"{" + text)
    return document


def decode_lines(lines: Iterable[bytes], file: Path) -> Iterator[dict[str, Any]]:
    """Yield the document of each line. Raise Damaged if there is no line, or if one does not match its checksum."""
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            yield decode_line(line)
        except ValueError as error:
            raise damaged_error(file, f"line {number} was changed after it was written") from error
    if not number:
        raise damaged_error(file, "it is empty")


_SAFE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")  # safe as a file name everywhere, also where case does not count


@dataclass(frozen=True, slots=True)
class StateDir:
    """The files of one target (docs/sync.md, Undo a run)."""

    root: Path
    name: str  # of the target, as a file name

    @classmethod
    def for_target(cls, folder: Path, target: str, root: Path | None = None) -> "StateDir":
        """Return the state directory of a target: in the folder's `.contentsync`, or outside of the folder in `root`.

        Content folders may share a `root`: each has a subfolder in it, named after the folder and a hash of its path.
        Raise Refused for a link in `.contentsync`: a commit may contain links that lead our writes elsewhere.
        """
        name = target if _SAFE_NAME.match(target) else f"target-{_short_hash(target)}"
        if root is None:
            state_dir = cls(folder / ".contentsync", name)
            state_dir.require_no_link()
            return state_dir
        resolved = folder.resolve()
        return cls(root / f"{resolved.name}-{_short_hash(str(resolved))}", name)

    @property
    def state(self) -> Path:
        """Return the path of the state file."""
        return self.root / "state" / f"{self.name}.jsonl"

    @property
    def journals(self) -> Path:
        """Return the path of the folder of the journals, one file per run."""
        return self.root / "journal" / self.name

    @property
    def lock(self) -> Path:
        return self.root / "lock" / self.name

    @property
    def cache(self) -> Path:
        """Return the path of the snapshot of the server, which is safe to delete."""
        return self.root / "cache" / "server" / self.name

    @property
    def plan_cache(self) -> Path:
        """Return the path of the cached empty plan, which is safe to delete."""
        return self.root / "cache" / "plan" / f"{self.name}.json"

    @property
    def synced_rows(self) -> Path:
        """Return the path of the rows that a plan may leave out, which is safe to delete."""
        return self.plan_cache.with_suffix(".rows")

    def require_no_link(self) -> None:
        """Raise Refused if one of the paths is a link. Raise LocalFileError if a path cannot be checked."""
        for path in (self.state, self.journals, self.lock, self.cache, self.plan_cache, self.synced_rows):
            folders_to_root = path.parents[: len(path.relative_to(self.root).parts)]  # the root is the last one
            for part in (path, *folders_to_root):
                try:
                    is_link = part.is_symlink()
                except OSError as error:
                    raise unreadable_error(part, error) from error
                if is_link:
                    raise Refused(
                        f"{part} is a link, and the state is not written through links",
                        "remove the link, or name another folder with --state-dir",
                    )


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]
