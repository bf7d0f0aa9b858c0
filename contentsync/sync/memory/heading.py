"""The first line of what a sync keeps beside the content: what the file is, in which version, and of which target."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...content.config import Target
from ...errors import Damaged, Unwritable
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
