"""Astro and its theme Starlight: https://docs.astro.build/en/guides/content-collections."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple
from urllib.parse import urljoin

from ....content.files.file_names import DOCUMENT_SUFFIXES
from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, scripts, with_path
from .globs import exclude_pattern, first_match, fixed_folder
from .script_texts import calls, first_text, is_plain, texts, texts_or_default, value_at, values, without_comments

_STARLIGHT = "@astrojs/starlight"
_ANY_FILE = ("**/*",)
_NO_UNDERSCORE = ("**/[^_]*", "!**/_*/**")  # neither the file nor a folder
_NO_FILE = ("!**",)
_KNOWN_LOADERS = ("glob(", "file(", "docsLoader(", "i18nLoader(")  # the last one and `file` read data
_ENDINGS = (".md", ".mdx")  # of the documents that a collection can have


class _Loader(NamedTuple):
    """The files that the site reads in a folder."""

    folder: str  # its path in the repository
    globs: Sequence[str]  # of paths in the folder
    rule: str  # a clause with the rule that the other files in the folder break
    kind: Kind | None = None
    endings: tuple[str, ...] = _ENDINGS


class _ContentConfig:
    """The collections of a site, as its config of the content says; it is read as a text."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.source = first_text(without_comments(site.config_text), "srcDir") or "src"
        paths = (*scripts(f"{self.source}/content.config"), *scripts(f"{self.source}/content/config"))
        read = ((path, site.read(path)) for path in paths)
        self.path, script = next(((path, text) for path, text in read if text), ("", ""))
        self._script = without_comments(script)
        self._definitions = [*calls(self._script, "defineCollection")]
        names = re.search(r"\bcollections\b[^={]{0,200}=\s*(?=\{)", self._script)
        self._names = value_at(self._script, names.end()) if names else ""  # of the collections, with their definitions

    @property
    def are_known(self) -> bool:
        """Whether the config declares collections, and all their folders are plain texts, and not code."""
        loaders = [value for value in values(self._script, "loader") if not value.startswith(_KNOWN_LOADERS)]
        bases = [base for arguments in calls(self._script, "glob") for base in values(arguments, "base")]
        return bool(self._definitions) and not loaders and all(map(is_plain, bases))

    @property
    def has_code(self) -> bool:
        """Whether the config declares collections whose folders are not plain texts."""
        return bool(self._definitions) and not self.are_known

    def all(self, tree: RepositoryTree) -> Iterator[_Loader]:
        """Yield the folder of pages, and the collections."""
        rule = "a name in its path begins with _"
        yield _Loader(self._in_repository(f"{self.source}/pages"), _NO_UNDERSCORE, rule, Kind.PAGE, DOCUMENT_SUFFIXES)
        content = self._in_repository(f"{self.source}/content")
        declared = [*self._declared(content)]
        yield from declared
        for name in tree.folders_in(content):
            folder = f"{content}/{name}"
            if self._is_without_loader(name) and all(loader.folder != folder for loader in declared):
                yield _Loader(folder, _NO_FILE if name.startswith("_") else _NO_UNDERSCORE, rule)

    def _is_without_loader(self, name: str) -> bool:
        """Return whether a folder of the content is a collection without a loader, as in versions before 5.

        If no collection has a loader, each folder is one.
        """
        with_loader = [any(True for _ in values(definition, "loader")) for definition in self._definitions]
        if all(with_loader) and with_loader:
            return False
        is_declared = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", self._names) is not None
        return is_declared or not any(with_loader)

    def _declared(self, content: str) -> Iterator[_Loader]:
        for arguments in calls(self._script, "glob"):
            bases = [*values(arguments, "base")]
            if bases and not is_plain(bases[0]):
                continue
            patterns = [*values(arguments, "pattern")]
            globs = (patterns and is_plain(patterns[0]) and texts(patterns[0])) or _ANY_FILE
            base = self._in_repository((texts(bases[0]) if bases else ["."])[0])
            shown = " or ".join(globs)
            yield _Loader(base, globs, f"it does not match {shown} in {self._site.path(self.path)}")
        if any(True for _ in calls(self._script, "docsLoader")):
            yield _Loader(f"{content}/docs", ("**/[^_]*",), "its name begins with _", Kind.PAGE)

    def _in_repository(self, folder: str) -> str:
        """Return the path in the repository of a folder of the site; "" for the repository itself."""
        return posixpath.normpath(posixpath.join(self._site.base, folder)).removeprefix(".")


def _is_starlight(site: Site, tree: RepositoryTree) -> bool:
    return _STARLIGHT in without_comments(site.config_text)


def _root_folders(site: Site) -> Iterator[str]:
    for folder in texts_or_default(without_comments(site.config_text), "publicDir", "public"):
        yield site.path(posixpath.normpath(folder))


def _root_address(site: Site) -> str:
    """Return `base` at the host of `site`; "" if only `site` has a path, at which the files may be or not."""
    base = next((text.strip("/") for text in texts_or_default(without_comments(site.config_text), "base", "/")), None)
    if base is None or not site.address:
        return ""
    return urljoin(site.address, f"/{base}/") if base else with_path(site.address, "/")


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    for loader in _ContentConfig(site).all(tree):
        folder = posixpath.join(loader.folder, fixed_folder(loader.globs[0])).rstrip("/")
        if folder and loader.globs != _NO_FILE:
            yield ContentSource(folder, loader.kind)


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    config = _ContentConfig(files.site)
    loaders = [*config.all(files.tree)]
    around = {path: [loader for loader in loaders if _contains(loader.folder, path)] for path in files.documents()}
    published = {path for path, found in around.items() if any(_reads(loader, path) for loader in found)}

    @cache
    def is_free(pattern: str, folder: str) -> bool:
        """Return whether a pattern matches no name in the paths of the published files of a folder."""
        paths = (path[_length(folder) :] for path in published if _contains(folder, path))
        return not any(fnmatchcase(name, pattern) for path in paths for name in path.split("/"))

    is_starlight = files.site.generator is Generator.STARLIGHT
    for path, found in around.items():
        if path in published:
            if is_starlight and flag(files.front_matter(path).get("draft")):
                yield Hidden(path, "draft: true", key="draft")
        elif found:
            loader = max(found, key=lambda loader: len(loader.folder))
            patterns = (pattern for pattern in _patterns(loader, path) if is_free(pattern, loader.folder))
            yield Hidden(path, loader.rule, next(patterns, ""))
        elif config.are_known:
            yield Hidden(path, "no collection of the site contains it")


def _contains(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _length(folder: str) -> int:
    return len(folder) + 1 if folder else 0


def _patterns(loader: _Loader, path: str) -> Iterator[str]:
    """Yield patterns that may mean the same as the rule by which a loader does not read a file."""
    inner = path[_length(loader.folder) :]
    folder, _, name = inner.rpartition("/")
    suffix = name[name.rfind(".") :]
    patterns = [exclude_pattern(glob[1:], loader.folder) for glob in loader.globs if glob.startswith("!")]
    patterns.append("_*" if loader.globs == _NO_UNDERSCORE else f"_*{suffix}")
    if not _reads(loader, posixpath.join(loader.folder, folder, f"x{suffix}")):
        patterns.append(f"*{suffix}")
    return (pattern for pattern in patterns if any(fnmatchcase(part, pattern) for part in inner.split("/")))


def _reads(loader: _Loader, path: str) -> bool:
    return path.endswith(loader.endings) and bool(first_match(path[_length(loader.folder) :], loader.globs))


def _notes(files: SiteFiles) -> Iterator[str]:
    config = _ContentConfig(files.site)
    if config.has_code:
        path = files.site.path(config.path)
        yield f"{path} names a folder or loader in code, so adopt cannot know which of its files are read"


ASTRO = GeneratorRules(
    generator=Generator.ASTRO,
    configs=scripts("astro.config"),
    sources=_sources,
    hidden=_hidden,
    notes=_notes,
    asset_folders=("public",),
    root_folders=_root_folders,
    root_address=_root_address,
)

STARLIGHT = replace(
    ASTRO,
    generator=Generator.STARLIGHT,
    applies=_is_starlight,
    nested_keys={"sidebar.label": "title", "hero.title": "title", "sidebar.order": "order"},
)
