"""Warn of files and folders that look like content or translations but are not read as such.

They have wrong names, names of languages that the site does not have, or the layout of another generator.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...errors import Problem, Severity, Where
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind
from ...model.suggestion import did_you_mean_text
from ..config.collection_layout import LOCALE, CollectionLayout
from ..config.collection_settings import DEFAULT_PATHS
from ..config.config import Config
from ..config.hiding_keys import normalized_key
from ..config.unknown_keys import content_table
from ..files.content_folder import CONFIG
from ..files.file_names import DOCUMENT_SUFFIXES, MARKDOWN_SUFFIXES, path_in, shown_path, spelled_locale, visible_names
from ..formats.table_rows import TABLE_SUFFIXES
from .scan import SUFFIXES, ContentFile, ScanResult

# Common names for the folder or file of a kind: in lower case, without `-`, `_` and the plural.
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
_REPOSITORY_FILES = lazy_pattern(r"(?:readme|changelog|contributing|license|security|code_of_conduct)\b", re.IGNORECASE)
# The codes of ISO 639-1.
_LANGUAGE_CODE = lazy_pattern(
    r"(?:a[abefkmnrsvyz]|b[aegimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]"
    r"|i[adegikostu]|j[av]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]"
    r"|q[u]|r[mnouw]|s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|x[h]|y[io]|z[ahu])\Z",
    re.IGNORECASE,
)
_LOCALE_FOLDER = lazy_pattern(r"(?P<language>[A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*\Z")
# The locale of `blog/hello.pt-BR.md` is `pt-BR`, its language `pt`.
_LOCALE_SUFFIX = lazy_pattern(
    r"(?P<base>.+)\.(?P<locale>(?P<language>[A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*)\.[A-Za-z]+\Z"
)


def misplaced_problems(
    folder: Path, names: Sequence[str], config: Config, scanned: ScanResult, looked_into: set[str]
) -> Iterator[Problem]:
    """Yield the warnings for misplaced files and for unknown languages in a scanned folder with these top `names`.

    Add the folders whose file names affect the result to `looked_into`.
    """
    misplaced = MisplacedFiles(folder, names, config)
    yield from misplaced.problems(nothing_read=not scanned.files and not scanned.problems)
    looked_into |= misplaced.looked_into
    yield from unknown_locale_problems(scanned.files, config.site.locales)
    yield from unknown_locale_folders(folder, config, looked_into)


class MisplacedFiles:
    """Finds misplaced files in a content folder. `looked_into` are the subfolders whose names affect the result."""

    def __init__(self, root: Path, names: Sequence[str], config: Config) -> None:
        self._root = root
        self._names = names  # in the folder `root`; those of folders end with a slash
        self._config = config
        self._paths = {kind: shown_path(config.paths(kind)[0]) for kind in config.content}
        # Of these kinds, `include` names what is read at the top, so that other files there are none of them.
        self._at_top = {kind for kind in config.content if "" in config.paths(kind)}
        self._used_paths = [path for kind in config.content for path in config.paths(kind)]
        self.looked_into: set[str] = set()

    def problems(self, *, nothing_read: bool) -> Iterator[Problem]:
        """Yield a warning for each misplaced file or folder.

        If there is none, and with `nothing_read`, also warn of tables and folders with names unlike those of kinds.
        """
        warnings = [problem for name in self._names for problem in self._check_name(name)]
        for container in _CONTAINERS:
            if f"{container.partition('/')[0]}/" in self._names and not self._is_in_use(container):
                warnings += self._check_container(container)
        warnings += self._check_jekyll_pages()
        if nothing_read and not warnings:
            warnings += self._check_unread_tables_and_folders()
        yield from warnings

    def _check_name(self, name: str) -> Iterator[Problem]:
        """Yield a warning if a name in the content folder is like that of a kind, but the kind is read elsewhere."""
        path = name.rstrip("/")
        if self._is_in_use(path):
            return
        stem, suffix = PurePosixPath(path).stem, PurePosixPath(path).suffix
        if name.endswith("/"):
            kind = self._kind_of_name(path)
            if kind and DEFAULT_PATHS[kind].endswith(".yaml"):
                if self._contains(path, (".yaml", ".yml", *MARKDOWN_SUFFIXES)):
                    hint = f"write them into {DEFAULT_PATHS[kind]}"
                    yield _misplaced_problem(path, f"{kind.plural} are read from one file", hint)
            elif kind and self._contains(path, SUFFIXES[kind]):
                yield self._folder_problem(kind, path)
        elif suffix.lower() in _DATA and (kind := self._kind_of_name(stem)):
            yield self._file_problem(kind, path, suffix.lower())

    def _folder_problem(self, kind: Kind, path: str) -> Problem:
        """Return the warning for a folder that is named like a kind, but from which the kind is not read."""
        expected = self._paths[kind]
        set_path = f'set path = "{path}" under [content.{kind.plural}] in {CONFIG}'
        if "/" in path:  # in `content/`: another generator reads the folder there, so it should not move
            hint = set_path
        elif self._exists(expected):
            hint = f"move its files into {expected}/"
        else:
            hint = f"rename it to {expected}/, or {set_path}"
        return _misplaced_problem(path, f"{kind.plural} are read from {expected}/", hint)

    def _file_problem(self, kind: Kind, path: str, suffix: str) -> Problem:
        """Return the warning for a file that is named like a kind, but from which the kind is not read."""
        expected = self._paths[kind]
        if expected.endswith((".yaml", ".yml")):
            hint = f"save it as {expected}"
            if suffix in (".yaml", ".yml"):
                hint = f"rename it to {expected}"
            elif suffix in SUFFIXES[kind]:
                hint = f'set path = "{path}" under [{content_table(kind)}] in {CONFIG}'
            return _misplaced_problem(path, f"{kind.plural} are read from {expected}", hint)
        action = "move it into" if suffix in SUFFIXES[kind] else f"save it as {' or '.join(SUFFIXES[kind])} in"
        return _misplaced_problem(path, f"{kind.plural} are read from {expected}/", f"{action} {expected}/")

    def _check_container(self, container: str) -> Iterator[Problem]:
        """Yield a warning for each subfolder that is named like a kind, and one for all others, which may be pages."""
        others = []
        for name in self._names_in(container):
            path = f"{container}/{name.rstrip('/')}"
            is_folder = name.endswith("/")
            kind = self._kind_of_name(name.rstrip("/")) if is_folder else None
            if kind and self._contains(path, SUFFIXES[kind]):
                yield self._folder_problem(kind, path)
                continue
            has_pages = (
                self._contains(path, MARKDOWN_SUFFIXES) if is_folder else path.lower().endswith(MARKDOWN_SUFFIXES)
            )
            if has_pages:
                others.append(path)
        if others and Kind.PAGE not in self._at_top:
            message = f"{Kind.PAGE.plural} are read from {self._paths[Kind.PAGE]}/"
            yield _misplaced_problem(container, message, f'set path = "{container}" under [content.pages] in {CONFIG}')

    def _check_jekyll_pages(self) -> Iterator[Problem]:
        """Yield a warning if pages of Jekyll are in the content folder itself: no kind of entry is read from there."""
        texts = [name for name in self._names if name.lower().endswith(MARKDOWN_SUFFIXES)]
        pages = [name for name in texts if not (_REPOSITORY_FILES.match(name) or self._is_in_use(name))]
        is_jekyll = "_config.yml" in self._names or "_config.yaml" in self._names
        if pages and is_jekyll and Kind.PAGE not in self._at_top:
            expected = self._paths[Kind.PAGE]
            reason = f"{Kind.PAGE.plural} are read from {expected}/"
            if len(pages) > 1:
                reason += f", as {len(pages) - 1} more"
            yield _misplaced_problem(pages[0], reason, f"move it into {expected}/")

    def _check_unread_tables_and_folders(self) -> Iterator[Problem]:
        """Yield a warning for each table, and for each folder of Markdown files, that no kind is read from."""
        for name in self._names:
            path = name.rstrip("/")  # without the slash of a folder
            if self._is_in_use(path):
                continue
            if name.lower().endswith(TABLE_SUFFIXES) and Kind.LISTING not in self._at_top:
                root = self._paths[Kind.LISTING]
                yield _misplaced_problem(name, f"tables of listings are read from {root}/", f"move it into {root}/")
            elif name.endswith("/") and self._contains(path, MARKDOWN_SUFFIXES):
                hint = f'set path = "{path}" under [content.pages] or [content.articles] in {CONFIG}'
                yield _misplaced_problem(path, "this folder does not belong to any kind of entry", hint)

    def _kind_of_name(self, name: str) -> Kind | None:
        """Return the kind that a name is like, unless the kind is read at the top."""
        kind = _kind_of_name(name)
        return None if kind in self._at_top else kind

    def _is_in_use(self, path: str) -> bool:
        """Return whether a path is a collection (perhaps in another case), contains one, or is inside of one."""
        if self._config.concerns(path):
            return True
        alike = (used for used in self._used_paths if used.lower() == path.lower())  # the file system may ignore case
        return any(self._exists(used) and (self._root / used).samefile(self._root / path) for used in alike)

    def _exists(self, path: str) -> bool:
        return os.path.exists(self._root / path)  # noqa: PTH110  # Path.exists raises where it may not look

    def _contains(self, path: str, suffixes: Sequence[str]) -> bool:
        """Return whether a folder, or a folder directly in it, has a file with one of the suffixes."""
        names = self._names_in(path)
        below = (name for inner in names if inner.endswith("/") for name in self._names_in(f"{path}/{inner[:-1]}"))
        return any(name.lower().endswith(tuple(suffixes)) for name in (*names, *below))

    def _names_in(self, path: str) -> list[str]:
        self.looked_into.add(path)
        return visible_names(self._root / path)


def _kind_of_name(name: str) -> Kind | None:
    normalized = normalized_key(name)
    return _NAMES.get(normalized.removesuffix("s")) or _NAMES.get(normalized)


def _misplaced_problem(path: str, reason: str, hint: str) -> Problem:
    return Problem("misplaced", f"not read: {reason}", Where(path), hint, Severity.WARNING)


def unknown_locale_problems(files: Sequence[ContentFile], locales: Sequence[str]) -> Iterator[Problem]:
    """Yield a warning for each file that looks like a translation into a language that the site does not have."""
    candidates = [(file, _language_suffix(file, locales)) for file in files if file.path.count(".") > 1]
    suspects = [(file, match) for file, match in candidates if match]
    paths = {file.path for file in files} if suspects else set()
    for file, match in suspects:
        base, locale = match["base"], match["locale"]
        original = next((base + suffix for suffix in DOCUMENT_SUFFIXES if base + suffix in paths), None)
        if original is None:
            continue
        message = f"'{locale}' is not a language of the site: this is a separate entry, not a translation of {original}"
        hint = f"add '{locale}' to site.locales in {CONFIG}, or replace the dot with a hyphen"
        if similar := _similar_locale(locale, locales):
            hint = did_you_mean_text(similar)
        yield Problem("unknown-locale-suffix", message, Where(file.path), hint, Severity.WARNING, file.kind.value)


def _language_suffix(file: ContentFile, locales: Sequence[str]) -> re.Match[str] | None:
    """Return the match of `_LOCALE_SUFFIX` if a file's name ends with a language that the site does not have."""
    can_be_translation = RECORDS[file.kind].translated and file.suffix in DOCUMENT_SUFFIXES
    match = _LOCALE_SUFFIX.match(file.path) if can_be_translation else None
    if match is None or spelled_locale(match["locale"], locales):
        return None
    has_language_code = _LANGUAGE_CODE.match(match["language"])  # the `pt` of the locale `pt-BR`
    return match if has_language_code or _similar_locale(match["locale"], locales) else None


def unknown_locale_folders(folder: Path, config: Config, looked_into: set[str]) -> Iterator[Problem]:
    """Yield a warning for each folder named like a language that the site does not have, if languages have folders.

    Add the folders whose file names affect the result to `looked_into`.
    """
    for kind, layout in config.layouts().items():
        for collection in filter(layout.has_language_folders, layout.paths):
            for path, language in _language_folders(folder, layout, collection, looked_into):
                names = visible_names(folder / path)  # those of folders end with a slash
                if any(name.lower().endswith((*DOCUMENT_SUFFIXES, "/")) for name in names):
                    yield _language_folder_problem(kind, layout, path, language, is_read=kind in config.kinds_at(path))


def _language_folders(
    folder: Path, layout: CollectionLayout, collection: str, looked_into: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield a path of the collection in each folder named like an unknown language, and that name.

    Fill `looked_into`.
    """
    before, behind = path_in(collection, ""), ""
    if LOCALE in collection:
        before, _, behind = collection.partition(LOCALE)
    if folder_above := before.rstrip("/"):  # the names in the content folder itself are compared anyway
        looked_into.add(folder_above)
    for entry in visible_names(folder / before):
        name = entry.rstrip("/")
        # At `{locale}` in a path, the name must be as the config spells it.
        is_known = name in layout.locales if LOCALE in collection else spelled_locale(name, layout.locales)
        match = _LOCALE_FOLDER.match(name) if entry.endswith("/") and not is_known else None
        if match and (_LANGUAGE_CODE.match(match["language"]) or _similar_locale(name, layout.locales)):
            path = f"{before}{name}{behind}"
            looked_into.add(path)
            if os.path.isdir(folder / path):  # noqa: PTH112  # Path.is_dir raises where it may not look
                yield path, name


def _language_folder_problem(kind: Kind, layout: CollectionLayout, path: str, name: str, *, is_read: bool) -> Problem:
    """Return the warning for a folder whose name is like an unknown language."""
    result = "the files in this folder are separate entries" if is_read else "this folder is not read"
    similar = _similar_locale(name, layout.locales)
    hint = did_you_mean_text(similar) if similar else f"add '{name}' to site.locales in {CONFIG}"
    message = f"'{name}' is not a language of the site: {result}"
    return Problem("unknown-locale-folder", message, Where(path), hint, Severity.WARNING, kind.value)


def _similar_locale(code: str, locales: Sequence[str]) -> str | None:
    """Return the first language whose code is similar: `_` for `-`, one wrong letter, or swapped letters. Else None."""
    written = code.replace("_", "-").lower()
    for locale in locales:
        known = locale.lower()
        differences = sum(letter != expected for letter, expected in zip(written, known, strict=False))
        if len(written) == len(known) and (differences <= 1 or sorted(written) == sorted(known)):
            return locale
    return None
