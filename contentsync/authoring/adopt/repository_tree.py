"""List the files of a repository, as sorted paths."""

import os
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...content.files.file_names import is_hidden, name_fault, normalized_name

MAX_FILES = 200_000
_MAX_DEPTH = 40  # folders inside each other
# Folders that programs fill, or that contain the code of other projects.
_GENERATED = frozenset({"_site", "dist", "vendor", "bower_components", "__pycache__", "resources/_gen"})


@dataclass(frozen=True)
class RepositoryTree:
    """The visible files of a repository, as sorted paths with forward slashes.

    `top_names` are the names in the repository itself, including hidden ones.
    """

    files: tuple[str, ...]
    top_names: frozenset[str]
    limit_note: str = ""  # a sentence for the user if the repository has more files than the limit

    def files_in(self, folder: str) -> Sequence[str]:
        """Return the files below a folder; all files for ""."""
        return _below(folder, self.files)

    def folders_in(self, folder: str) -> list[str]:
        """Return the names of the folders directly in a folder."""
        start = len(f"{folder}/") if folder else 0
        names = (path[start:] for path in _below(folder, self._folders))
        return [name for name in names if "/" not in name]

    def folders_named(self, name: str, folder: str = "") -> list[str]:
        """Return the sorted paths of the folders with a name, at any depth below a folder."""
        return [path for path in _below(folder, self._folders) if path.rpartition("/")[2] == name]

    def has_folder(self, folder: str) -> bool:
        return bool(self.files_in(folder))

    @cached_property
    def _folders(self) -> tuple[str, ...]:
        """All folders that contain files, sorted."""
        folders: set[str] = set()
        for file in self.files:
            folder = file.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        return tuple(sorted(folders))


def _below(folder: str, paths: Sequence[str]) -> Sequence[str]:
    """Return the sorted paths that begin with a folder and a slash."""
    if not folder:
        return paths
    return paths[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")]  # "0" follows "/"


def list_files(root: Path, max_files: int = MAX_FILES) -> RepositoryTree:
    """Return the files of a repository, at most `max_files`.

    Folders that cannot be read, links, and names with faults are left out.
    """
    files: list[str] = []
    folders = [""]
    while folders and len(files) <= max_files:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    path = _path(folder, entry.name)
                    if path is None or path in _GENERATED or entry.name in _GENERATED:
                        continue
                    if entry.is_file(follow_symlinks=False):
                        files.append(path)
                    elif entry.is_dir(follow_symlinks=False) and path.count("/") < _MAX_DEPTH:
                        folders.append(path)
        except OSError:
            continue
    try:
        top_names = frozenset(os.listdir(root))  # noqa: PTH208  # iterdir makes paths
    except OSError:
        top_names = frozenset()
    note = (
        f"only {max_files:,} files were examined, and the folder has more: collections may be missing; "
        "adopt a smaller folder, or add them to the config"
    )
    return RepositoryTree(tuple(sorted(files[:max_files])), top_names, note if len(files) > max_files else "")


def _path(folder: str, name: str) -> str | None:
    """Return the path of a file or folder in a folder; None if it is hidden, or if its name has a fault."""
    if is_hidden(name):
        return None
    try:
        path = f"{folder}/{normalized_name(name)}" if folder else normalized_name(name)
    except UnicodeError:
        return None
    return None if name_fault(path) else path
