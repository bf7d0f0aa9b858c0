"""Find the file of the content folder that an address in the asset store stands for (docs/content.md 13)."""

import posixpath
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..draft import UnreadableFile
from ..file_names import PUBLISHED_TYPES, suffix_of
from ..link_forms import split_target
from .asset_files import AssetFiles
from .picture_cache import PictureCache
from .picture_fields import candidates, is_picture_path
from .published_names import PublishedFile, name_at_start, published_name


class PublishedPaths:
    """Turns addresses in the asset store, whose address is `base`, into paths in a content folder.

    `published` are the files that entries of the folder name, by name in the store. Other files are read only if
    their names match.
    """

    def __init__(self, folder: Path, base: str, asset_folder: str, published: Mapping[str, PublishedFile]) -> None:
        self.base = base
        self._asset_folder = asset_folder
        self._files = AssetFiles(folder, looked_into=set())
        self._cache = PictureCache(folder, time.monotonic_ns())
        # By name in the store: the path of the file; None if the folder lacks the file.
        self._paths: dict[str, str | None] = {name: file.path for name, file in published.items()}

    def as_written(self, value: Any, before: Any, path: str) -> Any:
        """Return the value of a picture field with paths in place of addresses, for the file `path`.

        For an address of a file that the old value (`before`) names, return the path of the old value.
        """
        if isinstance(value, list):
            return [self.as_written(item, before, path) for item in value]
        target = self.target(value, path, rooted=True) if isinstance(value, str) else None
        if target is None:
            return value
        file, query_and_fragment = self._find(value)
        for old in before if isinstance(before, list) else [before]:
            if isinstance(old, str) and is_picture_path(old):
                _, old_query_and_fragment = split_target(old)
                if old_query_and_fragment == query_and_fragment and self._named_by(old, path) == file:
                    return old
        return target

    def target(self, address: str, path: str, *, rooted: bool) -> str | None:
        """Return the path by which the file `path` names the file at an address; None if the folder lacks the file.

        With `rooted`, the path of a file in the asset folder begins with a slash.
        """
        file, query_and_fragment = self._find(address)
        if not file:
            return None
        asset_prefix = f"{self._asset_folder}/" if self._asset_folder else ""
        if rooted and file.startswith(asset_prefix):
            return f"/{quote(file.removeprefix(asset_prefix))}{query_and_fragment}"
        return f"{quote(posixpath.relpath(file, posixpath.dirname(path)))}{query_and_fragment}"

    def _find(self, address: str) -> tuple[str | None, str]:
        """Return the path of the file at an address (None if there is none), and the address's query and fragment."""
        name = name_at_start(address.removeprefix(self.base)) if address.startswith(self.base) else ""
        if not name:
            return None, ""
        if name not in self._paths:
            self._paths[name] = next((path for path in self._similar(name) if self._name_of(path) == name), None)
        return self._paths[name], address[len(self.base) + len(name) :]

    def _similar(self, name: str) -> list[str]:
        """Return the paths of the files whose published names differ from a name at most in the digest."""
        return [path for path, _location in self._files.walk("") if _is_similar(name, path)]

    def _name_of(self, path: str) -> str:
        """Return the name that the file at a path has in the store; "" if the file cannot be read."""
        try:
            location = self._files.find(path)
            if location is None:
                return ""
            digest, _size = self._cache.digest(location, path)
            return published_name(path, digest)
        except UnreadableFile:
            return ""

    def _named_by(self, target: str, path: str) -> str | None:
        """Return the path of the file that a target in the file `path` names; None if there is no such file."""
        try:
            return next(filter(self._files.find, candidates(target, path, self._asset_folder)), None)
        except UnreadableFile:
            return None


def _is_similar(name: str, path: str) -> bool:
    """Return whether the file at a path may have this name in the store, whatever its digest is."""
    if suffix_of(path) not in PUBLISHED_TYPES:
        return False
    digest = name.rpartition("-")[2].partition(".")[0]
    return published_name(path, digest) == name
