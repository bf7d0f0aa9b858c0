"""The addresses at which the files of a content folder are served (docs/content.md 13)."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from .file_names import is_below


@dataclass(frozen=True, slots=True)
class FileAddresses:
    """The address of each file of a content folder, except of those that a sync publishes.

    A file is below `base`, at its path in the content folder; without a `base`, it has no address. With an
    `asset_base`, the files of the asset folder are below that instead, at their paths in the asset folder.
    `asset_folder` is that of the config; it is None if pictures are not read as files.
    """

    base: str | None = None
    asset_folder: str | None = None
    asset_base: str | None = None

    def __bool__(self) -> bool:
        """Return whether any file has an address."""
        return any(True for _ in self._served())

    def address(self, file: str) -> str | None:
        """Return the address of a file or folder; None if it has none. "." is the content folder itself."""
        path = "" if file == "." else file
        for folder, prefix in self._served():
            if is_below(path, folder):
                return prefix + quote(path.removeprefix(folder).lstrip("/"))
        return None

    def find(self, address: str, exists: Callable[[str], bool]) -> tuple[str, str] | None:
        """Return the path of the file that has an address, and the address's query and fragment; None without one.

        `exists` returns whether the content folder has a file at a path.
        """
        for folder, prefix in self._served():
            if address.startswith(prefix):
                below = address.removeprefix(prefix)
                written = below.partition("#")[0].partition("?")[0]
                file = posixpath.normpath(posixpath.join(folder, unquote(written)))
                # A file of the asset folder is not at its path below `base`, if that folder has its own address.
                has_address = not file.startswith(("/", "..")) and self._folder_of(file) == folder
                if has_address and exists(file):
                    return file, below[len(written) :]
        return None

    def may_be_in(self, text: str) -> bool:
        """Return whether a text contains something that may be the address of a file."""
        return any(prefix in text for _, prefix in self._served())

    def _folder_of(self, file: str) -> str | None:
        return next((folder for folder, _ in self._served() if is_below(file, folder)), None)

    def _served(self) -> Iterator[tuple[str, str]]:
        """Yield each folder whose files have addresses, an inner one first, with the beginning of the addresses."""
        if self.asset_base and self.asset_folder is not None:
            yield self.asset_folder, f"{self.asset_base.rstrip('/')}/"
        if self.base and not (self.asset_base and self.asset_folder == ""):
            yield "", f"{self.base.rstrip('/')}/"
