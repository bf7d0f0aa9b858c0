"""TODO."""

import errno
import hashlib
import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from ...content.config import Target
from ...errors import Damaged, Refused, Unwritable
from ...model.url import url_key

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


def heading_of(what: str, target: Target, **more: Any) -> dict[str, Any]:
    """The heading of a file that is a `state`, a `journal`, ... of a target."""
    return {
        "contentsync": what,
        "version": VERSION,
        "target": target.name,
        "url": _url(target),
        "directory": target.directory,
        **more,
    }


def directory_of(target: Target) -> tuple[str, int | None]:
    """Which directory a target is, however its address is written."""
    return _url(target), target.directory


def check_heading(found: Mapping[str, Any], what: str, target: Target, file: Path) -> None:
    """Raises Damaged unless a file begins as one of this version and target does (docs/faults.md FI-32, PL-18)."""
    if found.get("contentsync") != what:
        raise damaged(file, f"it is no {what} of contentsync")
    version = found.get("version")
    if version != VERSION:
        raise Damaged(f"{file} is in version {version}, and this is contentsync for version {VERSION}", "upgrade it")
    if (found.get("url"), found.get("directory")) != directory_of(target):
        raise Damaged(
            f"{file} is about directory {found.get('directory')} of {found.get('url')}, "
            f"and the target '{target.name}' is directory {target.directory} of {_url(target)}",
            "give the new server a target of its own, or move the file away",
        )


def damaged(file: Path, why: str) -> Damaged:
    """The error for a file that cannot be relied on."""
    return Damaged(
        f"{file} is damaged: {why}",
        "restore it, or move it away: then nothing is known of what was applied, and nothing is deleted",
    )


def unreadable(file: Path, error: OSError) -> Unwritable:
    """The error for a file that is there and cannot be read."""
    return Unwritable(f"{file} cannot be read: {_reason(error)}", _hint(error, "correct its permissions"))


def unwritable(file: Path, error: OSError) -> Unwritable:
    """Return the error for a file or folder that cannot be written (docs/faults.md FI-24, FI-25)."""
    hint = f"{_hint(error, 'make room')}, or name another place with --state-dir"
    return Unwritable(f"{file} cannot be written: {_reason(error)}", hint)


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _hint(error: OSError, other: str) -> str:
    return other if error.errno is None else _HINTS.get(error.errno, other)


def _url(target: Target) -> str:
    return target.url if target.embedded else url_key(target.url)


_CHECK = b'{"check":"%08x",'


_LENGTH = len(_CHECK % 0)


def line_of(document: Mapping[str, Any]) -> bytes:
    """A document that is not empty as one line, its keys sorted behind a checksum."""
    text = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)[1:]
    return b"%b%b\n" % (_CHECK % zlib.crc32(text), text)


def document_of(line: bytes) -> dict[str, Any]:
    """The document in a line. Raises ValueError unless it is as `line_of` made it."""
    text = line[_LENGTH:].removesuffix(b"\n")
    if line[:_LENGTH] != _CHECK % zlib.crc32(text):
        raise ValueError("the line does not match its checksum")
    document: dict[str, Any] = orjson.loads(b"{" + text)
    return document


_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")  # a file's name everywhere, also where case does not count


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one target (docs/sync.md, The way back)."""

    root: Path
    name: str  # the target's, as a file's

    @classmethod
    def of(cls, folder: Path, target: str, state_dir: Path | None = None) -> "Place":
        """The folder's own `.contentsync`, or a part of `state_dir` that no other folder shares.

        Raises Refused where a link in it leads elsewhere: a commit may bring links, and what is kept is written there.
        """
        name = target if _PLAIN.match(target) else f"target-{_mark(target)}"
        if state_dir is None:
            place = cls(folder / ".contentsync", name)
            place.require_no_link()
            return place
        whole = folder.resolve()
        return cls(state_dir / f"{whole.name}-{_mark(str(whole))}", name)

    @property
    def state(self) -> Path:
        """What was last applied, a line an entry."""
        return self.root / "state" / f"{self.name}.jsonl"

    @property
    def journals(self) -> Path:
        """A file a run."""
        return self.root / "journal" / self.name

    @property
    def lock(self) -> Path:
        return self.root / "lock" / self.name

    @property
    def cache(self) -> Path:
        """What the server last had; safe to delete."""
        return self.root / "cache" / "server" / self.name

    def require_no_link(self) -> None:
        """Raises Refused where a link leads elsewhere from here, and Unwritable where that cannot be found out."""
        for place in (self.state, self.journals, self.lock, self.cache):
            for part in (place, *place.parents[: len(place.relative_to(self.root).parts)]):
                try:
                    is_link = part.is_symlink()
                except OSError as error:
                    raise unreadable(part, error) from error
                if is_link:
                    raise Refused(
                        f"{part} is a link, and what a sync remembers is not written through one",
                        "take the link away; --state-dir names another place",
                    )


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]
