"""Which files of a content folder are content: by collection, never out of the folder."""

import os
import shlex
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from os import DirEntry
from pathlib import Path
from typing import NamedTuple

from ...errors import Problem, Severity, Where
from ...model import Kind
from ..config import DEFAULT_PATHS, Config
from ..config_file import CONFIG
from ..draft import Unreadable
from .file_names import MAX_PATH, composed, is_hidden, is_plain, name_fault
from .source_file import follow, special_file, unreadable
from .submodules import not_checked_out

SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    Kind.CATEGORY: (".yaml", ".yml"),
    Kind.TAG: (".yaml", ".yml"),
    Kind.CUSTOM_FIELD: (".yaml", ".yml"),
    Kind.ORGANIZER: (".md", ".markdown"),
    Kind.LISTING: (".csv", ".tsv", ".yaml", ".yml", ".md", ".markdown"),
    Kind.PAGE: (".md", ".markdown"),
    Kind.ARTICLE: (".md", ".markdown", ".html"),
}


class ContentFile(NamedTuple):
    """A file that holds entries of a kind."""

    kind: Kind
    path: str  # its name: relative to the content folder, with forward slashes, NFC
    location: str  # what to open: relative to the content folder too, links followed, as the system has its name
    suffix: str  # in lower case, with the dot


@dataclass(slots=True)
class Scan:
    """What a content folder holds: its files in the order of their paths, and the problems met on the way."""

    files: list[ContentFile] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # in which was looked for them, relative; "" is the content folder
    linked: bool = False  # whether there are links in them
    problems: list[Problem] = field(default_factory=list)
    incomplete: set[Kind] = field(default_factory=set)  # kinds of which something could not be read


def scan(root: Path, config: Config) -> Scan:
    """The content files below an existing folder."""
    walker = _Walker(root.resolve(), config)
    for kind, folder in config.content.items():
        walker.collection(kind, folder.path)
    return walker.result()


class _Walker:
    def __init__(self, root: Path, config: Config) -> None:
        self._root = root
        self._content = content = config.content
        self._source = config.source
        self._used: set[tuple[Kind, str]] = set()  # patterns of `exclude` that a name has matched
        self._collections = {folder.path for folder in content.values()}
        self._scan = Scan()
        self._decomposed = False  # whether a name has its accents as signs of their own (NFD)
        self._empty: dict[str, tuple[Kind, str]] = {}  # folders, by location: their kinds and paths

    def result(self) -> Scan:
        """What was found, in order."""
        for location in sorted(not_checked_out(self._root, self._empty)):
            kind, path = self._empty[location]
            message = f"the folder is a git submodule that is not checked out, so its {kind.plural} cannot be read"
            hint = f"in the content folder, run git submodule update --init -- {shlex.quote(path)}"
            self._problem(kind, Problem("missing-submodule", message, Where(path), hint))
        self._scan.problems += self._unused_patterns()
        self._scan.folders = sorted(set(self._scan.folders))
        self._scan.files.sort(key=attrgetter("path"))
        if self._decomposed:
            self._scan.files = list(self._without_twins())
        return self._scan

    def _without_twins(self) -> Iterator[ContentFile]:
        for path, (file, *others) in groupby(self._scan.files, attrgetter("path")):
            yield file
            if others:
                message = "two files have this name, with the accents encoded differently (NFC and NFD)"
                self._problem(file.kind, Problem("bad-file-name", message, Where(path), "delete one of them"))

    def collection(self, kind: Kind, path: str) -> None:
        """Find the files of a kind at its path in the config file, or at the default one."""
        paths = [path]
        if path == DEFAULT_PATHS[kind]:
            paths += [path.removesuffix(".yaml") + ".yml"] if path.endswith(".yaml") else []
        found = [self._top(kind, path) for path in paths]
        if not any(found) and path != DEFAULT_PATHS[kind]:
            message = f"{CONFIG} says that the {kind.plural} are at this path, but it does not exist"
            self._problem(
                kind, Problem("no-folder", message, Where(path), f"correct the path in {CONFIG}, or create it")
            )

    def _top(self, kind: Kind, path: str) -> bool:
        location = os.fsdecode(path.encode())
        place = str(self._root / location)
        try:
            mode = os.lstat(place).st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            self._problem(kind, unreadable(path, error))
            return True
        fault = next(filter(None, map(name_fault, path.split("/"))), None)
        if fault:
            self._problem(kind, Problem("bad-file-name", fault, Where(path), "rename it"))
        elif stat.S_ISLNK(mode) or os.path.realpath(place) != place:
            self._link(kind, path, location)
        elif stat.S_ISDIR(mode):
            self._folders(kind, [(path, path if path == location else location)])
        elif stat.S_ISREG(mode):
            self._scan.folders.append(location.rpartition("/")[0])
            self._file(kind, path, location)
        else:
            self._problem(kind, special_file(path))
        return True

    def _folders(self, kind: Kind, folders: list[tuple[str, str]]) -> None:
        """Walk folders, given by their paths and locations, and all below them."""
        while folders:
            path, location = folders.pop()
            if _suffix(path) in SUFFIXES[kind]:
                problem = Problem(
                    "not-a-file", "this is a folder, but its name has the ending of a file", Where(path), "rename it"
                )
                self._problem(kind, problem)
                continue
            self._scan.folders.append(location)
            try:
                with os.scandir(f"{self._root}/{location}") as entries:
                    in_order = sorted(entries, key=attrgetter("name"))  # cheap here, and the sort at the end is, too
                    if not in_order:
                        self._empty[location] = kind, path
                    folders += self._entries(kind, path, location, in_order)
            except OSError as error:
                self._problem(kind, unreadable(path, error))

    def _entries(
        self, kind: Kind, folder: str, folder_location: str, entries: Iterable[DirEntry[str]]
    ) -> Iterator[tuple[str, str]]:
        """Sort out what is in a folder; gives the folders in it."""
        suffixes = {suffix: suffix for suffix in SUFFIXES[kind]}  # one object each, however many files
        add, new = self._scan.files.append, tuple.__new__  # which takes half the time of the class's own
        excluding = self._content[kind] if self._content[kind].exclude else None
        long = len(folder) > MAX_PATH // 8
        for entry in entries:
            name = entry.name
            path = location = f"{folder}/{name}"
            if folder is not folder_location:
                location = f"{folder_location}/{name}"
            if long or not is_plain(name):
                if is_hidden(name):
                    is_excluded = excluding and self._is_excluded(kind, path)
                    if not is_excluded and _may_be_content(entry, suffixes):
                        self._problem_of_hidden(path, name)
                    continue
                try:
                    path = f"{folder}/{composed(name)}"
                    self._decomposed |= path != f"{folder}/{name}"
                    fault = name_fault(path)
                except UnicodeError:
                    path = f"{folder}/{os.fsencode(name).decode('utf-8', 'backslashreplace')}"
                    fault = "the file name is not UTF-8"
                if fault:
                    self._problem(kind, Problem("bad-file-name", fault, Where(path), "rename it"))
                    continue
            if (excluding and self._is_excluded(kind, path)) or path in self._collections:
                continue  # the latter is read as another collection
            if entry.is_file(follow_symlinks=False):
                suffix = suffixes.get(name[name.rfind(".") :])
                if suffix:
                    add(new(ContentFile, (kind, path, location, suffix)))
                else:
                    self._file(kind, path, location)
            elif entry.is_dir(follow_symlinks=False):
                yield path, path if path == location else location
            elif entry.is_symlink():
                self._link(kind, path, location)
            else:
                self._problem(kind, special_file(path))

    def _file(self, kind: Kind, path: str, location: str) -> None:
        suffix = _suffix(path)
        if suffix in SUFFIXES[kind]:
            self._scan.files.append(ContentFile(kind, path, location, suffix))
        elif path in self._collections:
            message = f"this must be a folder, or a file that ends with {' '.join(SUFFIXES[kind])}"
            self._problem(kind, Problem("not-a-folder", message, Where(path), f"set another path in {CONFIG}"))
        else:
            message = f"the file is ignored: {kind.plural} are read from files that end with {' '.join(SUFFIXES[kind])}"
            hint = (
                f'MDX is not supported: save the text as .md, or set exclude = ["*.mdx"] in {CONFIG}'
                if suffix == ".mdx"
                else f"change the ending, move the file, or add it to exclude in {CONFIG}"
            )
            self._scan.problems.append(Problem("ignored-file", message, Where(path), hint, Severity.WARNING))

    def _link(self, kind: Kind, path: str, location: str) -> None:
        """A link is followed to a file that is visible in this folder, and to nothing else."""
        self._scan.linked = True
        try:
            real = follow(self._root, location, path)
            mode = os.lstat(self._root / real).st_mode
        except Unreadable as error:
            problem = error.problems[0]
        except OSError as error:  # it has gone since
            problem = unreadable(path, error)
        else:
            if stat.S_ISREG(mode):
                self._file(kind, path, real)
                return
            problem = special_file(path)
            if stat.S_ISDIR(mode):
                hint = f"replace the link with the folder itself, or set the path of the folder in {CONFIG}"
                problem = Problem("bad-link", "the symbolic link points to a folder", Where(path), hint)
        self._problem(kind, problem)

    def _is_excluded(self, kind: Kind, path: str) -> bool:
        patterns = self._content[kind].patterns_of(path)
        self._used |= {(kind, pattern) for pattern in patterns}
        return bool(patterns)

    def _unused_patterns(self) -> Iterator[Problem]:
        for kind, folder in self._content.items():
            for pattern in folder.exclude:
                if (kind, pattern) not in self._used:
                    message = f"the exclude pattern '{pattern}' of {kind.plural} matches nothing in {folder.path}"
                    where = self._source.where(f"content.{kind.plural.replace(' ', '_')}.exclude")
                    hint = (
                        f"correct or delete it: a pattern matches a file or folder name, or a path below {folder.path}"
                    )
                    yield Problem("unused-pattern", message, where, hint, Severity.WARNING)

    def _problem_of_hidden(self, path: str, name: str) -> None:
        message = "not read: a file whose name starts with a dot is hidden"
        problem = Problem("misplaced", message, Where(path), f"rename it to {name.lstrip('.')}", Severity.WARNING)
        self._scan.problems.append(problem)

    def _problem(self, kind: Kind, problem: Problem) -> None:
        self._scan.problems.append(problem)
        self._scan.incomplete.add(kind)


def _may_be_content(entry: DirEntry[str], suffixes: Mapping[str, str]) -> bool:
    """Whether a hidden file was hardly hidden on purpose: editors and macOS leave others, with these beginnings."""
    suffix = _suffix(entry.name[1:])
    return suffix in suffixes and not entry.name.startswith(("._", ".#", ".~")) and entry.is_file(follow_symlinks=False)


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""
