"""Find the content files of each collection, never outside of the content folder."""

import os
import shlex
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from os import DirEntry
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from ...errors import Problem, Refused, Severity, Where
from ...git import read_index, working_tree
from ...model import Kind
from ..config.config import Config
from ..config.unknown_keys import content_table
from ..files.content_folder import CONFIG
from ..files.file_names import (
    MARKDOWN_SUFFIXES,
    MAX_PATH,
    PICTURE_TYPES,
    SPREADSHEET_TYPES,
    is_below,
    is_hidden,
    is_ordinary,
    name_fault,
    normalized_name,
    path_in,
    shown_path,
    suffix_of,
)
from ..files.file_text import UnreadableFile
from ..files.source_file import Proposed, resolve_link, special_file_problem, unreadable_problem

_LISTS = (".yaml", ".yml", ".json", ".toml")
SUFFIXES: Mapping[Kind, tuple[str, ...]] = {
    Kind.CATEGORY: _LISTS,
    Kind.TAG: _LISTS,
    Kind.CUSTOM_FIELD: _LISTS,
    Kind.ORGANIZER: MARKDOWN_SUFFIXES,
    Kind.LISTING: (".csv", ".tsv", *_LISTS, *MARKDOWN_SUFFIXES),
    Kind.PAGE: MARKDOWN_SUFFIXES,
    Kind.ARTICLE: (*MARKDOWN_SUFFIXES, ".html"),
}
_SAFE_LENGTH = MAX_PATH // 8  # characters of a folder: with 4 bytes each, half of MAX_PATH is left for a name


class ContentFile(NamedTuple):
    """A file with entries of a kind."""

    kind: Kind
    path: str  # relative to the content folder, with forward slashes, NFC
    location: str  # the path to open: relative to the content folder, links resolved, with the names of the file system
    suffix: str  # lower case, with the dot

    @classmethod
    def at(cls, kind: Kind, path: str) -> "ContentFile":
        """Return the file at a path that no link leads to, and whose name is in NFC on disk."""
        return cls(kind, path, path, suffix_of(path))


@dataclass(slots=True)
class ScanResult:
    """The content files of a folder, sorted by path, and the problems found."""

    files: list[ContentFile] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # searched folders; "" is the content folder
    has_links: bool = False  # True: the folders contain symbolic links
    problems: list[Problem] = field(default_factory=list)
    incomplete_kinds: set[Kind] = field(default_factory=set)  # kinds with something that could not be read


def scan(root: Path, config: Config, proposed: Proposed = MappingProxyType({})) -> ScanResult:
    """Return the content files of an existing folder, with the problems in finding them.

    `proposed` files count as present, or as missing if they are None. Outside of the collections, they have no effect.
    """
    walker = _Walker(root.resolve(), config)
    for kind in config.content:
        walker.find_collection_files(kind, config.alternative_paths(kind), is_optional=config.has_default_path(kind))
    if proposed:
        walker.apply_proposed(proposed, config.paths)
    return walker.result()


class _Walker:
    """Finds the content files of one folder, collection by collection; `result` returns all of them."""

    def __init__(self, root: Path, config: Config) -> None:
        """Look for the content files of the folder `root`, as the config says where they are."""
        self._root = root
        self._content = content = config.content
        self._source = config.source
        self._reads_pictures = config.assets is not None
        self._matched_patterns: set[tuple[Kind, str, str]] = set()  # those that matched a path, with their setting
        self._layouts = {kind: config.layout(kind) for kind in content}
        self._collections = {path for kind in content for path in config.paths(kind)}
        self._read_elsewhere = {*self._collections, CONFIG}
        self._scan = ScanResult()
        self._has_decomposed_names = False  # whether a name on disk is not in the form NFC
        self._empty_folders: dict[str, tuple[Kind, str]] = {}  # kind and path, by location

    def result(self) -> ScanResult:
        """Add the last problems, and return the result with sorted files."""
        for location in sorted(missing_submodules(self._root, self._empty_folders)):
            kind, path = self._empty_folders[location]
            message = f"the folder is a git submodule that is not checked out, so its {kind.plural} cannot be read"
            hint = f"in the content folder, run git submodule update --init -- {shlex.quote(path)}"
            self._report_unread(kind, Problem("missing-submodule", message, Where(path), hint))
        self._scan.problems += self._unused_patterns()
        self._scan.folders = sorted(set(self._scan.folders))
        self._scan.files.sort(key=attrgetter("path"))
        if self._has_decomposed_names:
            self._scan.files = list(self._without_duplicates())
        return self._scan

    def _without_duplicates(self) -> Iterator[ContentFile]:
        """Yield the sorted files. Of several with the same normalized path, yield only the first; report the others."""
        for path, (file, *others) in groupby(self._scan.files, attrgetter("path")):
            yield file
            if others:
                message = "two files have this name, with the accents encoded differently (NFC and NFD)"
                self._report_unread(file.kind, Problem("bad-file-name", message, Where(path), "delete one of them"))

    def find_collection_files(self, kind: Kind, paths: Sequence[Sequence[str]], *, is_optional: bool) -> None:
        """Add the files of a kind at all paths of its collection (`Config.alternative_paths`).

        Report each path of which no alternative exists, unless the path is optional: one missing folder of several is
        as suspicious as a missing only one.
        """
        for alternatives in paths:
            exist = [self._add_files_at(kind, path) for path in alternatives]  # `any` would stop at the first
            if any(exist) or is_optional:
                continue
            path = alternatives[0]  # that of the config, for the default language; the others follow from it
            message = f"{CONFIG} says that the {kind.plural} are at this path, but it does not exist"
            correct = "correct the path" if len(paths) == 1 else "correct or delete the path"
            hint = f"{correct} in {CONFIG}, or create it"
            self._report_unread(kind, Problem("no-folder", message, Where(path), hint))

    def apply_proposed(self, proposed: Proposed, paths: Callable[[Kind], Sequence[str]]) -> None:
        """Leave out the files that count as missing, and add those that the folder does not have yet."""
        missing = {path for path, data in proposed.items() if data is None}
        files = {file.location: file for file in self._scan.files if file.location not in missing}
        kind_by_root = {root: kind for kind in self._content for root in paths(kind)}
        for path in [path for path in proposed if path not in missing and path not in files]:
            roots = [root for root in kind_by_root if is_below(path, root)]
            if not roots:
                continue
            kind = kind_by_root[max(roots, key=len)]  # a collection may be in the folder of another one
            if self._would_be_read(kind, path):
                files[path] = ContentFile.at(kind, path)
        self._scan.files = [*files.values()]

    def _would_be_read(self, kind: Kind, path: str) -> bool:
        """Return whether a new file would be content.

        It is not if it is hidden, excluded, behind a link, has a faulty name, or is in a folder named like a file.
        """
        root, inner = self._layouts[kind].split(path)
        names = inner.split("/")
        folders = names[:-1]
        if path == CONFIG or suffix_of(path) not in SUFFIXES[kind] or self._is_excluded(kind, path):
            return False
        if any(map(is_hidden, names)) or any(map(name_fault, folders)) or name_fault(path):
            return False
        parents = [path_in(root or "", "/".join(folders[: number + 1])) for number in range(len(folders))]
        return not any(suffix_of(parent) in SUFFIXES[kind] or (self._root / parent).is_symlink() for parent in parents)

    def _add_files_at(self, kind: Kind, path: str) -> bool:
        """Add the files at one path of a collection; return whether there is something, also something unreadable."""
        location = os.fsdecode(path.encode())  # equal to the path unless the locale has another encoding than UTF-8
        full_path = str(self._root / location)
        try:
            mode = os.lstat(full_path).st_mode
        except FileNotFoundError:
            return False
        except OSError as error:
            self._report_unread(kind, unreadable_problem(path, error))
            return True
        fault = next(filter(None, map(name_fault, filter(None, path.split("/")))), None)
        if fault:
            self._report_unread(kind, Problem("bad-file-name", fault, Where(path), "rename it"))
        elif stat.S_ISLNK(mode) or os.path.realpath(full_path) != full_path:
            self._follow_link(kind, path, location)
        elif stat.S_ISDIR(mode):
            self._walk(kind, [_same_object_if_equal(path, location)])
        elif stat.S_ISREG(mode):
            self._scan.folders.append(location.rpartition("/")[0])  # `_walk` adds the folders that it searches
            self._add_file(kind, path, location)
        else:
            self._report_unread(kind, special_file_problem(path))
        return True

    def _walk(self, kind: Kind, folders: list[tuple[str, str]]) -> None:
        """Add the files in these folders (path, location) and in all their subfolders. Empties `folders`."""
        while folders:
            path, location = folders.pop()
            if suffix_of(path) in SUFFIXES[kind]:
                message = "this is a folder, but its name has the ending of a file"
                self._report_unread(kind, Problem("not-a-file", message, Where(path), "rename it"))
                continue
            self._scan.folders.append(location)
            try:
                with os.scandir(f"{self._root}/{location}") as entries:
                    in_order = sorted(entries, key=attrgetter("name"))  # makes the sort at the end cheap
                    if not in_order:
                        self._empty_folders[location] = kind, path
                    folders += self._add_folder(kind, path, location, in_order)
            except OSError as error:
                self._report_unread(kind, unreadable_problem(path, error))

    def _add_folder(
        self, kind: Kind, folder: str, folder_location: str, entries: Iterable[DirEntry[str]]
    ) -> Iterator[tuple[str, str]]:
        """Add the files in a folder; yield the path and location of each subfolder.

        A location has the names as they are on disk; a path has them in the form NFC, which git and other systems use.
        If both are equal, they must be the same object, which is quick to compare.
        """
        suffixes = {suffix: suffix for suffix in SUFFIXES[kind]}  # so that all files share one string object
        add, new = self._scan.files.append, tuple.__new__  # twice as fast as the class's own
        has_patterns = bool(self._content[kind].exclude or self._content[kind].include)
        prefix, location_prefix = path_in(folder, ""), path_in(folder_location, "")
        may_be_too_long = len(folder) > _SAFE_LENGTH
        for entry in entries:
            name = entry.name
            path = location = f"{prefix}{name}"
            if folder is not folder_location:
                location = f"{location_prefix}{name}"
            if may_be_too_long or not is_ordinary(name):  # it may be hidden, faulty or not in NFC
                if is_hidden(name):
                    is_usual = not folder or (has_patterns and self._is_excluded(kind, path))  # such as .eslintrc.json
                    if not is_usual and _may_be_content(entry, suffixes):
                        self._warn_of_hidden(path, name)
                    continue
                try:
                    path = f"{prefix}{normalized_name(name)}"
                    self._has_decomposed_names |= path != f"{prefix}{name}"
                    fault = name_fault(path)
                except UnicodeError:
                    path = f"{prefix}{os.fsencode(name).decode('utf-8', 'backslashreplace')}"
                    fault = "the file name is not UTF-8"
                if fault and has_patterns and not self._is_included(kind, path):
                    continue
                if fault:
                    self._report_unread(kind, Problem("bad-file-name", fault, Where(path), "rename it"))
                    continue
            if has_patterns and self._is_excluded(kind, path):
                continue
            if path in self._read_elsewhere:
                continue
            if entry.is_file(follow_symlinks=False):
                suffix = suffixes.get(name[name.rfind(".") :])
                if suffix:
                    add(new(ContentFile, (kind, path, location, suffix)))
                else:
                    self._add_file(kind, path, location)
            elif entry.is_dir(follow_symlinks=False):
                yield _same_object_if_equal(path, location)
            elif entry.is_symlink():
                self._follow_link(kind, path, location)
            else:
                self._report_unread(kind, special_file_problem(path))

    def _add_file(self, kind: Kind, path: str, location: str) -> None:
        """Add a file if its suffix is one of the kind's; report any other file, except a picture."""
        suffix = suffix_of(path)
        if suffix in SUFFIXES[kind]:
            self._scan.files.append(ContentFile(kind, path, location, suffix))
        elif path in self._collections:
            message = f"this must be a folder, or a file that ends with {' '.join(SUFFIXES[kind])}"
            self._report_unread(kind, Problem("not-a-folder", message, Where(path), f"set another path in {CONFIG}"))
        elif not (self._reads_pictures and suffix in PICTURE_TYPES):
            message = f"the file is ignored: {kind.plural} are read from files that end with {' '.join(SUFFIXES[kind])}"
            if suffix in SPREADSHEET_TYPES and ".csv" in SUFFIXES[kind]:
                hint = f"save it as CSV in the spreadsheet program, then move it or add it to exclude in {CONFIG}"
            else:
                hint = f"change the ending, move the file, or add it to exclude in {CONFIG}"
            self._scan.problems.append(Problem("ignored-file", message, Where(path), hint, Severity.WARNING))

    def _follow_link(self, kind: Kind, path: str, location: str) -> None:
        """Follow a link to a visible file of this folder; report any other link."""
        self._scan.has_links = True
        try:
            real = resolve_link(self._root, location, path)
            mode = os.lstat(self._root / real).st_mode
        except UnreadableFile as error:
            problem = error.problems[0]
        except OSError as error:  # it was deleted meanwhile
            problem = unreadable_problem(path, error)
        else:
            if stat.S_ISREG(mode):
                self._add_file(kind, path, real)
                return
            problem = special_file_problem(path)
            if stat.S_ISDIR(mode):
                hint = f"replace the link with the folder itself, or set the path of the folder in {CONFIG}"
                problem = Problem("bad-link", "the symbolic link points to a folder", Where(path), hint)
        self._report_unread(kind, problem)

    def _is_excluded(self, kind: Kind, path: str) -> bool:
        """Return whether the config leaves out a path; remember the patterns that match it."""
        _, path_below = self._layouts[kind].split(path)
        if not path_below:  # the path of the collection itself
            return False
        if not self._is_included(kind, path):
            return True
        patterns = self._content[kind].matching_patterns(path_below)
        self._matched_patterns |= {(kind, "exclude", pattern) for pattern in patterns}
        return bool(patterns)

    def _is_included(self, kind: Kind, path: str) -> bool:
        """Return whether a path is in a file or folder that `include` names; remember the patterns that match it."""
        collection = self._content[kind]
        if not collection.include:
            return True
        _, path_below = self._layouts[kind].split(path)
        patterns = collection.including_patterns(path_below)
        self._matched_patterns |= {(kind, "include", pattern) for pattern in patterns}
        return bool(patterns)

    def _unused_patterns(self) -> Iterator[Problem]:
        """Yield a warning for each pattern of `include` and `exclude` that matched no path."""
        for kind, collection in self._content.items():
            paths = " or ".join(map(shown_path, collection.paths))
            matches = {
                "include": f"a pattern matches the name of a file or folder that is directly in {paths}",
                "exclude": f"a pattern matches a file or folder name, or a path below {paths}",
            }
            for setting, patterns in (("include", collection.include), ("exclude", collection.exclude)):
                for pattern in patterns:
                    if (kind, setting, pattern) not in self._matched_patterns:
                        message = f"the {setting} pattern '{pattern}' of {kind.plural} matches nothing in {paths}"
                        where = self._source.where(f"{content_table(kind)}.{setting}")
                        hint = f"correct or delete it: {matches[setting]}"
                        yield Problem("unused-pattern", message, where, hint, Severity.WARNING)

    def _warn_of_hidden(self, path: str, name: str) -> None:
        """Warn of a hidden file that may be content."""
        message = "not read: a file whose name starts with a dot is hidden"
        problem = Problem("misplaced", message, Where(path), f"rename it to {name.lstrip('.')}", Severity.WARNING)
        self._scan.problems.append(problem)

    def _report_unread(self, kind: Kind, problem: Problem) -> None:
        """Add a problem because of which entries of a kind may be missing."""
        self._scan.problems.append(problem)
        self._scan.incomplete_kinds.add(kind)


def _same_object_if_equal(path: str, location: str) -> tuple[str, str]:
    """Return both strings. If they are equal, they are one object, which `_add_folder` recognises quickly."""
    return path, path if path == location else location


def _may_be_content(entry: DirEntry[str], suffixes: Mapping[str, str]) -> bool:
    """Return whether a hidden file was probably hidden by mistake.

    Editors and macOS create hidden files with certain prefixes.
    """
    suffix = suffix_of(entry.name[1:])
    return suffix in suffixes and not entry.name.startswith(("._", ".#", ".~")) and entry.is_file(follow_symlinks=False)


def missing_submodules(root: Path, folders: Collection[str]) -> set[str]:
    """Return the folders that are submodules in git's index, and not checked out.

    `folders` are empty folders, relative to the content folder. Without a repository or git, return an empty set.
    """
    top = working_tree(root)
    if top is None or not folders:
        return set()
    prefix = root.resolve().relative_to(top).as_posix()
    folder_by_name = {str(PurePosixPath(prefix, folder)): folder for folder in folders}
    try:
        submodules = {entry.path for entry in read_index(top, folder_by_name) if entry.is_submodule}
    except Refused:  # such as for the repository of another user
        return set()
    return {folder for name, folder in folder_by_name.items() if name in submodules}
