"""Read and write links.jsonl: one line for each address that fails or has moved, sorted by address."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from ..content.files.content_folder import PRIVATE_FOLDER, make_private_folder
from ..content.files.file_names import is_below
from ..content.files.file_text import UnreadableFile
from ..content.files.source_file import ContentRoot
from ..errors import ContentError, Damaged, Refused, Unwritable
from ..file_writes import swap_files
from ..model.urls import url_fault
from .link_history import NO_HISTORY, LinkHistory

_CONFLICT_MARKS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_HINT = "nothing was checked or written: correct the line, or delete it to forget what it remembers"


class LinkMemory:
    """The histories of a folder's addresses, and the bytes of the file that they were read from."""

    def __init__(self, folder: Path, path: str) -> None:
        """Read the file, which need not exist. Raise Damaged, with the line, for one that was not written as here.

        Two lines with the same address, as from a merge of two branches, become one history.
        """
        self._folder = folder
        self._path = path
        self._before = _read(folder, path)
        self.histories: dict[str, LinkHistory] = {}
        for number, line in enumerate((self._before or b"").splitlines(), 1):
            if line.strip():
                address, history = _parsed(line, f"{path}, line {number}")
                self.histories[address] = self.histories.get(address, NO_HISTORY).merged(history)

    def write(self, histories: Mapping[str, LinkHistory]) -> None:
        """Replace the file, or create it if there is something to remember. Raise Unwritable.

        That is also raised if the file has changed since it was read; then it stays as it is.
        """
        lines = [_line(address, history) for address, history in sorted(histories.items()) if history != NO_HISTORY]
        after = "".join(f"{line}\n" for line in lines).encode()
        if after == (self._before or b""):
            return
        if is_below(self._path, PRIVATE_FOLDER):
            try:
                make_private_folder(self._folder, self._path.rpartition("/")[0])
            except OSError as error:
                raise Unwritable(f"{self._path} cannot be written: {error.strerror}") from error
        swap_files(self._folder, {self._path: (self._before, after)})
        self._before = after


def _read(folder: Path, path: str) -> bytes | None:
    if (folder / path).is_symlink():
        raise Refused(f"{path} is a link", "put the file itself there, or set memory under [links] to another path")
    if not (folder / path).exists():
        return None
    try:
        with ContentRoot(folder) as root:
            return root.read_bytes(path, path)[0]
    except UnreadableFile as error:
        raise ContentError(error.problems, folder) from error


def _line(address: str, history: LinkHistory) -> str:
    values = {
        "url": address,
        "failed": [day.isoformat() for day in history.failed],
        "reason": history.reason,
        "moved": [day.isoformat() for day in history.moved],
        "moved_to": history.moved_to,
    }
    return json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False)


def _parsed(line: bytes, place: str) -> tuple[str, LinkHistory]:
    if line.decode(errors="replace").startswith(_CONFLICT_MARKS):
        raise Damaged(f"{place}: a conflict of git is not resolved", "keep the lines of both sides, and run again")
    try:
        values: dict[str, Any] = json.loads(line)
        address, moved_to = values.pop("url"), values.pop("moved_to", "")
        failed, moved = (tuple(map(date.fromisoformat, values.pop(name, ()))) for name in ("failed", "moved"))
        history = LinkHistory(failed, str(values.pop("reason", "")), moved, moved_to)
        is_valid = not values and not url_fault(address) and not (moved_to and url_fault(moved_to))
    except (ValueError, TypeError, AttributeError, KeyError):  # other values than `_line` writes
        is_valid = False
    if not is_valid or (not failed and not moved) or bool(moved) != bool(moved_to):
        raise Damaged(f"{place} does not have what contentsync links writes", _HINT)
    return address, NO_HISTORY.merged(history)
