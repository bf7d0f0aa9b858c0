"""What looks like content and is not read: names near those that are, and the layouts of other generators."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...errors import Problem, Severity, Where
from ...model import Kind
from ..config import DEFAULT_PATHS, Config
from ..config_file import CONFIG
from .file_names import names_in
from .scan import SUFFIXES

# What people call a folder or file of a kind: in lower case, without `-`, `_` and the plural.
_NAMES: Mapping[str, Kind] = {
    **dict.fromkeys(("article", "post", "blog", "new"), Kind.ARTICLE),
    "page": Kind.PAGE,
    "listing": Kind.LISTING,
    **dict.fromkeys(("organizer", "organiser"), Kind.ORGANIZER),
    **dict.fromkeys(("category", "categorie"), Kind.CATEGORY),
    "tag": Kind.TAG,
    "customfield": Kind.CUSTOM_FIELD,
}
_CONTAINERS = ("content", "src/content")  # of Hugo and Gatsby, and of Astro
_DATA = (".yaml", ".yml", ".csv", ".tsv", ".json", ".toml")
_TABLES = (".csv", ".tsv")
_MARKDOWN = (".md", ".markdown")
_OF_REPOSITORIES = re.compile(r"(?:readme|changelog|contributing|license|security|code_of_conduct)\b", re.IGNORECASE)


class Unread:
    """Looks through the names in a content folder. `looked_into` are the folders below it whose names count, too."""

    def __init__(self, root: Path, names: Sequence[str], config: Config) -> None:
        self._root = root
        self._names = names
        self._paths = {kind: folder.path for kind, folder in config.content.items()}
        self.looked_into: set[str] = set()

    def problems(self, *, nothing_read: bool) -> Iterator[Problem]:
        """A warning for each; where nothing at all is read, also for whatever may have been meant."""
        found = [problem for name in self._names for problem in self._of_name(name)]
        for container in _CONTAINERS:
            if f"{container.partition('/')[0]}/" in self._names and not self._is_in_use(container):
                found += self._in_container(container)
        found += self._pages_of_jekyll()
        if nothing_read and not found:
            found += self._whatever()
        yield from found

    def _of_name(self, name: str) -> Iterator[Problem]:
        path = name.rstrip("/")
        if self._is_in_use(path):
            return
        stem, suffix = PurePosixPath(path).stem, PurePosixPath(path).suffix
        if name.endswith("/"):
            kind = _kind_called(path)
            if kind and DEFAULT_PATHS[kind].endswith(".yaml"):
                if self._holds(path, (".yaml", ".yml", *_MARKDOWN)):
                    yield _not_read(
                        path, f"{kind.plural} are read from one file", f"write them into {DEFAULT_PATHS[kind]}"
                    )
            elif kind and self._holds(path, SUFFIXES[kind]):
                yield self._folder(kind, path)
        elif suffix.lower() in _DATA and (kind := _kind_called(stem)):
            yield self._file(kind, path, suffix.lower())

    def _folder(self, kind: Kind, path: str) -> Problem:
        own = self._paths[kind]
        rename = f"rename it to {own}/" if not self._exists(own) else f"move its files into {own}/"
        setting = f'path = "{path}" under [content.{kind.plural}] in {CONFIG}'
        meant = f"{kind.plural} are read from {own}/"
        if "/" in path:  # of another generator, which reads it there
            return _not_read(path, meant, f"set {setting}")
        return _not_read(path, meant, rename if self._exists(own) else f"{rename}, or set {setting}")

    def _file(self, kind: Kind, path: str, suffix: str) -> Problem:
        own = self._paths[kind]
        if own.endswith((".yaml", ".yml")):
            what = "rename it to" if suffix in (".yaml", ".yml") else "save it as"
            return _not_read(path, f"{kind.plural} are read from {own}", f"{what} {own}")
        what = "move it into" if suffix in SUFFIXES[kind] else f"save it as {' or '.join(SUFFIXES[kind])} in"
        return _not_read(path, f"{kind.plural} are read from {own}/", f"{what} {own}/")

    def _in_container(self, container: str) -> Iterator[Problem]:
        """The sections of a generator's content: those of articles, and pages for what is left."""
        others = []
        for name in self._names_in(container):
            path = f"{container}/{name.rstrip('/')}"
            kind = _kind_called(name.rstrip("/")) if name.endswith("/") else None
            if kind and self._holds(path, SUFFIXES[kind]):
                yield self._folder(kind, path)
            elif name.lower().endswith(_MARKDOWN) or (name.endswith("/") and self._holds(path, _MARKDOWN)):
                others.append(path)
        if others:
            meant = f"{Kind.PAGE.plural} are read from {self._paths[Kind.PAGE]}/"
            yield _not_read(container, meant, f'set path = "{container}" under [content.pages] in {CONFIG}')

    def _pages_of_jekyll(self) -> Iterator[Problem]:
        pages = [name for name in self._names if name.lower().endswith(_MARKDOWN) and not _OF_REPOSITORIES.match(name)]
        if pages and not {"_config.yml", "_config.yaml"}.isdisjoint(self._names):
            own = self._paths[Kind.PAGE]
            more = f", as {len(pages) - 1} more" if len(pages) > 1 else ""
            yield _not_read(pages[0], f"{Kind.PAGE.plural} are read from {own}/{more}", f"move it into {own}/")

    def _whatever(self) -> Iterator[Problem]:
        for name in (name for name in self._names if not self._is_in_use(name.rstrip("/"))):
            if name.lower().endswith(_TABLES):
                own = self._paths[Kind.LISTING]
                yield _not_read(name, f"tables of listings are read from {own}/", f"move it into {own}/")
            elif name.endswith("/") and self._holds(name.rstrip("/"), _MARKDOWN):
                hint = f'set path = "{name.rstrip("/")}" under [content.pages] or [content.articles] in {CONFIG}'
                yield _not_read(name.rstrip("/"), "this folder does not belong to any kind of entry", hint)

    def _is_in_use(self, path: str) -> bool:
        """Whether the path is a collection, has one below it, or is one by another spelling of this file system."""
        for own in self._paths.values():
            spellings = {own, own.removesuffix(".yaml") + ".yml"} if own in DEFAULT_PATHS.values() else {own}
            if path in spellings or own.startswith(f"{path}/") or path.startswith(f"{own}/"):
                return True
            if own.lower() == path.lower() and self._exists(own) and (self._root / own).samefile(self._root / path):
                return True
        return False

    def _exists(self, path: str) -> bool:
        return os.path.exists(self._root / path)  # noqa: PTH110  # Path.exists raises where it may not look

    def _holds(self, path: str, suffixes: Sequence[str]) -> bool:
        """Whether a folder, or one directly in it, has a file with such a suffix."""
        names = self._names_in(path)
        below = (name for inner in names if inner.endswith("/") for name in self._names_in(f"{path}/{inner[:-1]}"))
        return any(name.lower().endswith(tuple(suffixes)) for name in (*names, *below))

    def _names_in(self, path: str) -> list[str]:
        self.looked_into.add(path)
        return names_in(self._root / path)


def _kind_called(name: str) -> Kind | None:
    word = name.lower().replace("_", "").replace("-", "")
    return _NAMES.get(word.removesuffix("s")) or _NAMES.get(word)


def _not_read(path: str, meant: str, hint: str) -> Problem:
    return Problem("misplaced", f"not read: {meant}", Where(path), hint, Severity.WARNING)
