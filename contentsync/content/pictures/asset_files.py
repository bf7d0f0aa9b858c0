"""Find files of the content folder by their exact paths or their addresses in the asset store (docs/content.md 13)."""

import os
import posixpath
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote

from ...errors import Problem, Where
from ...model import nearest
from ..files.file_names import PUBLISHED_TYPES, is_hidden, normalized_name, suffix_of
from ..files.file_text import UnreadableFile
from ..files.source_file import resolve_link, special_file_problem
from ..links.link_forms import split_target
from .picture_cache import PictureCache
from .picture_fields import candidates, is_picture_path
from .published_names import PublishedFile, name_at_start, published_name

MAX_COMPARISONS = 50_000  # of names, for all suggestions together

_FOLDER, _FILE, _LINK, _SPECIAL = "folder", "file", "link", "special"


class _Name(NamedTuple):
    written: str  # as in the file system
    type: str


class AssetFiles:
    """The files of a content folder, by path. Each folder is listed once.

    Paths are relative to the content folder, in NFC. Each subfolder on which a result depends is added to
    `looked_into`, and each file that is found in the content folder itself. No link out of the folder or to a folder is
    followed. `moved` maps the new path of each file that counts as moved to its old path; `find` uses it, the other
    methods do not.
    """

    def __init__(
        self,
        folder: Path,
        looked_into: set[str],
        max_comparisons: int = MAX_COMPARISONS,
        moved: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._moved = moved
        self._old_paths = {*moved.values()}  # the old paths, at which `find` finds nothing
        self._looked_into = looked_into
        self._folder = folder.resolve()
        self._names: dict[str, dict[str, _Name]] = {}  # by the location of the folder, and by name in NFC
        self._comparisons_left = max_comparisons

    def find(self, path: str) -> str | None:
        """Return the location of a file: its path with links resolved, to open it; None if there is no such file.

        Raises UnreadableFile for a link that is not followed, and for a special file.
        """
        if path in self._moved or path in self._old_paths:  # the new or the old path of a moved file
            return self._moved.get(path)
        folder, _, name = path.rpartition("/")
        parent = self._find_folder(folder)
        entry = None if parent is None else self._list(parent).get(name)
        if entry is None or entry.type == _FOLDER:
            return None
        location = f"{parent}/{entry.written}" if parent else entry.written
        if entry.type == _SPECIAL:
            raise UnreadableFile(special_file_problem(path))
        if entry.type == _LINK:
            location = resolve_link(self._folder, location, path)
            if not stat.S_ISREG(os.lstat(self._folder / location).st_mode):
                raise UnreadableFile(_folder_link_problem(path))
        if "/" not in location:
            self._looked_into.add(location)
        return location

    def suggest(self, path: str) -> str | None:
        """Return the path of the most similar file, folder by folder; None without one, or after `max_comparisons`."""
        *folders, file = path.split("/")
        location = ""
        suggested = ""
        for name, type_ in [*((folder, _FOLDER) for folder in folders), (file, _FILE)]:
            names = {key: entry for key, entry in self._list(location).items() if entry.type == type_}
            if name in names:
                similar: str | None = name
            else:
                self._comparisons_left -= len(names)
                similar = nearest(name, names) if self._comparisons_left >= 0 else None
            if similar is None:
                return None
            location = f"{location}/{names[similar].written}".lstrip("/")
            suggested = f"{suggested}/{similar}".lstrip("/")
        return suggested

    def walk(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the path and the location of every file in a folder and its subfolders, without links.

        The files of a folder are sorted, and come before those of its subfolders.
        """
        location = self._find_folder(path)
        pending = [] if location is None else [(path, location)]
        while pending:
            folder, location = pending.pop()
            subfolders = []
            for name, entry in sorted(self._list(location).items()):
                path_and_location = f"{folder}/{name}".lstrip("/"), f"{location}/{entry.written}".lstrip("/")
                if entry.type == _FILE:
                    yield path_and_location
                elif entry.type == _FOLDER:
                    subfolders.append(path_and_location)
            pending += reversed(subfolders)

    def _find_folder(self, path: str) -> str | None:
        """Return the location of a folder ("" for the content folder), or None. Raise UnreadableFile for a link."""
        location = ""
        parts = path.split("/") if path else []
        for depth, name in enumerate(parts, 1):
            entry = self._list(location).get(name)
            if entry is not None and entry.type == _LINK:
                raise UnreadableFile(_folder_link_problem("/".join(parts[:depth])))
            if entry is None or entry.type != _FOLDER:
                return None
            location = f"{location}/{entry.written}".lstrip("/")
        return location

    def _list(self, location: str) -> dict[str, _Name]:
        """Return what is in a folder, by name, without hidden names; {} if the folder cannot be read."""
        if location not in self._names:
            if location:  # all caches compare the names in the content folder itself
                self._looked_into.add(location)
            try:
                with os.scandir(self._folder / location) as entries:
                    self._names[location] = dict(_named(entry) for entry in entries if not is_hidden(entry.name))
            except OSError:
                self._names[location] = {}
        return self._names[location]


def _named(entry: os.DirEntry[str]) -> tuple[str, _Name]:
    """Return the normalized name, the name as written, and the type of an item in a folder."""
    if entry.is_symlink():
        type_ = _LINK
    elif entry.is_dir(follow_symlinks=False):
        type_ = _FOLDER
    else:
        type_ = _FILE if entry.is_file(follow_symlinks=False) else _SPECIAL
    try:
        name = normalized_name(entry.name)
    except UnicodeError:
        name = entry.name
    return name, _Name(entry.name, type_)


def _folder_link_problem(path: str) -> Problem:
    hint = "replace the link with the folder itself"
    return Problem("bad-link", "the symbolic link points to a folder, so no picture is read from it", Where(path), hint)


class PublishedPaths:
    """Turns addresses in the asset store, whose address is `base`, into paths in a content folder.

    `published` are the files to which entries of the folder refer, by their names in the store. Another file is read
    only if its name fits an address.
    """

    def __init__(self, folder: Path, base: str, asset_folder: str, published: Mapping[str, PublishedFile]) -> None:
        self.base = base
        self._asset_folder = asset_folder
        self._files = AssetFiles(folder, looked_into=set())
        self._cache = PictureCache(folder, time.monotonic_ns())
        # By name in the store: the path of the file. `_find` adds names, with None if the folder has no such file.
        self._paths: dict[str, str | None] = {name: file.path for name, file in published.items()}

    def as_written(self, value: Any, before: Any, path: str) -> Any:
        """Return the value of a picture field with paths in place of addresses, for the file `path`.

        If the old value (`before`), or an item of it, is a path of the same file, the address becomes this path.
        """
        if isinstance(value, list):
            return [self.as_written(item, before, path) for item in value]
        target = self.target(value, path, from_asset_folder=True) if isinstance(value, str) else None
        if target is None:
            return value
        file, query_and_fragment = self._find(value)
        for old in before if isinstance(before, list) else [before]:
            if isinstance(old, str) and is_picture_path(old):
                _, old_query_and_fragment = split_target(old)
                if old_query_and_fragment == query_and_fragment and self._named_by(old, path) == file:
                    return old
        return target

    def target(self, address: str, path: str, *, from_asset_folder: bool) -> str | None:
        """Return the path by which the file `path` names the file at an address; None if the folder lacks the file.

        With `from_asset_folder`, the path of a file in the asset folder starts there, with a slash.
        """
        file, query_and_fragment = self._find(address)
        if not file:
            return None
        asset_prefix = f"{self._asset_folder}/" if self._asset_folder else ""
        if from_asset_folder and file.startswith(asset_prefix):
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
