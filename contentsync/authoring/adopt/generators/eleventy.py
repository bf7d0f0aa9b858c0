"""Eleventy: https://www.11ty.dev/docs."""

import json
import posixpath
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import GeneratorRules, Hidden, SiteFiles, flag, scripts
from .globs import exclude_pattern, matches
from .script_texts import calls, first_text, is_plain, texts, values, without_comments

_INPUT_OPTION = lazy_pattern(r"\beleventy\b[^\"&|;]{0,200}?--input[= ]([^\s\"&|;]{1,200})")
_PACKAGE = lazy_pattern(r"\"@11ty/eleventy\"\s*:")
_MAX_LINES = 1000  # of a file with ignored files
_CODE = ".11tydata"


def _applies(site: Site, tree: RepositoryTree) -> bool:
    return not site.evidence.endswith("package.json") or bool(_PACKAGE.search(site.config_text))


class _Rules:
    """The rules of a site: its folders, the ignored files, and the data of the folders."""

    def __init__(self, files: SiteFiles) -> None:
        self._files = files
        self._site = site = files.site
        self.script = without_comments("" if site.evidence.endswith(".json") else site.config_text)
        self.input = _input(site, self.script)
        self._ignored = {glob: source for source, glob in self._ignores()}
        self._folder_data = cache(self._read_folder_data)

    def rule(self, path: str) -> Hidden | None:
        """Return the rule by which a document is not published, or is in no list; None if it is published."""
        inner = path.removeprefix(f"{self.input}/") if self.input else path
        if self.input and inner == path:
            return Hidden(path, f"it is not in {self.input}, the folder of the input")
        for folder in self._folders_of_templates():
            if path.startswith(f"{folder}/"):
                return Hidden(path, f"{folder} has templates and data", folder if "/" in folder else "")
        for glob, source in self._ignored.items():
            if matches(path, glob):
                return Hidden(path, f"{glob} in {source}", exclude_pattern(glob, ""))
        formats = [text for value in values(self.script, "templateFormats") for text in texts(value)]
        if formats and path.rpartition(".")[2] not in formats:
            return Hidden(path, f"templateFormats of {self._site.evidence} does not name its ending")
        return self._rule_of_data(path)

    def _rule_of_data(self, path: str) -> Hidden | None:
        for key, is_hiding in (("permalink", False), ("eleventyExcludeFromCollections", True)):
            value, source = self._value(path, key)
            if flag(value) is is_hiding and not isinstance(value, dict):
                where = f" in {source}" if source else ""
                has_page = " (it has a page, but is in no list)" if is_hiding else ""
                reason = f"{key}: {str(is_hiding).lower()}{where}{has_page}"
                return Hidden(path, reason, source.rpartition("/")[0])
        return None

    def _value(self, path: str, key: str) -> tuple[Any, str]:
        """Return the value of a key for a document, and the file of data that has it; "" for the document itself."""
        front_matter = self._files.front_matter(path)
        if key in front_matter:
            return front_matter[key], ""
        stem = path.rpartition(".")[0]
        folder = path.rpartition("/")[0]
        data_files = [f"{stem}.11tydata.json", f"{stem}.json"]
        while folder and f"{folder}/".startswith(f"{self.input}/" if self.input else ""):
            stem = f"{folder}/{folder.rpartition('/')[2]}"
            data_files += [f"{stem}.11tydata.json", f"{stem}.json"]
            folder = folder.rpartition("/")[0]
        for file in data_files:
            if key in (data := self._folder_data(file)):
                return data[key], file
        return None, ""

    def _read_folder_data(self, path: str) -> Mapping[str, Any]:
        try:
            data = json.loads(self._files.read(path) or "{}")
        except (ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}

    def _folders_of_templates(self) -> Iterator[str]:
        for name, default in (("includes", "_includes"), ("data", "_data"), ("layouts", ""), ("output", "")):
            if folder := first_text(self.script, name) or default:
                base = self._site.base if name == "output" else self.input
                yield posixpath.normpath(posixpath.join(base, folder))

    def _ignores(self) -> Iterator[tuple[str, str]]:
        """Yield each ignored glob with the file that has it; negative ones do not exist for Eleventy."""
        base = self._site.base
        uses_git = not any(argument.strip() == "false" for argument in calls(self.script, "setUseGitIgnore"))
        names = [(base, ".gitignore")] if uses_git else []
        for folder, name in (*names, (base, ".eleventyignore"), (self.input, ".eleventyignore")):
            file = posixpath.join(folder, name)
            for line in map(str.strip, self._files.read(file).split("\n")[:_MAX_LINES]):
                if line and not line.startswith(("#", "!")):
                    yield from ((file, glob) for glob in _with_contents(folder, line))
        for argument in calls(self.script, "ignores.add"):
            yield from ((self._site.evidence, glob) for text in texts(argument) for glob in _with_contents(base, text))


def _with_contents(folder: str, line: str) -> tuple[str, str]:
    """Return the globs of a line: it names a file, or a folder with all files in it."""
    path = posixpath.normpath(posixpath.join(folder, line.strip("/")))
    return path, f"{path}/**"


def _input(site: Site, script: str) -> str:
    """Return the folder of the input as a path in the repository; "" for the repository itself."""
    argument = next(iter(calls(script, "setInputDirectory")), "")
    option = _INPUT_OPTION.search(site.read("package.json"))
    folder = (option[1] if option else "") or next(iter(texts(argument)), "") or first_text(script, "input")
    return posixpath.normpath(posixpath.join(site.base, folder)).removeprefix(".")


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    rules = _Rules(files)
    found = {path: rules.rule(path) for path in files.documents()}
    folders_with_pages = {folder for path, hidden in found.items() if not hidden for folder in _folders_around(path)}
    for hidden in filter(None, found.values()):
        # The data of a folder is for all its documents that do not differ.
        yield hidden._replace(pattern="") if hidden.pattern in folders_with_pages else hidden


def _folders_around(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _notes(files: SiteFiles) -> Iterator[str]:
    rules = _Rules(files)
    programs = [path for path in files.tree.files_in(files.site.base) if path.endswith((*scripts(_CODE),))]
    if any(calls(rules.script, "addPreprocessor")) or not all(
        is_plain(argument) for argument in calls(rules.script, "ignores.add")
    ):
        programs.append(files.site.evidence)
    if programs:
        more = f" and {len(programs) - 1} more are programs" if len(programs) > 1 else " is a program"
        yield f"{programs[0]}{more}, so adopt cannot know whether a rule in it hides entries"


def _address(site: Site, kind: Kind, path: str) -> str:
    if "{" in path:  # with folders of languages, the addresses begin with a language
        return ""
    source = _input(site, without_comments("" if site.evidence.endswith(".json") else site.config_text))
    below = path if not source else path.removeprefix(source).strip("/")
    return f"/{below}/:path/" if below.strip(".") else "/:path/"


ELEVENTY = GeneratorRules(
    generator=Generator.ELEVENTY,
    configs=(".eleventy.js", *scripts("eleventy.config"), "package.json"),
    applies=_applies,
    has_top_pages=True,
    hidden=_hidden,
    address=_address,
    notes=_notes,
    asset_folders=("public", "static"),
    nested_keys={"eleventyNavigation.key": "title", "eleventyNavigation.order": "order"},
)
