"""Which files of a content folder are content: by collection, never out of the folder, links included."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import DirEntry
from pathlib import Path, PurePosixPath

from ..errors import Problem, Severity, Where
from ..model import Kind
from .config import CONFIG, DEFAULT_PATHS, Config
from .draft import Unreadable
from .source_file import follow, is_hidden, special_file, unreadable

SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    Kind.CATEGORY: (".yaml", ".yml"),
    Kind.TAG: (".yaml", ".yml"),
    Kind.CUSTOM_FIELD: (".yaml", ".yml"),
    Kind.ORGANIZER: (".md",),
    Kind.LISTING: (".csv", ".tsv", ".yaml", ".yml", ".md"),
    Kind.PAGE: (".md",),
    Kind.ARTICLE: (".md", ".html"),
}


@dataclass(frozen=True, slots=True)
class ContentFile:
    """A file that holds entries of a kind."""

    kind: Kind
    path: str  # relative to the content folder, with forward slashes
    location: str  # what to open: absolute, links followed

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


@dataclass(slots=True)
class Scan:
    """What a content folder holds: its files in the order of their paths, and the problems met on the way."""

    files: list[ContentFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    incomplete: set[Kind] = field(default_factory=set)  # kinds of which something could not be read


def scan(root: Path, config: Config) -> Scan:
    """The content files below an existing folder."""
    walker = _Walker(root.resolve(), {folder.path for folder in config.content.values()})
    for kind, folder in config.content.items():
        walker.collection(kind, folder.path)
    walker.scan.files.sort(key=lambda file: file.path)
    return walker.scan


class _Walker:
    def __init__(self, root: Path, collections: set[str]) -> None:
        self._root = root
        self._collections = collections
        self.scan = Scan()

    def collection(self, kind: Kind, path: str) -> None:
        paths = [path]
        if path == DEFAULT_PATHS[kind]:
            paths += [path.removesuffix(".yaml") + ".yml"] if path.endswith(".yaml") else []
        found = [self._top(kind, path) for path in paths]
        if not any(found) and path != DEFAULT_PATHS[kind]:
            message = f"{CONFIG} says that the {kind.plural} are here, but there is nothing"
            self._problem(kind, Problem("no-folder", message, Where(path), f"correct the path in {CONFIG}"))

    def _top(self, kind: Kind, path: str) -> bool:
        location = str(self._root / path)
        try:
            mode = os.lstat(location).st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            self._problem(kind, unreadable(path, error))
            return True
        if stat.S_ISLNK(mode):
            led = self._follow(kind, path, location)
            if led is None:
                return True
            location, mode = led
        if stat.S_ISDIR(mode):
            self._folder(kind, path, location, (str(self._root), location))
        elif PurePosixPath(path).suffix.lower() in SUFFIXES[kind]:
            self.scan.files.append(ContentFile(kind, path, location))
        else:
            suffixes = " ".join(SUFFIXES[kind])
            self._problem(kind, Problem("not-a-folder", f"is neither a folder nor a file of {suffixes}", Where(path)))
        return True

    def _folder(self, kind: Kind, path: str, location: str, above: tuple[str, ...]) -> None:
        try:
            with os.scandir(location) as entries:
                for entry in entries:
                    if not is_hidden(entry.name):
                        self._entry(kind, f"{path}/{entry.name}", entry, above)
        except OSError as error:
            self._problem(kind, unreadable(path, error))

    def _entry(self, kind: Kind, path: str, entry: DirEntry[str], above: tuple[str, ...]) -> None:
        if not _is_utf8(path):
            shown = path.encode("utf-8", "backslashreplace").decode()
            self._problem(kind, Problem("bad-file-name", "the file name is not UTF-8", Where(shown), "rename it"))
            return
        location = entry.path
        if entry.is_symlink():
            led = self._follow(kind, path, location)
            if led is None:
                return
            location, mode = led
            is_folder, is_file = stat.S_ISDIR(mode), stat.S_ISREG(mode)
        else:
            is_folder, is_file = entry.is_dir(), entry.is_file()
        suffix = PurePosixPath(path).suffix.lower()
        if is_folder:
            self._subfolder(kind, path, location, above, suffix)
        elif not is_file:
            self._problem(kind, special_file(path))
        elif suffix in SUFFIXES[kind]:
            self.scan.files.append(ContentFile(kind, path, location))
        else:
            told = " ".join(SUFFIXES[kind])
            message = f"the file is ignored: {kind.plural} are read from {told}"
            self.scan.problems.append(Problem("ignored-file", message, Where(path), severity=Severity.WARNING))

    def _subfolder(self, kind: Kind, path: str, location: str, above: tuple[str, ...], suffix: str) -> None:
        if path in self._collections:
            return  # another collection, which is read as such
        if suffix in SUFFIXES[kind]:
            self._problem(kind, Problem("not-a-file", "is a folder with the name of a file", Where(path), "rename it"))
        elif location in above:
            self._problem(kind, Problem("bad-link", "the link leads to a folder above it", Where(path), "remove it"))
        else:
            self._folder(kind, path, location, (*above, location))

    def _follow(self, kind: Kind, path: str, location: str) -> tuple[str, int] | None:
        """Where a link leads, and the mode of what is there, if that is visible content of this folder."""
        try:
            real = follow(self._root, Path(location), path)
            return str(real), real.stat().st_mode
        except Unreadable as error:
            problem = error.problems[0]
        except OSError as error:  # it has gone since
            problem = unreadable(path, error)
        self._problem(kind, problem)
        return None

    def _problem(self, kind: Kind, problem: Problem) -> None:
        self.scan.problems.append(problem)
        self.scan.incomplete.add(kind)


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
