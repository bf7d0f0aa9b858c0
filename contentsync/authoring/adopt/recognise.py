"""List the files of a repository, recognise its generator by its config file, and read what that says about the site.

A config in JavaScript is a program and is never run: only texts such as `title: "My site"` are found in it.
"""

import json
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...content.config.config_tables import SiteSettings
from ...content.files.file_names import is_hidden, name_fault, normalized_name
from ...content.files.file_text import UnreadableFile
from ...content.files.source_file import ContentRoot
from ...content.formats.draft import Draft
from ...content.formats.toml_reader import as_draft_values, read_toml
from ...content.formats.yaml_reader import read_mappings
from ...model import Kind
from .proposed_settings import ProposedSetting

MAX_FILES = 200_000
_MAX_CONFIG = 256 * 1024  # bytes
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


class Generator(StrEnum):
    """A program that makes a site from a repository."""

    JEKYLL = "Jekyll"
    HUGO = "Hugo"
    DOCUSAURUS = "Docusaurus"
    ASTRO = "Astro"
    ELEVENTY = "Eleventy"
    PLAIN = ""


_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts")
_CONFIGS: Mapping[Generator, tuple[str, ...]] = {
    Generator.DOCUSAURUS: tuple(f"docusaurus.config{suffix}" for suffix in _SCRIPTS),
    Generator.ASTRO: tuple(f"astro.config{suffix}" for suffix in _SCRIPTS),
    Generator.ELEVENTY: (".eleventy.js", *(f"eleventy.config{suffix}" for suffix in _SCRIPTS)),
    Generator.HUGO: ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"),
    Generator.JEKYLL: ("_config.yml", "_config.yaml"),
}
# Other programs have configs of these names too, so Hugo's content folder must exist.
_AMBIGUOUS_HUGO_CONFIGS = ("config.toml", "config.yaml", "config.yml", "config.json")
_HUGO_FOLDER = "config/_default"

_LITERAL = re.compile(
    r"\b(?P<name>title|url|site|baseUrl|locale|defaultLocale|input)[ \t]{0,8}:[ \t]{0,8}"
    r"(?:'(?P<single_quoted>[^'\n]{1,200})'|\"(?P<double_quoted>[^\"\n]{1,200})\")"
)
_LANGUAGE_SETTINGS = (
    *("defaultContentLanguage", "default_lang", "lang", "locale"),
    *("language", "languageCode", "defaultLocale"),
)
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z]{2,4})?\Z")


@dataclass(frozen=True)
class Site:
    """The generator of a repository, the file that shows it, and that file's settings (texts, lists and mappings)."""

    generator: Generator
    evidence: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def text(self, *names: str) -> str:
        """Return the first of these settings that is a text which is not empty; "" without one."""
        texts = (value.strip() for name in names if isinstance(value := self.settings.get(name), str))
        return next(filter(None, texts), "")

    @property
    def title(self) -> str:
        """The name of the site, as the config says; "" if unknown."""
        return self.text("title", "name")

    @property
    def address(self) -> str:
        """The address at which the site's own files are served, with a slash at its end; "" if unknown."""
        address = self.text("url", "baseurl", "baseURL", "site")
        base = self.text("baseurl", "baseUrl")  # the site's path in some generators, its address in others
        if not address.startswith(("https://", "http://")):
            return ""
        if base.startswith("/"):
            address = address.rstrip("/") + base
        return f"{address.rstrip('/')}/"

    @property
    def language(self) -> str:
        """The default language, such as `en`; "" if unknown."""
        codes = (language_code(self.text(name)) for name in _LANGUAGE_SETTINGS)
        return next(filter(None, codes), "")

    @property
    def languages(self) -> list[str]:
        """All languages, the default one first; [] if the config lists fewer than two."""
        listed = self.settings.get("languages")
        names = [*listed] if isinstance(listed, list | dict) else []
        codes = [*filter(None, (language_code(name) for name in names if isinstance(name, str)))]
        if len(codes) < 2:
            return []
        default = self.language or codes[0]
        return [default, *(code for code in codes if code != default)]


def language_code(text: str) -> str:
    """Return the code of a language in lower case, such as `en` for `en-GB`; "" if the text is not one."""
    match = _LANGUAGE.match(text)
    return match[1].lower() if match else ""


def recognise(root: Path, tree: RepositoryTree) -> Site:
    """Return the generator of a repository; `Generator.PLAIN` if there is none that is known."""
    for generator, path in _evidence(tree):
        return Site(generator, path, _read_settings(root, path))
    return Site(Generator.PLAIN)


def _evidence(tree: RepositoryTree) -> Iterator[tuple[Generator, str]]:
    """Yield the path of each file or folder that shows a generator, the most reliable one first."""
    for generator, names in _CONFIGS.items():
        yield from ((generator, name) for name in names if name in tree.top_names)
    if tree.has_folder("content"):
        all_names = (*_CONFIGS[Generator.HUGO], *_AMBIGUOUS_HUGO_CONFIGS)
        paths = (*_AMBIGUOUS_HUGO_CONFIGS, *(f"{_HUGO_FOLDER}/{name}" for name in all_names))
        yield from ((Generator.HUGO, path) for path in paths if path in tree.files)
    if any("/_posts/" in f"/{file}" for file in tree.files):
        yield Generator.JEKYLL, "_posts"


def _read_settings(root: Path, path: str) -> Mapping[str, Any]:
    """Return the settings of a config file; {} if it cannot be read, or if the path is a folder."""
    is_folder = "." not in path  # such as `_posts`
    if is_folder:
        return {}
    try:
        with ContentRoot(root) as files:
            text, _stamp = files.read_text(path, path, _MAX_CONFIG)
        return _parse_config(text, path)
    except (UnreadableFile, ValueError, RecursionError):
        return {}


def _parse_config(text: str, path: str) -> Mapping[str, Any]:
    """Return the settings in the text of a generator's config; {} if it is not a mapping.

    A config in JavaScript or TypeScript is not run: its settings are the texts that follow the names of `_LITERAL`.
    Raise UnreadableFile or ValueError for a text that is not TOML, YAML or JSON as the suffix of its path says.
    """
    values: Any
    if path.endswith(".toml"):
        values = as_draft_values(read_toml(text, path).values)  # with dates and numbers as YAML has them
    elif path.endswith((".yml", ".yaml")):
        drafts_and_problems = read_mappings(text, Kind.PAGE, path)  # the kind makes no difference
        values = next((item.values for item in drafts_and_problems if isinstance(item, Draft)), {})
    elif path.endswith(".json"):
        values = json.loads(text)
    else:  # one of _SCRIPTS
        literals = reversed([*_LITERAL.finditer(text)])  # of a name that occurs twice, the first one counts
        values = {literal["name"]: literal["single_quoted"] or literal["double_quoted"] for literal in literals}
    return values if isinstance(values, dict) else {}


def propose_site(site: Site, default_name: str) -> Iterator[ProposedSetting]:
    """Yield the name and the time zone that the generator's config says, if they are allowed."""
    name, timezone = site.title or default_name, site.text("timezone", "timeZone")
    # A site without a name is not valid.
    for key, settings in (("name", {"name": name}), ("timezone", {"name": default_name, "timezone": timezone})):
        try:
            SiteSettings.model_validate(settings)
        except ValidationError:
            continue
        yield ProposedSetting("site", key, settings[key])
