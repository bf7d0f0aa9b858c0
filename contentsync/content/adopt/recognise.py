"""Recognise the generator of a repository by its config file, and read what that file says about the site.

A config in JavaScript is a program and is never run: only texts such as `title: "My site"` are found in it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ...model import Kind
from ..draft import Draft, UnreadableFile
from ..formats.toml_reader import as_draft_values, read_toml
from ..formats.yaml_reader import read_mappings
from ..source_file import ContentRoot
from .repository_files import FileTree

_MAX_CONFIG = 256 * 1024  # bytes


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
_HUGO_CONFIGS = ("config.toml", "config.yaml", "config.yml", "config.json")
_HUGO_FOLDER = "config/_default"

_LITERAL = re.compile(
    r"\b(title|url|site|baseUrl|locale|defaultLocale|input)[ \t]{0,8}:[ \t]{0,8}"
    r"(?:'([^'\n]{1,200})'|\"([^\"\n]{1,200})\")"
)
_LANGUAGE_SETTINGS = (
    *("defaultContentLanguage", "default_lang", "lang", "locale"),
    *("language", "languageCode", "defaultLocale"),
)
_LANGUAGE_CODES = """
    ar bg bn ca cs da de el en eo es et eu fa fi fr ga gl he hi hr hu id is it ja ka ko lt lv ms nb nl no pl pt ro ru
    sk sl sq sr sv sw ta th tr uk ur vi zh
"""
LANGUAGES = frozenset(_LANGUAGE_CODES.split())
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


def recognise(root: Path, tree: FileTree) -> Site:
    """Return the generator of a repository; `Generator.PLAIN` if there is none that is known."""
    for generator, path in _evidence(tree):
        return Site(generator, path, _read_settings(root, path))
    return Site(Generator.PLAIN)


def _evidence(tree: FileTree) -> Iterator[tuple[Generator, str]]:
    """Yield the path of each file or folder that shows a generator, the most reliable one first."""
    for generator, names in _CONFIGS.items():
        yield from ((generator, name) for name in names if name in tree.top_names)
    if tree.has_folder("content"):
        paths = [*_HUGO_CONFIGS, *(f"{_HUGO_FOLDER}/{name}" for name in (*_CONFIGS[Generator.HUGO], *_HUGO_CONFIGS))]
        yield from ((Generator.HUGO, path) for path in paths if path in tree.files)
    if any("/_posts/" in f"/{file}" for file in tree.files):
        yield Generator.JEKYLL, "_posts"


def _read_settings(root: Path, path: str) -> Mapping[str, Any]:
    """Return the settings of a config file; {} if it cannot be read, or if the path is a folder."""
    if "." not in path:
        return {}
    try:
        with ContentRoot(root) as files:
            text, _stamp = files.read_text(path, path, _MAX_CONFIG)
        return _parse(text, path)
    except (UnreadableFile, ValueError, RecursionError):
        return {}


def _parse(text: str, path: str) -> Mapping[str, Any]:
    """Return the settings in the text of a config; {} if it is not a mapping. Raise UnreadableFile or ValueError."""
    values: Any
    if path.endswith(".toml"):
        values = as_draft_values(read_toml(text, path).values)
    elif path.endswith((".yml", ".yaml")):
        mappings = read_mappings(text, Kind.PAGE, path)  # any kind; a problem in place of the mapping is ignored
        values = next((item.values for item in mappings if isinstance(item, Draft)), {})
    elif path.endswith(".json"):
        values = json.loads(text)
    else:
        literals = reversed([*_LITERAL.finditer(text)])  # of a name that occurs twice, the first one counts
        values = {literal[1]: literal[2] or literal[3] for literal in literals}
    return values if isinstance(values, dict) else {}


def language_folders(tree: FileTree, base: str) -> list[str]:
    """Return the languages that have a folder of their own in a folder, such as `content/fr`; [] for fewer than two."""
    found = [name for name in tree.folders_in(base) if name in LANGUAGES]
    return found if len(found) > 1 else []
