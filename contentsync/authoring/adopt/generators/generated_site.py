"""The generator of a repository, and what its config says about the site.

A config in JavaScript is a program and is never run: only texts such as `title: "My site"` are found in it.
"""

import ast
import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from ....content.files.file_text import UnreadableFile
from ....content.files.source_file import ContentRoot
from ....content.formats.draft import Draft
from ....content.formats.toml_reader import as_draft_values, read_toml
from ....content.formats.yaml_reader import read_mappings
from ....lazy_pattern import lazy_pattern
from ....model import Kind

_MAX_CONFIG = 256 * 1024  # bytes
_LITERAL = lazy_pattern(
    r"\b(?P<name>title|url|site|baseUrl|locale|defaultLocale|input)[ \t]{0,8}:[ \t]{0,8}"
    r"(?:'(?P<single_quoted>[^'\n]{1,200})'|\"(?P<double_quoted>[^\"\n]{1,200})\")"
)
_LANGUAGE_SETTINGS = (
    *("defaultContentLanguage", "default_lang", "lang", "locale"),
    *("language", "languageCode", "defaultLocale"),
)
_LANGUAGE = lazy_pattern(r"([A-Za-z]{2,3})(?:[-_][A-Za-z]{2,4})?\Z")


class Generator(StrEnum):
    """A program that makes a site from a repository."""

    JEKYLL = "Jekyll"
    HUGO = "Hugo"
    DOCUSAURUS = "Docusaurus"
    ASTRO = "Astro"
    ELEVENTY = "Eleventy"
    HEXO = "Hexo"
    ZOLA = "Zola"
    PELICAN = "Pelican"
    LEKTOR = "Lektor"
    VITEPRESS = "VitePress"
    STARLIGHT = "Starlight"
    OBSIDIAN = "Obsidian"
    PLAIN = ""


@dataclass(frozen=True)
class Site:
    """The generator of a repository, the file that shows it, and that file's settings (texts, lists and mappings)."""

    generator: Generator
    evidence: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    base: str = ""  # the folder of the site in the repository, such as `website`; "" for the repository itself
    config_text: str = ""  # the config as it is written
    root: Path | None = None  # the repository; None if there is no config

    def path(self, name: str) -> str:
        """Return the path in the repository of a file or folder of the site."""
        return "/".join(filter(None, (self.base, name.strip("/"))))

    def read(self, name: str) -> str:
        """Return the text of another file of the site, such as `package.json`; "" if it cannot be read."""
        return _read(self.root, self.path(name)) if self.root else ""

    def text(self, *names: str) -> str:
        """Return the first of these settings that is a text which is not empty; "" without one."""
        texts = (value.strip() for name in names if isinstance(value := self.settings.get(name), str))
        return next(filter(None, texts), "")

    @property
    def title(self) -> str:
        """The name of the site, as the config says; "" if unknown."""
        return self.text("title", "name", "SITENAME")

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
    def language_tag(self) -> str:
        """The default language with its region, such as `pt-BR`; "" if unknown."""
        tags = (tag for name in _LANGUAGE_SETTINGS if language_code(tag := self.text(name)))
        return next(tags, "").replace("_", "-")

    @property
    def languages(self) -> list[str]:
        """All languages, the default one first; [] if the config lists fewer than two.

        They have their regions only if two of them differ by it, such as `pt` and `pt-BR`.
        """
        listed = self.settings.get("languages")
        names = [*listed] if isinstance(listed, list | dict) else []
        tags = [name.replace("_", "-") for name in names if isinstance(name, str) and language_code(name)]
        codes = [language_code(tag) for tag in tags]
        if len(codes) < 2:
            return []
        if len({*codes}) < len(codes):  # such as `pt` and `pt-BR`: the region tells them apart
            default = next((tag for tag in tags if tag.lower() == self.language_tag.lower()), tags[0])
            return [default, *(tag for tag in tags if tag != default)]
        default = self.language or codes[0]
        return [default, *(code for code in codes if code != default)]


class _AnyCase(Mapping[str, Any]):
    """Settings with names in any case."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {str(name).lower(): value for name, value in values.items()}

    def __getitem__(self, name: str) -> Any:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def language_code(text: str) -> str:
    """Return the code of a language in lower case, such as `en` for `en-GB`; "" if the text is not one."""
    match = _LANGUAGE.match(text)
    return match[1].lower() if match else ""


def read_site(root: Path, generator: Generator, path: str, base: str = "") -> Site:
    """Return the site of a config file; without settings if it cannot be read, or if the path is a folder."""
    if not (root / path).is_file():  # a folder such as `.obsidian`
        return Site(generator, path, base=base)
    text = _read(root, path)
    try:
        settings = _parse_config(text, path)
    except (UnreadableFile, ValueError, SyntaxError, RecursionError, MemoryError):
        settings = {}
    if generator is Generator.HUGO:  # which reads `[Permalinks]` and `baseUrl` too
        settings = _AnyCase(settings)
    return Site(generator, path, settings, base, text, root)


def _read(root: Path, path: str) -> str:
    """Return the text of a file; "" if it does not exist, is too large or cannot be read."""
    try:
        with ContentRoot(root) as files:
            text, _stamp = files.read_text(path, path, _MAX_CONFIG)
    except (UnreadableFile, OSError):
        return ""
    return text


def _parse_config(text: str, path: str) -> Mapping[str, Any]:
    """Return the settings in the text of a generator's config; {} if it is not a mapping.

    A config that is a program is not run: the settings in Python are values that are written out, those in JavaScript
    or TypeScript the texts that follow the names of `_LITERAL`. Raise UnreadableFile, ValueError or SyntaxError for a
    text that is not in the format that the suffix of its path says.
    """
    values: Any
    if path.endswith(".toml"):
        values = as_draft_values(read_toml(text, path).values)  # with dates and numbers as YAML has them
    elif path.endswith((".yml", ".yaml")):
        drafts_and_problems = read_mappings(text, Kind.PAGE, path)  # the kind makes no difference
        values = next((item.values for item in drafts_and_problems if isinstance(item, Draft)), {})
    elif path.endswith(".json"):
        values = json.loads(text)
    elif path.endswith(".py"):
        values = dict(_python_values(text))
    else:  # in JavaScript or TypeScript
        literals = reversed([*_LITERAL.finditer(text)])  # of a name that occurs twice, the first one counts
        values = {literal["name"]: literal["single_quoted"] or literal["double_quoted"] for literal in literals}
    return values if isinstance(values, dict) else {}


def _python_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the names at the top of a Python file that are set to a value without a name or a call in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about escapes in texts
        module = ast.parse(text)
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            try:
                yield target.id, ast.literal_eval(node.value)
            except (ValueError, TypeError):  # TypeError: for a key that is a list
                continue
