"""Cache which files are in the asset store, so that no request asks for them again.

The cache may be deleted at any time, and before an entry is written, the store itself is asked for the files that the
entry names. Each file is one line, its name and size, so that a run that is killed loses only its last line.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ..content.content_folder import CACHE_FOLDER, make_private_folder
from ..content.file_writes import write_file
from ..content.pictures.published_names import is_published_name

FOLDER = f"{CACHE_FOLDER}/published"
MAX_BYTES = 64 * 1024 * 1024

_LINE = re.compile(r"(\S+) (\d{1,15})")  # a file's name and size in bytes


class KnownFiles:
    """The sizes of the files that a store is known to have, by name. Errors of the disk are ignored.

    `identity` is that of the store.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self._folder = folder
        self._name = f"{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:16]}.txt"
        self.sizes = self._read()

    def add(self, sizes: Mapping[str, int]) -> None:
        """Remember files that the store has."""
        new = {name: size for name, size in sizes.items() if self.sizes.get(name) != size}
        if not new:
            return
        self.sizes |= new
        with suppress(OSError):
            file = make_private_folder(self._folder, FOLDER) / self._name
            no_link = getattr(os, "O_NOFOLLOW", 0)  # a commit may contain a link; Windows has no such flag
            descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | no_link, 0o666)
            try:
                os.write(descriptor, _lines(new))
            finally:
                os.close(descriptor)

    def remove(self, names: Iterable[str]) -> None:
        """Forget files that the store does not have."""
        forgotten = self.sizes.keys() & set(names)
        if not forgotten:
            return
        self.sizes = {name: size for name, size in self.sizes.items() if name not in forgotten}
        with suppress(OSError):
            write_file(make_private_folder(self._folder, FOLDER) / self._name, _lines(self.sizes))

    @property
    def digest(self) -> str:
        """A digest of the names and sizes."""
        return hashlib.sha256(repr(sorted(self.sizes.items())).encode()).hexdigest()

    def _read(self) -> dict[str, int]:
        """Return the stored sizes; nothing if the file cannot be read. Skip lines that a killed run has cut off."""
        file = self._folder / FOLDER / self._name
        with suppress(OSError):
            if not file.is_symlink() and file.stat().st_size <= MAX_BYTES:
                lines = file.read_text(encoding="ascii", errors="replace").splitlines()
                pairs = [match.groups() for match in map(_LINE.fullmatch, lines) if match]
                return {name: int(size) for name, size in pairs if is_published_name(name)}
        return {}


def _lines(sizes: Mapping[str, int]) -> bytes:
    """Return a line for each file, after a line end that completes the last line of a killed run."""
    return "".join(["\n", *(f"{name} {size}\n" for name, size in sizes.items())]).encode()
