"""The addresses at which the files of a content folder are served (docs/content.md 13)."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote


@dataclass(frozen=True, slots=True)
class FileAddresses:
    """The address of each file of a content folder, except of those that a sync publishes.

    A file is below `base`, at its path in the content folder; without a `base`, it has no address. `asset_folder` is
    that of the config; it is None if pictures are not read as files.
    """

    base: str | None = None
    asset_folder: str | None = None

    def __bool__(self) -> bool:
        """Return whether any file has an address."""
        return self.base is not None

    def address(self, file: str) -> str | None:
        """Return the address of a file or folder; None if it has none. "." is the content folder itself."""
        below = "" if file == "." else quote(file)
        return f"{_prefix(self.base)}{below}" if self.base else None

    def find(self, address: str, exists: Callable[[str], bool]) -> tuple[str, str] | None:
        """Return the path of the file that has an address, and the address's query and fragment; None without one.

        `exists` returns whether the content folder has a file at a path.
        """
        if not self.base or not address.startswith(_prefix(self.base)):
            return None
        below = address.removeprefix(_prefix(self.base))
        written = below.partition("#")[0].partition("?")[0]
        file = posixpath.normpath(unquote(written))
        is_found = not file.startswith(("/", "..")) and exists(file)
        return (file, below[len(written) :]) if is_found else None

    def may_be_in(self, text: str) -> bool:
        """Return whether a text contains something that may be the address of a file."""
        return self.base is not None and _prefix(self.base) in text


def _prefix(base: str) -> str:
    return f"{base.rstrip('/')}/"
